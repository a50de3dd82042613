"""Resolve the days that a text names: 昨日, 3 weeks ago, last Monday, 2026-02-03, 5 March (seed 002 §4).

An expression without a year means the last such day. A week begins on Monday.
"""

import re
from calendar import monthrange
from collections.abc import Callable, Iterator
from datetime import date, timedelta

DayRange = tuple[date, date]
"""The first day, and the day after the last."""

DateResolver = Callable[[re.Match[str], date], DayRange]

_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_KANJI_WEEKDAYS = "月火水木金土日"
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_COUNTS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "the": 1,
    "一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10,
}  # fmt: skip
_UNITS = {
    "day": "day", "week": "week", "month": "month", "year": "year", "日": "day", "週": "week",
    "週間": "week", "か月": "month", "カ月": "month", "ヶ月": "month", "ヵ月": "month",
    "ケ月": "month", "月": "month", "年": "year",
}  # fmt: skip
_BACK = {
    "今日": ("day", 0), "本日": ("day", 0), "今朝": ("day", 0), "today": ("day", 0),
    "this morning": ("day", 0), "昨日": ("day", 1), "きのう": ("day", 1), "昨夜": ("day", 1),
    "昨晩": ("day", 1), "yesterday": ("day", 1), "last night": ("day", 1), "一昨日": ("day", 2),
    "おととい": ("day", 2), "the day before yesterday": ("day", 2), "今週": ("week", 0),
    "this week": ("week", 0), "先週": ("week", 1), "last week": ("week", 1),
    "先々週": ("week", 2), "今月": ("month", 0), "this month": ("month", 0), "先月": ("month", 1),
    "last month": ("month", 1), "先々月": ("month", 2), "今年": ("year", 0),
    "this year": ("year", 0), "去年": ("year", 1), "昨年": ("year", 1), "last year": ("year", 1),
    "一昨年": ("year", 2), "おととし": ("year", 2),
}  # fmt: skip

_ENGLISH_COUNT = (
    r"(?:[0-9]{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
)
_WEEKDAY = r"(?P<weekday>mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)day"
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_DAY = r"(?P<day>[0-9]{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>(?:19|20)[0-9]{2})"


def find_date_expressions(text: str, today: date) -> Iterator[tuple[int, int, DayRange]]:
    """Yield (start, end, days) of every expression in a text (lower case, NFKC), in its order.

    Of readings that overlap the first counts, and of those that begin together the longest. A day that
    does not exist (February 30) is left out.
    """
    found = sorted(
        ((m.start(), m.end(), m, read) for pattern, read in _READINGS for m in pattern.finditer(text)),
        key=lambda each: (each[0], -each[1]),
    )  # fmt: skip
    reached = 0
    for start, end, match, read in found:
        if start < reached:
            continue
        try:
            named = read(match, today)
        except (ValueError, OverflowError):
            continue
        reached = end
        yield start, end, named


