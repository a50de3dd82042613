"""Read the times that a question names, by the asker's clock and by what the log says was when: no model."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from hooklore.broker.broker import format_timestamp
from hooklore.broker.principal_reader import Reader
from hooklore.index.words import bin_name
from hooklore.records.ids import unpack_id
from hooklore.records.record import Record
from hooklore.retrieval.time.calendar import DayRange, find_date_expressions, parse_count

_READ_CHARACTERS = 2_000
_MAX_EVENTS = 5
_BLANKS = re.compile(r"\s+")
_FROM = re.compile(r"(?:\b(before|prior to|until|till|up to|after|since)\s(?:the\s|on\s)?)$")
_SPAN_BEFORE = re.compile(
    r"\b(?:(?P<count>the|an?|one|two|three|four|five|six|[0-9]{1,2})\s)?(?P<unit>day|week|month|year)s?"
    r"\sbefore\s$"
)
_TO = re.compile(r"(?:の|より)?(以前|前|まで|以降|以後|から|のあと|後)")
_DIRECTIONS = {
    "before": "before", "prior to": "before", "前": "before", "以前": "before",
    "until": "until", "till": "until", "up to": "until", "まで": "until",
    "since": "since", "から": "since", "以降": "since", "以後": "since",
    "after": "after", "のあと": "after", "後": "after",
}  # fmt: skip
_EVENT = re.compile(
    r"\b(?P<way>before|prior to|after|since)\s(?:the|our|my|that|this)\s(?P<en>[\w./-]+(?:\s[\w./-]+){0,3})"
    r"|(?P<ja>[^\s、。,.?!はがをに]{2,30})の(?P<side>前|あと|後)(?=[にはのも、。?]|$)"
)
_QUESTION = re.compile(
    r"[?？]|^\s*(?:what|which|who|how|where|why|when)\b|[何誰]|どの|どう|か。?$", re.IGNORECASE
)
_ASKS = re.compile(
    r"\b(?:what|which|did|do|done|does|was|were|is|are|have|has|had|been|happen(?:ed|ing)?|work(?:ed|ing)?"
    r"|on|we|i|you|us|me|my|our|the|a|an|all|tell|show|list|about|of|in|at|to|here|everything|anything"
    r"|going|went|changed?|changes|things?|summari[sz]e|recap|remember|by|since|until|during)\b"
    r"|何をし(?:て(?:い)?)?(?:ました|ます|た|る)?|何を?や(?:って(?:い)?)?(?:りました|ました|った|た)?"
    r"|何があっ(?:た|て)|やった(?:こと|作業|の)?|した(?:こと|作業)|作業(?:内容)?|(?:ん)?だっけ|っけ"
    r"|教えて(?:ください)?|まとめて(?:ください)?|ですか|でしたか|ました|[はがをにのもか]|[\s?？。、,.!！]+"
)
_FIRST, _LAST = "0001-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"


@dataclass(frozen=True, slots=True)
class TimeRange:
    """A time from `start` to `end`, which it excludes: RFC 3339 in UTC with milliseconds."""

    start: str
    end: str

    def has(self, ts: str) -> bool:
        """Return whether `ts` (RFC 3339 in UTC) lies within the range."""
        return self.start <= ts < self.end


def find_time_ranges(text: str, now: datetime) -> tuple[TimeRange, ...]:
    """Return the times that a text names, in its order, as of `now`, whose zone says when a day begins.

    "before", "since", "until", 以前, 以降 or まで beside a date opens its range to that side. Only the
    first 2,000 characters are read.
    """
    normalized = _normalize(text)
    today = now.date()
    named = (_open_range(normalized, *found) for found in find_date_expressions(normalized, today))
    return tuple(
        TimeRange(_instant(start, now) if start else _FIRST, _instant(end, now) if end else _LAST)
        for start, end in named
    )


def find_event_reference(text: str) -> tuple[str, bool] | None:
    """Return (words, True for a time before it) of the first event by which a question names a time, if any.

    So do "before the migration" and 移行の前. A record tells when the event was.
    """
    if not _QUESTION.search(text[:_READ_CHARACTERS]):
        return None
    for match in _EVENT.finditer(_normalize(text)):
        words = match["ja"] or match["en"]
        if not any(find_date_expressions(words, date(2000, 1, 1))):
            way = match["way"] or match["side"]
            return words.strip(), way in ("before", "prior to", "前")
    return None


def is_time_only_query(text: str) -> bool:
    """Return whether a question names a time and no subject: "what did we do yesterday", 昨日何をした."""
    rest = _normalize(text)
    named = list(find_date_expressions(rest, date(2000, 1, 1)))
    for start, end, _ in reversed(named):
        rest = f"{rest[:start]} {rest[end:]}"
    return bool(named) and not _ASKS.sub("", rest)


def asker_time(given: str | None, utc_now: str) -> datetime:
    """Return the asker's clock: `given` in its own zone, else `utc_now` in the zone of this machine."""
    if given is not None:
        return datetime.fromisoformat(given)
    return datetime.fromisoformat(utc_now).astimezone()


