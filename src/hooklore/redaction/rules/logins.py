"""Pairs of a user and a password: `login: alice / …`, `ログイン情報：alice/…`, `auth=("alice", "…")`."""

from collections.abc import Iterator

from hooklore.redaction.pattern import Candidate, Pattern, Rule
from hooklore.redaction.rules import candidate_checks
from hooklore.redaction.rules.assignments import is_quoted_secret, is_unquoted_secret
from hooklore.redaction.rules.names import SecretKind

_USER = r"[A-Za-z0-9_][\w.@+-]{1,63}"
_VALUE = r"[!#-&*+.0-9=?@A-Z\\^_a-z{|}~-][!#-&*-;=?-Z\\\]^_a-z{|}~-]{4,63}"
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
        begin = max(start, place - _LONGEST_PAIR, raw.rfind(b"\n", start, place) + 1)
        for _, user, (first, last) in _TO_LOG_IN.each(raw, begin, place):
            found = _is_pair(raw[slice(*user)], raw[first:last], close=True)
            yield "spoken", first, last if found else first


def _is_pair(user: bytes, value: bytes, *, close: bool) -> bool:
    """Return whether `user` is a name and `value` a word with digits, no path, file, version, date or measure."""
    if (
        user.isdigit()
        or _WORDS.occurs_in(user)
        or b"/" in value
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

_CALL = Pattern(
    r"""(?i)(?:\bauth|[_.]?basic_?auth|\blogin|credentials?|authenticate|set_?auth|usernamepassword\w*|passwordauthentication)(?:\.\w{2,16})?"""
    r"""[ \t]*[:=]?[ \t]*[\[(][ \t]*b?["']([^"'\r\n]{1,64})["'][ \t]*,[ \t]*b?(["'])"""
    r"""([^"'\r\n]{4,128})["'][ \t]*[\]),]"""
)


def _find_calls(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield the passwords of `auth=("alice", "…")`, `server.login("alice", "…")`, `HTTPBasicAuth('alice', '…')`."""
    for _, _, _, (first, last) in _CALL.each(raw, start, end):
        value = raw[first:last]
        found = candidate_checks.has_mixed_characters(value, 6) and is_quoted_secret(
            SecretKind.PASSWORD, value
        )
        yield "assigned", first, last if found else first


_THIRD = Pattern(
    r"""(?i)\b(?:pdo|getconnection|mysqli(?:_connect)?|oci_connect|odbc_connect)[ \t]*\([ \t]*"""
    r"""(?:["'][^"'\r\n]{1,160}["']|[$\w.]{1,60}),[ \t]*["'][^"'\r\n]{1,64}["'],[ \t]*"""
    r"""["']([^"'\r\n]{4,128})["']"""
    r"""|\bjwt\.(?:sign|verify|encode|decode)\([^"'\r\n]{1,160}?,[ \t]*b?["']([^"'\r\n]{4,256})["']"""
)


def _find_arguments(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield secrets in a fixed position of a call: `new PDO("…", "alice", "…")`, `jwt.sign(claims, "…")`."""
    for _, *places in _THIRD.each(raw, start, end):
        first, last = max(places)
        value = raw[first:last]
        found = candidate_checks.has_mixed_characters(value, 6) and is_quoted_secret(
            SecretKind.PASSWORD, value
        )
        yield "assigned", first, last if found else first


LOGINS = Rule(
    r"(?i)log(?:ged|ging)?[ -]?in|sign(?:ed|ing)?[ -]?in|cred|basic[ -]?auth|(?:user|username|id"
    r"|account) ?(?:/|and|&|,) ?p"
    r"|ログイン|認証|接続情報|アカウント|クレデンシャル|資格情報|(?:ID|ユーザー?(?:名|ID)?) ?[/／・と、＆&]",
    _find_pairs,
)
LOGINS_BEFORE = Rule("ログイン|サインイン|入れ|入る|認証|接続", _find_users)
LOGIN_CALLS = Rule(
    r"(?i)(?:auth|login|credentials?|password\w*|authenticate)(?:\.\w{2,16})?[ \t]*[:=]?[ \t]*[\[(]",
    _find_calls,
)
SECRET_ARGUMENTS = Rule(
    r"(?i)(?:pdo|getconnection|mysqli|mysqli_connect|oci_connect|odbc_connect)[ \t]*\(|jwt\.[a-z]{4}",
    _find_arguments,
)
