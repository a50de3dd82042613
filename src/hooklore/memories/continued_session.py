"""Find the session that an agent is in now, where the one that its tools were started in was cleared.

A client starts an MCP server once and tells it the session of that moment. When the user clears the context a
new session begins, and the server is told nothing. The log has the end of the one and the start of the other.
"""

from datetime import datetime

from hooklore.broker.principal_reader import Reader
from hooklore.records import keys
from hooklore.records.record import Record

_CLEARED = "clear"
_LONGEST_GAP_SECONDS = 10.0
_READ = 200


def find_continued_session(owner: Reader, session: str, project: str | None) -> str:
    """Return the session in which `session` went on in `project`, itself where it was not cleared."""
    if not project or not _was_cleared(owner, session):
        return session
    following = _find_following(owner, project)
    while session in following and _was_cleared(owner, session):
        session = following.pop(session)
    return session


def _was_cleared(owner: Reader, session: str) -> bool:
    """Return whether the last that is known of a session is that its context was cleared."""
    end = next(iter(owner.lookup(keys.end_in(session), 1)), None)
    turn = next(iter(owner.lookup(keys.turns_in(session), 1)), None)
    is_last = end is not None and (turn is None or turn.id < end.id)
    return is_last and end is not None and end.body.detail.get("reason") == _CLEARED


def _find_following(owner: Reader, project: str) -> dict[str, str]:
    """Return the session that began when another one was cleared, by the other.

    Where two were cleared before one began, neither is known: each may be the other's.
    """
    ends = owner.lookup(keys.of_kind("session_end", project), _READ)
    starts = owner.lookup(keys.of_kind("session_start", project), _READ)
    cleared = [r for r in ends if r.body.detail.get("reason") == _CLEARED]
    begun = [r for r in starts if r.body.detail.get("source") == _CLEARED]
    found: dict[str, str] = {}
    waiting: list[Record] = []
    for record in sorted((*cleared, *begun), key=lambda each: each.id):
        if record.kind == "session_end":
            waiting.append(record)
            continue
        near = [end for end in waiting if _is_soon_after(record, end)]
        if len(near) == 1 and near[0].agent_id == record.agent_id:
            found[str(near[0].session_id)] = str(record.session_id)
        waiting = near if len(near) > 1 else []
    return found


def _is_soon_after(start: Record, end: Record) -> bool:
    gap = datetime.fromisoformat(str(start.ts)) - datetime.fromisoformat(str(end.ts))
    return gap.total_seconds() <= _LONGEST_GAP_SECONDS
