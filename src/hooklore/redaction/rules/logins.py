"""Pairs of a user and a password: `login: alice / …`, `ログイン情報：alice/…`, `auth=("alice", "…")`."""

from collections.abc import Iterator

from hooklore.redaction.pattern import Candidate, Pattern, Rule, TextPattern
from hooklore.redaction.rules import candidate_checks
from hooklore.redaction.rules.assignments import is_quoted_secret, is_unquoted_secret
from hooklore.redaction.rules.names import SecretKind
from hooklore.redaction.rules.value_forms import Form, form_of, is_drawn

_USER = r"[A-Za-z0-9_][\w.@+-]+"
_VALUE = r"[!#-&*+.0-9=?@A-Z\\^_a-z{|}~-][!#-&*-;=?-Z\\\]^_a-z{|}~-]{4}[!#-&*-;=?-Z\\\]^_a-z{|}~-]*"
_SLASH = r"[ \t　]*(?:/|／|:|：|\|)[ \t　]*"
_ENGLISH = (
    r"\b(?:log(?:ged|ging)?[ -]?in|logins?|sign(?:ed|ing)?[ -]?in|creds?|credentials?"
    r"|basic[ -]?auth(?:entication)?"
    r"|(?:user(?:name)?|login|id|account)[ ]?(?:/|and|&|,)[ ]?(?:pass(?:word)?|pw|pwd))\b"
    r"(?:[ \t]+(?:for|to|on|of|at|in)(?:[ \t]+[\w@'./-]+){1,4}?)?"
)
_JAPANESE = (
    r"(?:ログイン(?:情報|アカウント|ID)?|認証情報|接続情報|アカウント(?:情報)?|クレデンシャル|資格情報"
    r"|(?:basic|ベーシック|ベイシック|digest|ダイジェスト)[ 　]?認証(?:情報)?"
    r"|(?:ID|ユーザー?(?:名|ID)?|アカウント)[ ]?(?:/|／|・|と|、|＆|&)[ ]?(?:パスワード|パス|PW"
    r"|Pass))(?:（[^（）\r\n]{0,20}）)?"
)
_QUOTE = r"""["'`「]{0,2}"""
_PAIR = Pattern(
    rf"(?i)(?:{_ENGLISH}(?:([ \t]+(?:is|are|were|was)[ \t]*:?[ \t]+|[ \t]*[:=][ \t]*)|[ \t]+(?:with"
    rf"|as|using|via)[ \t]+|[ \t]*\(|[ \t]+)"
    rf"|{_JAPANESE}([ 　]*(?:は|が|を|に|も|で|：|:|=|＝|→|（|\()?[、 　]*\r?\n?))"
    rf"{_QUOTE}({_USER}?){_QUOTE}(?:({_SLASH})|[ \t]+(?:and|&|with)[ \t]+|[,、と　\t ][ ]?){_QUOTE}({_VALUE})"
)
_TO_LOG_IN = Pattern(
    rf"(?:^|[^\w/.:@-])({_USER}?)[ 　]?(?:/|／|:|：)[ 　]?({_VALUE}?)[」』`]?[ 　]?(?:で|を使って"
    rf"|にて)[ 　]?(?:ログイン|サインイン|入れ|入る|認証|接続)"
)
_LOG_IN = Pattern(
    r"[!-~」』`][ 　]?(?:で|を使って|にて)[ 　]?(?:ログイン|サインイン|入れ|入る|認証|接続)"
)
_LONGEST_PAIR = 192

_WORDS = Pattern(
    r"(?i)^(?:to|the|a|an|and|or|as|with|in|on|at|for|from|by|is|are|via|using|page|form|flow"
    r"|button|screen|user|users|failed|failure"
    r"|success\w*|error|http|https|test|tests|status|code|v?[0-9.]+|get|post|put|api|file|files"
    r"|stored|saved|password|username)$"
)


