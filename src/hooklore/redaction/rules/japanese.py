"""Secrets stated in a Japanese sentence behind their name."""

import unicodedata
from collections.abc import Iterator

from hooklore.redaction.pattern import ByteSpan, Candidate, Groups, Pattern, Rule
from hooklore.redaction.rules import candidate_checks
from hooklore.redaction.rules.assignments import is_unquoted_secret
from hooklore.redaction.rules.names import SecretKind

_ASCII = r"[!-&(-;=?-_a-~]"
_WIDE = r"[\x{FF01}-\x{FF5E}]"
_QUOTED = r"[^「」『』【】“”\"'`\r\n]"
_VALUE = (
    rf"""(?:([「『【“"'`])[ 　]*((?:[^「」『』【】“”"'`\r\n\[]|\[[^R]){_QUOTED}*)[ 　]*[」』】”"'`]"""
    rf"|([!-&*-;=?-Z\]-_a-~]{_ASCII}{{3,}}|{_WIDE}{{4,}}))"
)
_PARTICLE = (
    r"[ 　]*(?:の(?:値|文字列|設定値|中身))?(?:は|が|を|も|って|には|に|へ|として)"
    r"[、 　]*(?:今のところ|今は|今|現在は|現在|現状|とりあえず|一旦|いったん|たぶん|多分|確か"
    r"|おそらく|全部|すべて|ずっと)?[、 　]*\r?\n?"
)
_MARK = r"[ 　]*(?::|：|=|＝|→|⇒|＞|[-=]>|…{1,2}|・・・|‥{1,2})[ 　]*"
_GLUE = rf"{_PARTICLE}|{_MARK}"
_BELOW = (
    r"(?:は|が)[ 　]*(?:以下|下記|次|こちら|これ)(?:の(?:とおり|通り|もの))?(?:です|になります"
    r"|となります|だ|でした)?"
    r"[。．.：:、]?[ 　]*\r?\n?[ 　]*"
)
_BLANK = r"[ 　]*\r?\n?[ 　]*"
_OPENS = r"[ 　]*[（(【][ 　]*"

_PASSWORDS = (
    "パスワード(?:入力)?(?:欄|フィールド)?|パスコード|パスフレーズ|パスワ|暗証番号|暗証コード"
    "|合い?言葉|PIN(?:コード|番号)|ＰＷ"
    "|(?:Wi-?Fi|無線LAN|WPA2?)の?(?:暗号化)?(?:キー|鍵|パス)"
)
_ASIDE = r"(?:（[^（）\r\n]*）)?"
_KEYS = (
    r"(?:API|ＡＰＩ|アクセス|認証|秘密|暗号化?|復号化?|署名|共有|共通|ライセンス|プロダクト"
    r"|シリアル|サービス|マスター?"
    r"|セッション|シークレット|プライベート|ストレージ|サブスクリプション|アカウント|事前共有)[ 　]?(?:キー|鍵)"
)
_OTHERS = (
    rf"暗号鍵|秘密鍵|鍵|トークン|シークレット(?:キー)?|{_KEYS}|キー|認証情報|クレデンシャル|ＰＩＮ"
)
_FOREIGN = r"passw(?:or)?d|passphrase|token|secret|api[ _-]?key|\b(?:pass|pwd?|PIN)"
_FOREIGN_GLUE = r"[ 　]*(?:は|が|を|も|って|に|：|＝|→|⇒|＞)[、 　]*"
_FORWARDS = Pattern(
    rf"(?i)(?:({_PASSWORDS}){_ASIDE}(?:({_GLUE}|{_BELOW}|{_OPENS})|{_BLANK}){_VALUE}"
    rf"|({_OTHERS}){_ASIDE}(?:({_GLUE}|{_BELOW}|{_OPENS})|{_BLANK}){_VALUE}"
    rf"|({_FOREIGN}){_ASIDE}({_FOREIGN_GLUE}|{_BELOW}|[ 　]*（){_VALUE}"
    rf"|(パス)(は|が|：|:|＝|=|→)[ 　]*{_VALUE})"
)
_FAMILIES = (1, 6, 11, 16)
"""The group of each family's name. The link, the opening quote and the value, quoted or bare, follow."""

_STATEMENT_END = Pattern(
    r"[ 　]*(?:です|でした|だ|である|なので|なん|のまま|に(?:変更|設定|変え|変わ|更新|戻|し|切)"
    r"|で(?:ログイン|入|認証|接続|お願い|開|いけ|通)|と(?:する|いう|入力)|を(?:使|入力|設定|渡|指定"
    r"|入れ)|から|。|、|\)|）|[\r\n]|\z)"
)
_ASSIGNS = Pattern(r"[:：=＝→⇒(（【\n…‥]|->|=>|として|以下|下記|こちら")
_PAREN = Pattern(r"[(（][ 　]*$")
_CLOSES = Pattern(r"[ 　]*[)）】]")
_NEXT = Pattern(rf"""[」』】”"'`]?[ 　]*(?:から|→|⇒|[-=]>)[ 　]*{_VALUE}""")


