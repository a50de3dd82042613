"""Render what is told at a failure: its fix in one sentence, or in how many sessions it was seen, since when."""

from hooklore.prompt.frame import make_note, sanitize_for_prompt
from hooklore.prompt.note import Note
from hooklore.records.draft import Principal
from hooklore.retrieval.failures.search import KnownFailure
from hooklore.retrieval.notes import quote_record
from hooklore.text.token_estimate import estimate_tokens

_MAX_TOKENS = 25


def render_known_failure(known: KnownFailure, who: Principal) -> tuple[str, str]:
    """Return the id and the note of what is known of a failure, for a reader."""
    record = known.record
    return record.id, quote_record(record, who) if known.is_fixed else _count_note(known)


def _count_note(known: KnownFailure) -> str:
    """Return the note of a failure without a fix. It quotes at most a test's name, so it needs no origin.

    The name says which of several failed tests was seen before: the others may be new.
    """
    more = "at least " if known.is_more else ""
    seen = f"seen in {more}{known.sessions} other sessions since {known.since}"
    id_, name = make_note(known.record, "").id, sanitize_for_prompt(known.test)
    named = Note(id_, f"{name} was {seen}", ()).render()
    if name and estimate_tokens(named) <= _MAX_TOKENS:
        return named
    return Note(id_, seen, ()).render()
