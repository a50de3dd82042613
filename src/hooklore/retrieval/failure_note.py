"""Render what is told at a failure: its fix in one sentence, or how often and when it was seen."""

from hooklore.prompt.frame import make_note
from hooklore.prompt.note import Note
from hooklore.retrieval.failures import MAX_COUNTED, KnownFailure
from hooklore.retrieval.notes import quote_record


def render_known_failure(known: KnownFailure, branch: str | None) -> tuple[str, str]:
    """Return the id and the note of what is known of a failure; `branch` is that of its reader."""
    record = known.record
    return record.id, quote_record(record, branch) if known.is_fixed else _count_note(known)


def _count_note(known: KnownFailure) -> str:
    """Return the note of a failure without a fix. It quotes nothing, so that it needs no origin."""
    often = f"{min(known.count, MAX_COUNTED)} times" if known.count > 1 else "once"
    more = "at least " if known.count >= MAX_COUNTED else ""
    text = f"seen {more}{often} before, last on {known.record.ts[:10]}, no fix known"
    return Note(make_note(known.record, "").id, text, ()).render()
