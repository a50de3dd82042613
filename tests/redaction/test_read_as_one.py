"""The short texts of an event are read as one, and none of them is taken for clean that is not."""

import pytest

from hooklore.redaction import engine, redact
from hooklore.redaction.engine import find_clean, is_known_clean
from tests.redaction.cases import Case, build_cases

BESIDE = ("Bash", "pytest -q tests/unit/test_words.py", "/home/mori/work/app", "src/app/words.py")


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    return build_cases()


def orders(text: str) -> tuple[tuple[str, ...], ...]:
    return (text, *BESIDE), (*BESIDE, text), (*BESIDE[:2], text, *BESIDE[2:])


def test_no_text_with_a_secret_is_taken_for_clean_among_others(cases: list[Case]) -> None:
    lost = []
    for case in cases:
        found = redact(case.text, is_printed=True).findings
        for texts in orders(case.text) if found else ():
            engine._clean[True].__init__()  # type: ignore[misc]  # no text of the case before
            find_clean(texts)
            lost += [case.text] if is_known_clean(case.text, is_printed=True) else []

    assert len(cases) > 2_000
    assert lost == []


def test_an_event_of_clean_texts_is_known_to_be_clean_after_one_look() -> None:
    find_clean(BESIDE)

    assert all(is_known_clean(text, is_printed=True) for text in BESIDE[1:])
