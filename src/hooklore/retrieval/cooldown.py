"""Count the sessions that did not use a note: each of them makes the next session less likely to see it."""

from hooklore.broker.principal_reader import Reader
from hooklore.records import keys
from hooklore.records.record import Record
from hooklore.retrieval.near_duplicates import text_terms

UNUSED_PENALTY = 0.15
"""Taken off a note's confidence for each session that did not use the note. A note just above its bar is
silent after one such session. A note whose shared words are a quarter stronger stays after three."""

_MAX_SESSIONS = 3
_MIN_SHARED_TERMS = 2
"""Terms of the note, beyond those of the prompt, that an answer contains when it used the note."""
_MAX_TURNS = 60


def unused_penalty(owner: Reader, record: Record, session_id: str | None) -> float:
    """Return what the last sessions that did not use `record` take off its confidence."""
    return UNUSED_PENALTY * count_unused_showings(owner, record, session_id)


def count_unused_showings(owner: Reader, record: Record, session_id: str | None) -> int:
    """Return how many of the last three other sessions that were shown `record` did not use it.

    `owner` reads as the store's owner: agents may not read the records of what was shown.
    """
    accesses = owner.history(keys.recalls_of(record.id), _MAX_SESSIONS)
    others = [access for access in accesses if access.session_id != session_id]
    return sum(_was_unused(owner, record, access) for access in others)


def _was_unused(owner: Reader, record: Record, access: Record) -> bool:
    """Return whether the answer after a showing contains nothing of the note. Without an answer it is False.

    An answer of one term beyond the prompt ("203 dpi.") uses the note by that term.
    """
    turns = owner.history(keys.turns_in(access.session_id), _MAX_TURNS)
    later = [turn for turn in turns if turn.kind == "answer" and turn.id > access.id]
    prompt = next((turn for turn in turns if turn.kind == "prompt" and turn.id < access.id), None)
    if not later:
        return False
    said = owner.terms_of(later[-1]) - (owner.terms_of(prompt) if prompt else set())
    return len(said & text_terms(owner, record)) < min(_MIN_SHARED_TERMS, max(len(said), 1))
