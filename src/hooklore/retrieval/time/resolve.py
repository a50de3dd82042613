"""The times that a prompt names, by the asker's clock and by what the log says was when (row RF-22)."""

from collections.abc import Iterator, Mapping
from datetime import datetime

from hooklore.broker.broker import Broker, format_timestamp
from hooklore.index.words import bin_name
from hooklore.records.draft import Principal
from hooklore.records.ids import unpack_id
from hooklore.records.record import Record
from hooklore.retrieval.time import expressions
from hooklore.retrieval.time.expressions import TimeRange

_LOOKED_AT = 5


def asker_time(broker: Broker, now: str | None) -> datetime:
    """The asker's clock: `now` (RFC 3339) in its own zone, else this machine's."""
    if now is not None:
        return datetime.fromisoformat(now)
    return datetime.fromisoformat(broker.now()).astimezone()


def resolve_times(
    broker: Broker, text: str, now: str | None, bins: Mapping[str, float], who: Principal
) -> tuple[TimeRange, ...]:
    """What a text names by the calendar; else by a thing of which `who` may read a record."""
    found = expressions.find_time_ranges(text, asker_time(broker, now))
    told = expressions.find_event_reference(text) if not found else None
    ts = _moment_of(broker, told.words, bins, who) if told is not None else None
    return found if told is None or ts is None else (expressions.time_range_of(told, ts),)


def records_in_named_time(
    broker: Broker, text: str, now: str | None, bins: Mapping[str, float], who: Principal
) -> Iterator[Record]:
    """What `who` may read of these bins and of the time that a text asks for, the newest first.

    Nothing unless the text asks of nothing but a time. Reads the log back to that time: for explicit
    questions, not for hooks.
    """
    if not expressions.is_time_only_query(text):
        return
    named = expressions.find_time_ranges(text, asker_time(broker, now))
    start = min(span.start for span in named)
    for record in broker.newest(who):
        if format_timestamp(unpack_id(record.id)[0] * 1_000_000) < start:
            return  # nothing is appended before it happened: what comes is older still
        is_then = any(span.has(str(record.ts)) for span in named)
        if is_then and bin_name(record) in bins and broker.is_in_force(record, who):
            yield record


def _moment_of(broker: Broker, words: str, bins: Mapping[str, float], who: Principal) -> str | None:
    """When the thing was that these words begin with: the time of the record that tells most of it."""
    terms = broker.view.terms(words)
    for _, record in broker.search(terms, bins, who, _LOOKED_AT) if terms else ():
        if terms[0] in broker.view.terms_of(record):
            return str(record.ts)
    return None
