"""What was shown for a prompt and not taken up must be surer the next time."""

from hooklore.index.view import View
from hooklore.records import keys
from hooklore.records.record import Record

UNUSED_PENALTY = 0.5
"""What each session that did not take a note up takes off its confidence: a note just above the bar is
silent after one, one that answers in so many words stays for all three."""

_LOOKED_AT = 3
_MIN_SHARED_TERMS = 2
"""Words of the note, beyond those of the prompt, that an answer has when it took the note up."""
_TURNS = 60


def count_unused_showings(view: View, record: Record, session_id: str | None) -> int:
    """In how many of the last three other sessions that were shown a record the answer left it aside."""
    shown = view.lookup(keys.recalls_of(record.id), _LOOKED_AT)
    others = [access for access in shown if access.session_id != session_id]
    return sum(_was_left(view, record, access) for access in others)


def _was_left(view: View, record: Record, access: Record) -> bool:
    """Whether the answer to this showing has nothing of what the note says; False of no answer."""
    turns = view.lookup(keys.turns_in(access.session_id), _TURNS)
    later = [r for r in turns if r.kind == "answer" and r.id > access.id]
    asked = next((r for r in turns if r.kind == "prompt" and r.id < access.id), None)
    if not later:
        return False
    taken = view.terms_of(later[-1]) & view.terms_of(record)
    return len(taken - (view.terms_of(asked) if asked else set())) < _MIN_SHARED_TERMS
