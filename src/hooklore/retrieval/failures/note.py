"""Render what is told at a failure: its fix in one sentence, or how often and when it was seen."""

from hooklore.prompt.frame import make_note, sanitize_for_prompt
from hooklore.prompt.note import Note
from hooklore.records.draft import Principal
from hooklore.retrieval.failures.search import MAX_COUNTED, KnownFailure
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
    often = f"{min(known.count, MAX_COUNTED)} times" if known.count > 1 else "once"
    more = "at least " if known.count >= MAX_COUNTED else ""
    seen = f"seen {more}{often} before, last on {known.record.ts[:10]}, no fix known"
    id_, name = make_note(known.record, "").id, sanitize_for_prompt(known.test)
    named = Note(id_, f"{name} was {seen}", ()).render()
    if name and estimate_tokens(named) <= _MAX_TOKENS:
        return named
    return Note(id_, seen, ()).render()
