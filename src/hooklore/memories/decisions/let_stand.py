"""Let what waits stand as its agent's word: what was kept before agents' words stood."""

from collections.abc import Iterable

from hooklore.broker.broker import Broker
from hooklore.index.record_keys import version_line_key
from hooklore.memories.append import append_or_raise
from hooklore.memories.decisions.approval_queue import NOT_INHERITED
from hooklore.memories.decisions.doubt import find_doubt, find_unbacked_reason
from hooklore.memories.session_memories import list_told_pending
from hooklore.memories.write_gate import is_free_to_stand
from hooklore.records.draft import PERSON, Draft, Principal
from hooklore.records.record import Record
from hooklore.records.schema import SCHEMA_VERSION

_MAX_WAITING = 1_000
_OF_NOBODY = ("inferred", "agents_word")
"""The reasons to wait of a memory that nobody said: as it was before, and as `curated.agents_word` may say."""


def list_letting_stand(broker: Broker) -> list[Record]:
    """Return the waiting memories that would stand as their agents' words today, newest first.

    Of two under one key that is the newer one.
    """
    broker.refresh()
    waiting = list_told_pending(broker.as_reader(PERSON), _MAX_WAITING)
    found = (r for r in waiting if _would_stand(broker, r))
    by_line = {version_line_key(r) or r.id: r for r in sorted(found, key=lambda r: str(r.id))}
    return sorted(by_line.values(), key=lambda r: str(r.id), reverse=True)


def let_stand(broker: Broker, found: Iterable[Record]) -> None:
    """Let memories stand as their agents' words. Raise StoreError when the log does not keep it."""
    append_or_raise(broker, [Draft(_standing(record)) for record in found])


def _would_stand(broker: Broker, record: Record) -> bool:
    """Return whether nothing but that nobody said a memory makes it wait."""
    if record.waits not in _OF_NOBODY or record.imported_from is not None:
        return False
    said, text = _standing(record), str(record.body.content_md)
    body = record.body
    labels = (body.title or "", body.emotion or "", *body.when, *body.tags)
    asked = said.with_fields(content_md=text)
    who = Principal(agent_id=str(record.agent_id), project=record.project)
    if find_doubt(said, text, is_by_person=False, labels=labels):
        return False
    if find_unbacked_reason(broker, asked, who):
        return False
    return is_free_to_stand(broker, Draft(said))


def _standing(record: Record) -> Record:
    """Return the version of a waiting memory that stands as its agent's word."""
    return record.without(*NOT_INHERITED).with_fields(
        v=SCHEMA_VERSION,
        basis="agent",
        self_named=record.self_named or not (record.session_id or record.is_private) or None,
        supersedes=record.id,
        delivery_id=f"{record.id}.stands",
    )
