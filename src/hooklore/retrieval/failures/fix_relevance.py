"""Tell whether the fix of one failure bears on another: what was missing there, what an edit mended."""

import re

from hooklore.broker.principal_reader import Reader
from hooklore.failures.error_signature import candidate_lines
from hooklore.failures.fix_reading import came_back
from hooklore.records.record import Record
from hooklore.retrieval.query import RecallQuery

_MISSING = re.compile(r"not find|not found|no such|can(?:no|')t resolve|no module named")
_QUOTED = re.compile(r"[`'\"]([^`'\"]+)[`'\"]")


def bears_on_failure(reader: Reader, fix: Record, query: RecallQuery, *, has_line: bool) -> bool:
    """Return whether a fix may be told at the failure that `query` describes.

    `has_line` says that the failure has a line of the one that the fix ended. Without it an edit is not told,
    nor a repaired command, as another error rejects another word; a command is not where the two miss
    different things.
    """
    if fix.body.evidence == "repaired" and not has_line:
        return False
    if fix.body.fix_kind == "edit":
        return has_line and _mended_the_same(reader, fix, query)
    return has_line or not _misses_another(reader, fix, query)


def _mended_the_same(reader: Reader, fix: Record, query: RecallQuery) -> bool:
    """Return whether an edit ended a failure with the first line of another one, and tells that error.

    Where its sentence names no error, all lines must be the same, and the failure must have stayed away: of a
    broad command, one line in common is often that of a test which fails whatever the cause.
    """
    lines = set(query.signatures)
    ended = [f for id_ in fix.body.failures for f in reader.find(id_)[:1]]
    owns = [
        own for failure in ended if not lines.isdisjoint((own := candidate_lines(failure.body))[:1])
    ]
    if not owns or fix.body.tells_error:
        return bool(owns)
    return lines in map(set, owns) and not came_back(reader, fix, query.before_id, query.session_id)


def _misses_another(reader: Reader, fix: Record, query: RecallQuery) -> bool:
    """Return whether a failure and the one that a fix ended each miss something, and not the same."""
    ended = (f for id_ in fix.body.failures[:1] for f in reader.find(id_)[:1])
    first = next((line for failure in ended for line in candidate_lines(failure.body)), "")
    theirs, own = (_missing_name(line) for line in (first, next(iter(query.signatures), "")))
    return bool(theirs and own) and theirs != own


def _missing_name(line: str) -> str:
    """Return the name that a normalised error line quotes first, if it says that something is missing."""
    found = _QUOTED.search(line) if _MISSING.search(line) else None
    return found[1] if found else ""
