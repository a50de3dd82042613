"""Find the session in which the user said what an agent keeps, where the agent's client does not tell it.

A server or a command that a client starts may be told no session. The session serves one write, and no
reading.
"""

from dataclasses import replace

from hooklore.broker.broker import Broker
from hooklore.broker.principal_reader import Reader
from hooklore.memories.user_backing import is_backed_by_user
from hooklore.records import keys
from hooklore.records.draft import PERSON, Principal

_MAX_SESSIONS = 4
_MAX_STARTS = 50


def backed_writer(broker: Broker, who: Principal, text: str) -> Principal:
    """Return an agent in its session. Without one, in the latest of its sessions here that backs `text`."""
    if who.person or who.session_id is not None:
        return who
    owner = broker.as_reader(PERSON)
    sessions = list_recent_sessions(owner, who)
    backing = (each for each in sessions if is_backed_by_user(owner, each, text))
    return replace(who, session_id=next(backing, None))


def find_latest_session(broker: Broker, who: Principal) -> str | None:
    """Return the session that an agent began last here, in which a write without a session is counted."""
    return next(iter(list_recent_sessions(broker.as_reader(PERSON), who)), None)


def list_recent_sessions(owner: Reader, who: Principal) -> list[str]:
    """Return the sessions that an agent began last in its project, or outside of all, newest first."""
    starts = owner.history(keys.of_kind("session_start", who.project or "-"), _MAX_STARTS)
    own = [r.session_id for r in starts if r.agent_id == who.agent_id and r.session_id]
    return list(dict.fromkeys(own))[:_MAX_SESSIONS]
