"""Limit a memory to the agents of one role, or to one session, as its writer asks (seed 003)."""

from hooklore.broker.principal_reader import Reader
from hooklore.errors import HookloreError
from hooklore.records import keys
from hooklore.records.draft import Principal
from hooklore.records.record import Record

_LIST_SESSIONS = "run `hooklore list --kind session_start --json` for the ids"


class NoSuchSession(HookloreError):
    """A memory is to be for one session, and its writer is in none, or in another one."""

    def __init__(self, cause: str, fix: str) -> None:
        super().__init__(f"could not keep it for that session: {cause}", fix=fix)


def limit_readers(owner: Reader, event: Record, who: Principal) -> Record:
    """Return the event with the session that it is for. A session without an id is the writer's own.

    Raise NoSuchSession for one that is not the agent's that writes, or of which `owner` has no record.
    """
    if event.visibility != "session":
        return event
    named = event.session_id
    if who.person:
        if named is None:
            raise NoSuchSession("you are in none", "name it: `--session ID`")
        if not owner.history(keys.in_session(named), 1):
            raise NoSuchSession("nothing is recorded of it", _LIST_SESSIONS)
        return event
    if who.session_id is None:
        raise NoSuchSession(
            "no session of this agent is known", "leave it out, or keep it with `private`"
        )
    if named not in (None, who.session_id):
        raise NoSuchSession("it is another one", "say `this`")
    return event.with_fields(session_id=who.session_id)
