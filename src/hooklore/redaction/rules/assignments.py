"""Secrets behind their name: `NAME=value` in all its spellings."""

from collections.abc import Iterator

from hooklore.redaction.pattern import ByteSpan, Candidate, Groups, Pattern, Rule
from hooklore.redaction.rules import candidate_checks
from hooklore.redaction.rules.keyword_pattern import KeywordPattern
from hooklore.redaction.rules.names import SecretKind, classify_keyword
from hooklore.redaction.rules.value_forms import Form, form_of, is_drawn, is_wordless

_OPENING_QUOTE = r"""[brufn@$]{0,2}(?:"\\"|\\{1,3}["'`]|&quot;|"{3}|'{3}|["'`])"""
_NO_MASK = r"""(?:[^"'`\r\n\[]|\[[^R])"""
"""First character of a value that is not a mask: earlier masks must not be checked again, one by one."""

_NAMED = KeywordPattern(
    rb"[\w-]*+[ \t]*+(?:[^A-Za-z0-9_]|[aAsStTvVpP])",  # a sign, `As String`, `string`, `value`
    r"([\w-]*)"
    # characters that may close the name: `"password"`, `environ["TOKEN"]`, `\"token\"`
    r"""(?:\\{0,3}["'`]|&quot;)?[\])]{0,2}"""
    r"(?:("
    r"[ \t]*:[ \t]*[&*]?(?:'static )?[A-Za-z][\w.<>\[\]?|]*[ \t]+:?=[ \t]+"  # `: str = `
    r"|[ \t]+(?:as[ \t]+string|string|str|\[\]byte|text)[ \t]*:?=[ \t]*"  # Visual Basic, Go
    r"|[ \t]*(?:\([^()\r\n:=]*\)|（[^（）\r\n:=：]*）)[ \t]*(?:[:=]|：)[ \t]*"  # AES key (hex):
    r"|[ \t]*:[ \t]*(?:!!?[\w-]+[ \t]+)?(?:[|>][+-]?[ \t]*\r?\n[ \t]+)?"  # YAML: a tag, a block
    r"|[ \t]*(?:\[\w{0,8}\][ \t]*[:=]|\|{1,2}|>>|\.{3,}|-{2,}>?|~|→|⇒|»)[ \t]*"  # a row, an index, a leader
    r"|[ \t]*(?:=>|[?.+|:]{0,3}={1,3}|:|＝|：)[ \t]*"
    r"|>\s*(?:<value>|</key>\s*<string>)?(?:<!\[CDATA\[)?"  # <password>…</password>
    r"|</key>\s*<string>|[ \t]+<<<[ \t]*"  # of a property list; of a shell
    # name: …, value: …
    r"""|[ \t]*[,;]?\s*(?:- )?\\{0,3}["']?(?:parameter)?value\\{0,3}["']?[ \t]*[:=][ \t]*"""
    rf""")(?:(?:\[\s*)?({_OPENING_QUOTE}){_NO_MASK}[^"'`\r\n]{{3}}|[^\s"'`<>\[{{(;,)}}\]&|\x00-\x1f][^\s"'`<>]{{3}})"""
    # setPassword("…"), ("token", "…"), password "…"
    rf"""|([ \t]*(?:,[ \t]*|\([ \t]*|[ \t]))({_OPENING_QUOTE}){_NO_MASK}[^"'`\r\n]{{5}})""",
)
_MAX_NAME_BEFORE = 64
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
_SCHEME = Pattern(r"(?i)(?:bearer|basic|token|digest|apikey|bot)[ \t]+")
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
    position = start
    while groups := _NAMED.search(raw, position, end):
        position = _value_start(groups)
        span = _value_of(raw, groups, position)
        if span is None:
            yield "assigned", position, position
        else:
            yield "assigned", *span
            position = max(position, span[1])
            if continued := _CONTINUED.match(raw, position, min(end, position + _MAX_VALUE_READ)):
                first, last = continued[1]
                yield "assigned", first, last if form_of(raw[first:last]) >= Form.CHOSEN else first
            while following := _FURTHER.match(raw, position, min(end, position + _MAX_VALUE_READ)):
                first, last = following[1]
                position = last
                value = raw[first:last]
                found = form_of(value) >= Form.WORD_AND_DIGITS or (
                    candidate_checks.has_letters_and_digits(value)
                    and is_quoted_secret(SecretKind.SECRET, value)
                )
                found = found and _IS_NAME.match(raw, last, min(len(raw), last + 8)) is None
                yield "assigned", first, last if found else first


