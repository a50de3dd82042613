"""E-mail addresses, phone, card and citizens' numbers, postal addresses: each a bounded candidate, then a check."""

from collections.abc import Iterator

from hooklore.redaction.pattern import Candidate, Pattern, Rule
from hooklore.redaction.rules.candidate_checks import (
    DIGITS,
    LETTERS,
    is_luhn_valid,
    is_phone_number,
    remove_bytes,
)

# ---- e-mail

_EMAIL = Pattern(r"[a-zA-Z0-9._%+-]+@(?:[a-zA-Z0-9-]+\.)+[a-zA-Z]{2,24}")
_NOBODY = (
    b"git",
    b"hg",
    b"svn",
    b"noreply",
    b"no-reply",
    b"no_reply",
    b"donotreply",
    b"do-not-reply",
)
_NO_DOMAIN = frozenset(
    b"png jpg jpeg gif svg webp ico js ts jsx tsx mjs cjs css scss html py md json yaml yml toml txt sh lock "
    b"service socket timer target mount path slice scope device local localdomain localhost internal next beta "
    b"alpha rc latest canary".split()
)
_NUMBERED = frozenset(b"com net org cn jp tw kr de".split())
"""Top-level domains of mail hosts that are named by a number, `163.com` for one: no version ends in these."""

_LOGIN = Pattern(r"""://[^\s/?#"'<>@]*$""")
"""Text before the user or password of a URL, whose host is no mail domain."""


