"""Secrets behind their name: `NAME=value` in all its spellings, `NAME value`, and the value on the next line."""

from collections.abc import Iterator

from hooklore.redaction.pattern import ByteSpan, Candidate, Groups, Pattern, Rule, TextPattern
from hooklore.redaction.rules.candidate_checks import (
    ALGORITHM,
    CODE,
    PLACEHOLDER_WORDS,
    REFERENCE,
    SECRET_IDENTIFIER,
    UUID,
    count_class_changes,
    has_letters_and_digits,
    has_mixed_characters,
    is_basic_credential,
    is_placeholder,
    is_random,
    is_secret_identifier,
    remove_bytes,
)
from hooklore.redaction.rules.headers import SCHEMES
from hooklore.redaction.rules.names import SecretKind, SecretName, secret_names
from hooklore.redaction.rules.value_forms import Form, form_of, is_drawn

_OPENING_QUOTE = r"""[brufn@$]{0,2}(?:"\\"|\\{1,3}["'`]|&quot;|"{3}|'{3}|["'`])"""
_NO_MASK = r"""(?:[^"'`\r\n\[]|\[[^R])"""
"""First character of a value that is not a mask: earlier masks must not be checked again, one by one."""

_OPERATOR = Pattern(
    # characters that may close the name: `"password"`, `environ["TOKEN"]`, `\"token\"`
    r"""(?i)(?:\\{0,3}["'`]|&quot;)?[\])]{0,2}"""
    r"(?:("
    r"[ \t]*:[ \t]*[&*]?(?:'static )?[A-Za-z][\w.<>\[\]?|]*[ \t]+:?=[ \t]+"  # `: str = `
    r"|[ \t]+(?:as[ \t]+string|string|str|\[\]byte|text)[ \t]*:?=[ \t]*"  # Visual Basic, Go
    r"|[ \t]*(?:\([^()\r\n:=]*\)|（[^（）\r\n:=：]*）)[ \t]*(?:[:=]|：)[ \t]*"  # AES key (hex):
    r"|[ \t]*:[ \t]*(?:!!?[\w-]+[ \t]+)?(?:[|>][+-]?[ \t]*\r?\n[ \t]+)?"  # YAML: a tag, a block
    r"|[ \t]*(?:\[\w{0,8}\][ \t]*[:=]|\|{1,2}|>>|\.{3,}|-{2,}>?|~|→|⇒|»)[ \t]*"  # a row, an index, a leader
    r"|[ \t]*(?:=>|[!?.+|:]{0,3}={1,3}|:|＝|：)[ \t]*(?:[A-Za-z_][\w:.]{1,24}\()?"  # or a call
    r"|>\s*(?:<value>|</key>\s*<string>)?(?:<!\[CDATA\[)?"  # <password>…</password>
    r"|</key>\s*<string>|[ \t]+<<<[ \t]*"  # of a property list; of a shell
    # name: …, value: …
    r"""|[ \t]*[,;]?\s*(?:- )?\\{0,3}["']?(?:parameter)?value\\{0,3}["']?[ \t]*[:=][ \t]*"""
    rf""")(?:(?:\[\s*)?({_OPENING_QUOTE}){_NO_MASK}[^"'`\r\n]{{3}}"""
    rf"""|[^\s"'`<>\[{{(;,)}}\]&|\x00-\x1f][^\s"'`<>]{{3}})"""
    # setPassword("…"), ("token", "…"), password "…"
    rf"""|([ \t]*(?:,[ \t]*|\([ \t]*|[ \t]))({_OPENING_QUOTE}){_NO_MASK}[^"'`\r\n]{{5}})"""
)
_MAY_ASSIGN = TextPattern(rb"[ \t]*+(?:[^A-Za-z0-9_]|[aAsStTvVpP])")
"""A sign, `As String`, `string`, `value`: what an operator begins with, at a fraction of its cost."""

_MAX_VALUE_READ = 256
"""Bytes of a value read at first. Many names without a value would otherwise each read on to the end."""