_IS_NAME = Pattern(r"""["'`]\s*:""")
_CONTINUED = Pattern(r"""[ \t]*\r?\n[ \t]+([^\s"'`:=<>{}()\[\]]{12,})[ \t]*(?:\r?\n|\z)""")
"""A further line of a value without quotes, as YAML allows it."""

_FURTHER = Pattern(r"""["'`]\s*(?:,|->|=>)\s*["'`]([^"'`\s\[\]]{6,})["'`]""")
"""A further element of a list of secrets, or the new value beside the old one."""


def _value_start(groups: Groups) -> int:
    """Return the start of the value: behind its opening quote, or behind the operator."""
    return max(span[1] for span in groups[3:])


def _value_of(raw: bytes, groups: Groups, place: int) -> ByteSpan | None:
    """Return the span of the secret that this name has as its value, or None."""
    _, (first, word_end), (_, name_end), operator_span, opener, beside, opener_beside = groups
    preceding = raw[max(0, first - _MAX_NAME_BEFORE) : first]
    before = preceding[len(preceding.rstrip(candidate_checks.WORDLIKE)) :]
    word, after = raw[first:word_end], raw[word_end:name_end]
    is_listed = opener[0] >= 0 and b"[" in raw[operator_span[1] : opener[0]]
    kind = classify_keyword(word, before, b"" if is_listed and after in (b"s", b"S") else after)
    if kind is None or _RESOURCE.occurs_in(preceding):
        return None
    is_path = raw[first - len(before) - 2 : first - len(before)] == b"::"
    if (is_path and (opener[0] < 0 or operator_span[0] > name_end)) or _PUBLIC.occurs_in(preceding):
        return None
    lone_pass = len(word) == 4 and not before and word.lower() == b"pass"
    if lone_pass and _BESIDE_USER.occurs_in(preceding):
        kind, lone_pass = SecretKind.PASSWORD, False
    stop = min(len(raw), place + _MAX_VALUE_READ)
    if scheme := _SCHEME.match(raw, place, stop):
        place = scheme[0][1]
    if beside[0] >= 0:
        if kind is SecretKind.VAGUE or lone_pass or raw[place - 1] == 96:
            return None
        defines = preceding[: len(preceding) - len(before)].endswith(b"#define ")
        return _quoted(raw, place, raw[slice(*opener_beside)], kind, has_operator=defines)
    if word.lower() == b"signingkey" and _FINGERPRINT.match(raw, place, min(len(raw), place + 48)):
        return None
    operator = raw[slice(*operator_span)]
    if operator == b" :" and raw[place - 2 : place] == b":'":
        return None  # a variable of psql's
    is_led = operator.strip()[:1] in _LEADERS and operator.strip()[:2] not in _TEXTS
    if lone_pass and (is_led or (opener[0] < 0 and operator != b"=")):
        return None
    if opener[0] >= 0:
        span = _quoted(raw, place, raw[slice(*opener)], kind, has_operator=True)
        is_sure = not is_led and not is_listed
        return span if span and (is_sure or _is_formed(raw[slice(*span)], kind)) else None
    if is_led:
        span = place, unquoted_end(raw, place)
        return span if _is_formed(raw[slice(*span)], kind) else None
    return _bare(raw, place, kind, operator, first - len(before))


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
    if candidate_checks.has_all_classes(value):
        return True
    if (
        len(candidate_checks.remove_bytes(value[:-2], b"=:/\\(")) < len(value[:-2])
        or value[:1] in b"@#"
    ):
        return False
    return candidate_checks.has_mixed_characters(value, 6)


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
    if value.isdigit() and kind < SecretKind.PASSWORD and not _is_long_number(raw, name, value):
        return None
    if value.lower() in _BEGINS_TEXT and _GOES_ON.match(raw, last, min(len(raw), last + 32)):
        return None
    certain = _is_certain(operator, following)
    if operator[:1] == b":" and not certain and _alone_on_line(raw, name):
        certain = _ENDS_LINE.match(raw, last, min(len(raw), last + 64)) is not None
    is_letters = kind >= SecretKind.SECRET and is_wordless(value) and _is_candidate(kind, value)
    is_letters = is_letters and not _ABBREVIATED.occurs_in(value)
    is_letters = is_letters or (operator == b"=" and _is_phrase_of_setting(raw, name, value, kind))
    is_letters = is_letters or _is_long_number(raw, name, value)
    if not is_letters and not is_unquoted_secret(kind, value, certain=certain):
        return None
    return place, last if last - place < _MAX_VALUE_READ else find_match_end(_BARE, raw, last)