def resolve_times(
    reader: Reader, text: str, now: datetime, bins: Mapping[str, float]
) -> tuple[TimeRange, ...]:
    """Return the times that a text names by the calendar, else by an event that the reader's records tell of."""
    found = find_time_ranges(text, now)
    event = find_event_reference(text) if not found else None
    if event is None:
        return found
    # An event was when the record tells that says most of it, of those that have its first word.
    words, is_before = event
    terms = reader.terms(words)
    for _, record in reader.search(terms, bins, _MAX_EVENTS) if terms else ():
        if terms[0] in reader.terms_of(record):
            ts = str(record.ts)
            return (TimeRange(_FIRST, ts) if is_before else TimeRange(ts, _LAST),)
    return ()


def records_in_named_time(
    reader: Reader, text: str, now: datetime, bins: Mapping[str, float]
) -> Iterator[Record]:
    """Yield the reader's records of these bins and of the time that a text names, the newest first.

    Yield none unless the text names a time and no subject. The log is read back to that time: for
    explicit questions, not for hooks.
    """
    if not is_time_only_query(text):
        return
    named = find_time_ranges(text, now)
    start = min(span.start for span in named)
    for record in reader.newest():
        if format_timestamp(unpack_id(record.id)[0] * 1_000_000) < start:
            return  # nothing is appended before it happened, so older records are outside, too
        is_then = any(span.has(str(record.ts)) for span in named)
        if is_then and bin_name(record) in bins and reader.is_in_force(record):
            yield record


def _normalize(text: str) -> str:
    return _BLANKS.sub(" ", unicodedata.normalize("NFKC", text[:_READ_CHARACTERS]).lower())


def _open_range(
    text: str, start: int, end: int, named: DayRange
) -> tuple[date | None, date | None]:
    """Return the first and the last day of an expression, opened by the words around it. None is no limit."""
    whole = _SPAN_BEFORE.search(text[max(start - 24, 0) : start])
    if whole:
        length = {"day": 1, "week": 7, "month": 30, "year": 365}[whole["unit"]]
        count = parse_count(whole["count"] or "one")
        return named[0] - timedelta(days=length * count), named[0]
    before = _FROM.search(text[max(start - 16, 0) : start])
    after = _TO.match(text, end)
    direction = before or after
    if direction is None:
        return named
    return {
        "before": (None, named[0]),
        "until": (None, named[1]),
        "since": (named[0], None),
        "after": (named[1], None),
    }[_DIRECTIONS[direction[1]]]


def _instant(day: date, now: datetime) -> str:
    """Return the instant at which a day begins in the zone of `now`."""
    moment = datetime.combine(day, time(), now.tzinfo).astimezone(UTC)
    return moment.replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"
