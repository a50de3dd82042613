"""Secrets that stand behind their name: `NAME=value` in all its spellings."""

from collections.abc import Iterator
from typing import Any

from hooklore.policy.redact import checks
from hooklore.policy.redact.names import KEYWORD, Kind, kind_of
from hooklore.policy.redact.pattern import Pattern, Rule, Span

_NAMED = Pattern(
    rf"(?i)({KEYWORD})([\w-]{{0,32}})"
    # what may close the name: `"password"`, `environ["TOKEN"]`, `\"token\"`
    r"""(?:\\{0,3}["'`]|&quot;)?[\])]{0,2}"""
    r"("
    r"[ \t]*:[ \t]*[&*]?(?:'static )?[A-Za-z][\w.<>\[\]?|]{0,24}[ \t]+=[ \t]+"  # `: str = `
    r"|[ \t]*:[ \t]*(?:[|>][+-]?[ \t]*\r?\n[ \t]+|!!?\w+[ \t]+)"  # YAML: a block, a tag
    r"|[ \t]*(?:[?.+|:]{0,3}={1,3}|=>|:|＝|：)[ \t]*"
    r"|>\s*(?:<!\[CDATA\[)?"  # <password>…</password>
    r"""|[ \t]*[,;]?\s*(?:- )?\\{0,3}["']?value\\{0,3}["']?[ \t]*[:=][ \t]*"""  # name: …, value: …
    r"|[ \t]*(?:,[ \t]*|\([ \t]*|[ \t])"  # setPassword("…"), ("token", "…"), password "…"
    r")"
    r"""([bruf@$]{0,2}(?:\\{1,3}["'`]|&quot;|"{3}|'{3}|["'`])|)"""
)
_NAME_BEFORE = 48
_AT_ONCE = 1024
"""Bytes of a value read at once: names without a value must not each read on to the end."""

_QUOTED = {
    b'"': Pattern(r'(?:[^"\\\r\n]|\\[^\r\n])*'),
    b"'": Pattern(r"(?:[^'\\\r\n]|\\[^\r\n])*"),
    b"`": Pattern(r"(?:[^`\\\r\n]|\\[^\r\n])*"),
}
_ESCAPED = Pattern(r"""[^"'`\\&\r\n]*""")
_BARE = Pattern(r"""[!#-&(-;=?-\[\]-_a-~\x{A1}-\x{17FF}]+""")
_NEXT_PAIR = Pattern(r"[&;,][\w.%-]{1,40}[=:]|&|;")
_SCHEME = Pattern(r"(?i)(?:bearer|basic|token|digest|apikey|bot)[ \t]+")
_NO_VALUE = frozenset(b"<>[{(\r\n\t ,;)}]&|")