_ABBREVIATED = Pattern(r"(?i)pwd|txt|box|file|name|value|param|root|field")
"""Pieces of names that a program joins without vowels: `txtpwdbox`."""


def _is_phrase_of_setting(raw: bytes, name: int, value: bytes, kind: SecretKind) -> bool:
    """Return whether a variable of the environment that is named for a secret holds words joined by dashes."""
    is_joined = value.islower() and value.replace(b"-", b"").isalpha() and value[-1:] != b"-"
    is_long = b"-" in value and (
        kind is SecretKind.PASSWORD or form_of(value) >= Form.WORD_AND_DIGITS
    )
    return (
        is_joined
        and is_long
        and kind >= SecretKind.SECRET
        and _is_candidate(kind, value)
        and raw[name : raw.find(b"=", name)].isupper()
        and not candidate_checks.SECRET_IDENTIFIER.occurs_in(value)
    )


_TOKEN_OF_ACCESS = Pattern(r"(?i)(?:auth\w*|access|api|bearer|login|session)[ _-]?token$")


def _is_long_number(raw: bytes, name: int, value: bytes) -> bool:
    """Return whether a value is the number that some programs draw as a token to sign in with."""
    if not (value.isdigit() and _LEAST_DIGITS <= len(value) <= _MOST_DIGITS):
        return False
    stop = raw.find(b":", name, name + 24)
    return stop > 0 and _TOKEN_OF_ACCESS.occurs_in(raw[max(0, name - 16) : stop])


_LEAST_DIGITS, _MOST_DIGITS = 15, 24

_BEGINS_TEXT = frozenset(
    b"please enter type your choose confirm repeat forgot forgotten invalid incorrect wrong reset change provide "
    b"specify input supply bitte veuillez entrez saisissez votre introduzca ingrese escriba digite informe insira "
    b"inserisci voer uw".split()
)
"""First words of what a page says about a password, in files of texts without quotes."""

_GOES_ON = Pattern(r"[ ][A-Za-z]{2}")


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
    return form_of(value) >= least_form(kind) and not candidate_checks.SECRET_IDENTIFIER.occurs_in(
        value
    )


def least_form(kind: SecretKind) -> Form:
    """Return the form that a value under a name of this kind must have where nothing else speaks for it."""
    return Form.KEY if kind <= SecretKind.QUALIFIED else Form.WORD_AND_DIGITS


def _is_certain(operator: bytes, following: bytes) -> bool:
    """Return whether the notation is no language's reference to a variable: `name=value`, `value: …`."""
    if operator[:1] == b">" or b"value" in operator or b"\n" in operator:
        return True
    closes = following != b"" and following in b",)([."
    return operator[-1:] == b"=" and not operator[:1].isspace() and not closes


