"""Measure the use of a record: in how many sessions it was shown, opened, and followed.

It was followed in a session when what the session did or answered afterwards has a command or file that
the record names, or two of its terms, or a rare one, that no prompt before had.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from hooklore.broker.principal_reader import Reader
from hooklore.index.lookup_cache import evict_oldest
from hooklore.records import keys
from hooklore.records.record import Record
from hooklore.text.contradiction import extract_subjects

OPENED = "get"
"""The trigger of an access record of somebody who opened a record."""

_READ = 300
_MAX_SESSIONS = 40
"""Sessions of one record that are looked at, the newest."""

_LONGEST = 2_000
_MIN_SHARED = 2
_RARE = 6.0
"""The idf from which one term is enough."""

_DONE = ("tool_result", "tool_intent", "error", "answer", "subagent_stop")


@dataclass(frozen=True, slots=True)
class Use:
    """The sessions in which a record was shown, opened by its name, and followed."""

    shown: int = 0
    opened: int = 0
    followed: int = 0


@dataclass(frozen=True, slots=True)
class _Work:
    """The work of a session after a moment: its text and terms, and the terms of the prompts before."""

    text: str
    terms: frozenset[str]
    asked: frozenset[str]


class UseHistory:
    """Measures records by what sessions did. The work of each session is read once."""

    def __init__(self, owner: Reader) -> None:
        """`owner` reads as the store's owner."""
        self._owner = owner
        self._records: dict[str, list[Record]] = {}

    def measure(self, record: Record, accesses: Iterable[Record]) -> Use:
        """Return the use of a record, by the `access` records that name it."""
        first: dict[str, Record] = {}
        opened: set[str] = set()
        for access in sorted(accesses, key=lambda each: each.id, reverse=True):
            session = access.session_id or ""
            opened |= {session} if access.body.trigger == OPENED else set()
            if session in first or len(first) < _MAX_SESSIONS:
                first[session] = access
        followed = [s for s, access in first.items() if s and self._is_followed(record, s, access)]
        return Use(len(first), len(opened), len(followed))

    def _is_followed(self, record: Record, session: str, access: Record) -> bool:
        work = self._work_after(session, access.id)
        if any(" ".join(subject.split()) in work.text for subject in extract_subjects(record)):
            return True
        own = self._owner.terms(str(record.body.content_md or record.body.text or ""))
        shared = (set(own) & work.terms) - work.asked
        return len(shared) >= _MIN_SHARED or any(self._owner.idf(term) >= _RARE for term in shared)

    def _work_after(self, session: str, moment: str) -> _Work:
        """Return what a session did after the record with the id `moment`."""
        if session not in self._records:
            self._records[session] = self._owner.lookup(keys.in_session(session), _READ)
            evict_oldest(self._records)
        records = self._records[session]
        done = [_said(r) for r in records if r.kind in _DONE and r.id > moment]
        asked = [_said(r) for r in records if r.kind == "prompt" and r.id < moment]
        terms, known = (frozenset(self._owner.terms("\n".join(x))) for x in (done, asked))
        return _Work(" ".join("\n".join(done).split()), terms, known)


def _said(record: Record) -> str:
    body = record.body
    parts = (body.command, body.change, body.intent, *body.artifacts, body.text)
    return "\n".join(part[:_LONGEST] for part in parts if isinstance(part, str))
