"""Secrets that a sentence says to enter, without the word password: `log in with …`, `… opens it`."""

from collections.abc import Iterator

from hooklore.redaction.pattern import ByteSpan, Candidate, Pattern, Rule
from hooklore.redaction.rules.candidate_checks import DIGITS, remove_bytes
from hooklore.redaction.rules.value_forms import Form, form_of

_OPENING = b"\"'`([{<*_"
_CLOSING = b"\"'`)]>,.;:?"
_PRINTABLE = bytes(range(0x21, 0x7F))
_LONGEST = 64

_WITH = Pattern(
    r"(?i)\b(?:unlock\w*|log(?:ged|ging)?[ -]?in|sign(?:ed|ing)?[ -]?in|prompt(?:s|ed)|asks?|opens?"
    r"|protected|encrypted"
    r"|decrypts?|unzip|extract|connect\w*|get (?:in|on)|(?:i|you)(?:['’]ll)? need"
    r"|einloggen|anmelden|connecte\w*|entra\w*|accedi|inicia sesi[óo]n)\b[^.\r\n]*?"
    r"\b(?:with|using|type|enter|need|mit|avec|con|com|e|et|und|y)[ ][\"'`]?([!-~]{6}[!-~]*)"
)
_OPENS = Pattern(
    r"(?i)[!-~][\"'`]? (?:(?:should|will|can|still|also|now) )?(?:gets? (?:you|me|us) in(?:to)?"
    r"|lets? (?:you|me|us) in(?:to)?"
    r"|when (?:it|you|they|he|she|sudo)(?: is| are|['’]s|['’]re)? (?:prompts?|asks?|prompted|asked)"
    r"|unlocks|decrypts|logs (?:you|me|us) in|opens (?:it|them|the (?:zip|archive|file|pdf|vault"
    r"|safe|door|keystore)))\b"
)
_WITH_ASIAN = Pattern(
    r"(?:聞かれ|訊かれ|求められ|きかれ)(?:た|る"
    r"|れば)[^!-~\r\n。]{0,6}[ 　「『]*([!-~]{6}[!-~]*?)[」』 　]*[をと](?:入力|入れ|打|答)"
    r"|用[ ]?([!-~]{6}[!-~]*?)[ ]?(?:登[录錄入]|连接|解锁|解压)"
    r"|(?:ユーザー?(?:名|ID)?|アカウント|\b(?i:login))(?: is|は|が|："
    r"|:)?[ 　]?[\w.@-]+[ 　]?[/／][ 　]?([!-~]{6}[!-~]*)"
)
_OPENS_ASIAN = Pattern(
    "[!-~][」』`]?[ 　]?(?:を(?:聞|訊|求め)[から]"
    "|(?:で|って|を使って|にて)[ 　]?(?:ログイン|サインイン|入れ|入っ|入る|入り|認証|開[いくけ])"
    "|(?:로|으로)[ ]?(?:로그인|접속|들어|열))"
)


def _find(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    for pattern in (_WITH, _WITH_ASIAN):
        for _, *places in pattern.each(raw, start, end):
            yield _checked(raw, max(places), is_opener=False)
    for pattern in (_OPENS, _OPENS_ASIAN):
        for ((place, _),) in pattern.each(raw, start, end):
            before = raw[max(start, place + 1 - _LONGEST) : place + 1]
            first = place + 1 - len(before) + len(before.rstrip(_PRINTABLE))
            yield _checked(raw, (first, place + 1), is_opener=pattern is _OPENS)


def _checked(raw: bytes, span: ByteSpan, *, is_opener: bool) -> Candidate:
    """Return the candidate at `span` without its punctuation, empty if the value has no secret's form."""
    value = raw[slice(*span)].lstrip(_OPENING)
    first = span[1] - len(value)
    value = value.rstrip(_CLOSING)
    digits = len(value) - len(remove_bytes(value, DIGITS))
    form = form_of(value)
    found = form is Form.CHOSEN or (form is Form.WORD_AND_DIGITS and digits > 1)
    found = found or (is_opener and form is Form.JOINED)
    found = found and b"/" not in value and b"@" not in value[1:-1]
    return "spoken", first, first + len(value) if found else first


ENTERED = Rule(
    r"(?i)unlock|log(?:ged|ging)?[ -]?in|sign(?:ed|ing)?[ -]?in|prompts|prompted|\basks?\b|einlog|anmeld|accedi"
    "|sesi[óo]n|entra|ログイン|サインイン|[でて][ 　]?(?:入[れっるり]|開)|聞か|訊か|求めら|きかれ|ユーザ|アカウント"
    r"|s? (?:you|me|us) in|decrypt|\bopens? |protected|encrypted|unzip|extract|connect|get (?:in"
    r"|on)|ll need|you need|i need|로그인|접속|登|解",
    _find,
)