def _find_forwards(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    position = start
    while groups := _FORWARDS.search(raw, position, end):
        family = next(place for place in _FAMILIES if groups[place][0] >= 0)
        name, glue, *value = groups[family : family + 5]
        (first, last), after = _extent(raw, value, groups[0][1])
        found = _states_value(raw, name, glue, (first, last), after, quoted=value[0][0] >= 0)
        yield "spoken", first, last if found else first
        position = last if found else name[1]
        if found and (second := _NEXT.match(raw, after, min(end, after + 600))):
            (first, last), after = _extent(raw, second[1:], second[0][1])
            if _is_spoken(
                raw[slice(*name)], raw[first:last], quoted=second[1][0] >= 0, is_statement=True
            ):
                yield "spoken", first, last
                position = last


def _extent(raw: bytes, value: Groups, close: int) -> tuple[ByteSpan, int]:
    """Return the span of a value, and the place where the sentence goes on."""
    quote, inner, (first, last) = value
    if quote[0] >= 0:
        return inner, close
    last = first + len(raw[first:last].rstrip(b",;:.)]}"))
    return (first, last), last


def _states_value(
    raw: bytes, name: ByteSpan, glue: ByteSpan, span: ByteSpan, after: int, *, quoted: bool
) -> bool:
    """Return whether the value behind a name is the secret that the name announces."""
    word, value, between = raw[slice(*name)], raw[slice(*span)], raw[slice(*glue)]
    in_brackets = glue[0] >= 0 and _PAREN.occurs_in(between)
    if in_brackets and _CLOSES.match(raw, after, min(len(raw), after + 16)) is None:
        return False
    if glue[0] < 0 and not word.startswith(_PASSWORD_NAMES):
        return word not in _LONE and _is_long(value)
    is_statement = _STATEMENT_END.match(raw, after, min(len(raw), after + 64)) is not None
    is_statement = is_statement or (glue[0] >= 0 and _ASSIGNS.occurs_in(between))
    if word == _PATH and (_is_path(value) or not candidate_checks.has_mixed_characters(value, 6)):
        return False
    return _is_spoken(word, value, quoted=quoted, is_statement=is_statement)


_PATH = "パス".encode()
_PATHLIKE = Pattern(r"[/\\]|\.[A-Za-z][A-Za-z0-9]{0,4}$|^[A-Z]:|^[$~%]")


def _is_path(value: bytes) -> bool:
    """Return whether `value` is a path: `パス` is short for a password and also a name for paths."""
    return _PATHLIKE.occurs_in(value)


_PASSWORD_NAMES = tuple(
    name.encode()
    for name in (
        "パス",
        "暗証",
        "合言葉",
        "合い言葉",
        "ＰＩＮ",
        "PIN",
        "ＰＷ",
        "pass",
        "pw",
        "Wi",
        "WI",
        "wi",
        "WPA",
        "無線",
    )
)
_KEY = "キー".encode()
_LONE = (_KEY, "鍵".encode())
_HEX = Pattern(r"^(?:0x)?[0-9a-f]{32}[0-9a-f]*$")


def _is_long(value: bytes) -> bool:
    return candidate_checks.is_random(value, 16) or _HEX.occurs_in(value)


def _is_spoken(name: bytes, raw: bytes, *, quoted: bool, is_statement: bool) -> bool:
    """Return whether the value is a secret. With `is_statement`, the sentence states the value."""
    text = unicodedata.normalize("NFKC", raw.decode()).strip()
    value = text.encode()
    password = name.startswith(_PASSWORD_NAMES) or name[:4].lower().startswith((b"pass", b"pw"))
    if not text.isascii():
        return quoted and is_statement and password and 3 <= len(text) <= 32
    if name == _KEY:
        return candidate_checks.is_random(value, 12)
    if value.isdigit():
        return password and 4 <= len(value) <= 16 and is_statement
    if (
        b" " in value
        or value[:1] in b"(-#@,"
        or (not is_statement and candidate_checks.SHORT_ID.occurs_in(value))
    ):
        return False
    certain = is_statement and (quoted or password) and not (name.isascii() and value.isalpha())
    kind = SecretKind.PASSWORD if password else SecretKind.SECRET
    return is_unquoted_secret(kind, value, certain=certain)


JAPANESE_LETTERS = r"\x{3041}-\x{30ff}\x{3400}-\x{9fff}\x{f900}-\x{faff}\x{ff66}-\x{ff9f}々"
"""Kana and ideographs in whole ranges: a script has many more, and each repetition takes memory for all of them."""

_WATCHWORD = Pattern(
    rf"合い?言葉(?:は|：|:|＝|=)[ 　]*([{JAPANESE_LETTERS}〇]{{2,16}})(?:[。．！!\r\n]|\z)"
)
_COPULA = ("でお願いします", "でした", "である", "ですよ", "です", "だよ", "だね", "だ")
_CLAUSE = Pattern(
    "まだ|決|ない|ません|ます|ました|ください|下さい|不要|必要|未定|忘れ|変更|以下|下記|次の|こちら"
    "|何|どう|いつ|から|まで|とは"
    "|など|について|を|場合|(?:する|した|れる|れた|てる|ている|った)$"
)


def _find_watchwords(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield a Japanese word without quotes, if the sentence consists of that word."""
    for _, (first, last) in _WATCHWORD.each(raw, start, end):
        sentence = raw[first:last].decode()
        word = next((sentence[: -len(end)] for end in _COPULA if sentence.endswith(end)), sentence)
        found = 2 <= len(word) <= 12 and not _CLAUSE.occurs_in(word.encode())
        yield "spoken", first, first + len(word.encode()) if found else first


JAPANESE = Rule(
    "パス|暗証|合い?言葉|鍵|トークン|シークレット|キー|認証情報|クレデンシャル|PIN[コ番]|ＰＩＮ"
    "|ＰＷ|Wi|無線LAN|WPA"
    "|[A-Za-z][ 　]*(?:（|は|が|を|も|って|に|：|＝|→|⇒|＞)",
    _find_forwards,
)
WATCHWORDS = Rule("合い?言葉", _find_watchwords)
