"""A secret that only looks different is the same secret."""

import time
from collections import Counter

import pytest

from hooklore.redaction import redact, redact_value
from tests.redaction.cases import Case, build_cases, stands_in
from tests.redaction.disguises import INVISIBLE, disguises, undisguised
from tests.redaction.draw import Draw, glue

_TOKEN = glue("gh", "p_", Draw("disguise").mixed(36))


def found_plain() -> list[Case]:
    """A third of all cases of every label that the rules find without a disguise."""
    cases = build_cases()
    shares: Counter[str] = Counter()
    taken: list[Case] = []
    for case in cases:
        shares[case.label] += 1
        if shares[case.label] % 3 == 1 and case.left_in(redact(case.text).text) is None:
            taken.append(case)
    return taken


def test_no_disguise_of_any_rule_keeps_a_secret() -> None:
    cases = found_plain()
    left = [
        (name, case.label, text)
        for number, case in enumerate(cases)
        for name, text in disguises(case, number)
        if any(stands_in(secret, undisguised(redact(text).text)) for secret in case.secrets)
    ]

    assert len(cases) >= 800
    assert left == []


@pytest.mark.parametrize("mark", INVISIBLE)
def test_the_mask_takes_the_place_of_the_disguised_span_and_of_no_more(mark: str) -> None:
    disguised = mark.join(_TOKEN)

    masked = redact(f"le café{mark}, {disguised} — und{mark} mehr")

    assert masked.text == f"le café{mark}, [REDACTED:github] — und{mark} mehr"


@pytest.mark.parametrize("mark", INVISIBLE)
def test_a_second_pass_over_a_disguised_text_changes_nothing(mark: str) -> None:
    once = redact(f"pass{mark}word = {_TOKEN[:14]}{mark}, {mark.join(_TOKEN)}").text

    assert redact(once).text == once


@pytest.mark.parametrize(
    "name", ["pass\u200bword", "раsswоrd", "ｐａｓｓｗｏｒｄ", "pass\x1b[0mword"]
)
def test_the_name_of_a_field_is_read_without_its_disguise(name: str) -> None:
    masked, _ = redact_value({name: _TOKEN[4:9]})

    assert list(masked.values()) == ["[REDACTED:assigned]"]


@pytest.mark.parametrize(
    "text",
    [
        "２０２６年１１月２２日に v1.2 を出した。", "Привет, мир: сборка прошла за 12 секунд.",
        "Η μονάδα μνήμης είναι 16 GiB.", "⚠️ 3 warnings, ✅ 12 passed", "naïve café, Zoë’s – 5 × 3",
        "\x1b[32mPASS\x1b[0m tests/test_login.py (12 tests)", "①まず ②次に ③最後に",
    ],
)  # fmt: skip
def test_what_other_alphabets_say_is_left_alone(text: str) -> None:
    assert redact(text).text == text


def test_plain_text_pays_nothing_for_disguises() -> None:
    """Twice the text would be twice the time: the second reading is for disguised text only."""
    plain = "\n".join(
        f"{number}: the build of the parser took {number} ms" for number in range(4000)
    )

    def seconds(text: str) -> float:
        times = []
        for number in range(5):
            started = time.process_time()
            redact(f"{text}{number}", is_printed=True)
            times.append(time.process_time() - started)
        return min(times)

    assert seconds(plain) < 0.75 * seconds(plain + "\u200b")
