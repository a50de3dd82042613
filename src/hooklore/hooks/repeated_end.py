"""Tell the end of a session that has ended already: a client may announce one end several times."""

from hooklore.agents.event import HookEvent
from hooklore.broker import Broker
from hooklore.errors import HookloreError
from hooklore.records import keys
from hooklore.records.draft import PERSON


def is_repeated_end(broker: Broker, event: HookEvent) -> bool:
    """Return whether a session ends that did nothing since its last end. False where memory cannot be read."""
    if event.event != "session_end" or not event.session_id:
        return False
    try:
        newest = broker.as_reader(PERSON).lookup(keys.in_session(event.session_id), 1)
    except HookloreError:
        return False
    return bool(newest) and newest[0].kind == "session_end"
