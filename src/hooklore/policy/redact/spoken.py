"""Secrets told in a sentence, in English and in Japanese."""

import unicodedata
from collections.abc import Iterator

from hooklore.policy.redact import checks
from hooklore.policy.redact.assigned import is_bare_secret
from hooklore.policy.redact.names import Kind
from hooklore.policy.redact.pattern import Pattern, Rule

_ENGLISH = Pattern(
    r"(?i)\b(pass(?:word|wd|phrase|code)|secret|token|api[ _-]?key|access[ _-]?key|credentials?|pwd)\b"
    r"""(?:[ \t]+(?:for|of|on|to)(?:[ \t]+[\w@'-]+){1,4}?)?(?:[ \t]+(is|was|are|to|as))?:?[ \t]+["'`“*]{0,2}"""
    r"""([!#-&(-;=?-\[\]-_a-~]{6,})"""
)


def _find_english(raw: bytes, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    position = start
    while match := _ENGLISH.compiled.search(raw, position, end):
        position = match.end(1)
        first, last = match.span(3)
        value = raw[first:last].rstrip(b",;:.)]}*?")
        told = match.span(2)[0] >= 0
        if _is_told(raw[slice(*match.span(1))], value, told):
            yield "spoken", first, first + len(value)
            position = first + len(value)


def _is_told(name: bytes, value: bytes, told: bool) -> bool:
    """A word with digits in it that is no name, version, measure, id or address."""
    kind = Kind.PASSWORD if name[:1] in b"pP" else Kind.SECRET
    if not told and kind is Kind.SECRET and len(value) < 16:
        return False
    if b"@" in value or not any(byte in checks.DIGITS for byte in value):
        return kind is Kind.PASSWORD and told and b"!" in value[:-1] and is_bare_secret(kind, value, False)
    if value.startswith((b"(", b"#", b"-", b"`", b"'")) or checks.ORDINARY.compiled.match(value):
        return False
    return is_bare_secret(kind, value, False) and checks.without(value, checks.LETTERS) != value


_ASCII = r"[!-&(-;=?-_a-~]"
_WIDE = r"[\x{FF01}-\x{FF5E}]"
_JAPANESE = Pattern(
    r"(?i)(パスワード|パスコード|パスフレーズ|暗証番号|合い?言葉|暗号鍵|秘密鍵|鍵|トークン|シークレット(?:キー)?"
    r"|(?:API|ＡＰＩ|アクセス|認証|秘密|暗号化?|署名)[ 　]?(?:キー|鍵)|キー|認証情報|クレデンシャル|ＰＩＮ|PIN(?:コード|番号)?"
    r"|[\w-]*(?:password|passwd|token|secret|api[ _-]?key))"
    r"(?:（[^（）\r\n]{0,30}）)?[ 　]*(?:は|が|を|も|って|:|：|=|＝|→|＞)[、 　]*"
    rf"""(?:([「『【“"'`])[ 　]*([^「」『』【】“”"'`\r\n]+)[ 　]*[」』】”"'`]|({_ASCII}{{4,}}|{_WIDE}{{4,}}))"""
)
_BACKWARDS = Pattern(
    rf"({_ASCII}{{6,}})[」』”\"'` 　]{{0,2}}[ 　]*(?:が|という|って|は)[ 　]*[^\s。、]{{0,24}}?"
    r"(?:パスワード|パスコード|合い?言葉|暗証番号|トークン|(?:API|アクセス)[ 　]?キー)(?:です|だ|である|。|、|です|として|$)"
)
_SAYS = Pattern(r"[ 　]*(?:です|でした|だ|である|に(?:変更|設定|変え)|で(?:ログイン|入|認証|接続)|と(?:する|いう)|。|、|\)|）|[\r\n]|\z)")
_ASSIGNS = Pattern("[:：=＝]")
_WORDS = (("パスワード", "パスコード", "パスフレーズ", "暗証", "合言葉", "合い言葉", "ＰＩＮ", "PIN"))


def _find_japanese(raw: bytes, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    position = start
    while match := _JAPANESE.compiled.search(raw, position, end):
        position = match.end(1)
        quoted = match.span(2)[0] >= 0
        first, last = match.span(3) if quoted else match.span(4)
        if not quoted:
            last = first + len(raw[first:last].rstrip(b",;:.)]}"))
        says = _SAYS.compiled.match(raw, match.end() if quoted else last, min(end, match.end() + 64))
        name = raw[slice(*match.span(1))].decode()
        says = says or _ASSIGNS.compiled.search(raw, match.end(1), first)
        if _is_spoken(name, raw[first:last].decode(), quoted, says is not None):
            yield "spoken", first, last
            position = last
    for match in _BACKWARDS.compiled.finditer(raw, start, end):
        first, last = match.span(1)
        if _is_spoken("パスワード", raw[first:last].decode(), False, False):
            yield "spoken", first, last


def _is_spoken(name: str, text: str, quoted: bool, says: bool) -> bool:
    narrow = unicodedata.normalize("NFKC", text).strip()
    value = narrow.encode()
    kind = Kind.PASSWORD if name.startswith(_WORDS) or "pass" in name.lower() else Kind.SECRET
    if not narrow.isascii():
        return quoted and says and kind is Kind.PASSWORD and 3 <= len(narrow) <= 32
    if name.isascii() and says:
        says = checks.is_mixed(value, 4)
    if name in ("鍵", "キー"):
        return checks.is_random(value, 12)
    if value.isdigit():
        return kind is Kind.PASSWORD and 4 <= len(value) <= 16 and says
    if b" " in value or (not says and checks.ORDINARY.compiled.match(value)) or value[:1] in b"(-#@":
        return False
    return is_bare_secret(kind, value, certain=says and (quoted or kind is Kind.PASSWORD))


ENGLISH = Rule("(?i)password|passwd|passphrase|passcode|secret|token|api[ _-]?key|access[ _-]?key|credential|pwd", _find_english)
JAPANESE = Rule("パス|暗証|合い?言葉|鍵|トークン|シークレット|キー|認証情報|クレデンシャル|PIN|ＰＩＮ|は|が|を|って|：|＝|→|＞|も", _find_japanese)
