"""When each record was read last: what an agent was shown, and what somebody asked for (decision C8)."""

from collections import defaultdict

from hooklore.broker.broker import Broker
from hooklore.log import files
from hooklore.log.line import decode_line
from hooklore.log.reader import LogReader
from hooklore.records.draft import Draft, Principal
from hooklore.records.record import Body, Record
from hooklore.records.schema import SCHEMA_VERSION

_ACCESS = b'"kind":"access"'
"""What the line of an access record has in it."""


_FOR_A_NEED = ("prompt", "before_tool", "failure")
"""Triggers that show what bears on something; a brief shows what there is."""


class Usage:
    """Every reading since a moment: the last of each record, and in how many sessions it was of use."""

    def __init__(self) -> None:
        self.last: dict[str, str] = {}
        self._sessions: dict[str, set[str]] = defaultdict(set)

    def sessions(self, id_: str) -> int:
        """In how many sessions a record was shown because it bore on something."""
        return len(self._sessions.get(id_, ()))

    def add(self, access: Record) -> None:
        """Count what an access record says was read."""
        session, body = access.session_id, access.body
        for target in map(str, body.targets):
            self.last[target] = max(access.ts, self.last.get(target, ""))
            if session and body.trigger in _FOR_A_NEED:
                self._sessions[target].add(session)


def load_usage(broker: Broker, since: str = "") -> Usage:
    """Every reading from a moment on (RFC 3339 in UTC), from the log; of all time when none is given."""
    found = Usage()
    reader = LogReader(broker.place)
    try:
        closed = files.closed_segments(broker.place)
        for segment in (*closed, closed[-1] + 1 if closed else 1)[::-1]:
            if not _add(found, reader, segment, since):
                break
    finally:
        reader.close()
    return found


def _add(found: Usage, reader: LogReader, segment: int, since: str) -> bool:
    """Add a segment's readings; whether an older segment may have some, too."""
    first: str | None = None
    for line in reader.lines_of(segment):
        if first is None:
            oldest = decode_line(line.raw)
            first = oldest.ts if oldest is not None else ""
        record = decode_line(line.raw) if _ACCESS in line.raw else None
        if record is not None and record.kind == "access" and record.ts >= since:
            found.add(record)
    return first is None or first >= since


def record_use(broker: Broker, ids: list[str], who: Principal, trigger: str) -> None:
    """Record that these were asked for. What cannot be recorded is read all the same."""
    access = Draft.of(
        v=SCHEMA_VERSION, stream="control", kind="access", visibility="session",
        agent_id="person" if who.person else who.agent_id, session_id=who.session_id,
        scope="global", source={"system": "cli", "detail": trigger},
        body=Body.of(targets=ids, tokens=0, trigger=trigger),
    )  # fmt: skip
    broker.append([access])
