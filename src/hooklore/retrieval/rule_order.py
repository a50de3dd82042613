"""Tell which memories say an order of steps. Who reads the orders is loaded only where a memory may say one."""

import re
from typing import TYPE_CHECKING

from hooklore.records.memory_kind import memory_kind
from hooklore.records.record import Record

if TYPE_CHECKING:
    from hooklore.retrieval.step_order import StepOrder

_MAY_SAY_ORDER = re.compile(
    r"\b(?:before|prior|ahead|until|unless|without|with|only|after\w*|first|then|next|order|sequence|once|"
    r"preceded|waits?|when\w*|if|un\w+ed|hasn|haven|isn|has not|yourself|your own)\b|->|=>|→|⇒|"
    r"前|まえ|後|あと|から|まで|ずに|なし|なく|ない|順|先に|まず|次に|たら|際|とき|時|なら|勝手|無断|黙って",
    re.IGNORECASE,
)
_MAX_READ = 600


def order_of(record: Record) -> "tuple[StepOrder, ...]":
    """Return the orders that a memory says, if it is of a kind that says what to do."""
    text = record.body.content_md
    is_rule = memory_kind(record.kind).told_in_brief
    if not is_rule or _MAY_SAY_ORDER.search(text[:_MAX_READ]) is None:
        return ()
    from hooklore.retrieval.step_order import find_step_orders

    return find_step_orders(text)