def _find_pairs(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    position = start
    while groups := _PAIR.search(raw, position, end):
        _, link, japanese_link, user, slash, (first, last) = groups
        value = raw[first:last].rstrip(b",;:.)]}*?")
        certain = slash[0] >= 0 or link[0] >= 0 or japanese_link[0] >= 0
        found = certain and _is_pair(raw[slice(*user)], value, close=slash[0] >= 0)
        yield "spoken", first, first + len(value) if found else first
        position = first + len(value) if found else user[1]


def _find_users(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield the password of `alice/… でログインできる`."""
    for ((_, place),) in _LOG_IN.each(raw, start, end):
        begin = max(start, place - _LONGEST_PAIR, raw.rfind(b"\n", start, place))
        for _, user, (first, last) in _TO_LOG_IN.each(raw, begin, place):
            found = _is_pair(raw[slice(*user)], raw[first:last], close=True)
            yield "spoken", first, last if found else first


def _is_pair(user: bytes, value: bytes, *, close: bool) -> bool:
    """Return whether `user` is a name and `value` a word with digits, no path, file, version, date or measure."""
    if (
        user.isdigit()
        or _WORDS.occurs_in(user)
        or b"/" in value
        or b"," in value
        or candidate_checks.SHORT_ID.occurs_in(value)
    ):
        return False
    if (
        not candidate_checks.has_mixed_characters(value, 6)
        or _FILE.occurs_in(value)
        or candidate_checks.is_secret_identifier(value)
    ):
        return False
    if not candidate_checks.has_letters_and_digits(value) and b"!" not in value[1:]:
        return False
    return (close or len(value) >= 6) and is_unquoted_secret(
        SecretKind.PASSWORD, value, certain=False
    )


_FILE = Pattern(
    r"\.[A-Za-z]{1,5}[0-9]?$|^[a-z]{1,7}[._-]?[0-9]$|^[0-9]+[a-z]{1,3}$|[=(@]|::|^:|^\\"
)

_ACCOUNT = Pattern(
    r"(?i)\b(?:superuser|administrator"
    r"|creds?|credentials?|log(?:ged|ging)?[ -]?in|logins?|sign(?:ed|ing)?[ -]?in|accounts?"
    r"|identifiants?|anmeld\w*"
    r"|zugang\w*|konto|benutzer\w*|accès|compte|connexion|connecte\w*|credenziali|accesso|credenciales|acceso|cuenta|credenciais"
    r"|acesso|conta|utilisateur|usuario|usuário|utente|trying|tried)\b"
    r"|ログイン|認証|アカウント|接続|アクセス|資格情報|クレデンシャル|ユーザ|계정|로그인|접속|账[号户]|帳[號戶]|登[录錄入]|用户名"
)
_CHARACTER = r"[!#-&*-.0-:;<>-Z^_a-z|~-]"
_BESIDE_ACCOUNT = Pattern(
    rf"(?:^|[\s\[(`「『:：は、])({_USER})[\]`」』]{{0,2}}(?:([ 　]?(?:/|／|\||:|：)[ 　]?)"
    rf"|[ 　])[\"'`「『\[(]{{1,2}}({_CHARACTER}{{6}}{_CHARACTER}*?)[\])\"'`」』]"
    rf"|(?:^|[\s\[(`「『:：は、])({_USER})([ 　]?(?:/|／|\||:|：|,|、|·|•|;)[ 　]?)"
    rf"({_CHARACTER}{{6}}{_CHARACTER}*)(?:[^/\\({{\[=]|\z)"
)
_HAS_PAIR = TextPattern(rb"[/:|(\[`\x80-\xff][ \"']?[!-~]*?[0-9]")
_NEAR = 96


def _find_beside(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield the password of a pair that stands in the same line as a word for an account, in any language."""
    position = start
    while found := _ACCOUNT.search(raw, position, end):
        position = found[0][1]
        yield "spoken", position, position
        line = raw.find(b"\n", position, min(end, position + _NEAR))
        stop = line if line >= 0 else min(end, position + _NEAR)
        if not _HAS_PAIR.search(raw, position, stop):
            continue
        for _, user, link, value, other_user, other_link, other_value in _BESIDE_ACCOUNT.each(
            raw, max(start, position - 1), stop
        ):
            first, last = max(value, other_value)
            name, between = max(user, other_user), max(link, other_link)
            secret = raw[first:last].rstrip(b",;:.)]}")
            if _is_beside(
                raw[slice(*name)], raw[slice(*between)] if between[0] >= 0 else b" ", secret
            ):
                yield "spoken", first, first + len(secret)
                position = max(position, first + len(secret))


_LISTS = tuple(sign.encode() for sign in (",", "、", "·", "•", ";"))


def _is_beside(user: bytes, link: bytes, value: bytes) -> bool:
    """Return whether a value behind a user name has a password's form."""
    form = form_of(value)
    if (
        user.isdigit()
        or _WORDS.occurs_in(user)
        or b"/" in value
        or b":" in value
        or b"." in value.partition(b"@")[2]
    ):
        return False
    if link.strip() in _LISTS:
        return form is Form.CHOSEN
    if form is Form.WORD_AND_DIGITS:
        digits = len(value) - len(candidate_checks.remove_bytes(value, candidate_checks.DIGITS))
        return digits >= (2 if link.strip() != link else 3)
    return form is Form.CHOSEN or form is Form.KEY


_SHORT_PAIR = Pattern(
    r"(?i)\bu(?:ser)?[ ]?[:=][ ]?\S+?[ \t,;]+p(?:w|ass)?[ ]?[:=][ ]?[\"']?([!-~]{6}[!-~]*)"
    r"|[\w.-]@(?:[\w-]+\.)*[\w-]+[ ]?(?:[(\[]|[/|][ ]|pw |pass )[ ]?([!-~]{6}[!-~]*)"
    r"|(?:^|[\s:,(])[a-z][\w.-]*[ ](?:/|／)[ ]([!-~]{6}[!-~]*)"
    r"|(?:^|[\s\"'(=])[A-Za-z][\w.-]*:([^\s\"'@/:<>{}()\[\]$]{6}[^\s\"'@/:<>{}()\[\]$]*)@[A-Za-z][\w.-]*"
    r"|(?:^|\s)[a-z][\w.-]*[/:]([A-Za-z0-9]+[!$%^&][A-Za-z0-9!$%^&_.-]*[0-9][A-Za-z0-9!$%^&_.-]*)(?:\s|\z)"
    r"|(?m:^[a-z_][\w-]*):([!-9;-~]{6}[!-9;-~]*):[0-9]+:[0-9]+:"
    r"|(?m:^[a-z_][\w-]*[ \t]+\*[ \t]+)[\"']?([!-~]{6}[!-~]*?)[\"']?[ \t]+\*"
)


_KNOWN_PAIR = Pattern(
    r"(?i)(?:^|[\s:,(「『：、])(?:admin\w*|root|guest|demo|tester|operator|viewer|support|op[ée]rateur|invité|gast|benutzer|usuario"
    r"|postgres|ubuntu|maint|deploy)(?:[ ]/[ ]|[ 　]?／[ 　]?)([!-~]{6}[!-~]*)"
)
"""A pair whose user is an account that many programs have."""


def _find_short_pairs(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield the password of `u=alice p=…`, `alice@host (…)`, and of a line in the form of `/etc/passwd`."""
    for _, (first, last) in _KNOWN_PAIR.each(raw, start, end):
        value = raw[first:last].rstrip(b",;:.)]}")
        found = form_of(value) >= Form.WORD_AND_DIGITS and b"/" not in value
        yield "spoken", first, first + len(value) if found else first
    for _, *places in _SHORT_PAIR.each(raw, start, end):
        first, last = max(places)
        value = raw[first:last].rstrip(b",;:.)]}")
        found = _is_beside(b"", b"/", value) and not any(sign in value for sign in b"*@\"'([%")
        found = found and raw[last : last + 4] != b"@sha"
        yield "spoken", first, first + len(value) if found else first


_CALL = Pattern(
    r"""(?i)(?:\bauth|[_.]?basic_?auth|\blogin|credentials?|authenticate|set_?auth|usernamepassword\w*|passwordauthentication)(?:\.\w{2,16})?"""
    r"""[ \t]*[:=]?[ \t]*[\[(][ \t]*b?["']([^"'\r\n]+)["'][ \t]*,[ \t]*(?:\w+\()?b?(["'])"""
    r"""([^"'\r\n]{4,})["'][ \t]*[\]),]"""
)


_BESIDE_ADDRESS = Pattern(
    r"""["'][\w.+-]+@[\w-]+(?:\.[\w-]+)+["'],[ \t]*["']([^"'\s]{6}[^"'\s]*)["'][ \t]*[,)]"""
)
"""The argument behind an address of mail."""


def _is_mixed(value: bytes) -> bool:
    return candidate_checks.has_mixed_characters(value, 6) or form_of(value) >= Form.CHOSEN


def _find_calls(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield the passwords of `auth=("alice", "…")`, `server.login("alice", "…")`, `HTTPBasicAuth('alice', '…')`."""
    for _, _, _, (first, last) in _CALL.each(raw, start, end):
        value = raw[first:last]
        found = _is_mixed(value) and is_quoted_secret(SecretKind.PASSWORD, value)
        yield "assigned", first, last if found else first
    for _, (first, last) in _BESIDE_ADDRESS.each(raw, start, end):
        found = form_of(raw[first:last]) >= Form.WORD_AND_DIGITS
        yield "assigned", first, last if found else first


_THIRD = Pattern(
    r"""(?i)\b(?:pdo|getconnection|mysqli(?:_connect)?|oci_connect|odbc_connect)(?:->__construct)?[ \t]*\(\s*"""
    r"""(?:["'][^"'\r\n]+["']|[$\w.]+),\s*["'][^"'\r\n]+["'],[ \t]*"""
    r"""["']([^"'\r\n]{4,})["']"""
    r"""|(?:\bjwt|jsonwebtoken["']\))\.(?:sign|verify|encode|decode)\("""
    r"""(?:[^"'\r\n]+?|\{[^{}]*\}),[ \t]*b?["']([^"'\r\n]{4,})["']"""
    r"""|\bX509Certificate2?\([^,()]+,\s*["']([^"'\r\n]{4,})["']"""
    r"""|\w*(?:connect|connection|login|begin|auth"""
    r"""|credential\w*)[ \t]*\([ \t]*(?:b?["'][^"'\r\n]+["'][ \t]*,[ \t]*){1,3}"""
    r"""b?["']([^"'\r\n]{6}[^"'\r\n]*)["'][ \t]*[,)]"""
    r"""|\w*(?:hmac|aes|cipher\w*|fernet|crypt|sign|auth|twilio|cookieparser|secret"""
    r"""|token)(?:\.new)?[ \t]*\([ \t]*(?:[\w.]+[ \t]*,[ \t]*"""
    r"""|["'][\w-]+["'][ \t]*,[ \t]*)?b?["']([A-Za-z0-9+/_=-]{16}[A-Za-z0-9+/_=-]*)["']"""
)


def _find_arguments(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield secrets in a fixed position of a call: `new PDO("…", "alice", "…")`, `jwt.sign(claims, "…")`."""
    for _, *places in _THIRD.each(raw, start, end):
        first, last = max(places)
        value = raw[first:last]
        found = _is_mixed(value) or form_of(value) is Form.WORD_AND_DIGITS or is_drawn(value)
        found = found and is_quoted_secret(SecretKind.PASSWORD, value)
        yield "assigned", first, last if found else first


LOGINS = Rule(
    r"(?i)log(?:ged|ging)?[ -]?in|sign(?:ed|ing)?[ -]?in|cred|basic[ -]?auth|(?:user|username|id"
    r"|account) ?(?:/|and|&|,) ?p"
    r"|ログイン|認証|接続情報|アカウント|クレデンシャル|資格情報|(?:ID|ユーザー?(?:名|ID)?) ?[/／・と、＆&]",
    _find_pairs,
)
SHORT_PAIRS = Rule(
    r"(?i)\bu(?:ser)?[ ]?[:=][ ]?\S|[\w.-][ ]/[ ][!-~]|／|[^\s/:\"']@[a-z]|[a-z0-9][!$%^&][a-z0-9]"
    r"|:[0-9]|\*[ \t]",
    _find_short_pairs,
)
BESIDE_ACCOUNTS = Rule(
    r"(?i)superuser|administrator"
    r"|creds?|log(?:ged|ging)?[ -]?in|sign(?:ed|ing)?[ -]?in|account|identifiant|anmeld|zugang"
    r"|konto|benutzer|accès"
    r"|compte|connexion|connecte|credenzial|access|credencia|acces|cuenta|aces|conta|utilisat|usu[aá]r|utente|trying|tried"
    "|ログイン|認証|アカウント|接続|アクセス|資格情報|クレデンシャル|ユーザ|계정|로그인|접속|账|帳|登|用户名",
    _find_beside,
)
LOGINS_BEFORE = Rule("ログイン|サインイン|入れ|入る|認証|接続", _find_users)
LOGIN_CALLS = Rule(
    r"(?i)(?:auth|login|credentials?|password\w*|authenticate)(?:\.\w{2,16})?[ \t]*[:=]?[ \t]*[\[(]"
    r"""|@[\w.-]+["'],[ \t]*["']""",
    _find_calls,
)
SECRET_ARGUMENTS = Rule(
    r"(?i)(?:pdo|getconnection|mysqli|mysqli_connect|oci_connect|odbc_connect)(?:->__construct)?[ \t]*\("
    r"|jwt\.[a-z]{4}|jsonwebtoken|x509certificate"
    r"""|(?:connect|connection|login|begin|auth|credential\w*)[ \t]*\([ \t]*b?["']"""
    r"""|(?:hmac|aes|cipher\w*|fernet|crypt|sign|auth|twilio|cookieparser|secret"""
    r"""|token)(?:\.new)?[ \t]*\([ \t]*[\w.]*(?:[ \t]*,[ \t]*)?b?["']""",
    _find_arguments,
)
