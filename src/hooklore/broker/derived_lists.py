"""Values that many sessions derive from the same memories, kept while none of these memories changes."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from hooklore.records.draft import Principal
from hooklore.records.record import Record

MAX_VALUES = 32
"""Values that are kept: a few for each project and each type of agent."""

_NEVER = "~"
"""A text behind every time."""


@dataclass(slots=True)
class DerivedValue:
    """A value, and a note of which records it was derived from, ended and hidden ones too.

    It holds while the memories have this `revision`, for every session but `sessions`, which may read a record
    that the others may not, and until `until`, when the first of the records expires.
    """

    moment: str
    revision: str
    value: object = None
    sessions: set[str | None] = field(default_factory=set)
    until: str = _NEVER

    def note(self, records: Iterable[Record]) -> None:
        """Note records that the value may depend on."""
        for record in records:
            if record.visibility == "session":
                self.sessions.add(record.session_id)
            expires = record.expires_at
            if isinstance(expires, str) and self.moment <= expires < self.until:
                self.until = expires


DerivedLists = dict[tuple[str, Principal], DerivedValue]
"""The values of one broker's readers, by their names and by who reads, whatever the session and branch."""


def of_no_session(who: Principal) -> Principal:
    """Return the principal who reads what every session of `who` may read."""
    return replace(who, session_id=None, branch=None)
