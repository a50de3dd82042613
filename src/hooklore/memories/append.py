"""Append drafts for a command, which fails when the log does not keep one of them."""

from collections.abc import Callable, Iterable

from hooklore.broker.broker import Broker
from hooklore.errors import HookloreError, NotFound, RecordInvalid, StoreError
from hooklore.records.draft import ACKNOWLEDGED, PERSON, Draft, Receipt
from hooklore.records.record import Record

OF_ONE_LINE = frozenset("id ts hash delivery_id natural_key warnings".split())
"""Fields of one line of the log: no later version of a memory takes them over."""


def append_all(
    broker: Broker, drafts: list[Draft], failure: Callable[[str], HookloreError]
) -> list[Receipt]:
    """Append drafts and return their receipts. Raise `failure(reason)` for one that is not kept."""
    receipts = broker.append(drafts) if drafts else []
    for receipt in receipts:
        if receipt.status not in ACKNOWLEDGED:
            raise failure(receipt.reason or receipt.status)
    return receipts


def append_or_raise(broker: Broker, drafts: Iterable[Draft]) -> None:
    """Append drafts, then refresh the store. Raise StoreError when the log does not keep one."""
    append_all(broker, list(drafts), lambda reason: StoreError(str(broker.place.log), reason))
    broker.refresh()


def append_draft(broker: Broker, draft: Draft) -> Record:
    """Append one draft and return its record, which may have been appended before.

    Raise RecordInvalid for a refused draft, NotFound for a spooled one, HookloreError for a lost one.
    """
    receipt = broker.append([draft])[0]
    if receipt.status == "refused":
        raise RecordInvalid([receipt.reason or "no reason is known"])
    if receipt.status not in ACKNOWLEDGED:
        raise HookloreError(f"could not append to the log: {receipt.reason}")
    broker.refresh()
    if receipt.id is None:
        raise NotFound("the record: it waits in the spool")
    return broker.as_reader(PERSON).find(receipt.id)[0]