def resolve_period_ago(unit: str, count: int, today: date) -> DayRange:
    """Return the day, week, month or year `count` units ago. Raise ValueError or OverflowError."""
    if unit == "day":
        return _day(today - timedelta(days=count))
    if unit == "week":
        monday = today - timedelta(days=today.weekday() + 7 * count)
        return monday, monday + timedelta(days=7)
    if unit == "year":
        return date(today.year - count, 1, 1), date(today.year - count + 1, 1, 1)
    months = today.year * 12 + today.month - 1 - count
    return _month(months // 12, months % 12 + 1)


def parse_count(word: str) -> int:
    """Return the number of `3`, `three`, `三` or `a`."""
    return _COUNTS.get(word) or int(word)


def _day(day: date) -> DayRange:
    return day, day + timedelta(days=1)


def _month(year: int, month: int) -> DayRange:
    first = date(year, month, 1)
    return first, first + timedelta(days=monthrange(year, month)[1])


def _named_month(match: re.Match[str]) -> int:
    word = match["month"]
    return int(word) if word.isdigit() else _MONTHS.index(word[:3]) + 1


def _relative(match: re.Match[str], today: date) -> DayRange:
    return resolve_period_ago(*_BACK[match.group()], today)


def _ago(match: re.Match[str], today: date) -> DayRange:
    return resolve_period_ago(_UNITS[match["unit"]], parse_count(match["count"]), today)


def _past(match: re.Match[str], today: date) -> DayRange:
    """Return a past span, which ends today."""
    length = {"day": 1, "week": 7, "month": 30, "year": 365}[_UNITS[match["unit"]]]
    count = parse_count(match["count"] or "one")
    return today - timedelta(days=length * count), today + timedelta(days=1)


def _weekday(match: re.Match[str], today: date) -> DayRange:
    """Return the last such weekday before today."""
    weekday = _WEEKDAYS.index(match["weekday"][:3])
    return _day(today - timedelta(days=(today.weekday() - weekday - 1) % 7 + 1))


def _weekday_of_week(match: re.Match[str], today: date) -> DayRange:
    monday, _ = resolve_period_ago("week", 1 if match["week"] == "先週" else 0, today)
    return _day(monday + timedelta(days=_KANJI_WEEKDAYS.index(match["weekday"])))


def _weekend(_: re.Match[str], today: date) -> DayRange:
    monday, end = resolve_period_ago("week", 1, today)
    return monday + timedelta(days=5), end


def _date(match: re.Match[str], _: date) -> DayRange:
    return _day(date(int(match["year"]), _named_month(match), int(match["day"])))


def _month_of_year(match: re.Match[str], _: date) -> DayRange:
    return _month(int(match["year"]), _named_month(match))


def _whole_year(match: re.Match[str], _: date) -> DayRange:
    year = int(match["year"])
    return date(year, 1, 1), date(year + 1, 1, 1)


def _day_of_month(match: re.Match[str], today: date) -> DayRange:
    """Return the last such day that is not in the future."""
    month, day = _named_month(match), int(match["day"])
    year = today.year - ((month, day) > (today.month, today.day))
    return _day(date(year, month, day))


def _last_month_named(match: re.Match[str], today: date) -> DayRange:
    month = _named_month(match)
    return _month(today.year - (month > today.month), month)


def _preceded(words: str) -> str:
    """Return a pattern for the place after one of `words`: alone, "may" is no month and 2025 no year."""
    return "(?:" + "|".join(rf"(?<=\b{word}\s)" for word in words.split()) + ")"


_SPELLED = [
    (rf"{_DAY}\s(?:of\s)?{_MONTH}\.?,?\s{_YEAR}", _date),
    (rf"{_MONTH}\.?\s{_DAY},?\s{_YEAR}", _date),
    (rf"{_MONTH}\.?,?\s{_YEAR}", _month_of_year),
    (rf"{_DAY}\s(?:of\s)?{_MONTH}", _day_of_month),
    (rf"{_MONTH}\.?\s{_DAY}", _day_of_month),
    (rf"{_preceded('in since during until before after by last')}{_MONTH}", _last_month_named),
    (rf"{_preceded('in since during of until before after by')}{_YEAR}(?![-/.][0-9])", _whole_year),
    (rf"{_preceded('on last this since until before after')}{_WEEKDAY}", _weekday),
    (r"last\sweekend", _weekend),
    (rf"(?:the\s|in\s)?(?:past|last)\s(?P<count>{_ENGLISH_COUNT})\s(?P<unit>day|week|month|year)s?", _past),
    (r"the\spast\s(?P<count>)(?P<unit>day|week|month|year)", _past),
    (rf"(?P<count>{_ENGLISH_COUNT})\s(?P<unit>day|week|month|year)s?\sago", _ago),
]  # fmt: skip
_OTHERS = [
    (rf"(?<![0-9/.-]){_YEAR}[-/](?P<month>[0-9]{{1,2}})[-/](?P<day>[0-9]{{1,2}})(?![0-9])", _date),
    (rf"(?<![0-9/.-]){_YEAR}[-/](?P<month>0[1-9]|1[0-2])(?![0-9]|[-/][0-9])", _month_of_year),
    (rf"(?<![0-9]){_YEAR}年(?P<month>[0-9]{{1,2}})月(?P<day>[0-9]{{1,2}})日", _date),
    (rf"(?<![0-9]){_YEAR}年(?P<month>[0-9]{{1,2}})月", _month_of_year),
    (rf"(?<![0-9]){_YEAR}年(?!前)", _whole_year),
    (r"(?<![0-9])(?P<month>[0-9]{1,2})月(?P<day>[0-9]{1,2})日(?!前)", _day_of_month),
    (r"(?<![0-9])(?P<month>[0-9]{1,2})月(?!前)", _last_month_named),
    (r"(?P<count>[0-9]{1,3}|[一二三四五六七八九十])(?P<unit>日|週間?|[かカヶヵケ]月|年)前", _ago),
    (r"(?P<week>先週|今週)の?(?P<weekday>[月火水木金土日])曜日?", _weekday_of_week),
    (rf"{'|'.join(sorted((w for w in _BACK if not w.isascii()), key=len, reverse=True))}", _relative),
]  # fmt: skip
_ENGLISH_BACK = "|".join(sorted((w for w in _BACK if w.isascii()), key=len, reverse=True))
_READINGS: list[tuple[re.Pattern[str], DateResolver]] = [
    *((re.compile(rf"\b(?:{pattern})\b", re.ASCII), read) for pattern, read in _SPELLED),
    (re.compile(rf"\b(?:{_ENGLISH_BACK})\b", re.ASCII), _relative),
    *((re.compile(pattern), read) for pattern, read in _OTHERS),
]
