"""Compare two commands word by word: the words that one of them lacks, and those that it has instead."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from hooklore.late_pattern import compile_late
from hooklore.shell.command import simple_commands

OUTPUT_FILTERED = compile_late(
    r"\s*(?:\d?>&?\s*\S+|\|&?\s*(?:tail|head|grep|tee|cat|wc|sort)\b[^|;&]*)"
)
"""Redirections and filters of a command's output, which are no part of the command."""
_LONGEST = 120
_MAX_WORDS = 80
_TEXTS = frozenset(("--title", "--body", "--message", "--description", "--notes", "--comment"))
"""Options whose value is a text, however short."""
_JOINTS = compile_late(r"([=,])")


class Word(NamedTuple):
    """A word of a command, or a part of one that `=` or a comma ends, and its place.

    `option` is the option whose value it is, "" for one that stands by itself.
    """

    text: str
    place: int
    option: str

    @property
    def is_option(self) -> bool:
        """True for a word that begins with a dash."""
        return self.text[:1] == "-" and len(self.text) > 1


class CommandChange(NamedTuple):
    """The words that a second command lacks, and has instead; `kept` are those of both, with the program first."""

    gone: tuple[Word, ...]
    new: tuple[Word, ...]
    kept: tuple[Word, ...]


def last_step(command: str) -> list[str]:
    """Return the words of the last step of a command, the program first, without its filters."""
    steps = [words for _, words in simple_commands(OUTPUT_FILTERED.sub(" ", command)) if words]
    return steps[-1] if steps else []


@lru_cache(maxsize=64)
def command_change(before: str, after: str) -> CommandChange | None:
    """Return how the words of two commands differ; None for other programs.

    Only the last steps are compared. A text (a message, a query) is no word: another one is no change.
    """
    was, now = _split(last_step(before)), _split(last_step(after))
    if not was or not now or _name(was[0].text) != _name(now[0].text):
        return None
    gone, new = _without(was, now), _without(now, was)
    return CommandChange(gone, new, tuple(word for word in was if word not in gone))


def _split(words: list[str]) -> list[Word]:
    """Return the words of a step that are no texts, divided at `=` and commas."""
    found: list[Word] = []
    option = ""
    for place, word in _without_texts(words[:_MAX_WORDS]):
        for part in _JOINTS.split(word) if "://" not in word else (word,):
            if part and part not in "=,":
                found.append(Word(part, place, option if part[:1] != "-" else ""))
                option = part if part[:1] == "-" else (option if "," in word else "")
    return found


def _without_texts(words: list[str]) -> Iterator[tuple[int, str]]:
    """Yield the words with their places, without what has a blank, is long, or is the value of a text's option."""
    before = ""
    for place, word in enumerate(words):
        is_text = len(word) > _LONGEST or any(map(str.isspace, word))
        if not (is_text or before in _TEXTS or word.partition("=")[0] in _TEXTS):
            yield place, word
        before = word


def _without(words: list[Word], others: list[Word]) -> tuple[Word, ...]:
    """Return the words that others lack, each as often as they lack it."""
    left = Counter(word.text for word in others)
    lacking = []
    for word in words:
        left[word.text] -= 1
        if left[word.text] < 0:
            lacking.append(word)
    return tuple(lacking)


def _name(program: str) -> str:
    return program.replace("\\", "/").rpartition("/")[2]


def names_word(text: str, word: str) -> bool:
    """Return whether a text has a word by itself: no part of a longer one, of a path or of another option."""
    plain = word.lstrip("-").strip("/")
    if not plain or plain.lower() not in text.lower():
        return False
    if not plain.isascii():
        return True
    return _pattern(word).search(text) is not None


@lru_cache(maxsize=256)
def _pattern(word: str) -> "re.Pattern[str]":
    plain = re.escape(word.lstrip("-").strip("/"))
    dashes = "-{1,2}" if len(word.lstrip("-")) == 1 and word[:1] == "-" else "-{0,2}"
    before = "A-Za-z0-9_:-" if "/" in word or "." in word else "A-Za-z0-9_.:-"
    return re.compile(
        rf"(?<![{before}]){dashes}{plain}(?![A-Za-z0-9_-]|[./:][A-Za-z0-9_])", re.IGNORECASE
    )
