"""A count stands before its noun, in the singular for one alone."""

import re
from pathlib import Path

import pytest

import hooklore
from hooklore.text.plural import format_count, select_form

_FIXED = re.compile(r"\} [a-z ]+\(s\)|else [\"']s[\"']")


@pytest.mark.parametrize(
    ("count", "noun", "words"),
    [
        (0, "note", "0 notes"), (1, "note", "1 note"), (2, "note", "2 notes"),
        (1, "memory", "1 memory"), (3, "memory", "3 memories"), (2, "day", "2 days"),
        (2, "batch", "2 batches"), (1, "earlier session", "1 earlier session"),
        (4, "damaged line", "4 damaged lines"),
    ],
)  # fmt: skip
def test_a_noun_agrees_with_its_count(count: int, noun: str, words: str) -> None:
    assert format_count(count, noun) == words


def test_a_verb_agrees_with_its_count() -> None:
    assert [select_form(n, "waits", "wait") for n in (0, 1, 2)] == ["wait", "waits", "wait"]


def test_no_other_place_words_a_plural() -> None:
    sources = Path(hooklore.__file__).parent.rglob("*.py")

    assert [str(path) for path in sources if _FIXED.search(path.read_text("utf-8"))] == []
