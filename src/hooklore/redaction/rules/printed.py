"""Secrets that a program prints or asks for, and values of objects that call themselves secret."""

from collections.abc import Iterator

from hooklore.redaction.pattern import Candidate, Pattern, Rule
from hooklore.redaction.rules import candidate_checks
from hooklore.redaction.rules.assignments import unquoted_end
from hooklore.redaction.rules.value_forms import Form, form_of, is_drawn

_WORDS = (
    r"(?:p?assw(?:or)?d|passphrase|passcode|passkey|secret|token|api[_-]?key|credential|pwd"
    r"|\$\w*pass)"
)
_ALONE = r"""([^\s"'`<>\[\](){},;|=:\\][^\s"'`<>|]{5}[^\s"'`<>|]*)[ \t]*(?:\r?\n|\z)"""
_LABEL = rf"(?:(?:new |generated |initial )?(?:value|result|output|{_WORDS})[ \t]*[:=][ \t]*)?"
_DRAWS = (
    r"(?:pwgen|apg|makepasswd|openssl[ ]+rand|bw[ ]+generate|pass[ ]+generate|xkcdpass"
    r"|wg[ ]+(?:genkey|genpsk))"
)
_PRINTED = Pattern(
    r"(?im)^[ \t]*(?:[\w.@~:/\[\] -]*[$#%❯➜»>][ \t]+|\([\w-]+\)[ \t]+)"
    rf"(?:[^\r\n]*?{_WORDS}[^\r\n]*|pass[ ]+show[ ]+[\w./-]+|[^\r\n]*?\b{_DRAWS}\b[^\r\n]*)"
    rf"\r?\n[ \t]*{_LABEL}{_ALONE}"
)
_STATED = Pattern(
    rf"(?im){_WORDS}\b[^\r\n]*(?::|\breset\.?|\bcreated\.?|\bgenerated\.?)[ \t]*\r?\n[ \t]*"
    rf"{_LABEL}{_ALONE}"
)
_ASKED = Pattern(
    rf"(?im){_WORDS}[ ](?:for|of)[ ][^\r\n]*?['\"\])\w]:[ \t]+{_ALONE}"
    rf"|{_WORDS}:?[\"'][^\r\n]*?\r?\n?[ \t]*(?:exp_)?send(?:line|_line)?[ \t(]*(?:--?\w*[ \t]+)?"
    r"[\"']([^\"'\r\n\\]{4,})"
)
_HASHES = Pattern(
    r"(?i)\b(?:sha\d*|md5|b2|cksum|crc|finger\w*|dgst|digest|hash)\w*\b|\b(?:git|log|grep|rg|find|ls|wc)[ ]"
)
_MARK = (
    r"""(?:["']?\btype["']?\s*[:=]\s*["']?(?:securestring|random_password|password|secret\w*|secure\w*"""
    r"""|concealed)["']?|["']?\b(?:sensitive|is_?secret|secret|masked|is_?secure|secure|concealed)["']?"""
    r"""\s*[:=]\s*["']?(?:true|1|yes)\b["']?|\bsecurestring\b["']?)"""
)
_VALUE = (
    r"""\b(?:value|result|default|plaintext|content|defaultvalue)["']?\s*[:=]\s*["']?"""
    r"""([^\s"'<>{}\[\],;$]{6}[^\s"'<>{}\[\],;]*)"""
)
_MARKED = Pattern(
    rf"(?i){_MARK}(?:[^{{}}]*?(?:[^}}]*?attributes[\"']?\s*:\s*\{{[^{{}}]*?)?{_VALUE}|\t+([^\s]{{6,}}))"
    rf"|{_VALUE}[\"']?[^{{}}]*?{_MARK}"
)
_LONGEST = 400
_SECRET_ID = Pattern(
    r"(?i)\bsecret[_-]?id[\"']?\s*[:=]?\s*[\"']?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})"
)
_GROUP = Pattern(
    r"(?i)\b(?:secrets|passwords|tokens|credentials|api_?keys)[\"']?\s*[:=]?\s*\{([^{}]*)\}"
)
_LEAF = Pattern(r"""[:=]\s*["']?([^\s"'<>{}\[\],;$]{8}[^\s"'<>{}\[\],;]*)""")


