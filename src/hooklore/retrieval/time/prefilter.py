"""Tell cheaply whether a text may name a time, so that few prompts wait for the full rules."""

from hooklore.late_pattern import compile_late

_READ_CHARACTERS = 2_000
_MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_WEEKDAYS = "mon|tue|wed|thu|fri|sat|sun"
_TOKEN = compile_late(r"[a-z]{3,9}|[12][09][0-9]{2}")
_TIME_WORDS = frozenset(
    (
        "yesterday", "today", "ago", "past", "last", "this", "before", "after", "since", "prior", "until",
        "january", "february", "march", "april", "may", "june", "july", "august", "september",
        "october", "november", "december", "sept", "monday", "tuesday", "wednesday", "thursday",
        "friday", "saturday", "sunday", *_MONTHS.split("|"),
    )
)  # fmt: skip
_ENGLISH = compile_late(
    rf"\b(?:yesterday|today|ago\b|(?:last|this)\s+(?:week|month|year|night|morning|{_WEEKDAYS}|{_MONTHS})"
    r"|(?:past|last)\s+(?:[0-9a-z]{1,6}\s+)?(?:day|week|month|year)"
    r"|(?:before|after|since|prior\s+to|until)\s+(?:the|our|my|that|this|last|[0-9])\b"
    rf"|(?:in|on|by|of|during|since|until|before|after)\s+(?:{_MONTHS}|{_WEEKDAYS})"
    rf"|(?:{_MONTHS})[a-z]*\.?,?\s+[0-9]|[0-9]{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:{_MONTHS}))"
)
_YEAR = compile_late(r"(?<![0-9])(?:19|20)[0-9]{2}(?![0-9])")
_JAPANESE = compile_late(
    r"[0-9一二三四五六七八九十０-９](?:日|週|[かカヶヵケ]月|月|年)|今[日朝週月年]|本日|昨[日夜晩年]|一昨"
    r"|おとと|きのう|先[週月々]|去年|の(?:前|後|あと)"
)


def may_contain_time(text: str) -> bool:
    """Return False for a text that names no time, which most do. True does not say that there is a time."""
    lower = text[:_READ_CHARACTERS].lower()
    if not lower.isascii() and _JAPANESE.search(lower):
        return True
    tokens = _TOKEN.findall(lower)
    if _TIME_WORDS.isdisjoint(tokens):
        return any(token[0].isdigit() for token in tokens) and bool(_YEAR.search(lower))
    return bool(_ENGLISH.search(lower) or _YEAR.search(lower))
