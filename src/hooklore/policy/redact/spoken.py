"""Secrets told in a sentence, in English and in Japanese."""

import unicodedata
from collections.abc import Iterator

from hooklore.policy.redact import checks
from hooklore.policy.redact.assigned import is_bare_secret
from hooklore.policy.redact.names import Kind
from hooklore.policy.redact.pattern import Candidate, Pattern, Rule

_ENGLISH = Pattern(
    r"(?i)\b(pass(?:word|wd|phrase|code)|secret|token|api[ _-]?key|access[ _-]?key|credentials?|pwd)\b"
    r"(?:(?:[ \t]+(?:for|of|on|to|in)(?:[ \t]+[\w@'-]+){1,4}?)?[ \t]+(is|was|are|to|as)|):?[ \t]+"
    r"""["'`“*]{0,2}([!-&+-;=?-\[\]-_a-~]*[0-9!][!#-&(-;=?-\[\]-_a-~]*)"""
)
"""The value holds a digit or an exclamation mark: words that do not are left alone."""


def _find_english(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    position = start
    while groups := _ENGLISH.search(raw, position, end):
        _, name, told, (first, last) = groups
        value = raw[first : min(last, first + 512)].rstrip(b",;:.)]}*?")
        found = _is_told(raw[slice(*name)], value, told=told[0] >= 0)
        position = first + len(value) if found else name[1]
        yield "spoken", first, position if found else first


def _is_told(name: bytes, value: bytes, *, told: bool) -> bool:
    """A word with digits in it that is no name, version, measure, id or address."""
    kind = Kind.PASSWORD if name[:1] in b"pP" else Kind.SECRET
    if len(value) < (6 if told or kind is Kind.PASSWORD else 16) or b"@" in value[:1]:
        return False
    if not checks.has_digits(value):
        return (
            kind is Kind.PASSWORD
            and told
            and b"!" in value[:-1]
            and is_bare_secret(kind, value, certain=False)
        )
    if value[:1] in b"(#-`'" or (checks.PASSING if told else checks.ORDINARY).finds(value):
        return False
    return is_bare_secret(kind, value, certain=False)


_ASCII = r"[!-&(-;=?-_a-~]"
_WIDE = r"[\x{FF01}-\x{FF5E}]"
_QUOTED = r"[^「」『』【】“”\"'`\r\n]"
_VALUE = (
    rf"""(?:([「『【“"'`])[ 　]*((?:[^「」『』【】“”"'`\r\n\[]|\[[^R]){_QUOTED}*)[ 　]*[」』】”"'`]"""
    rf"|([!-&(-;=?-Z\]-_a-~]{_ASCII}{{3,}}|{_WIDE}{{4,}}))"
)
_GLUE = r"[ 　]*(?:は|が|を|も|って|:|：|=|＝|→|＞)[、 　]*"
_PASSWORDS = "パスワード|パスコード|パスフレーズ|暗証番号|合い?言葉|PIN(?:コード|番号)"
_ASIDE = r"(?:（[^（）\r\n]{0,30}）)?"
_KEYS = r"(?:API|ＡＰＩ|アクセス|認証|秘密|暗号化?|署名)[ 　]?(?:キー|鍵)"
_OTHERS = (
    rf"暗号鍵|秘密鍵|鍵|トークン|シークレット(?:キー)?|{_KEYS}|キー|認証情報|クレデンシャル|ＰＩＮ"
)
_FOREIGN = r"passw(?:or)?d|passphrase|token|secret|api[ _-]?key|\b(?:pass|pwd?|PIN)"
_FOREIGN_GLUE = r"[ 　]*(?:は|が|を|も|って|：|＝|→|＞)[、 　]*"
_JAPANESE = Pattern(
    rf"(?i)(?:({_PASSWORDS}){_ASIDE}(?:({_GLUE})|[ 　]*\r?\n?[ 　]*){_VALUE}"
    rf"|({_OTHERS}){_ASIDE}({_GLUE}){_VALUE}|({_FOREIGN}){_ASIDE}({_FOREIGN_GLUE}){_VALUE})"
)
_NAMES = rf"(?:パスワード|パスコード|合い?言葉|暗証番号|トークン|{_KEYS})"
_BACKWARDS = Pattern(
    rf"({_ASCII}{{6,}})[」』”\"'` 　]{{0,2}}[ 　]*(?:(?:という|って)[ 　]*{_NAMES}"
    rf"|(?:が|は)[ 　]*[^\s。、]{{0,24}}?{_NAMES}(?:です|だ|である|。|、|として|$))"
)
_SAYS = Pattern(
    r"[ 　]*(?:です|でした|だ|である|に(?:変更|設定|変え)|で(?:ログイン|入|認証|接続)|と(?:する|いう)"
    r"|。|、|\)|）|[\r\n]|\z)"
)
_ASSIGNS = Pattern("[:：=＝]")


def _find_japanese(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    position = start
    while groups := _JAPANESE.search(raw, position, end):
        family = next(place for place in (1, 6, 11) if groups[place][0] >= 0)
        name, glue, quote, inner, bare = groups[family : family + 5]
        quoted = quote[0] >= 0
        first, last = inner if quoted else bare
        if not quoted:
            last = first + len(raw[first:last].rstrip(b",;:.)]}"))
        after = groups[0][1] if quoted else last
        says = _SAYS.match(raw, after, min(len(raw), after + 64)) is not None
        says = says or (glue[0] >= 0 and _ASSIGNS.search(raw, *glue) is not None)
        found = _is_spoken(raw[slice(*name)], raw[first:last], quoted=quoted, says=says)
        yield "spoken", first, last if found else first
        position = last if found else name[1]


def _find_backwards(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    for _, (first, last) in _BACKWARDS.each(raw, start, end):
        found = _is_spoken("パスワード".encode(), raw[first:last], quoted=False, says=False)
        yield "spoken", first, last if found else first


_PASSWORD_NAMES = tuple(
    name.encode() for name in ("パス", "暗証", "合言葉", "合い言葉", "ＰＩＮ", "PIN", "pass", "pw")
)
_KEY = "キー".encode()


def _is_spoken(name: bytes, raw: bytes, *, quoted: bool, says: bool) -> bool:
    """Whether the value is one; `says`: the sentence is about the value, not about the name."""
    text = unicodedata.normalize("NFKC", raw.decode()).strip()
    value = text.encode()
    password = name.startswith(_PASSWORD_NAMES) or name[:4].lower().startswith((b"pass", b"pw"))
    if not text.isascii():
        return quoted and says and password and 3 <= len(text) <= 32
    if name == _KEY:
        return checks.is_random(value, 12)
    if value.isdigit():
        return password and 4 <= len(value) <= 16 and says
    if b" " in value or value[:1] in b"(-#@" or (not says and checks.PASSING.finds(value)):
        return False
    certain = says and (quoted or password) and not (name.isascii() and value.isalpha())
    kind = Kind.PASSWORD if password else Kind.SECRET
    return is_bare_secret(kind, value, certain=certain)


ENGLISH = Rule(
    "(?i)password|passwd|passphrase|passcode|secret|token|api[ _-]?key|access[ _-]?key|credential|pwd",
    _find_english,
)
JAPANESE = Rule(
    "パス|暗証|合い?言葉|鍵|トークン|シークレット|キー|認証情報|クレデンシャル|PIN[コ番]|ＰＩＮ"
    "|[A-Za-z][ 　]*(?:（|は|が|を|も|って|：|＝|→|＞)",
    _find_japanese,
)
BACKWARDS = Rule("パス|合い?言葉|暗証|トークン|キー", _find_backwards)
