"""E-mail addresses, phone numbers and card numbers: each a bounded candidate, then a check."""

from collections.abc import Iterator

from hooklore.redaction.pattern import Candidate, Pattern, Rule
from hooklore.redaction.rules.candidate_checks import (
    DIGITS,
    is_luhn_valid,
    is_phone_number,
    remove_bytes,
)

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
    b"png jpg jpeg gif svg webp ico js ts jsx tsx mjs cjs css scss html py md json yaml yml toml "
    b"txt sh lock "
    b"service socket timer target mount path slice scope device local localdomain localhost internal "
    b"next beta alpha rc latest canary".split()
)

_NUMBERED = frozenset(b"com net org cn jp tw kr de".split())
"""Top-level domains of mail hosts that are named by a number, `163.com` for one: no version ends in these."""


def _find_emails(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    for ((first, last),) in _EMAIL.each(raw, start, end):
        found = _is_email(raw[first:last].lower(), raw[last : last + 2])
        found = found and not _LOGIN.occurs_in(raw[max(0, first - 96) : first])
        yield "email", first, last if found else first


_LOGIN = Pattern(r"""://[^\s/?#"'<>@]*$""")
"""Text before the user or password of a URL, whose host is no mail domain."""


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


_DIGIT = "[0-9０-９]"
_DASH = "[-‐‑‒–—−－.]"
_INTERNATIONAL = (
    r"\+[1-9](?:[ ()-]{0,2}[0-9]){7,14}|\+[1-9][0-9]{0,2}(?:\.[0-9]{2,4}){3}"
    rf"|＋{_DIGIT}(?:[ ()（）]|{_DASH}|{_DIGIT}){{7,18}}{_DIGIT}"
)
_JAPANESE = (
    rf"[0０]{_DIGIT}{{1,4}}{_DASH}{_DIGIT}{{1,4}}{_DASH}{_DIGIT}{{3,4}}"
    rf"|[(（]?[0０]{_DIGIT}{{1,4}}(?:[(（]|[)）] ?){_DIGIT}{{1,4}}(?:{_DASH}|[)）]| ){_DIGIT}{{3,4}}"
    r"|0[5789]0 ?[0-9]{4} ?[0-9]{4}|0[36] [0-9]{4} [0-9]{4}"
)
_AMERICAN = (
    r"[2-9][0-9]{2}-[2-9][0-9]{2}-[0-9]{4}|[2-9][0-9]{2}\.[2-9][0-9]{2}\.[0-9]{4}"
    r"|\([2-9][0-9]{2}\)[- ]?[2-9][0-9]{2}[-. ][0-9]{4}"
)
_PLAIN = f"[0０]{_DIGIT}{{9}}"
_PHONE = Pattern(f"({_INTERNATIONAL})|({_JAPANESE})|({_AMERICAN})|({_PLAIN})")
_PLANS = (None, "JP", "US", "JP")
"""The region whose numbering plan decides, for each of the four groups."""

_CALLED = Pattern(
    r"(?i)(?:\b(?:tel|phone|telephone|fax|mobile|cell|contact|call|dial|ring|whatsapp|sms)\b|電話"
    r"|携帯|連絡先|緊急|ＴＥＬ|ＦＡＸ|スマホ|TEL|FAX)"
    r"[^0-9０-９\r\n]{0,24}$"
)
_TO_CALL = Pattern(r"[ 　]*(?:に|へ|まで|宛)(?:お)?(?:電話|連絡|かけ|TEL|発信|ご連絡|お電話)")
_PART_OF_WORD = frozenset(
    b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_./-+%~\\"
)
_WORD_GOES_ON = frozenset(b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_/-+@%~")


def _stands_alone(raw: bytes, first: int, last: int) -> bool:
    """Return whether no id, path, decimal or hash continues at either side."""
    if first and raw[first - 1] in _PART_OF_WORD and not _follows_escape(raw, first):
        return False
    following = raw[last : last + 2]
    if following[:1] == b"." and following[1:].isdigit():
        return False
    return not following or following[0] not in _WORD_GOES_ON


def _follows_escape(raw: bytes, first: int) -> bool:
    return raw[max(0, first - 2) : first] in (b"\\n", b"\\t", b"\\r")


def _is_called(raw: bytes, first: int, last: int) -> bool:
    """Return whether a word about phones stands beside the number: ten bare digits alone are no phone number."""
    if _CALLED.occurs_in(raw[max(0, first - 64) : first]):
        return True
    return _TO_CALL.match(raw, last, min(len(raw), last + 48)) is not None


_ALL_DIGITS = Pattern("[0-9０-９]+")
_SPACED = Pattern(r"[+(]?(?:[0-9]+[ ()-]{1,2})+[0-9]+")
_MOST_DIGITS = 45
"""Three numbers in a row, of fifteen digits each (ITU-T E.164). More digits are a table or one big number."""


def _find_phones(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    position = start
    while groups := _PHONE.search(raw, position, end):
        (first, last), *plans = groups
        position = last
        if not _stands_alone(raw, first, last):
            if rest := _ALL_DIGITS.match(raw, last, end):
                position = rest[0][1]
            continue  # cheap enough not to be counted as a candidate
        if table := _table_end(raw, first, last, end):
            position = table
            continue
        plan = next(index for index, span in enumerate(plans) if span[0] >= 0)
        found = plan < 3 or _is_called(raw, first, last)
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


_CARD = Pattern(
    r"(?:\b|\\[ntr])((?:4[0-9]{3}|5[1-5][0-9]{2}|2[2-7][0-9]{2}|6(?:011|4[4-9][0-9]|5[0-9]{2}"
    r"|2[0-9]{2})|35[2-8][0-9])"
    r"(?:[0-9]{12}|(?: [0-9]{4}){3}|(?:-[0-9]{4}){3})"
    r"|3[47][0-9]{2}(?:[0-9]{11}|[ -][0-9]{6}[ -][0-9]{5})"
    r"|3(?:0[0-5]|[68][0-9])[0-9](?:[0-9]{10}|[ -][0-9]{6}[ -][0-9]{4}))"
)
"""The pattern begins at a word boundary, so that a long number is checked once and not at each digit."""


_GOES_ON_BEFORE = Pattern("[0-9]{4} [0-9]{4} $")
_GOES_ON_BEHIND = Pattern("^ [0-9]{4} [0-9]{4}")
_TWO_GROUPS = 10


def _is_of_longer_row(raw: bytes, first: int, last: int) -> bool:
    """Return whether two more groups of four digits stand on one side, as in the number of an invoice."""
    before, behind = raw[max(0, first - _TWO_GROUPS) : first], raw[last : last + _TWO_GROUPS]
    return _GOES_ON_BEFORE.occurs_in(before) or _GOES_ON_BEHIND.occurs_in(behind)


def _find_cards(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    for _, (first, last) in _CARD.each(raw, start, end):
        digits = remove_bytes(raw[first:last], b" -")
        found = _stands_alone(raw, first, last) and not _is_of_longer_row(raw, first, last)
        found = found and is_luhn_valid(digits) and digits[4:].strip(b"0") != b""
        yield "card", first, last if found else first


_BESIDE_WORD = Pattern(r"[^0-9+(\r\n]{0,32}([+(]?[0-9](?:[ ()./-]{0,2}[0-9]){7,14})")
_CALLED_ANYWHERE = Pattern(
    r"(?i)(?:\b(?:tel|phone|telephone|mobile|cell|call|ring|dial|contact|reach|whatsapp|sms|text"
    r"|(?:customer|client|his|her|my|their|our|your)(?:['’]s)? number)\b"
    r"|\b(?:telefon\w*|handy|handynummer|mobilnummer|rufnummer|ruf|erreich\w*|festnetz|joindre"
    r"|téléphone|portable"
    r"|appel\w*|móvil|movil|teléfono|telefono|celular|llám\w*|llama\w*|telefone|telemóvel"
    r"|cellulare|chiama\w*|telefoon)"
    r"|电话|手机|電話|携帯|連絡先|전화|연락처|휴대폰|핸드폰|телефон|звони)"
)
"""A word about phones before a number."""

_REGIONS = (
    "DE",
    "FR",
    "ES",
    "IT",
    "GB",
    "BR",
    "PT",
    "KR",
    "CN",
    "US",
    "JP",
    "MX",
    "AR",
    "IN",
    "NL",
    "PL",
    "TR",
    "RU",
    "AT",
    "CH",
    "TW",
)


def _find_called(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield numbers behind a word about phones, in the national forms of many countries."""
    for ((_, place),) in _CALLED_ANYWHERE.each(raw, start, end):
        beside = _BESIDE_WORD.match(raw, place, min(end, place + 96))
        if beside is None:
            continue
        first, last = beside[1]
        number = raw[first:last]
        digits = len(number) - len(remove_bytes(number, DIGITS))
        found = 8 <= digits <= 15 and _stands_alone(raw, first, last)
        found = found and not _IS_OTHER_NUMBER.occurs_in(number)
        is_formed = number[:1] == b"+" or len(number) > digits or number[:1] == b"0" or digits == 11
        found = found and is_formed and _is_national(number)
        yield "phone", first, last if found else first


def _is_national(number: bytes) -> bool:
    """Return whether a number is international, or one of a region's numbering plan."""
    text = number.decode()
    return text[:1] == "+" or any(is_phone_number(text, region) for region in _REGIONS)


_IS_OTHER_NUMBER = Pattern(
    r"^[0-9]{4}[-/.][0-9]{2}[-/.][0-9]{2}|^[0-9]{1,3}(?:\.[0-9]{1,3}){3}$|^[0-9]{13}|  "
)
_CITIZEN = Pattern(
    r"(?i)(?:マイナンバー|個人番号|\bmy[ -]?number\b)(?:カード)?(?:の番号)?(?:[ 　]*(?:は|が|：|:|＝|=|→)[ 　]*"
    r"|[ 　]*[「『（(][ 　]*|[ 　]+)"
    r"([0-9]{4}[ -]?[0-9]{4}[ -]?[0-9]{4})(?:[^0-9-]|\z)"
)


def _find_citizens(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield the numbers that Japan gives each resident, behind their name."""
    for _, (first, last) in _CITIZEN.each(raw, start, end):
        yield "citizen", first, last


_MANY_DIGITS = rf"{_DIGIT}{{2}}(?:[ ().（）/]|{_DASH}|{_DIGIT}){{6}}"
"""The prefilter of all rules of numbers: one pattern costs less than several that differ a little."""

CITIZEN_NUMBERS = Rule("(?i)マイナンバー|個人番号|my[ -]?number", _find_citizens)
CALLED_PHONES = Rule(
    r"(?i)\b(?:tel|phone|mobil|cell|call|ring|dial|contact|reach|whatsapp|sms)|number|handy|ruf|erreich|festnetz|joindre"
    "|portable|appel|m[óo]vil|llam|llám|numéro|电话|手机|電話|携帯|連絡先|전화|연락처|휴대폰|핸드폰|телефон|звони",
    _find_called,
    max_candidates=256,
)
EMAILS = Rule(r"@(?:[a-zA-Z0-9-]+\.)+[a-zA-Z]{2}", _find_emails, max_candidates=4000)
PHONES = Rule(_MANY_DIGITS, _find_phones, max_candidates=256)
CARDS = Rule(_MANY_DIGITS, _find_cards, max_candidates=4000)