_QUOTED = {
    b'"': Pattern(r'(?:[^"\\\r\n]|\\[^\r\n])+'),
    b"'": Pattern(r"(?:[^'\\\r\n]|\\[^\r\n])+"),
    b"`": Pattern(r"(?:[^`\\\r\n]|\\[^\r\n])+"),
}
_ESCAPED = Pattern(r"""(?:[^"'`\\&\r\n]|\\{1,2}/)+""")
_BARE = Pattern(r"""[!#-&(-;=?-\[\]-_a-~\x{A1}-\x{17FF}]+""")
_NEXT_PAIR = Pattern(
    r"[&;,][\w.%-]{1,40}[=:]|&(?:[^A-Za-z0-9]|amp;|\z)|;|\}\)"
    r"|[|/#](?i:[\w.-]{0,24}(?:pass\w*|secret|token|key|pwd?))[\"']?[ ]?[=:]"
)
_ENDS_IN_NAME = Pattern(r"[|/#](?i:[\w.-]{0,24}(?:passw\w*|secret|token|pwd?))$")
"""What ends a value: a further pair, also that of a command to replace one (`s/password: …/password: …/`)."""
_SCHEME = Pattern(rf"(?i)(?:{'|'.join(SCHEMES)}|basic|token|digest|apikey|bot)[ \t]+")
_BESIDE_USER = Pattern(
    r"""(?i)\b(?:user(?:name)?|login|account|e-?mail|id)["']?[ \t]*[:=][^{}]{1,40}[,;&\n][ \t"'-]*$"""
)
"""Text before a `pass:` that gives a password and no count of tests."""
_PUBLIC = Pattern(
    r"(?i)\b(?:public|cache|primary|foreign|partition|idempotency|restored from)[ ]$"
    r"|cache[ ](?:hit|miss|entry)[ :,(]*$"
)
_RESOURCE = Pattern(r"\b(?:arn|urn|crn):[^\s\"']*:$")
"""Text before the `secret:` in the name of a cloud resource."""
_ENDS_LINE = Pattern(r"[ \t]*(?:[\r\n]|\z|[ \t]#)")


