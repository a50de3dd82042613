"""Secrets whose name stands before or behind them with only structure between: tags, members, calls, flags."""

from collections.abc import Iterator

from hooklore.redaction.pattern import ByteSpan, Candidate, Groups, Pattern, Rule, TextPattern
from hooklore.redaction.rules import candidate_checks
from hooklore.redaction.rules.assignments import (
    NAME_PREFILTER,
    is_quoted_secret,
    least_form,
    unquoted_end,
)
from hooklore.redaction.rules.keyword_pattern import KeywordPattern
from hooklore.redaction.rules.names import (
    SENSITIVE_KEYWORD,
    SecretKind,
    classify_keyword,
    classify_secret_name,
)
from hooklore.redaction.rules.value_forms import form_of

_QUOTE = r"""(?:\\*["'`]+|&quot;)"""
_CLOSERS = r"""(?:["'`*_\])}\\]*|&quot;)"""
_HOLDS = (
    r"(?:(?:parameter|option|string|secret|default|initial|current|plain|new|old|field|attribute)?_?value"
    r"|default|example|content|data|(?:plain|clear)?text|result|secret|string|answer|body|v)"
)
"""Names of the member that holds a value."""

_TELLS = (
    r"(?:type|sensitive|description|required|secure|length|version|encrypted|ephemeral|nullable|format|in|label"
    r"|title|env|scope|kind|hidden|protected|masked|raw|apply_?immediately|datatype|mode|tier|source)"
)
"""Names of the members that tell about a value."""

_MEMBER = rf"""["']?{_TELLS}["']?\s*[:=]\s*["']?[\w .:/$()-]*["']?[ \t]*[,;]?\s*"""
_WRAPPER = (
    r"(?:some|string|str|text|bytes?|\w*secret\w*|\w*string|sensitive\w*|unsafe|redacted|value|new|literal|plain\w*"
    r"|password\w*|protect\w*|credential\w*|(?:un|de)?quote|just|ok|of|from|bcrypt|hash|make|hash_?password|make_?password|argon\w*|\w*decode\w*|fromhex|unhexlify|atob"
    r"|from_?base64|strdup|env|config|encode|of_string|raw)"
)
_WRAPPED = (
    rf"\s*(?:[:=]+>?|\?\?|\|\|)\s*(?:new\s+|&|await\s+)?(?:[\w.$:]*[.:])?{_WRAPPER}!?\(\s*[bru]?"
)
_GLUE = (
    # : {"type": "string", "value": "…"}, and over the lines of YAML
    rf"""\s*[:=,;]?[ \t]*\r?\n?\s*[{{(\[]?\s*(?:- )?(?:{_MEMBER})*\\*["']?{_HOLDS}\\*["']?\s*[:=]\s*"""
    rf"|{_WRAPPED}"
    r"|\s*(?:!==?|!~|~=|<>|<{1,2}-|::|:>|=~|\?:)\s*"
    r"|\)?\.(?:not\.)?(?:to\w+|equals?\w*|is|eq|matches)\(\s*"
    r"|\s+(?:eq|ne|like|as\s+\w+\s*=)\s+|\s*\{[^{}=]*\}\s*=\s*"
    r"""|["'\]]*\s*=>\s*\w+\(\d+\)\s+|\}\s*=\s*|\}?[ ]?\{|=\{|\s*:\s*[&!][\w:-]+\s+"""
    r"|[*_~]*[ \t]*[:=][ \t]*[*_`~]+[ \t]*[`]*|[*_`~]+[ \t]*[:=][ \t]*[`]*|[ \t]*[:=]?[ \t]*\r?\n[ \t]*(?:-[ \t]+)?"
)
_VALUE = (
    r"""[^\s"'`<>\[\](){},;&|=:\\][^\s"'`<>]*"""
    r"""(?:[0-9]|(?-i:[a-z][A-Z][a-z]?[A-Z]|[A-Z][a-z][A-Z])|-[a-z]+-[a-z]+-)"""
)
_OPERATOR = (
    rb"""[:=](?:[:=]|[ \t]*+[^\w\s"']|\s*\r?\n|[ \t]*+["']?\w*+["']?\s*+[:=(]|[ \t]*+[\w.$:]++!?\("""
    rb"""|\s*+(?:new|await)\s)"""
)
"""An operator that no value follows yet: a sign, the end of the line, a further name or a call does."""

_GATE = (
    rb"""[\w-]*+["'`]*+(?:[^\w\s:=]|%b|\s++(?:[^\w:=]|%b|\w++\s*+[^\w\s]|(?i:eq|ne|like|as)\s))"""
    % (_OPERATOR, _OPERATOR)
)
"""The beginning of what stands behind a name that more than an operator divides from its value."""

_APART = KeywordPattern(
    _GATE,
    rf"([\w-]*)({_CLOSERS}(?:{_GLUE}))({_QUOTE})?({_VALUE})",
)
_LONGEST_GLUE = 160
"""Bytes between a name and its value. The pattern does not count them, which would take a MB."""