def _find_emails(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    for ((first, last),) in _EMAIL.each(raw, start, end):
        found = _is_email(raw[first:last].lower(), raw[last : last + 2])
        found = found and not _LOGIN.occurs_in(raw[max(0, first - 96) : first])
        yield "email", first, last if found else first


def _is_email(address: bytes, following: bytes) -> bool:
    """Return whether `address` belongs to a person.

    Remotes (`git@…`, `user@host:path`), file names, package versions and noreply addresses do not.
    """
    local, _, domain = address.rpartition(b"@")
    label = domain.rpartition(b".")[2]
    if local.startswith(_NOBODY) or b"noreply" in domain or label in _NO_DOMAIN:
        return False
    if following[:1] == b":" and following[1:] not in (b"", b" ", b"\n", b"\r", b"\t"):
        return False
    is_version = domain.partition(b".")[0].isdigit() and label not in _NUMBERED
    return not is_version and local.strip(b"._%+-") != b""


# ---- phones

_DIGIT = "[0-9０-９]"
_DASH = "[-‐‑‒–—−－.]"
_PHONE = Pattern(
    r"(\+[1-9](?:[ ()-]{0,2}[0-9]){7,14}|\+[1-9][0-9]{0,2}(?:\.[0-9]{2,4}){3}"
    rf"|＋{_DIGIT}(?:[ ()（）]|{_DASH}|{_DIGIT}){{7,18}}{_DIGIT})"
    rf"|([0０]{_DIGIT}{{1,4}}{_DASH}{_DIGIT}{{1,4}}{_DASH}{_DIGIT}{{3,4}}"
    rf"|[(（]?[0０]{_DIGIT}{{1,4}}(?:[(（]|[)）] ?){_DIGIT}{{1,4}}(?:{_DASH}|[)）]| ){_DIGIT}{{3,4}}"
    r"|0[5789]0 ?[0-9]{4} ?[0-9]{4}|0[36] [0-9]{4} [0-9]{4})"
    r"|([2-9][0-9]{2}-[2-9][0-9]{2}-[0-9]{4}|[2-9][0-9]{2}\.[2-9][0-9]{2}\.[0-9]{4}"
    r"|\([2-9][0-9]{2}\)[- ]?[2-9][0-9]{2}[-. ][0-9]{4})"
    rf"|([0０]{_DIGIT}{{9}})"
)
_PLANS = (None, "JP", "US", "JP")
"""The region whose numbering plan decides, for each of the four groups."""

_BARE = 3
_CALLED = Pattern(
    r"(?i)(?:\b(?:tel|phone|telephone|fax|mobile|cell|contact|call|dial|ring|whatsapp|sms)\b|電話|携帯|連絡先|緊急"
    r"|ＴＥＬ|ＦＡＸ|スマホ|TEL|FAX)[^0-9０-９\r\n]{0,24}$"
)
_TO_CALL = Pattern(r"[ 　]*(?:に|へ|まで|宛)(?:お)?(?:電話|連絡|かけ|TEL|発信|ご連絡|お電話)")
_ALL_DIGITS = Pattern("[0-9０-９]+")
_SPACED = Pattern(r"[+(]?(?:[0-9]+[ ()-]{1,2})+[0-9]+")
_MOST_DIGITS = 45
"""Three numbers in a row, of fifteen digits each (ITU-T E.164). More digits are a table or one big number."""


def _stands_alone(raw: bytes, first: int, last: int) -> bool:
    """Return whether no id, path, decimal or hash continues at either side."""
    before, following = raw[max(0, first - 2) : first], raw[last : last + 2]
    if (before[-1:] in _EDGES or before[-1:] in _SIGNS) and before not in (b"\\n", b"\\t", b"\\r"):
        return False
    if following[:1] == b"." and following[1:].isdigit():
        return False
    return following[:1] not in _EDGES and following[:1] != b"@"


_EDGES = frozenset(bytes((byte,)) for byte in LETTERS + DIGITS + b"_/-+%~")
_SIGNS = (b".", b"\\")


def _is_called(raw: bytes, first: int, last: int) -> bool:
    """Return whether a word about phones stands beside the number: ten bare digits alone are no phone number."""
    if _CALLED.occurs_in(raw[max(0, first - 64) : first]):
        return True
    return _TO_CALL.match(raw, last, min(len(raw), last + 48)) is not None


def _find_phones(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    position = start
    while groups := _PHONE.search(raw, position, end):
        (first, last), *plans = groups
        position = last
        if not _stands_alone(raw, first, last):
            rest = _ALL_DIGITS.match(raw, last, end)
            position = rest[0][1] if rest else last
            continue  # cheap enough not to be counted as a candidate
        if table := _table_end(raw, first, last, end):
            position = table
            continue
        plan = next(index for index, span in enumerate(plans) if span[0] >= 0)
        found = plan < _BARE or _is_called(raw, first, last)
        found = found and is_phone_number(raw[first:last].decode(), _PLANS[plan])
        yield "phone", first, last if found else first


def _table_end(raw: bytes, first: int, last: int, end: int) -> int:
    """Return the end of a run of spaced digit groups that is too long for phone numbers, else 0."""
    if b" " not in raw[first:last] or raw[last : last + 1] != b" ":
        return 0
    groups = _SPACED.match(raw, first, min(end, first + 4096))
    table = 0 if groups is None else groups[0][1]
    digits = table - first - len(remove_bytes(raw[first:table], DIGITS))
    return table if digits > _MOST_DIGITS else 0


# ---- numbers with a check digit

_CARD = Pattern(
    r"(?:\b|\\[ntr])((?:4[0-9]{3}|5[1-5][0-9]{2}|2[2-7][0-9]{2}|6(?:011|4[4-9][0-9]|5[0-9]{2}|2[0-9]{2})"
    r"|35[2-8][0-9])"
    r"(?:[0-9]{12}|(?: [0-9]{4}){3}|(?:-[0-9]{4}){3})|3[47][0-9]{2}(?:[0-9]{11}|[ -][0-9]{6}[ -][0-9]{5})"
    r"|3(?:0[0-5]|[68][0-9])[0-9](?:[0-9]{10}|[ -][0-9]{6}[ -][0-9]{4}))"
)
"""The pattern begins at a word boundary, so that a long number is checked once and not at each digit."""

_LONGER_ROW = Pattern("[0-9]{4} [0-9]{4} $|^ [0-9]{4} [0-9]{4}")
"""Two more groups of four digits on one side, as in the number of an invoice."""


def _find_cards(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    for _, (first, last) in _CARD.each(raw, start, end):
        digits = remove_bytes(raw[first:last], b" -")
        beside = raw[max(0, first - 10) : first], raw[last : last + 10]
        found = _stands_alone(raw, first, last) and not any(map(_LONGER_ROW.occurs_in, beside))
        found = found and is_luhn_valid(digits) and digits[4:].strip(b"0") != b""
        yield "card", first, last if found else first


_CITIZEN = Pattern(
    r"(?i)(?:マイナンバー|個人番号|\bmy[ -]?number\b)(?:カード)?(?:の番号)?(?:[ 　]*(?:は|が|：|:|＝|=|→)[ 　]*"
    r"|[ 　]*[「『（(][ 　]*"
    r"|[ 　]+)([0-9]{4}[ -]?[0-9]{4}[ -]?[0-9]{4})(?:[^0-9-]|\z)"
)


def _find_citizens(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield the numbers that Japan gives each resident, behind their name."""
    for _, (first, last) in _CITIZEN.each(raw, start, end):
        digits = [int(digit) for digit in raw[first:last].decode() if digit.isdigit()]
        yield "citizen", first, last if _is_citizen_number(digits) else first


def _is_citizen_number(digits: list[int]) -> bool:
    """Return whether the last of twelve digits is the check digit of the others (総務省令第85号, 第5条)."""
    total = sum(digit * (n + 1 if n <= 6 else n - 5) for n, digit in enumerate(digits[-2::-1], 1))
    rest = total % 11
    return digits[-1] == (0 if rest <= 1 else 11 - rest)


# ---- postal addresses: 〒 or prefecture to block number, street to ZIP code (seed 000 §8)

_HYPHEN = "[-‐‑‒–—−－ー]"
_HAN = r"\x{3400}-\x{9fff}\x{f900}-\x{faff}々〇"
_NAME = rf"[{_HAN}\x{{3041}}-\x{{309f}}\x{{30a1}}-\x{{30fc}}]"
_BLOCK = (
    rf"{_DIGIT}{{1,5}}(?:{_HYPHEN}{_DIGIT}{{1,5}}){{1,3}}|(?:{_DIGIT}{{1,5}}"
    rf"|[一二三四五六七八九十]{{1,3}})丁目[ 　]?{_DIGIT}{{1,5}}"
    rf"(?:番地?|{_HYPHEN})?(?:の?{_DIGIT}{{1,5}}号?)?(?:{_HYPHEN}{_DIGIT}{{1,5}})?"
    rf"|{_DIGIT}{{1,5}}番地?(?:の?{_DIGIT}{{1,5}}号?)?"
)
_PLACE = (
    rf"(?:(?:北海道|東京都|(?:京都|大阪)府|[{_HAN}]{{2,3}}県)[ 　]?{_NAME}{{1,12}}?[市区町村郡]"
    rf"|[{_HAN}]{{1,5}}市[{_HAN}]{{1,4}}区)"
    rf"{_NAME}{{0,20}}?[ 　]?(?:{_BLOCK})"
)
_JAPANESE = Pattern(
    rf"〒[ 　]?{_DIGIT}{{3}}{_HYPHEN}?{_DIGIT}{{4}}(?:[ 　\r\n]{{0,3}}(?:{_PLACE}|{_NAME}{{2,24}}?(?:{_BLOCK})))?"
    rf"|{_PLACE}"
)
_STREET = (
    r"[1-9][0-9]{0,5}[A-Za-z]?(?:-[0-9]{1,5})?[ \t]+(?:(?:[A-Z][A-Za-z'.-]{0,20}|[0-9]{1,3}(?:st|nd|rd"
    r"|th))[ \t]+){1,5}?"
    r"(?:Street|St|Avenue|Ave|Boulevard|Blvd|Road|Rd|Drive|Dr|Lane|Ln|Court|Ct|Place|Pl|Way|Terrace|Circle|Cir"
    r"|Highway"
    r"|Hwy|Parkway|Pkwy|Square|Sq|Trail|Plaza|Broadway|Crescent|Close|Gardens?|Grove"
    r"|Hill)\b\.?(?:[ \t]+[NSEW]{1,2})?"
    r"(?:,?[ \t]+(?:Apt|Apartment|Suite|Ste|Unit|Room|Floor|Bldg|#)\.?[ \t]*#?[A-Za-z0-9-]{1,6})?"
)
_WESTERN = Pattern(
    rf"\b(?:{_STREET}"
    rf"|P\.?[ ]?O\.?[ ]Box[ ][0-9]{{1,6}})[,\s][ \t\r\n]*[A-Z][A-Za-z.'-]{{1,20}}"
    r"(?:[ \t][A-Z][A-Za-z.'-]{1,20}){0,3}"
    r"[,\s][ \t\r\n]*(?:(?:[A-Z]{2}|[A-Z][a-z]+(?:[ ][A-Z][a-z]+)?),?[ \t]+[0-9]{5}(?:-[0-9]{4})?\b"
    r"|[A-Z]{1,2}[0-9][A-Z0-9]?[ \t][0-9][A-Z]{2}\b)"
)
_ORGANISATION = Pattern(
    r"(?i)(?:\b(?:inc|foundation|corporation|corp|commons|llc|ltd|limited|gmbh|university|institute|association"
    r"|consortium|laborator(?:y|ies)|computing|systems|press|department|office|center|centre|company"
    r"|co)\b[^A-Za-z0-9]{1,12}"
    r"|write to[^0-9]{0,80}|\boffices? at\s+|mail stop[^\r\n]{0,20}\s+|foundation[^0-9]{0,80})$"
)
_PUBLISHED = Pattern("^(?:51 Franklin|59 Temple|675 Mass)")
"""Addresses of the Free Software Foundation, which many files give without its name. Like those of companies
and foundations in licences, they are nobody's home."""


def _find_japanese(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    for ((first, last),) in _JAPANESE.each(raw, start, end):
        yield "address", first, last


def _find_western(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    for ((first, last),) in _WESTERN.each(raw, start, end):
        before = raw[max(0, first - 120) : first]
        is_public = _PUBLISHED.occurs_in(raw[first:last]) or _ORGANISATION.occurs_in(before)
        yield "address", first, first if is_public else last


_MANY_DIGITS = rf"{_DIGIT}{{2}}(?:[ ().（）/]|{_DASH}|{_DIGIT}){{6}}"
"""The prefilter of all rules of numbers: one pattern costs less than several that differ a little."""

EMAILS = Rule(r"@(?:[a-zA-Z0-9-]+\.)+[a-zA-Z]{2}", _find_emails, max_candidates=4000)
PHONES = Rule(_MANY_DIGITS, _find_phones, max_candidates=256)
CARDS = Rule(_MANY_DIGITS, _find_cards, max_candidates=4000)
CITIZEN_NUMBERS = Rule("(?i)マイナンバー|個人番号|my[ -]?number", _find_citizens)
JAPANESE_ADDRESSES = Rule("〒|[都道府県市]", _find_japanese)
WESTERN_ADDRESSES = Rule(r"[A-Za-z],?[ \t]+[0-9]{5}|[0-9][A-Z]{2}\b", _find_western)