def _find(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    position, may_assign = start, _MAY_ASSIGN.match
    for name in secret_names(raw, start, end):
        if name.word[0] < position:
            continue
        groups = _OPERATOR.match(raw, name.last, end) if may_assign(raw, name.last) else None
        span = _value_of(raw, name, groups) if groups else _value_on_line(raw, name, end)
        position = max(position, span[1]) if span else name.last
        yield ("assigned", *span) if span else ("assigned", position, position)


_WORD = r"([^\s\"'`:=|,;<>{}()\[\]-][^\s\"'`]"
_SETTING = Pattern(rf"[ \t]+(?:[0-9][ \t]+)?{_WORD}{{5,}})(?:[ \t\r\n]|\z)")
"""A value behind a name, as many programs' settings and commands have it."""

_ANNOUNCED = Pattern(
    rf"[^\r\n=<>{{}}()\"']{{0,80}}(?::[ \t]+|\r?\n(?:[ \t]*\r?\n)?[ \t]*){_WORD}{{7,}})[\"']?[ \t]*(?:\r?\n|\z)"
)
"""The end of a line that speaks of a secret, or the secret alone below, as programs print what they made."""

_OF_PATH = frozenset((b"/", b".", b"~", b"$"))


def _value_on_line(raw: bytes, name: SecretName, end: int) -> ByteSpan | None:
    """Return the span of the secret behind a name, at the end of its line, or alone on the line below."""
    is_path = raw[max(0, name.first - 1) : name.first] in _OF_PATH
    is_lone_pass = raw[slice(*name.word)] == b"pass" and name.first == name.word[0]
    if name.kind < SecretKind.SECRET or name.is_plural or is_path or is_lone_pass:
        return None
    for pattern, least in ((_SETTING, Form.WORD_AND_DIGITS), (_ANNOUNCED, Form.WORD_AND_DIGITS)):
        if groups := pattern.match(raw, name.last, min(end, name.last + _MAX_VALUE_READ)):
            first, last = groups[1]
            value = raw[first:last].rstrip(b".,:;)")
            ends = raw[last : last + 2] not in (b"  ", b" \t") and raw[last : last + 1] != b"\t"
            is_flag = raw[max(0, name.first - 2) : name.first] == b"--" and pattern is _SETTING
            found = form_of(value) >= least or (
                is_flag and is_unquoted_secret(name.kind, value, certain=True)
            )
            if found and not _is_other(value, at_end=ends):
                return first, first + len(value)
    return None


def _is_other(value: bytes, *, at_end: bool) -> bool:
    """Return whether a value behind a name, without an operator, is an id, a reference or a further setting."""
    if UUID.occurs_in(value) or REFERENCE.occurs_in(value):
        return True
    if value[:1] == b"*" or b"=" in value[:-1] or b"/" in value:
        return True
    return not at_end and not remove_bytes(value, b"0123456789abcdef")


def _value_of(raw: bytes, name: SecretName, groups: Groups) -> ByteSpan | None:
    """Return the span of the secret that a name has as its value, or None."""
    _, operator_span, opener, beside, opener_beside = groups
    place = max(span[1] for span in groups[1:])
    kind, word = name.kind, raw[slice(*name.word)].lower()
    preceding = raw[max(0, name.first - _MAX_BEFORE) : name.first]
    is_listed = opener[0] >= 0 and b"[" in raw[operator_span[1] : opener[0]]
    if (name.is_plural and not is_listed) or _RESOURCE.occurs_in(preceding):
        return None
    is_path = preceding.endswith(b"::") and (opener[0] < 0 or operator_span[0] > name.last)
    if is_path or _PUBLIC.occurs_in(preceding + raw[name.first : name.word[0]]):
        return None
    lone_pass = word == b"pass" and name.first == name.word[0]
    if lone_pass and _BESIDE_USER.occurs_in(preceding):
        kind, lone_pass = SecretKind.PASSWORD, False
    if scheme := _SCHEME.match(raw, place, min(len(raw), place + _MAX_VALUE_READ)):
        place = scheme[0][1]
    if beside[0] >= 0:
        if kind is SecretKind.VAGUE or lone_pass or raw[place - 1] == _BACKTICK:
            return None
        defines = preceding.endswith(b"#define ")
        return _quoted(raw, place, raw[slice(*opener_beside)], kind, has_operator=defines)
    if word == b"signingkey" and _FINGERPRINT.match(raw, place, min(len(raw), place + 48)):
        return None
    operator = raw[slice(*operator_span)]
    if operator == b" :" and raw[place - 2 : place] == b":'":
        return None  # a variable of psql's
    is_led = operator.strip()[:1] in _LEADERS and operator.strip()[:2] not in _TEXTS
    if lone_pass and (is_led or (opener[0] < 0 and operator != b"=")):
        return None
    if opener[0] >= 0:
        span = _quoted(raw, place, raw[slice(*opener)], kind, has_operator=True)
        is_sure = not is_led and not is_listed and operator[-1:] != b"(" and b"!" not in operator
        return span if span and (is_sure or _is_formed(raw[slice(*span)], kind)) else None
    if is_led:
        span = place, unquoted_end(raw, place)
        return span if _is_formed(raw[slice(*span)], kind) else None
    return _bare(raw, place, kind, operator, name.first)


_MAX_BEFORE = 64
_BACKTICK = 0x60


def _quoted(
    raw: bytes, place: int, opener: bytes, kind: SecretKind, *, has_operator: bool
) -> ByteSpan | None:
    escaped = opener[-2:-1] == b"\\" or opener[-1:] == b";"
    pattern = _ESCAPED if escaped else _QUOTED[opener[-1:]]
    last = quoted_end(pattern, raw, place)
    value = raw[place:last]
    if (
        value[:2] in (b", ", b"; ")
        or value[:1] in b") "
        or not is_quoted_secret(kind, value)
        or not (has_operator or _is_argument(value))
    ):
        return None
    return place, last if last - place < _MAX_VALUE_READ else find_match_end(pattern, raw, last)


def _is_argument(value: bytes) -> bool:
    """Return whether a value beside the name, without an operator (`login("token", …)`), looks like a secret."""
    if form_of(value) >= Form.CHOSEN and b"://" not in value:
        return True
    if len(remove_bytes(value[:-2], b"=:/\\(")) < len(value[:-2]) or value[:1] in b"@#":
        return False
    return has_mixed_characters(value, 6)


def _bare(raw: bytes, place: int, kind: SecretKind, operator: bytes, name: int) -> ByteSpan | None:
    last = unquoted_end(raw, place)
    if operator[:1] == b">" and raw[last : last + 1] in b"&;,":
        last = max(last, raw.find(b"<", place, place + _MAX_VALUE_READ))
    if (
        operator[-1:] == b"="
        and last > place
        and (quote := raw[max(0, name - 1) : name]) in (b'"', b"'")
    ):
        last = _end_in_quotes(raw, place, last, quote)
    following = raw[last : last + 1]
    closes = b"</" if b"\n" in operator else b"<"
    if operator[:1] == b">" and not raw.startswith(closes, last):
        return None
    value = raw[place:last]
    if value.isdigit() and kind < SecretKind.PASSWORD:
        return None
    certain = _is_certain(operator, following)
    in_environment = operator == b"=" and raw[name : raw.find(b"=", name)].isupper()
    if operator[:1] == b":" and not certain:
        certain = _ENDS_LINE.match(raw, last, min(len(raw), last + 64)) is not None
    if operator[-1:] == b"(" or b"!" in operator:
        return None
    if not is_unquoted_secret(kind, value, certain=certain, may_be_code=not in_environment):
        return None
    return place, last if last - place < _MAX_VALUE_READ else find_match_end(_BARE, raw, last)


def _end_in_quotes(raw: bytes, place: int, last: int, quote: bytes) -> int:
    """Return the end of the value of a pair in quotes, which holds signs such as `&`, and no further pair."""
    closing = raw.find(quote, last, place + _MAX_VALUE_READ)
    rest = raw[last:closing] if closing >= 0 else b" "
    return last if _FOLLOWS.occurs_in(rest) else closing


_FINGERPRINT = Pattern(r"(?:0x)?[0-9A-Fa-f]{8,40}(?:[^0-9A-Za-z]|\z)")
"""The id of a key that git signs with."""

_FOLLOWS = Pattern(r"[\s=]|[&;,][\w.%-]{1,40}:")

_LEADERS = (b"|", b"[", b">", b".", b"-", b"~", b"\xe2", b"\xc2")
"""Signs that assign in no language: a table's border, an index, a leader, an arrow."""

_TEXTS = (b">", b"><", b"||", b"|=")


def _is_formed(value: bytes, kind: SecretKind) -> bool:
    """Return whether a value looks like a secret by itself, as it must behind a sign that assigns nothing."""
    return form_of(value) >= least_form(kind) and not SECRET_IDENTIFIER.occurs_in(value)


def least_form(kind: SecretKind) -> Form:
    """Return the form that a value under a name of this kind must have where nothing else speaks for it."""
    return Form.KEY if kind <= SecretKind.QUALIFIED else Form.WORD_AND_DIGITS


def _is_certain(operator: bytes, following: bytes) -> bool:
    """Return whether the notation is no language's reference to a variable: `name=value`, `value: …`."""
    if operator[:1] == b">" or b"value" in operator or b"\n" in operator:
        return True
    closes = following != b"" and following in b",)([."
    return operator[-1:] == b"=" and not operator[:1].isspace() and not closes


def quoted_end(pattern: Pattern, raw: bytes, place: int) -> int:
    """Return the end of a quoted value within its first `_MAX_VALUE_READ` bytes."""
    spans = pattern.match(raw, place, min(len(raw), place + _MAX_VALUE_READ))
    return place if spans is None else spans[0][1]


def find_match_end(pattern: Pattern, raw: bytes, place: int) -> int:
    """Return the end of the match of `pattern` at `place`, at any length."""
    spans = pattern.match(raw, place, len(raw))
    return place if spans is None else spans[0][1]


def unquoted_end(raw: bytes, place: int) -> int:
    """Return the end of an unquoted value: before a blank, a quote, the next pair or closing punctuation.

    A value longer than `_MAX_VALUE_READ` bytes ends there.
    """
    spans = _BARE.match(raw, place, min(len(raw), place + _MAX_VALUE_READ))
    if spans is None:
        return place
    last = spans[0][1]
    if pair := _NEXT_PAIR.search(raw, place + 1, last) if last > place + 1 else None:
        last = pair[0][0]
    elif last == place + _MAX_VALUE_READ:
        return last
    value = raw[place:last]
    if name := _ENDS_IN_NAME.search(value, 0, len(value)):
        value = value[: name[0][0]]
    return place + len(value.rstrip(b",;:.)]}" if b"(" not in value else b",;:."))


def is_quoted_secret(kind: SecretKind, value: bytes) -> bool:
    """Return whether a quoted value under a name of this kind is a secret."""
    if not _is_candidate(kind, value):
        return False
    if kind is SecretKind.VAGUE:
        return _is_vague_secret(value)
    if kind is SecretKind.QUALIFIED:
        return is_drawn_key(value)
    if b" " in value:
        return kind is SecretKind.PASSWORD and _is_passphrase(value)
    if is_secret_identifier(value):
        return False
    if kind is SecretKind.PASSWORD or has_mixed_characters(value, 6):
        return True
    return is_drawn(value) or (len(value) >= 16 and value.isalpha())


def is_unquoted_secret(
    kind: SecretKind, value: bytes, *, certain: bool, may_be_code: bool = True
) -> bool:
    """Return whether an unquoted value is a secret. With `certain`, its surroundings are no code or prose."""
    if not _is_candidate(kind, value):
        return False
    is_path = CODE.occurs_in(value) and (may_be_code or b"(" in value or value.isalpha())
    if is_path and not _is_drawn(value, certain=certain):
        return False
    if kind is SecretKind.VAGUE:
        return _is_vague_secret(value)
    if kind is SecretKind.QUALIFIED:
        return is_drawn_key(value)
    if is_secret_identifier(value):
        return False
    if kind is SecretKind.PASSWORD and (
        value.isdigit()
        or has_mixed_characters(value, 4 if certain else 6)
        or form_of(value) >= (Form.JOINED if certain and len(value) >= 12 else Form.WORD_AND_DIGITS)
    ):
        return True
    if has_letters_and_digits(value) and has_mixed_characters(value, 6 if certain else 8):
        return True
    if is_drawn(value):
        return True
    return certain and value.isalpha() and len(value) >= (6 if kind is SecretKind.PASSWORD else 20)


def _is_drawn(value: bytes, *, certain: bool) -> bool:
    """Return whether a value that looks like a path of identifiers is a secret with a dot in it."""
    if b"(" in value or b"[" in value:
        return False
    is_numbered = certain and value[-2:].isdigit() and form_of(value) is Form.WORD_AND_DIGITS
    has_digits = all(map(has_letters_and_digits, value.split(b".")))
    is_mixed = has_digits and count_class_changes(value) >= 6
    return is_numbered or is_mixed or is_drawn(value)


def _is_candidate(kind: SecretKind, value: bytes) -> bool:
    if len(value) < (20 if kind is SecretKind.VAGUE and value[-1:] != b"=" else 4):
        return False
    if is_placeholder(value.strip(b"*_.:!?")) or _LABEL.occurs_in(value):
        return False
    if value.startswith(b"****") and len(value.lstrip(b"*")) <= _LONGEST_END:
        return False
    return not REFERENCE.occurs_in(value) and not ALGORITHM.occurs_in(value)


_LONGEST_END = 4
"""Characters that a program shows of a secret behind asterisks."""

_LABEL = Pattern(
    r"(?i)^(?:[^A-Za-z0-9]*[\x{3040}-\x{30FF}\x{4E00}-\x{9FFF}\x{AC00}-\x{D7A3}][^A-Za-z0-9]*"
    r"|(?:neues |altes |new |old |nouveau )?(?:password|passwort|kennwort|mot de passe|contraseña|senha|wachtwoord"
    r"|lösenord|[пn][аa][рp][оo]ль|salasana|adgangskode|passord|[şs]ifre|parola|has[łl]o|heslo)[\w:.!?* ]?)$"
)
"""A label instead of a value, as in the texts of a page. Nobody types a password in these scripts."""


def is_drawn_key(value: bytes) -> bool:
    """Return whether a value is a key by its form alone. A UUID names a thing more often than it opens one."""
    return form_of(value) is Form.KEY and not UUID.occurs_in(value)


_PATH_OF_WORDS = Pattern(r"^[a-z]+(?:[_.-][a-z0-9]+)*/[a-z]+(?:[_.-][a-z0-9]+)*$")


def _is_vague_secret(value: bytes) -> bool:
    if b"/" in value and _PATH_OF_WORDS.occurs_in(value):
        return False
    return is_random(value, 20) or (value[-1:] == b"=" and is_basic_credential(value))


def _is_passphrase(value: bytes) -> bool:
    """Return whether `value` is a row of words, as against a label or a sentence about passwords."""
    words = value.split()
    if len(words) > 12 or not value.isascii() or SECRET_IDENTIFIER.occurs_in(value):
        return False
    words = [word for word in words if word not in _ARTICLES]
    if any(word.lower().strip(b".,:;!?") in PLACEHOLDER_WORDS for word in words):
        return False
    return has_mixed_characters(value.replace(b" ", b""), 8) or (
        len(words) >= 4 and value.islower()
    )


_ARTICLES = frozenset((b"the", b"from", b"on"))
"""Words that stand in a phrase of four others as in a label."""


_FOREIGN = (
    "パスワード|パスフレーズ|暗証番号|密[码碼]|口令|비밀번호|암호|пароль|anshou?(?:bangou?)?|pasuwado|"
    "contrase[ñn]a|kennwort|wachtwoord|l[öo]senord|adgangskode|has[łl]o|heslo|salasana|[şs]ifre|jelsz[óo]|clave"
    "|parola"
)
SENSITIVE_NAME_PARTS = (
    "pass|pw|senha|secret|token|credential|auth|cookie|key|sig|dsn|session|sid"
    rf"|psk|dockerc|sonar|[_-]pat\b|pepper|salt|seed|code|{_FOREIGN}"
)
"""A pattern of parts that every name of a secret has, of either case."""

NAME_PREFILTER = (
    r"(?i)pass(?:[^ei]|(?-i:[EI])|e[^ds]|i[^n]|[ei]?\z)|pw|mot_?de_?passe|senha|secret"
    r"|token(?:[^i]|(?-i:I)|\z)|credential|auth(?:[^o]|(?-i:O)|oriz|\z)|cookie|key(?:[^bow]|(?-i:[BOW])|\z)"
    r"|sig(?:[^hn]|(?-i:[HN])|natu|\z)|dsn|session|sid(?:[^e]|(?-i:E)|\z)|psk|dockerc|sonar|[_-]pat\b"
    rf"|pepper|salt|seed|[a-z0-9][_-]?code|{_FOREIGN}"
)
"""The prefilter of all rules that begin with such a name: several that differ a little cost more.

Words that begin as a name does, and are none, are left out: `passed`, `tokenizer`, `author`, `signal`, `side`. A
test's output has them in each line.
"""

ASSIGNMENTS = Rule(NAME_PREFILTER, _find, max_candidates=1500)