_BEFORE = 48
_BASE64_LINE = 60
"""The shortest line of wrapped base64, in which any word may stand."""

_PAIR = Pattern(r"^[A-Za-z_][\w.-]*=[^=]")
"""The next setting of a file, below one without a value."""

_IN_QUOTES = Pattern(r"""[^"'`\r\n\\&]+""")
_NEXT_NAME = Pattern(r"""\\*["'`]?[\])]?[ \t]*(?:[:=][^:=]|=>|\()""")
_AT_END = Pattern(r"""[ \t]*(?:\\[nr]|[\r\n;#|]|\z|</|[}\])]|//)""")


def _find_apart(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    position = start
    while groups := _APART.search(raw, position, end):
        position = groups[1][1]
        span = _value_of(raw, groups)
        yield "assigned", *(span or (position, position))
        position = max(position, span[1]) if span else position


def _value_of(raw: bytes, groups: Groups) -> ByteSpan | None:
    """Return the span of the value that structure ties to this name, or None."""
    _, word, after, glue, opener, (place, _) = groups
    between = raw[slice(*glue)]
    if len(between) > _LONGEST_GLUE:
        return None
    preceding = raw[max(0, word[0] - _BEFORE) : word[0]]
    before = preceding[len(preceding.rstrip(candidate_checks.WORDLIKE)) :]
    kind = classify_keyword(raw[slice(*word)], before, raw[slice(*after)])
    if kind is None or b"--" in raw[slice(*after)]:
        return None
    is_quoted = opener[0] >= 0
    last = _end_of(raw, place, is_quoted=is_quoted)
    value = raw[place:last]
    if _NEXT_NAME.match(raw, last, min(len(raw), last + 16)) and not between.endswith(b"("):
        return None
    if b"\n" in between and (b"," in value or len(value) >= _BASE64_LINE or _PAIR.occurs_in(value)):
        return None
    if not is_quoted and not _AT_END.match(raw, last, min(len(raw), last + 64)):
        return None
    if is_quoted and preceding.endswith((b'variable "' + before, b'variable "')):
        return (place, last) if is_quoted_secret(kind, value) else None
    return (place, last) if _is_secret(kind, value) else None


def _end_of(raw: bytes, place: int, *, is_quoted: bool) -> int:
    if not is_quoted:
        return unquoted_end(raw, place)
    found = _IN_QUOTES.match(raw, place, min(len(raw), place + 256))
    return found[0][1] if found else place


def _is_secret(kind: SecretKind, value: bytes) -> bool:
    if candidate_checks.SECRET_IDENTIFIER.occurs_in(value) or candidate_checks.is_variable(value):
        return False
    return form_of(value) >= least_form(kind) and is_quoted_secret(kind, value)


# ---- the name at the end of its line's beginning: settings without a sign, and what holds if nothing is set

_LINE = KeywordPattern(
    rb"""[\w-]*+[}\])"'`:*]*+(?:[ \t]++|\\t)[ \t]*+["']?[^\s;|)\\"'`]++(?:[;|)\\"'`]|[ \t]*+(?:[\r\n#]|\Z))""",
    r"([\w-]*)([})\]\"'`:*]*(?:[ \t]+|\\t))([\"']?)"
    rf"({_VALUE}[^\s\"'`<>;|]*)[\"']?[ \t]*(?:(?m:\r?$)|;|\\[nr]|[\"'`|)]|[ \t]#)",
)
_BEGINS_LINE = TextPattern(
    rb"(?im)(?:^[^\S\r\n]*(?:[>$#+*-][ \t])?|[\\][nrt]|[\s\"'`](?:set|put|add|store|export|define|config\w*"
    rb"|create|update|using|with)[ \t]+)([\w./${:-]*)\Z"
)
_LONGEST_BEGINNING = 160


def _find_lines(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield the values of names of several words that only a blank divides from them: `db_password …`."""
    position = start
    while groups := _LINE.search(raw, position, end):
        _, word, after, apart, _, (first, last) = groups
        line = max(raw.rfind(b"\n", 0, word[0]) + 1, word[0] - _LONGEST_BEGINNING, position)
        begins = _BEGINS_LINE.search(raw, line, word[0])
        position = groups[0][1] if begins else word[0] + 1
        if begins is None:
            continue
        before = begins.span(1)
        name = raw[before[0] : after[1]]
        kind = classify_keyword(raw[slice(*word)], raw[slice(*before)], raw[slice(*after)])
        stop = unquoted_end(raw, first)
        found = kind is not None and (_is_compound(name) or _is_column(raw[slice(*apart)]))
        found = found and kind is not None and _is_secret(kind, raw[first:stop])
        yield "assigned", first, stop if found and stop <= last else first


def _is_column(apart: bytes) -> bool:
    """Return whether more than one blank divides a name from its value, as between columns."""
    return apart.strip(b" :") != b"" or apart.count(b" ") >= 2


def _is_compound(name: bytes) -> bool:
    """Return whether a name is a setting's, and no word of a sentence."""
    stripped = name.strip(b"_-./$:")
    return any(sign in stripped for sign in b"_-./") or not (name.islower() or name[1:].islower())


_OTHERWISE = r"(?:\|\||\?\?=?|:-|\bor\b|\bdefault[( ]|or_?else\w*\(|or_?default\(|unwrap_or\w*\(|\|[ ]*d\()\s*"
_FALLBACK = Pattern(rf"(?i){_OTHERWISE}({_QUOTE})?({_VALUE})")
_LAST_NAME = Pattern(rf"(?i)([\w.-]*?)({SENSITIVE_KEYWORD})([\w-]*)")
_LONGEST_REFERENCE = 96


def _find_fallbacks(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield what holds if a secret's variable is not set: `API_TOKEN ?? "…"`, `${DB_PASSWORD:-…}`."""
    for (begin, _), opener, (first, _) in _FALLBACK.each(raw, start, end):
        line = max(raw.rfind(b"\n", start, begin) + 1, begin - _LONGEST_REFERENCE)
        last = _end_of(raw, first, is_quoted=opener[0] >= 0)
        kinds = [_kind_of(raw, groups) for groups in _LAST_NAME.each(raw, line, begin)]
        kind = max((kind for kind in kinds if kind is not None), default=None)
        found = kind is not None and _is_secret(kind, raw[first:last])
        yield "assigned", first, last if found else first


def _kind_of(raw: bytes, groups: Groups) -> SecretKind | None:
    before, word, after = (raw[slice(*span)] for span in groups[1:4])
    return classify_keyword(word, before, after)


# ---- the value first

_NAMES = r"(?:name|key|id|field|variable|var|label|property|parameter(?:name|key)?|option_?name|env|title)"
_BETWEEN = rf"""(?:\s*[,;]?\s*{_MEMBER})*"""
_VALUE_FIRST = Pattern(
    rf"""(?i)\b{_HOLDS}\\*["']?\s*[:=]\s*({_QUOTE})?({_VALUE}[^\s"'`<>]*){_QUOTE}?\s*[,;]?\s*{_BETWEEN}"""
    rf"""\\*["']?{_NAMES}\\*["']?\s*[:=]\s*\\*["']?([\w./:-]+)"""
    rf"""|\bmove\s+(["'])({_VALUE}[^"'\r\n]*)["']\s+to\s+([\w-]+)"""
    rf"""|\b(?:set|add)Value\((["'])({_VALUE}[^"'\r\n]*)["'],\s*forHTTPHeaderField:\s*["']([\w-]+)"""
)
_PIPED_TO = Pattern(
    rf"""(?i)\b(?:echo|printf|print)\s+(?:-\w+\s+)*(?:["']%s(?:\\n)?["']\s+)?["']?({_VALUE}[^\s"'`<>|]*)["']?\s*\|"""
    r"""([^\r\n|]*)"""
)
_WORD = Pattern(r"[\w./-]+")
_STORES = (b"secret", b"secrets")


def _find_values_first(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield values that stand before their name: `{"value": "…", "name": "API_TOKEN"}`."""
    position = start
    while groups := _VALUE_FIRST.search(raw, position, end):
        place = next(index for index in (3, 6, 9) if groups[index][0] >= 0)
        quote, (first, last), (begin, stop) = groups[place - 2 : place + 1]
        last = _end_of(raw, first, is_quoted=quote[0] < quote[1])
        kind = classify_secret_name(raw[begin:stop].rpartition(b"/")[2].decode("utf-8", "ignore"))
        found = kind is not None and last <= begin and _is_secret(kind, raw[first:last])
        yield "assigned", first, last if found else first
        position = stop if found else max(first, groups[0][0] + 1)


def find_piped_to_names(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield what `echo` pipes into a command that takes the name of a secret: `… | store put API_TOKEN`."""
    for _, (first, last), rest in _PIPED_TO.each(raw, start, end):
        words = [raw[slice(*word[0])] for word in _WORD.each(raw, *rest)]
        kinds = [
            classify_secret_name(word.decode("utf-8", "ignore"))
            for word in words[1:]
            if word not in _STORES
        ]
        kind = max((kind for kind in kinds if kind is not None), default=None)
        found = kind is not None and _is_secret(kind, raw[first:last])
        yield "assigned", first, last if found else first


NAMED_APART = Rule(NAME_PREFILTER, _find_apart)
SETTING_LINES = Rule(NAME_PREFILTER, _find_lines)
FALLBACKS = Rule(
    r"""(?i)(?:\|\||\?\?=?|\bor|else\w*\(|default[( ]|unwrap_or\w*\(|\|[ ]?d\()\s*\\*["'`]|:-["'`]?\w""",
    _find_fallbacks,
)
VALUES_FIRST = Rule(
    rf"""(?i)[\"' ]{_NAMES}\\*["']?[ ]?[:=][ ]?\\*["']?[\w./-]*"""
    r"""(?:pass|pw|secret|token|key|cred|auth|code|salt|seed|pepper)|\bmove\s+["']|forHTTPHeaderField""",
    _find_values_first,
)
