"""Fit the labels of a memory: title, emotion, phrases, key, tags, files. A memory is never lost for one of them.

What has no use is left out, what has another form is put into ours, and the writer is told both.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import Final

from hooklore.memories import dedupe_key
from hooklore.memories.memory_event import (
    EMOTION_FORM,
    LONGEST_PHRASE,
    MAX_ID_LENGTH,
    MAX_PHRASES,
    MAX_PHRASES_LENGTH,
    MAX_TAGS,
    adds_no_word,
    is_long_enough,
)
from hooklore.prompt.emotion import is_emotion
from hooklore.prompt.frame import sanitize_for_prompt
from hooklore.prompt.title import MAX_TITLE_LENGTH
from hooklore.records.record import Record
from hooklore.text.token_estimate import truncate_text

_BETWEEN_WORDS: Final = re.compile(r"[\s,.;:!?、。！？]+")
_SHOWN: Final = 60
_SINGLE: Final = ("run_id", "agent_type")

Note = Callable[[str], None]
"""Takes one line about what was left out or changed."""


def fit_labels(event: Record) -> tuple[Record, tuple[str, ...]]:
    """Return the event with labels that the schema takes, and what was left out or changed, a line each."""
    notes: list[str] = []
    fitted = {
        "title": _title(event, notes.append),
        "emotion": _emotion(event, notes.append),
        "when": _phrases(event, notes.append),
        "dedupe_key": _key(event, notes.append),
        "tags": _names(event, "tags", notes.append),
        "paths": _names(event, "paths", notes.append),
        "source": _source(event, notes.append),
        **{name: _short(event.extra(name), name, notes.append) for name in _SINGLE},
    }
    return event.with_fields(**{n: v for n, v in fitted.items() if n in event}), tuple(notes)


def _title(event: Record, note: Note) -> str | None:
    """Return the title on one line, cut at a word."""
    title = " ".join(str(event.extra("title") or "").split())
    if len(title) <= MAX_TITLE_LENGTH:
        return title or None
    cut = truncate_text(title, MAX_TITLE_LENGTH - 1)
    note(f"changed: title: cut to {_quoted(cut)}, for it has at most {MAX_TITLE_LENGTH} characters")
    return cut


def _emotion(event: Record, note: Note) -> str | None:
    """Return the emotion on one line, or None for what is none."""
    emotion = " ".join(str(event.extra("emotion") or "").split())
    if not emotion or is_emotion(emotion):
        return emotion or None
    note(f"left out: emotion: {_quoted(emotion)}: it must be {EMOTION_FORM}")
    return None


def _phrases(event: Record, note: Note) -> Sequence[str] | None:
    """Return the phrases that find what the text does not."""
    kept: list[str] = []
    for phrase in dict.fromkeys(" ".join(str(each).split()) for each in event.extra("when") or ()):
        cause = _useless(phrase, str(event.extra("content_md")), kept)
        if cause is None:
            kept.append(phrase)
        elif phrase:
            note(f"left out: phrase {_quoted(phrase)}: {cause}")
    return kept or None


def _useless(phrase: str, text: str, kept: Sequence[str]) -> str | None:
    """Return why a phrase is left out, or None. `kept` are those before it."""
    if not is_long_enough(phrase):
        return "it has fewer than three letters, or two Japanese or Chinese ones"
    if len(phrase) > LONGEST_PHRASE:
        return f"it has more than {LONGEST_PHRASE} characters"
    if adds_no_word(phrase, text):
        return "it adds no word to the text"
    if any(_words_of(phrase) == _words_of(each) for each in kept):
        return "another one has its words"
    if len(kept) == MAX_PHRASES:
        return f"there are {MAX_PHRASES} before it"
    if sum(map(len, kept)) + len(phrase) > MAX_PHRASES_LENGTH:
        return f"all phrases have at most {MAX_PHRASES_LENGTH} characters"
    return None


def _words_of(phrase: str) -> frozenset[str]:
    return frozenset(_BETWEEN_WORDS.split(unicodedata.normalize("NFKC", phrase).casefold())) - {""}


def _key(event: Record, note: Note) -> str | None:
    given = str(event.dedupe_key or "").strip()
    key = dedupe_key.put_into_form(given)
    if key != given:
        note(f"changed: key {_quoted(given)}: kept as `{key}`")
    return key or None


def _names(event: Record, field: str, note: Note) -> Sequence[str] | None:
    """Return the tags or the files of an event: each once, as many and as long as they may be."""
    given = dict.fromkeys(str(each).strip() for each in event.extra(field) or ())
    kept = [each for each in given if each and _short(each, field, note)]
    for each in kept[MAX_TAGS:]:
        note(f"left out: {field}: {_quoted(each)}: there are {MAX_TAGS} before it")
    return kept[:MAX_TAGS] or None


def _source(event: Record, note: Note) -> object:
    """Return the source of an event, without a claim of its writer's that is too long."""
    source = event.extra("source")
    if not isinstance(source, dict):
        return source
    claim = _short(source.get("claim"), "source", note)
    rest = {name: value for name, value in source.items() if name != "claim"}
    return {**rest, "claim": claim} if claim else rest


def _short(value: object, field: str, note: Note) -> str | None:
    """Return a name, or None for one that is too long."""
    name = str(value or "").strip()
    if len(name) <= MAX_ID_LENGTH:
        return name or None
    note(f"left out: {field}: {_quoted(name)}: it has more than {MAX_ID_LENGTH} characters")
    return None


def _quoted(text: str) -> str:
    """Return the beginning of a label as an answer may show it."""
    return f"“{truncate_text(sanitize_for_prompt(text[: _SHOWN * 2]), _SHOWN)}”"
