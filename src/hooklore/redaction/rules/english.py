"""Secrets stated in an English sentence, before or behind their name."""

from collections.abc import Iterator

from hooklore.redaction.pattern import ByteSpan, Candidate, Groups, Pattern, Rule
from hooklore.redaction.rules import candidate_checks
from hooklore.redaction.rules.assignments import is_unquoted_secret
from hooklore.redaction.rules.names import SecretKind

_KEYS = (
    r"(?:(?:api|access|secret|private|shared|encrypt(?:ion)?|decryption|sign(?:ing)?|hmac|aes|master"
    r"|session|licen[cs]e|product|activation|account|admin|app(?:lication)?|client|consumer|service"
    r"|storage|subscription|webhook|bot|auth(?:entication)?|deploy|root|ssh|wallet)[ _-]?)"
)
_NAME = (
    rf"(?:(?:api|access|auth|bearer|session|refresh|id|security|bot|deploy|personal)[ _-])?token|{_KEYS}?key"
    r"|(?:wi-?fi|wlan|wpa2?)[ -](?:key|psk|code)|pass(?:word|wd|phrase|code)|secret|credentials?|pwd|pw|pass"
)
_VALUE = (
    r"(?:[!#-&*+./=?@A-Z\\^_a-z{|}~-][!#-&*-/:;=?-Z\\\]^_a-z{|}~-]*[0-9!]"
    r"|[0-9])[!#-&*-;=?-Z\\\]^_a-z{|}~-]*"
)
"""A word with a digit or an exclamation mark. Words without either are left alone."""

_QUOTE = r"""["'`“‘*]{0,3}"""
_LINK = (
    r"[ \t]+(?:(?:is|was|are|were|be|being|(?:should|must|will|shall|can) be|(?:(?:is|was|has been|be|got|gets)"
    r" )?(?:now|set|changed|reset|updated|rotated|switched)(?: to)?|to|as|from|with)[ \t]*:?"
    r"|[-–—]>?|=>|→)[ \t]+"
    r"|,?[ \t]+(?:just[ \t]+)?(?:enter|type|input|try|use)[ \t]+|[ \t]*(?::|->|=>|→|\|"
    r"|:[ \t]*is)[*_]{0,2}[ \t]+|[*_]{1,2}:?[ \t]+"
)
_FORWARDS = Pattern(
    rf"(?i)\b({_NAME})\b[`\"']?(?:[ \t]+(?:for|of|on|to|in|at)(?:[ \t]+[\w@'/-]+(?:[.][\w@'/-]+)*){{1,4}}?"
    r"|[ \t]+(?:that[ \t]+)?(?:I|we|you|he|she|they)(?:[ \t]+[\w']+){1,3}?)??"
    r"(?:[ \t]*\([A-Za-z0-9 ,-]{1,24}\))?"
    rf"(?:({_LINK})|(:[*_]{{0,2}}[ \t]*\r?\n[ \t]*|[ \t]*\()|[ \t]+){_QUOTE}({_VALUE})"
)
_ENDS_LINE = Pattern(r"""["'`*]{0,3}[ \t]*(?:[\r\n]|\z)""")
_CLOSES = Pattern(r"""["'`*”’]{0,3}\)""")
_NEXT = Pattern(rf"""["'`*”’,;.:?)]{{0,3}}[ \t]+(?:to|with|by|->|=>|→)[ \t]+{_QUOTE}({_VALUE})""")