def _alone_on_line(raw: bytes, name: int) -> bool:
    """Return whether only blanks, a dash or a quote stand before the name on its line, as in YAML."""
    line = raw[max(0, name - 24) : name]
    return not line[line.rfind(b"\n") + 1 :].strip(b" \t-'\"") and (name < 24 or b"\n" in line)


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
    if candidate_checks.is_secret_identifier(value):
        return False
    if kind is SecretKind.PASSWORD or candidate_checks.has_mixed_characters(value, 6):
        return True
    return candidate_checks.is_mixed_case(value) or (len(value) >= 16 and value.isalpha())


def is_unquoted_secret(kind: SecretKind, value: bytes, *, certain: bool) -> bool:
    """Return whether an unquoted value is a secret. With `certain`, its surroundings are no code or prose."""
    if not _is_candidate(kind, value):
        return False
    if candidate_checks.is_code(value) and not _is_drawn(value, certain=certain):
        return False
    if kind is SecretKind.VAGUE:
        return _is_vague_secret(value)
    if kind is SecretKind.QUALIFIED:
        return is_drawn_key(value)
    if candidate_checks.is_secret_identifier(value):
        return False
    if kind is SecretKind.PASSWORD and (
        value.isdigit()
        or candidate_checks.has_mixed_characters(value, 4 if certain else 6)
        or form_of(value) >= (Form.JOINED if certain and len(value) >= 12 else Form.WORD_AND_DIGITS)
    ):
        return True
    if candidate_checks.has_letters_and_digits(value) and candidate_checks.has_mixed_characters(
        value, 6 if certain else 8
    ):
        return True
    if candidate_checks.is_mixed_case(value) or is_drawn(value):
        return True
    return certain and value.isalpha() and len(value) >= (6 if kind is SecretKind.PASSWORD else 20)


def _is_drawn(value: bytes, *, certain: bool) -> bool:
    """Return whether a value that looks like a path of identifiers is a secret with a dot in it."""
    if b"(" in value or b"[" in value:
        return False
    is_numbered = certain and value[-2:].isdigit() and form_of(value) is Form.WORD_AND_DIGITS
    has_digits = all(map(candidate_checks.has_letters_and_digits, value.split(b".")))
    is_random = has_digits and candidate_checks.count_class_changes(value) >= 6
    return is_numbered or is_random or is_drawn(value)


def _is_candidate(kind: SecretKind, value: bytes) -> bool:
    if len(value) < (20 if kind is SecretKind.VAGUE and value[-1:] != b"=" else 4):
        return False
    if candidate_checks.is_placeholder(value.strip(b"*_.:!?")) or _LABEL.occurs_in(value):
        return False
    if value.startswith(b"****") and len(value.lstrip(b"*")) <= _LONGEST_END:
        return False
    return not candidate_checks.is_secret_reference(value) and not candidate_checks.is_algorithm(
        value
    )


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
    return form_of(value) is Form.KEY and not candidate_checks.UUID.occurs_in(value)


_PATH_OF_WORDS = Pattern(r"^[a-z]+(?:[_.-][a-z0-9]+)*/[a-z]+(?:[_.-][a-z0-9]+)*$")


def _is_vague_secret(value: bytes) -> bool:
    if b"/" in value and _PATH_OF_WORDS.occurs_in(value):
        return False
    return candidate_checks.is_random(value, 20) or (
        value[-1:] == b"=" and candidate_checks.is_basic_credential(value)
    )


def _is_passphrase(value: bytes) -> bool:
    """Return whether `value` is a row of words, as against a label or a sentence about passwords."""
    words = value.split()
    if (
        len(words) > 12
        or not value.isascii()
        or candidate_checks.SECRET_IDENTIFIER.occurs_in(value)
    ):
        return False
    words = [word for word in words if word not in _ARTICLES]
    if any(word.lower().strip(b".,:;!?") in candidate_checks.PLACEHOLDER_WORDS for word in words):
        return False
    return candidate_checks.has_mixed_characters(value.replace(b" ", b""), 8) or (
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
