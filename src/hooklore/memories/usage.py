"""Find when each record was read last: shown to an agent, or asked for by somebody.

A memory that was read a moment ago is in use, however old its text is (seed 004).
"""

from collections import defaultdict

from hooklore.broker.broker import Broker
from hooklore.log import files
from hooklore.log.line import decode_line
from hooklore.log.reader import LogReader
from hooklore.records.draft import Draft, Principal
from hooklore.records.record import Body, Record
from hooklore.records.schema import SCHEMA_VERSION

_ACCESS_MARKER = b'"kind":"access"'
"""Bytes that the line of every access record has."""

LISTED = "list"
"""The trigger of what a search or a list told: no reading that keeps a memory in use."""

_SPECIFIC_TRIGGERS = ("prompt", "before_tool", "failure")
"""Triggers that show records for a need. A brief shows them without one."""


class Usage:
    """The readings since a moment. `last` has the moment of the last reading by a record's id."""

    def __init__(self) -> None:
        self.last: dict[str, str] = {}
        self._sessions: dict[str, set[str]] = defaultdict(set)

    def sessions(self, id_: str) -> int:
        """Return in how many sessions a record was shown for a need."""
        return len(self._sessions.get(id_, ()))

    def add(self, access: Record) -> None:
        """Count the readings that an access record names."""
        session, body = access.session_id, access.body
        if body.trigger == LISTED:
            return
        for target in map(str, body.targets):
            self.last[target] = max(access.ts, self.last.get(target, ""))
            if session and body.trigger in _SPECIFIC_TRIGGERS:
                self._sessions[target].add(session)


def load_usage(broker: Broker, since: str = "") -> Usage:
    """Return the log's readings since a moment, RFC 3339 in UTC. By default return all of them."""
    found = Usage()
    reader = LogReader(broker.place)
    try:
        closed = files.closed_segments(broker.place)
        for segment in (*closed, closed[-1] + 1 if closed else 1)[::-1]:
            if not _add_segment(found, reader, segment, since):
                break
    finally:
        reader.close()
    return found


def _add_segment(found: Usage, reader: LogReader, segment: int, since: str) -> bool:
    """Add a segment's readings, and return whether an older segment may have more."""
    first: str | None = None
    for line in reader.lines_of(segment):
        if first is None:
            oldest = decode_line(line.raw)
            first = oldest.ts if oldest is not None else ""
        record = decode_line(line.raw) if _ACCESS_MARKER in line.raw else None
        if record is not None and record.kind == "access" and record.ts >= since:
            found.add(record)
    return first is None or first >= since


def record_use(broker: Broker, ids: list[str], who: Principal, trigger: str) -> None:
    """Record that somebody asked for these records. A failure to record does not stop the reading."""
    broker.append([draft_use(ids, who, trigger)])


def draft_use(ids: list[str], who: Principal, trigger: str) -> Draft:
    """Return the draft of the record that somebody asked for these records."""
    return Draft.of(
        v=SCHEMA_VERSION, stream="control", kind="access", visibility="session",
        agent_id="person" if who.person else who.agent_id, session_id=who.session_id,
        scope="global", source={"system": "cli", "detail": trigger},
        body=Body.of(targets=ids, tokens=0, trigger=trigger),
    )  # fmt: skip
