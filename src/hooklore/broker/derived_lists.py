"""Values that many sessions derive from the same memories, kept while none of these memories changes."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from hooklore.index.lookup_cache import evict_oldest
from hooklore.records.draft import Principal
from hooklore.records.record import Record

_MAX_VALUES = 32
"""Values that are kept: a few for each project and each type of agent."""

_NEVER = "~"
"""A text behind every time."""

_Key = tuple[str, Principal]


@dataclass(slots=True)
class Reading:
    """A note of which records a value was derived from, ended and hidden ones too.

    They hold for every session but `sessions`, which may read a record that the others may not, and until
    `until`, when the first of them expires.
    """

    moment: str
    sessions: set[str | None]
    until: str = _NEVER

    def note(self, records: Iterable[Record]) -> None:
        """Note records that a value may depend on."""
        for record in records:
            if record.visibility == "session":
                self.sessions.add(record.session_id)
            expires = record.expires_at
            if isinstance(expires, str) and self.moment <= expires < self.until:
                self.until = expires


@dataclass(frozen=True, slots=True)
class _Kept:
    value: object
    revision: str
    reading: Reading


class DerivedLists:
    """The values of one broker's readers, by their names and by who reads, whatever the session and branch."""

    def __init__(self) -> None:
        self._kept: dict[_Key, _Kept] = {}

    def find(self, name: str, who: Principal, revision: str, moment: str) -> _Kept | None:
        """Return what is kept under a name for this principal; None when there is nothing, or it is outdated."""
        kept = self._kept.get(_key(name, who))
        is_valid = kept and kept.revision == revision and moment <= kept.reading.until
        return kept if is_valid else None

    def keep(
        self, name: str, who: Principal, value: object, revision: str, reading: Reading
    ) -> _Kept:
        """Keep a value, and return it with what it was derived from."""
        kept = self._kept[_key(name, who)] = _Kept(value, revision, reading)
        evict_oldest(self._kept, _MAX_VALUES)
        return kept


def of_no_session(who: Principal) -> Principal:
    """Return the principal who reads what every session of `who` may read."""
    return replace(who, session_id=None, branch=None)


def _key(name: str, who: Principal) -> _Key:
    return name, of_no_session(who)