def _find_forwards(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    position = start
    while groups := _FORWARDS.search(raw, position, end):
        (first, last), position = groups[4], groups[1][1]
        value = _trimmed(raw[first : min(last, first + 512)])
        last = first + len(value)
        found = _states_value(raw, groups, (first, last))
        yield "spoken", first, last if found else first
        if found:
            position = last
            if second := _second(raw, groups, last, end):
                yield "spoken", *second
                position = second[1]


def _trimmed(value: bytes) -> bytes:
    """Return `value` without the characters that close the sentence, the quote or the emphasis."""
    return value.rstrip(b",;:.)]}*?\\")


def _second(raw: bytes, groups: Groups, place: int, end: int) -> ByteSpan | None:
    """Return the span of the value that replaces the first: `from … to …`, `… with …`."""
    following = _NEXT.match(raw, place, min(end, place + 600))
    if following is None:
        return None
    first, last = following[1]
    last = first + len(_trimmed(raw[first:last]))
    return (first, last) if _is_value(_kind(raw[slice(*groups[1])]), raw[first:last]) else None


def _kind(name: bytes) -> SecretKind:
    low = name.lower()
    if low == b"key":
        return SecretKind.VAGUE
    return (
        SecretKind.PASSWORD
        if low.startswith((b"pass", b"pw", b"wi", b"wl", b"wp"))
        else SecretKind.SECRET
    )


def _states_value(raw: bytes, groups: Groups, span: ByteSpan) -> bool:
    """Return whether the sentence gives the value, as against a word about the secret."""
    _, name, link, apart, _ = groups
    first, last = span
    word, value = raw[slice(*name)], raw[first:last]
    kind = _kind(word)
    if kind is SecretKind.VAGUE and raw[name[0] - 1 : name[0]] in (b"-", b"_", b"."):
        return False
    if word.lower() == b"pass" and not _is_noun(raw, groups):
        return False
    if apart[0] >= 0:
        closes = _CLOSES if raw[apart[1] - 1] == 40 else _ENDS_LINE
        if closes.match(raw, last, min(len(raw), last + 16)) is None:
            return False
    certain = link[0] >= 0 or apart[0] >= 0
    if certain and kind is SecretKind.PASSWORD and value.isdigit():
        return len(value) >= 6 and _ends_sentence(raw, last)
    if not certain and kind is not SecretKind.PASSWORD:
        return _looks_like_token(value, named=kind is not SecretKind.VAGUE)
    return _is_value(kind, value)


def _is_noun(raw: bytes, groups: Groups) -> bool:
    """Return whether `pass` is a noun, as in `db pass is …` and `wifi pass: …`, and no verb or test result."""
    _, (first, _), link, _, _ = groups
    before = raw[max(0, first - 48) : first].lower()
    return link[0] >= 0 and (
        _WHOSE.occurs_in(before) or raw[slice(*link)].strip() in (b"is", b"was", b"->")
    )


_WHOSE = Pattern(
    r"(?:user(?:name)?|log[ -]?in|account|id|e-?mail)\b[^\r\n]{0,40}[ ,;/|]$"
    r"|\b(?:db|database|wi-?fi|wlan|root|admin|smtp|ftp|ssh|vpn|sudo|master|my|the|your|our|new|old|zip|default"
    r"|user|login|key|mysql|postgres|redis|guest|router|server|e-?mail|account)['s]{0,2} $"
)
_ENDS = Pattern(
    r"""["'`*”’]{0,3}(?:\z|[\r\n.,;:!?)]|[ \t]+(?:and|but|for|on|in|to|now|btw|\()\b)"""
)


def _ends_sentence(raw: bytes, place: int) -> bool:
    return _ENDS.match(raw, place, min(len(raw), place + 24)) is not None


def _is_value(kind: SecretKind, value: bytes) -> bool:
    """Return whether `value` is a word with digits, and no name, version, measure, id or address."""
    if value[:1] in b"(#-`'@$%" or b"://" in value or candidate_checks.SHORT_ID.occurs_in(value):
        return False
    if kind is SecretKind.VAGUE:
        return _looks_like_token(value, named=False)
    if not candidate_checks.has_letters_and_digits(value):
        symbols = kind is SecretKind.PASSWORD and b"!" in value[1:]
        return symbols and is_unquoted_secret(kind, value, certain=False)
    if len(value) < 6 or candidate_checks.NUMBERED_NAME.occurs_in(value):
        return False
    return is_unquoted_secret(kind, value, certain=False)


_HEX = Pattern(r"^(?:0x)?[0-9a-f]{32}[0-9a-f]*$")


def _looks_like_token(value: bytes, *, named: bool) -> bool:
    """Return whether `value` looks like a token. Hexadecimal digits need a full name (`named`)."""
    if candidate_checks.is_placeholder(value) or candidate_checks.is_secret_identifier(value):
        return False
    return candidate_checks.is_random(value, 16 if named else 20) or (
        named and _HEX.occurs_in(value)
    )


_BACKWARDS = Pattern(
    rf"(?i)(?:^|[\s\"'`(“‘])({_VALUE})[\"'`”’*]{{0,2}},?[ \t]+"
    r"(?:\((?:the[ \t]+|my[ \t]+|our[ \t]+|your[ \t]+)?|"
    r"(?:is|was|(?:(?:works|worked|serves|acts|set|used)[ \t]+)?as|for[ \t]+(?:the|my|our|your"
    r"|this))[ \t]+|(?:when|if|once|where)[ \t]+(?:it|they|he|she|you|the[ \t]+\w+|\w+)[ \t]+"
    r"(?:(?:is|are)[ \t]+)?(?:ask(?:s|ed)?|prompt(?:s|ed)?)(?:[ \t]+\w+)?[ \t]+for[ \t]+|at[ \t]+the[ \t]+)"
    rf"(?:[\w'-]+[ \t]+){{0,4}}?({_NAME})\b"
)
_NOUN_FOLLOWS = Pattern(
    r"(?i)[ \t]+(?:hash|type|field|file|format|algorithm|name|length|manager|policy|size|id|ids"
    r"|count|limit|param\w*"
    r"|column|header|endpoint|generat\w+|hashing|encod\w+|valid\w+|check\w*|reset|rotation|provider"
    r"|store|class|prefix)|[\w=(\[-]"
)


def _find_backwards(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    position = start
    while groups := _BACKWARDS.search(raw, position, end):
        (first, last), (_, name_end) = groups[1], groups[2]
        value = _trimmed(raw[first:last])
        found = _NOUN_FOLLOWS.match(raw, name_end, min(len(raw), name_end + 32)) is None
        if b"(" in raw[last : groups[2][0]]:
            found = raw[name_end : name_end + 1] == b")"
        found = found and _is_backwards(raw[slice(*groups[2])], value)
        yield "spoken", first, first + len(value) if found else first
        position = name_end if found else last


def _is_backwards(name: bytes, value: bytes) -> bool:
    kind = _kind(name)
    if name.lower() == b"pass" or len(value) < 7:
        return False
    if kind is SecretKind.PASSWORD:
        return _is_value(kind, value)
    return _looks_like_token(value, named=kind is SecretKind.SECRET)


SENSITIVE_WORDS = (
    r"(?i)(?:token|key|pass(?:word|wd|phrase|code)?|secret|credentials?|pwd|pw)\b"
    r"|(?:wi-?fi|wlan|wpa2?)[ -](?:key|psk|code)"
)

ENGLISH = Rule(SENSITIVE_WORDS, _find_forwards)
ENGLISH_BACKWARDS = Rule(SENSITIVE_WORDS, _find_backwards)
