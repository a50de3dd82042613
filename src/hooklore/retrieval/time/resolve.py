"""Resolve the times that a prompt names, by the asker's clock and by what the log says was when."""

from collections.abc import Iterator, Mapping
from datetime import datetime

from hooklore.broker.broker import format_timestamp
from hooklore.broker.principal_reader import Reader
from hooklore.index.words import bin_name
from hooklore.records.ids import unpack_id
from hooklore.records.record import Record
from hooklore.retrieval.time import expressions
from hooklore.retrieval.time.expressions import TimeRange

_MAX_EVENTS = 5


def asker_time(given: str | None, utc_now: str) -> datetime:
    """Return the asker's clock: `given` in its own zone, else `utc_now` in the zone of this machine."""
    if given is not None:
        return datetime.fromisoformat(given)
    return datetime.fromisoformat(utc_now).astimezone()


def resolve_times(
    reader: Reader, text: str, now: datetime, bins: Mapping[str, float]
) -> tuple[TimeRange, ...]:
    """Return the times that a text names by the calendar, else by an event that the reader's records tell of."""
    found = expressions.find_time_ranges(text, now)
    event = expressions.find_event_reference(text) if not found else None
    ts = _find_event_time(reader, event.words, bins) if event is not None else None
    return found if event is None or ts is None else (expressions.time_range_of(event, ts),)


def records_in_named_time(
    reader: Reader, text: str, now: datetime, bins: Mapping[str, float]
) -> Iterator[Record]:
    """Yield the reader's records of these bins and of the time that a text names, the newest first.

    Yield none unless the text names a time and no subject. The log is read back to that time: for
    explicit questions, not for hooks.
    """
    if not expressions.is_time_only_query(text):
        return
    named = expressions.find_time_ranges(text, now)
    start = min(span.start for span in named)
    for record in reader.newest():
        if format_timestamp(unpack_id(record.id)[0] * 1_000_000) < start:
            return  # nothing is appended before it happened, so older records are outside, too
        is_then = any(span.has(str(record.ts)) for span in named)
        if is_then and bin_name(record) in bins and reader.is_in_force(record):
            yield record


def _find_event_time(reader: Reader, words: str, bins: Mapping[str, float]) -> str | None:
    """Return the time of the record that tells most of an event: of those that have its first word."""
    terms = reader.terms(words)
    for _, record in reader.search(terms, bins, _MAX_EVENTS) if terms else ():
        if terms[0] in reader.terms_of(record):
            return str(record.ts)
    return None