def _find(raw: bytes, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    position = start
    search = _NAMED.compiled.search
    while match := search(raw, position, end):
        position = match.end()
        if position >= end or raw[position] in _NO_VALUE:
            continue
        span = _value_of(raw, match, start, len(raw))
        if span is not None:
            yield "assigned", *span
            position = max(position, span[1])


def _value_of(raw: bytes, match: Any, start: int, end: int) -> Span | None:
    """Where the secret stands that this name holds, if it does."""
    first, word_end = match.span(1)
    near = raw[max(start, first - _NAME_BEFORE) : first]
    before = near[len(near.rstrip(checks.WORDLIKE)) :]
    kind = kind_of(raw[first:word_end], before, raw[word_end : match.end(2)])
    if kind is None or near.endswith(b"::"):
        return None
    operator = raw[slice(*match.span(3))]
    opener = raw[slice(*match.span(4))]
    place = match.end()
    if scheme := _SCHEME.compiled.match(raw, place, min(end, place + _AT_ONCE)):
        place = scheme.end()
    if opener:
        told = bool(operator.strip(b" \t,("))
        if not told and (kind is Kind.VAGUE or word_end - first == len(b"pass")):
            return None
        return _quoted(raw, place, end, opener, kind, told)
    if not operator.strip(b" \t,("):
        return None
    on_line = _alone_on_line(raw, first - len(before))
    return _bare(raw, place, end, kind, operator, on_line)


def _quoted(raw: bytes, place: int, end: int, opener: bytes, kind: Kind, told: bool) -> Span | None:
    escaped = opener[-2:-1] == b"\\" or opener == b"&quot;"
    pattern = _ESCAPED if escaped else _QUOTED[opener[-1:]]
    last = quoted_end(pattern, raw, place, end)
    value = raw[place:last]
    if not is_secret(kind, value) or not (told or (b"=" not in value[:-2] and checks.has_digits(value))):
        return None
    return place, read_on(pattern, raw, last, end)


def quoted_end(pattern: Pattern, raw: bytes, place: int, end: int) -> int:
    """End of a quoted value's first `_AT_ONCE` bytes."""
    match = pattern.compiled.match(raw, place, min(end, place + _AT_ONCE))
    return place if match is None else int(match.end())


def _bare(
    raw: bytes, place: int, end: int, kind: Kind, operator: bytes, alone_on_line: bool
) -> Span | None:
    last = bare_end(raw, place, end)
    following = raw[last : last + 1]
    if operator[:1] == b">" and following != b"<":
        return None
    value = raw[place:last]
    if value.isdigit() and kind < Kind.PASSWORD:
        return None
    ends_line = following in (b"", b"\n", b"\r")
    certain = operator[-1:] == b"=" and not operator[:1].isspace() and following not in (b",", b")", b"(", b"[", b".")
    certain = certain or operator[:1] == b">" or (alone_on_line and ends_line and operator[:1] == b":")
    if not is_bare_secret(kind, value, certain):
        return None
    return place, last if last - place < _AT_ONCE else read_on(_BARE, raw, last, end)


def _alone_on_line(raw: bytes, name: int) -> bool:
    """Whether only blanks, a dash or a quote stand before the name on its line, as in YAML."""
    line = raw[max(0, name - 24) : name]
    return not line[line.rfind(b"\n") + 1 :].strip(b" \t-'\"") and (name < 24 or b"\n" in line)


def read_on(pattern: Pattern, raw: bytes, place: int, end: int) -> int:
    """End of what `pattern` reads from `place`, however long it is."""
    match = pattern.compiled.match(raw, place, end)
    return place if match is None else int(match.end())


def bare_end(raw: bytes, place: int, end: int) -> int:
    """End of an unquoted value: before a blank, a quote, the next pair, closing punctuation.

    One that is longer than `_AT_ONCE` bytes is cut there.
    """
    stop = min(end, place + _AT_ONCE)
    match = _BARE.compiled.match(raw, place, stop)
    if match is None:
        return place
    last = int(match.end())
    if pair := _NEXT_PAIR.compiled.search(raw, place + 1, last):
        last = pair.start()
    elif last == place + _AT_ONCE:
        return last
    value = raw[place:last]
    return place + len(value.rstrip(b",;:.)]}" if b"(" not in value else b",;:."))


def is_secret(kind: Kind, value: bytes) -> bool:
    """Whether a quoted value is the secret that its name promises."""
    if not _is_candidate(kind, value):
        return False
    if kind is Kind.VAGUE:
        return _is_vague_secret(value)
    if b" " in value:
        return kind is Kind.PASSWORD and _is_passphrase(value)
    if checks.names_something(value):
        return False
    if kind is Kind.PASSWORD or checks.is_mixed(value, 6):
        return True
    return len(value) >= 16 and value.isalpha()


def is_bare_secret(kind: Kind, value: bytes, certain: bool) -> bool:
    """Whether an unquoted value is a secret; `certain`: what stands around it is no code or prose."""
    if not _is_candidate(kind, value) or checks.is_code(value):
        return False
    if kind is Kind.VAGUE:
        return _is_vague_secret(value)
    if checks.names_something(value):
        return False
    if kind is Kind.PASSWORD and (value.isdigit() or checks.is_mixed(value, 6 - 2 * certain)):
        return True
    if checks.has_digits(value) and checks.is_mixed(value, 6 if certain else 8):
        return True
    return certain and value.isalpha() and len(value) >= (6 if kind is Kind.PASSWORD else 20)


def _is_candidate(kind: Kind, value: bytes) -> bool:
    if len(value) < 4 or checks.is_placeholder(value.strip(b"*_.:!?")):
        return False
    return not checks.refers(value) and not checks.is_algorithm(value)


def _is_vague_secret(value: bytes) -> bool:
    return checks.is_random(value, 20) or (value[-1:] == b"=" and checks.is_basic_credential(value))


def _is_passphrase(value: bytes) -> bool:
    """Words in a row, as against a label or a sentence about passwords."""
    words = value.split()
    if len(words) > 12 or not value.isascii() or checks.NAMES.compiled.search(value):
        return False
    if any(word.lower().strip(b".,:;!?") in checks.PLAIN for word in words):
        return False
    return checks.is_mixed(value.replace(b" ", b""), 8) or (len(words) >= 4 and value.islower())


ASSIGNED = Rule(
    "(?i)pass|pwd|contrase|mot_?de|senha|secret|token|credential|auth|cookie|key|sig|dsn|session|sid", _find
)
