"""What redaction leaves over and what it touches, and that the score itself can tell."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import pytest

from hooklore.redaction import redact
from hooklore.redaction.engine import _prefilters
from hooklore.redaction.rules.table import ALL_RULES
from tests.redaction.blind_honest import honest_lines
from tests.redaction.cases import Case, build_cases, stands_in
from tests.redaction.honest import Paragraph, paragraphs
from tests.redaction.lookalikes import lookalikes
from tests.redaction.score import (
    FEWEST_PARAGRAPHS,
    LEAST_PRECISION,
    MOST_HONEST_TOUCHED,
    MOST_LEFT_OVER,
    MOST_LOOKALIKES_TOUCHED,
    Score,
    report,
    score,
)

PROTOCOL = Path(__file__).parents[1] / "fixtures" / "protocol"


class Span(NamedTuple):
    """A finding of the redactions that these tests make up."""

    rule: str
    start: int
    end: int


@dataclass(frozen=True)
class Masked:
    """What those redactions answer."""

    text: str
    findings: Sequence[Span] = field(default_factory=tuple)


def nothing(text: str) -> Masked:
    """A redaction that finds nothing."""
    return Masked(text)


def everything(text: str) -> Masked:
    """A redaction that takes all there is."""
    return Masked("[gone]", (Span("all", 0, len(text)),))


def tail(text: str) -> Masked:
    """A redaction that takes the last two characters of whatever it is given."""
    return Masked(text[:-2] + "**", (Span("tail", len(text) - 2, len(text)),))


@pytest.fixture(scope="module")
def result() -> Score:
    return score(redact)


def told(result: Score) -> str:
    """The report, to be read when a goal is missed."""
    return "\n".join(report(result))


def test_no_more_than_three_in_a_hundred_secrets_are_left_over(result: Score) -> None:
    assert result.left.total >= 1_200
    assert result.left.value <= MOST_LEFT_OVER, told(result)


def test_honest_text_is_left_alone(result: Score) -> None:
    assert result.honest.total >= FEWEST_PARAGRAPHS
    assert result.honest.value <= MOST_HONEST_TOUCHED, told(result)


def test_what_only_looks_like_a_secret_is_left_alone(result: Score) -> None:
    assert result.lookalikes.total >= 100
    assert result.lookalikes.value <= MOST_LOOKALIKES_TOUCHED, told(result)


def test_what_is_masked_as_an_address_or_a_number_is_one(result: Score) -> None:
    assert result.email.total >= 40
    assert result.phone.total >= 100
    assert result.email.value >= LEAST_PRECISION, told(result)
    assert result.phone.value >= LEAST_PRECISION, told(result)


def test_a_second_set_of_honest_lines_is_left_alone() -> None:
    honest = [Paragraph(*line) for line in honest_lines()]

    found = score(redact, [], honest)

    assert found.honest.total >= 300
    assert found.honest.value <= MOST_HONEST_TOUCHED, told(found)


def test_no_gate_stays_shut_before_a_find() -> None:
    texts = [case.text for case in build_cases()[::3]]

    for text in texts:
        raw = text.encode()
        shut = set(range(len(ALL_RULES))) - set(_prefilters().match(raw))
        found = [
            name for at in shut for name, a, b in ALL_RULES[at].find(raw, 0, len(raw)) if a < b
        ]
        assert found == [], text


def test_a_second_pass_changes_nothing(result: Score) -> None:
    assert result.unstable.hits == 0, told(result)


@pytest.mark.parametrize("name", ["example_1.json", "example_2.json", "example_3.json"])
def test_the_example_events_of_the_protocol_are_accepted(name: str) -> None:
    text = (PROTOCOL / name).read_text("utf-8")
    content = json.loads(text)["content_md"]

    masked = [redact(text), redact(content)]

    assert [one.text for one in masked] == [text, content]
    assert not any(one.findings for one in masked)


def test_the_good_example_of_the_protocol_is_accepted() -> None:
    text = (PROTOCOL / "good_example.md").read_text("utf-8")

    masked = redact(text)

    assert masked.text == text
    assert not masked.findings


def test_a_redaction_that_does_nothing_leaves_everything_over() -> None:
    found = score(nothing, honest=[])

    assert found.left.value == 1.0
    assert len(found.missed) == found.left.total


def test_a_redaction_that_takes_everything_touches_everything() -> None:
    found = score(everything)

    assert found.left.value == 0.0
    assert found.honest.value == 1.0
    assert found.lookalikes.value == 1.0
    assert found.collateral.value == 1.0


def test_masking_the_end_of_a_token_is_not_masking_it() -> None:
    found = score(tail, [Case("x", "abcdefghijklmnop", ("abcdefghijklmnop",))], honest=[])

    assert found.left.hits == 1


def test_a_redaction_that_takes_the_secrets_and_no_more_is_perfect() -> None:
    cases = build_cases()
    secrets = {case.text: case.secrets for case in cases}

    def exactly(text: str) -> Masked:
        spans: list[Span] = []
        masked = text
        for value in sorted(secrets.get(text, ()), key=len, reverse=True):
            spans.append(Span("exact", text.index(value), text.index(value) + len(value)))
            masked = masked.replace(value, "[gone]")
        return Masked(masked, spans)

    found = score(exactly, cases, honest=[])

    assert found.left.hits == 0, found.missed
    assert found.lookalikes.hits == 0


def test_what_is_no_address_or_number_counts_against_its_rule() -> None:
    def wrong(text: str) -> Masked:
        return Masked("*", (Span("email", 0, 5), Span("phone", 6, 20), Span("phone", 21, 31)))

    found = score(wrong, [], [Paragraph("x", "a@b.c 03-3210-1234.. 1700000000")])

    assert found.email.hits == 0
    assert found.honest.hits == 0
    assert ("email", "a@b.c 03-3210-1") in found.wrong


def test_half_of_a_secret_is_a_secret() -> None:
    assert stands_in("abcdefghijkl", "… abcdef …")
    assert not stands_in("abcdefghijkl", "… abcde …")
    assert stands_in("4821", "PIN 4821")
    assert not stands_in("4821", "PIN 482")


def test_the_corpus_is_the_same_each_time_and_every_secret_stands_in_its_text() -> None:
    cases = build_cases()

    assert cases == build_cases()
    assert all(case.secrets for case in cases)
    assert all(secret in case.text for case in cases for secret in case.secrets)
    assert len({case.label for case in cases}) >= 150


def test_no_paragraph_and_no_lookalike_comes_twice() -> None:
    found = [paragraph.text for paragraph in paragraphs()]
    alike = [text for _, text in lookalikes()]

    assert len(set(found)) == len(found) >= FEWEST_PARAGRAPHS
    assert len(set(alike)) == len(alike) >= 100
