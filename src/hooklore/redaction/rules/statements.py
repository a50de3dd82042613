"""Secrets in statements that name them elsewhere: SQL columns, defaults of variables, directives."""

from collections.abc import Iterator

from hooklore.redaction.pattern import Candidate, Pattern, Rule
from hooklore.redaction.rules import candidate_checks
from hooklore.redaction.rules.assignments import (
    is_quoted_secret,
    is_unquoted_secret,
    unquoted_end,
)
from hooklore.redaction.rules.names import (
    SENSITIVE_KEYWORD,
    SecretKind,
    classify_keyword,
    classify_secret_name,
)
from hooklore.redaction.rules.value_forms import Form, form_of

_INSERT = Pattern(
    r"(?i)\binsert[ \t]+(?:ignore[ \t]+)?into[ \t]+\S+[ \t]*\(([^()]+)\)\s*values?\s*\("
)
_CELL = Pattern(
    r"""\s*(?:[NnEe]?'((?:[^'\\]|''|\\.)*)'|"([^"]*)"|([^,'"()]*(?:\([^()]*\))?))\s*[,)]"""
)
_BETWEEN = Pattern(r"\s*,\s*\(")
_MOST_ROWS = 100


def _find_inserts(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield the cells of columns that are named for a secret."""
    for (_, place), columns in _INSERT.each(raw, start, end):
        names = raw[slice(*columns)].split(b",")
        kinds = [classify_secret_name(name.strip(b' \t\r\n`"[]').decode()) for name in names]
        yield "assigned", place, place
        if any(kind is not None for kind in kinds):
            yield from _cells(raw, place, end, kinds)


def _cells(raw: bytes, place: int, end: int, kinds: list[SecretKind | None]) -> Iterator[Candidate]:
    for _ in range(_MOST_ROWS):
        for kind in kinds:
            cell = _CELL.match(raw, place, min(end, place + 600))
            if cell is None:
                return
            first, last = next(span for span in cell[1:] if span[0] >= 0)
            value = raw[first:last]
            if kind is not None and cell[3][0] < 0 and is_quoted_secret(kind, value):
                yield "assigned", first, last
            place = cell[0][1]
        following = _BETWEEN.match(raw, place, min(end, place + 64))
        if following is None:
            return
        place = following[0][1]


_DIRECTIVE = Pattern(
    r"""(?im)^[ \t]*(?:[>$#][ \t])?(?:requirepass|masterauth|bindpw|rootpw|wpa-psk(?:[ \t]+ascii)?|wpa_passphrase"""
    r"""|password|passwd|passphrase|secret|auth_token|enable[ \t]+secret"""
    r"""|enable[ \t]+password|neighbor[ \t]+\S+[ \t]+password|snmp-server[ \t]+community"""
    r"""|username[ \t]+\S+[ \t]+(?:password|secret)|(?:[\w.-]+[ \t]+)+(?:key|key-string|psk"""
    r"""|community|password|passwd|secret"""
    r"""|\w+_p(?:ass)?w(?:or)?d?|[\w.-]+[_.-](?:pass\w*|psk|secret|token|password-value))"""
    r"""|[\w.-]+[_.-](?:pass(?:word|wd)?|psk|secret|token)|key-string|r[ow]community|rootpw[ \t]+--plaintext"""
    r"""|crypto[ \t]+isakmp[ \t]+key|pp[ \t]+auth[ \t]+myname[ \t]+\S+"""
    r"""|(?:[\w.-]+[ \t]+)+(?:authentication-key|message-digest-key[ \t]+[0-9]+[ \t]+md5))"""
    r"""(?:[ \t]+[0579])?[ \t]+["']?([^\s"'#<$\[][^\s"']{3,})["']?[ \t]*(?:\r?$|;"""
    r"""|[ \t](?:R[OW]|[0-9][0-9./]+|(?:address|hostname)[ ]\S+)[ \t]*\r?$)"""
)


def _find_directives(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield the value of a configuration directive that stands alone on its line."""
    for _, (first, _last) in _DIRECTIVE.each(raw, start, end):
        value = raw[first : unquoted_end(raw, first)]
        found = form_of(value) >= Form.WORD_AND_DIGITS and is_unquoted_secret(
            SecretKind.PASSWORD, value, certain=False
        )
        yield "assigned", first, first + len(value) if found else first


_CONFIG = Pattern(
    rf"(?i)\bconfig(?:ure)?(?::set|[ \t]+(?:set|add|-g|--\w+))*[ \t]+([^\s\"'=]*?)({SENSITIVE_KEYWORD})"
    rf"([\w.-]*)[ \t=]+[\"']?([^\s\"'<$\[=-][^\s\"']{{5,}})"
)


def _find_configs(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield the values of `aws configure set aws_secret_access_key …`, `npm config set //host/:_authToken …`."""
    for _, before, word, after, (first, last) in _CONFIG.each(raw, start, end):
        kind = classify_keyword(raw[slice(*word)], raw[slice(*before)], raw[slice(*after)])
        value = raw[first:last]
        found = (
            kind is not None
            and kind is not SecretKind.VAGUE
            and is_unquoted_secret(kind, value, certain=True)
        )
        yield (
            "assigned",
            first,
            last if found and candidate_checks.has_letters_and_digits(value) else first,
        )


SQL_INSERTS = Rule("(?i)insert[ \t]", _find_inserts)
DIRECTIVES = Rule(
    r"(?i)(?:requirepass|masterauth|bindpw|rootpw|wpa-psk|wpa_passphrase|passw(?:or)?d|passphrase"
    r"|[_.-]pass\w*|secret|token|password-value|community|psk|key|key-string|_pw"
    r"|--plaintext|-digest-key[ \t]+[0-9]+[ \t]+md5)[ \t]+(?:[0579][ \t]+)?[\"']?[^\s\"'#<$\[][^\s\"']{3}[^\s\"']*"
    r"[\"']?[ \t]*(?:\r?\n|\z|;|R[OW]|[0-9]|address|hostname)|auth[ \t]+myname",
    _find_directives,
)
CONFIG_COMMANDS = Rule("(?i)config", _find_configs)
