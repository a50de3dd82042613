"""Find the sessions of an agent: those that it began last, and the one in which a cleared one went on.

A client starts an MCP server once and tells it the session of that moment, or none. When the user clears the
context a new session begins, and the server is told nothing. The log has the end of the one and the start of the
other.
"""

from datetime import datetime, timedelta

from hooklore.broker.principal_reader import Reader
from hooklore.records import keys
from hooklore.records.draft import Principal
from hooklore.records.record import Record

_CLEARED = "clear"
_LONGEST_GAP = timedelta(seconds=10)
_READ = 200
_MAX_SESSIONS = 4
_MAX_STARTS = 50


def list_recent_sessions(owner: Reader, who: Principal) -> list[str]:
    """Return the sessions that an agent began last in its project, or outside of all, newest first."""
    starts = owner.history(keys.of_kind("session_start", who.project or "-"), _MAX_STARTS)
    own = [r.session_id for r in starts if r.agent_id == who.agent_id and r.session_id]
    return list(dict.fromkeys(own))[:_MAX_SESSIONS]


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
        begun_at = datetime.fromisoformat(str(record.ts))
        near = [
            end for end in waiting if begun_at - datetime.fromisoformat(str(end.ts)) <= _LONGEST_GAP
        ]
        if len(near) == 1 and near[0].agent_id == record.agent_id:
            found[str(near[0].session_id)] = str(record.session_id)
        waiting = near if len(near) > 1 else []
    return found