def _find_printed(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield a value alone on its line, below the command or the sentence that says what it is."""
    for pattern in (_PRINTED, _STATED):
        for (begin, _), (first, last) in pattern.each(raw, start, end):
            value = raw[first:last]
            found = b"://" not in value and (form_of(value) >= Form.CHOSEN or _is_password(value))
            if pattern is _PRINTED:
                found = found and not _HASHES.occurs_in(raw[begin:first])
            yield "assigned", first, last if found else first
    yield from _find_entries(raw, start, end)
    for _, alone, sent in _ASKED.each(raw, start, end):
        first, last = max(alone, sent)
        found = form_of(raw[first:last]) >= Form.WORD_AND_DIGITS
        if sent[0] >= 0:  # what a script sends to the question for a password
            found = found or not candidate_checks.is_placeholder(raw[first:last])
        yield "assigned", first, last if found else first


_ENTRY = Pattern(
    r"(?m)^([!-~]{6}[!-~]*)[ \t]*\r?\n(?:user(?:name)?|login|e-?mail|url|otpauth)[ \t]*:"
)


def _find_entries(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield the first line of an entry that a store of passwords shows, above the user's."""
    for _, (first, last) in _ENTRY.each(raw, start, end):
        value = raw[first:last]
        found = b"://" not in value and b"=" not in value
        least = Form.CHOSEN if value.islower() else Form.WORD_AND_DIGITS
        found = found and (form_of(value) >= least or _is_password(value))
        yield "assigned", first, last if found else first


def _is_password(value: bytes) -> bool:
    """Return whether a value mixes the classes as drawn passwords do, `=` and `.` included."""
    if is_drawn(value.rstrip(b"=")):
        return True
    return (
        candidate_checks.has_letters_and_digits(value)
        and candidate_checks.count_class_changes(value) >= 5
    )


def _find_marked(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield the value of an object with the type or the mark of a secret, and the members of `tokens { … }`."""
    for (begin, stop), *spans in _MARKED.each(raw, start, end):
        first, last = max(spans)
        last = max(first, min(last, unquoted_end(raw, first)))
        found = stop - begin <= _LONGEST and form_of(raw[first:last]) >= Form.WORD_AND_DIGITS
        yield "assigned", first, last if found else first
    for _, (first, last) in _SECRET_ID.each(raw, start, end):
        yield "assigned", first, last
    for _, (begin, stop) in _GROUP.each(raw, start, end):
        for _, (first, last) in _LEAF.each(raw, begin, stop):
            yield "assigned", first, last if form_of(raw[first:last]) >= Form.CHOSEN else first


PRINTED = Rule(
    rf"(?i){_WORDS}[^\n]*\n[ \t]*(?:[\w ]*[:=][ \t]*)?"
    r"\S*(?:[0-9]|(?-i:[a-z][A-Z]))\S*[ \t\r]*(?:\n|\z)"
    rf"|{_WORDS}[ ](?:for|of)[ ][^\n]*:[ \t]|send(?:line|_line)?[ \t(]*(?:--?\w*[ \t]+)?[\"']"
    r"|\n(?:user(?:name)?|login|e-?mail|url|otpauth)[ \t]*:"
    r"|pwgen|\bapg\b|openssl[ ]+rand|makepasswd|wg[ ]+gen|(?:pass|bw)[ ]+(?:show|generate)|xkcdpass",
    _find_printed,
)
MARKED_VALUES = Rule(
    r"(?i)securestring|random_password|concealed|[\"']?\btype[\"']?\s*[:=]\s*[\"']?(?:password|secret|secure)"
    r"|\b(?:sensitive|is_?secret|secret|masked|is_?secure|secure)[\"']?\s*[:=]\s*[\"']?(?:true|1|yes)|secret[_-]?id"
    r"|(?:secrets|passwords|tokens|credentials|api_?keys)[\"']?\s*[:=]?\s*\{",
    _find_marked,
)
