"""Secrets that a sentence states, in any language: a label and a value of a secret's form close together.

The rules of Japanese know how a sentence is built. This one knows the labels of many languages, and
judges the value by its form: the better the form, the looser the link may be.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from hooklore.redaction.pattern import ByteSpan, Candidate, Pattern, Rule, TextPattern
from hooklore.redaction.rules.candidate_checks import (
    DIGITS,
    UUID,
    is_secret_reference,
    remove_bytes,
)
from hooklore.redaction.rules.codes import LETTERED_CODE, is_lettered_code
from hooklore.redaction.rules.japanese import JAPANESE_LETTERS
from hooklore.redaction.rules.names import classify_secret_name
from hooklore.redaction.rules.plain_words import MAY_SAY, words_after, words_before
from hooklore.redaction.rules.published import SSH_KEY
from hooklore.redaction.rules.value_forms import Form, form_of

_PASSWORDS = (
    r"\bpass(?:word|wd|code|phrase)?s?\b|\bpas{1,3}[a-z]?w[a-z0]{1,3}d\b|\b(?:store|key|db|root|admin|user|sudo|wifi|ssh|zip)pass\b|\bpwd?\b|passwort\w{0,2}\b|kennwort\w{0,2}\b|\bpasswörter\b"
    r"|\bmots? de passe\b|\bla pass\b|\bmdp\b|\bcontrase[ñn]as?\b|\bclave\b|\bsenhas?\b"
    r"|\bpalavra[ -]passe\b"
    r"|\bparola\b|\bwachtwoord\b|\bl(?:ö|o)senord\w*|adgangskode\w*|passord\w*|\bhasł[oa]\b"
    r"|şifre\w*|\bheslo\b|\bsalasana\w*|\bjelszó\w*|mật khẩu|\bkata sandi\b|parolă"
    r"|парол[ьяею]|كلمة (?:المرور|السر)|पासवर्ड|รหัสผ่าน|κωδικός|סיסמה"
    r"|密[码碼]|口令|비밀 ?번호|비번|암호|패스워드|パス(?:ワ[ーァ]?ド|コード|フレーズ)?"
    r"|ぱす(?:わーど)?|ﾊﾟｽ(?:ﾜｰﾄﾞ)?|合い?言葉|暗証"
    r"|ＰＷ|ＰＡＳＳ|\b(?:unlock|encryption|wallet) phrase\b"
)
_CODE_OF = (
    r"\b(?:le|mon|der|mein|il|el|mi|o|meu) (?:code|codice|código)"
    r" (?:de|du|del|della|des|do|da|für|pour|per|que)\b"
)
"""A code of anything, which only digits make one that opens a thing: a product's has letters."""

_CODES = (
    rf"{_CODE_OF}|\bPINs?\b|\bpuk\b|\b(?:safe|lock|bike|suitcase|vault|locker) combination\b|\balarm(?:['’]s"
    r"| is)\b|\bdoor(?:['’]s| is)\b"
    r"|\b(?:2fa|mfa|sms|authenticator|text)\b (?:\w+ ){0,2}(?:says|sent me|shows|gave me)\b"
    r"|\bcode (?:per|par|por|via|by) sms\b"
    r"|\b(?:verification|confirmation|security|auth\w*|one[ -]time|2fa|mfa|login|sms"
    r"|access) (?:code|number)\b|\b(?:texted|messaged) me\b"
    r"|\bOTP\b|\bcv[vc]2?\b|\b(?:door|gate|alarm|entry|entrance|garage|keypad|lock|safe|building"
    r"|office|lobby|locker|lift|elevator) (?:code"
    r"|opens|pin)\b"
    r"|\btürcode\b|\bdigicode\b|\bcode (?:confidentiel|secret|d['’](?:accès|activation)"
    r"|de (?:la )?(?:porte|vérification|sécurité|confirmation))\b"
    r"|\bcódigo (?:de |da |del? (?:la )?)(?:verificaci[óo]n|verifica[çc][ãa]o|seguridad"
    r"|seguran[çc]a|acceso|acesso|puerta|porta)\b"
    r"|\bcodice (?:di (?:verifica|sicurezza|accesso|sblocco|attivazione|conferma)"
    r"|del(?:la porta| cancello))\b|(?:bestätigungs"
    r"|sicherheits|freischalt|prüf|zugangs)code\b"
    r"|\bcode (?:they|you|he|she|we|I) (?:\w+ )?(?:texted|sent|got)\b|код (?:подтверждения"
    r"|доступа)|验证[码碼]|驗證碼|校验码|动态码|取件码"
    r"|현관 ?비밀번호|도어락|출입문 ?(?:번호|코드)|인증 ?(?:번호|코드)|잠금 ?(?:해제 ?)?번호|출입 ?번호"
    r"|暗証(?:番号|コード)|ｱﾝｼｮｳﾊﾞﾝｺﾞｳ|(?:認証|確認|本人確認)(?:コード|番号)"
    r"|(?:届いた|来た|きた)コード|(?:解錠|開錠|解除|ロック|ボックス)の?(?:番号|コード)|端末ロック|セキュリティコード"
    r"|(?:入口|裏口|玄関|通用口|金庫|ドア)(?:の番号|の暗証)?は"
    r"|(?:リカバリー|復旧|バックアップ)コード|\b(?:recovery|backup) codes?\b"
    r"|\bcode (?:reçu|qui est arrivé) par sms\b|\bcódigo que (?:chegou|llegó|me llegó) por sms\b"
    r"|\bcodice (?:arrivato|ricevuto) via sms\b"
    r"|[2２二]段階認証の(?:番号|コード)|ワンタイムパス(?:ワード|コード)"
    r"|\bone[ -]time pass(?:word|code)\b"
)
_KEYS = (
    r"\btokens?\b|\b(?:api|access|secret|signing|license|client|encryption|aes|hmac|session"
    r"|master|private|auth|wi-?fi|wlan)[ -]?keys?\b|\b(?:the"
    r"|this|my|your|our) key\b"
    r"|\b(?:app|client)?secrets?\b|\bwi-?fi\b|\bwlan\b|wi-?fi[- ]?schlüssel|\bapi[ -]schlüssel\b|schlüssel\b"
    r"|\bclé|\bchaves?\b"
    r"|\bchiave\b|\bjeton\b|\bkey for\b|\bseed for\b"
    r"|密[钥鑰]|令牌|API ?키|토큰|시크릿|ключ|токен|トークン|ﾄｰｸﾝ|シークレット|キー|鍵|ｷｰ"
    r"|\bauth\b"
)
_LABEL = Pattern(rf"(?i)(?:{_CODES}|{_PASSWORDS}|{_KEYS})")
_CODE_OF_ANYTHING = Pattern(rf"(?i){_CODE_OF}|PINs?$|.*(?:says|sent me|shows|gave me)$")
_FAMILIES = Pattern(rf"(?i)^(?:({_CODES})|({_PASSWORDS})|({_KEYS}))$")
_CODE, _PASSWORD, _KEY = range(3)


@lru_cache(maxsize=1024)
def _family(label: bytes) -> int:
    """Return what a label announces. Groups in the pattern of labels would cost more than all the rest."""
    groups = _FAMILIES.search(label, 0, len(label))
    return next((place for place in range(3) if groups and groups[place + 1][0] >= 0), _KEY)


_REACH = 128
"""Bytes on each side of a label in which a value may stand."""

_WIDE = "\u2010-\uffee"
_STATING = (
    "is|was|are|were|be|to|from|now|still|equals|says|reads|ist|war|lautet|als|auf|von|noch|est"
    "|c['’]est|c['’]était|était|comme"
    "|es|era|como|siendo|a|de|por|puse|é|è|ancora|come|da|para|ficou|it['’]?s|'s|['’]s|mine"
    "|enter|type|try|use|put|made|made it|with|on"
    "|est le|é o|è il|es el"
    "|value|new one|nimm|utilise|usa|это|был|er|är|jest|olan|using|password|passphrase|pw|at|asks? for"
)
_LINKS_BEHIND = TextPattern(
    rf"(?:[{_WIDE}]|[:=>|(\[/,-]|(?:^|[\s'’(\"])(?:{_STATING}))[\s\"'`“”‘„«»「『【［\[(*_]*$",
    re.IGNORECASE,
)
"""The end of the text between a label and the value behind the label, where the text states the value."""


def _links(between: str) -> bool:
    return not between.strip("`\"'*_ \t") or _LINKS_BEHIND.search(between[-24:]) is not None


_LINKS_AHEAD = TextPattern(
    rf"[\s\"'`”’»」』】)*_,]*(?:[{_WIDE}(<]|[-=]>|(?:{_STATING}|works|can|for|happens)\b)",
    re.IGNORECASE,
)
"""The beginning of the text between a value and the label behind it."""

_LED = TextPattern(
    r"(?:\b(?:use|put|type|enter|try|with|using|pasted|nimm|utilise|usa|siendo|que|has|ancora"
    r"|stimmt|does|is|reject|was|were|nehmt|mets|wasn['’]t)|用|è|é)[\s\"'`“「『«„(]*$",
    re.IGNORECASE,
)
_AS = TextPattern(
    r"\b(?:as|for|als|comme|como|come|the|my|our|new|neue|nouveau|nueva|nova|nuova|la|le"
    r"|das)\b[^.!?\n]{0,40}$",
    re.IGNORECASE,
)
_IS_CODE = TextPattern(
    r"[{};\\]|==|::|//|&&|\w\(|\$\w|^\s*[?:]?=\s|^[.\[]\w|^\s*\||[)\]]\.|!\)|\]\(|\w\[\w|[\"']\s*[:=|)]"
)
_BREAK = TextPattern(r"[。！？]\s*|(?:[!?]|(?<! \d)(?<! \d\d)[.])\s+(?=[^a-z])|;\s|\n")
_SIGNED = (
    r"(?<![!-~])(?=[!-~\uff66-\uff9f]*?(?:[0-9!#$%&*+?@^~=]|[a-z][A-Z]))[!-~\uff66-\uff9f]{5,}"
)
_JOINED = (
    r"(?<![!-~])[\"'`(\[{<*_]*(?:[A-Z][a-z]{2,}(?:[-_.&]?[A-Z][a-z]{2,})+|[a-z]{3,}(?:[.&_-][a-z]{3,})+)"
    r"(?![A-Za-z0-9(=:/])[!-~]*"
)
_TOKENS = (
    TextPattern(r"(?<![!-~])[\"'`(\[#*A-Z-]*[0-9][!-~]{2,}"),
    TextPattern(f"{_SIGNED}|{_JOINED}|(?<![!-~])[0-9]{{4}}(?![!-~])"),
    TextPattern(r"(?<![!-~])(?=[!-~]*?[0-9])[!-~]{10,}"),
)
"""Words that may be a value, by the family of the label."""

_SIGNED_IN_BYTES = (
    rb"(?<![!-~])(?=[!-~]*?(?:[0-9!#$%&*+?@^~=]|[a-z][A-Z]))[!-~]{5}"
    rb"|\xef[\xbd\xbe][\x80-\xbf]|[0-9]{3}"
)
_MAY_HOLD = (
    TextPattern(rb"[0-9]{3}|[0-9][A-Z]|[A-Z][0-9]"),
    TextPattern(_SIGNED_IN_BYTES + b"|[a-z]{2}[A-Z][a-z]{2}|[a-z]{3}[.&_-][A-Za-z]{3}"),
    TextPattern(rb"(?<![!-~])(?=[!-~]*?[0-9])[!-~]{10}"),
)
"""What a text beside a label has, by the family of the label, if one of the words in it may be a value."""

_UNITS = TextPattern(
    r"\s*-?(?:%|px|chars?|characters?|digits?|bits?|bytes?|minutes?|mins?|seconds?|secs?|hours?"
    r"|days?|weeks?|months?|years?"
    r"|times|attempts?|tries|tokens?|rows?|users?|zeichen|stellen|tage|minuten|caract[èe]res"
    r"|jours|d[íi]as|caracteres|cifre"
    r"|giorni|min|ms|s|segundos|secondes|sekunden)\b|\s?[桁文回分秒件番時日円個種年月位天小自개분시일회자]|バイト|ビット|ページ|以上"
    r"|以下|[0-9A-Za-z_%]|[.,:/-][0-9A-Za-z]",
    re.IGNORECASE,
)
_CODE_VALUE = TextPattern(
    r"(?<![0-9A-Za-z])(?:[#*A-Z][0-9]{3,6}[#*]?|[0-9]{3,6}[#*A-Z]|[0-9]{3}[ -][0-9]{3}"
    r"|(?:[A-Z]-)?[0-9]{3,8})(?![0-9A-Za-z])"
)
_LETTERED_VALUE = TextPattern(rf"(?<![\w.-]){LETTERED_CODE}(?![\w/]|[.-]\w)")
_OPENING = "\"'`([{<*_"
_CLOSING = "\"'`)]>,.;:?"
_FAR = TextPattern(
    r"\b(?:to|now|it['’]?s|made it|with|one is|mine says|it is|puse|ficou|auf|c['’]est|es|is)[\s\"'`]*$",
    re.IGNORECASE,
)


class _Neighbour(NamedTuple):
    """A value beside a label, the text between the two, and the text on the value's other side."""

    value: str
    between: str
    other: str
    form: Form


def _find(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    position = taken = start
    while groups := _LABEL.search(raw, position, end):
        first, last = groups[0]
        position = last
        yield "spoken", last, last
        if _is_part_of_name(raw, first, last) or _IS_COMPOUND.match(raw, last, min(end, last + 64)):
            continue
        family = _family(raw[first:last])
        if family == _PASSWORD and raw[first:last].lower() == b"pass":
            yield from _behind_pass(raw, last, end)
            continue
        if family == _KEY and _WIFI.search(raw, max(start, first - 80), min(end, last + 12)):
            family = _PASSWORD
        begins = max(taken, first - _REACH)
        begins = max(begins, raw.rfind(b"\n", begins, first) + 1)
        line = raw.find(b"\n", last, min(end, last + _REACH))
        stops = line if line >= 0 else min(end, last + _REACH)
        may_hold = _MAY_HOLD[family].search
        if family == _PASSWORD and MAY_SAY.search(raw, begins, stops):
            for span in _plain_words(raw, (begins, first), (last, stops)):
                yield "spoken", *span
        if may_hold(raw, begins, first):
            before = raw[begins:first].decode("utf-8", "ignore")
            for a, b in _before(before, family):
                place = first - len(before[a:].encode())
                yield "spoken", place, place + len(before[a:b].encode())
        if may_hold(raw, last, stops):
            after = raw[last:stops].decode("utf-8", "ignore")
            found = _after(after, family, is_ascii=raw[last - 1] < 0x80)
            if family == _CODE and not _CODE_OF_ANYTHING.occurs_in(raw[first:last]):
                found = chain(found, _lettered_after(after))
            for a, b in found:
                place = last + len(after[:a].encode())
                taken = place + len(after[a:b].encode())
                if taken == stops and (rest := _REST.match(raw, taken, min(len(raw), taken + 128))):
                    taken = rest[0][1]
                yield "spoken", place, taken
        if 0 <= line <= last + _HEADING and family != _CODE:
            for span in _below(raw, last, line, end):
                yield "spoken", *span
                taken = span[1]


def _plain_words(raw: bytes, before: ByteSpan, after: ByteSpan) -> Iterator[ByteSpan]:
    """Yield the plain words that stand as passwords on either side of a label."""
    ahead = raw[slice(*before)].decode("utf-8", "ignore")
    behind = raw[slice(*after)].decode("utf-8", "ignore")
    is_ascii = raw[after[0] - 1] < 0x80
    for first, last in words_after(behind, ahead, is_ascii=is_ascii):
        place = after[0] + len(behind[:first].encode())
        yield place, place + len(behind[first:last].encode())
    for first, last in words_before(ahead, behind, is_ascii=is_ascii):
        place = before[1] - len(ahead[first:].encode())
        yield place, place + len(ahead[first:last].encode())


_HEADING = 72
_NOT_IN_HEADINGS = b'{}();=<>"|\\#$/_'
_MOST_BLANKS = 5
_ITEM = Pattern(
    r"(?:[ \t]*\r?\n){1,2}(?:[-=~]{3}[-=~]*[ \t]*\r?\n)?[ 　\t>]*(?:([-*•・]"
    r"|[0-9]{1,2}[.)])[ \t]*)?(?:[^\s:：→\"'=(){}]+[ \t]*(?:[:：→][ \t]+|:))?"
    r"[\"'`「]?([!-~]{5}[!-~]*?)[\"'`」]?[ \t]*(?:[\r\n]|\z)"
)


def _below(raw: bytes, label: int, line: int, end: int) -> Iterator[ByteSpan]:
    """Yield the values that stand alone in the lines below a heading, as items of a list or as a paragraph."""
    if len(raw[label:line].translate(None, _NOT_IN_HEADINGS)) < line - label:
        return
    if _HAS_NUMBER.search(raw, label, line):
        return
    following = raw.find(b"\n", line + 2, min(end, line + 160))
    if raw.count(b" ", line, following if following >= 0 else min(end, line + 160)) > _MOST_BLANKS:
        return
    for number in range(_MOST_ITEMS):
        found = _ITEM.match(raw, line, min(end, line + 192))
        if found is None or (number and found[1][0] < 0):
            return
        begins, (first, line) = line, found[2]
        if _OTHER_LINE.search(raw, begins, first):
            return
        value = raw[first:line]
        if form_of(value) >= Form.WORD_AND_DIGITS and not _OTHER_NAME_IN_BYTES.search(
            raw, max(0, first - 16), first + 1
        ):
            yield first, line


_MOST_ITEMS = 12
_OTHER_NAME_IN_BYTES = TextPattern(
    "(?:[\\w-][iI][dD]|番号|号)[\"'`]?[ \\t]*(?:[:=]|：|＝)[ \\t]*[\"'`]?.$".encode()
)
_OTHER_LINE = TextPattern(
    "(?i)(?:image|file|path|sha-?[0-9]*|md5|finger ?print|フィンガープリント|指纹|serial\\w*"
    "|seriennummer|シリアル\\S*"
    "|version|firmware|model|device|host|pcr[0-9]+|build|size)[ \\t]*(?::|：)[ \\t]*$".encode()
)
"""The name of what a line below a heading holds, where that is no secret."""

_HAS_NUMBER = TextPattern(rb"[:=][ \t]*[0-9]")
"""A heading that has a value of its own."""

_WIFI = TextPattern(
    "wi-?fi|wlan|ssid|\\brede\\b|réseau|netzwerk|сет[ьи]|无线|無線|ワイファイ|와이파이|暗号化".encode(),
    re.IGNORECASE,
)
"""Words beside a key that is typed as a password is."""

_REST = Pattern(r"[!-~]+")


_BEHIND_PASS = Pattern(
    r"(?:[ \t]+for(?:[ \t]+[\w.'-]{2,24}){1,3}[:,]|[ \t]+(?:is|was)(?:[ \t]+(?:still|now|just"
    r"|currently))?|,|:)?[ \t]+[\"'`]?([!-~]{5,64})"
)


def _behind_pass(raw: bytes, place: int, end: int) -> Iterator[Candidate]:
    """Yield a value beside `pass`, which is more often a verb than a password."""
    if raw[place - 4 : place + 1] == b"PASS:":
        return  # a test's result
    if found := _BEHIND_PASS.match(raw, place, min(end, place + 96)):
        first, last = found[1]
        last = first + len(raw[first:last].rstrip(_CLOSING.encode()))
        if form_of(raw[first:last]) in (Form.WORD_AND_DIGITS, Form.CHOSEN) and (
            (b"_" not in raw[first:last] and b"/" not in raw[first:last])
            or raw[place : found[1][0]].strip() != b""
        ):
            yield "spoken", first, last


_IS_COMPOUND = Pattern(
    r"(?i)[ -]?(?:policy|policies|managers?|strength|rotation|hashing|lists?|generators?)\b"
    r"|-?(?:authentifizierung|richtlinien?|felde?s?\b)"
    r"|の?(?:認証|ポリシー|強度|マネージャ|定期|ハッシュ|欄)"
    r"| ?(?:인증|정책|입력창|입력란)|(?:认证|認證|策略|强度|输入框|管理器|哈希)"
)
"""What makes of a label the name of another thing, which has no value: the policy, the field, the manager."""

_GERMAN = (b"pas", b"ken", b"sch", b"cod", b"sic", b"pin")


def _is_part_of_name(raw: bytes, first: int, last: int) -> bool:
    """Return whether an identifier or a path goes on at either side of the label."""
    before, after = raw[first - 1 : first] if first else b"", raw[last : last + 2]
    if raw[first] < 0x80 and before:
        word = raw[first : first + 3].lower()
        if before in b"_$@/\\.&#%" or (
            before == b"-" and not (word in _GERMAN and raw[first : first + 1].isupper())
        ):
            return True
    if raw[last - 1] >= 0x80 or not after:
        return False
    return after[0] in b"_$@\\({[=" or (after[0] in b".-/" and after[1:2].isalnum())


def _after(text: str, family: int, *, is_ascii: bool) -> Iterator[tuple[int, int]]:
    """Yield the spans of the values behind a label, in its sentence or the next one."""
    broken = _BREAK.search(text)
    border = broken.start() if broken else len(text)
    start = 0
    if family == _CODE:
        yield from _codes_after(text[:border])
        return
    for number, token in enumerate(_TOKENS[family].finditer(text)):
        first, last = _trimmed(text, *token.span())
        form = _form(text[first:last])
        if form is Form.NONE:
            continue
        if number > 8 or _IS_CODE.search(text[start:first]):
            return
        if (
            form is Form.KEY
            and is_ascii
            and text[first:last].isupper()
            and not text[start:first].strip()
        ):
            continue
        near = _Neighbour(text[first:last], text[start:first], text[last:], form)
        if first >= border:
            if _is_stated_far(near, family, border):
                yield first, last
            return
        if (start == 0 or len(near.between) < 36) and _is_stated(near, family, is_ascii=is_ascii):
            yield first, last
            start = last


def _codes_after(text: str) -> Iterator[tuple[int, int]]:
    for found in _CODE_VALUE.finditer(text):
        first, last = found.span()
        between = text[:first]
        if len(between) > 64 or _IS_CODE.search(between) or _OTHER_CODE.search(between):
            return
        is_linked = between.strip() == "]" or _links(between)
        if is_linked and not _UNITS.match(text, last):
            yield first, last
            text = text[:first] + "#" * (last - first) + text[last:]


def _lettered_after(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of codes of letters and digits that the sentence behind a label states."""
    broken = _BREAK.search(text)
    for found in _LETTERED_VALUE.finditer(text, 0, broken.start() if broken else len(text)):
        first, last = found.span()
        between = text[:first]
        is_near = first <= _LETTERED_REACH and not _COMMA.search(between)
        if is_near and _LINKS_BEHIND.search(between) and is_lettered_code(found[0].encode()):
            yield first, last


_LETTERED_REACH = 32
_COMMA = TextPattern("[,，、]")


_OTHER_CODE = TextPattern(
    r"err[oe]|fehler|status|http|postal|exit|sortie|salida|saída|uscita|retour|retorno|ritorno|zip\b",
    re.IGNORECASE,
)
"""Words of a code that tells how a program ended, or of a postal code."""

_HALF_WIDTH = TextPattern("[\uff66-\uff9f]")


def _form(value: str) -> Form:
    """Return the form of a value, half-width kana taken for letters."""
    raw = (value if value.isascii() else _HALF_WIDTH.sub("k", value)).encode()
    if (pair := _PAIR.match(value)) and classify_secret_name(pair[1]) is None:
        return Form.NONE
    form = form_of(raw)
    if form is Form.JOINED and _IDENTIFIER.fullmatch(value):
        return Form.NONE
    return Form.NONE if form and (is_secret_reference(raw) or _PUBLIC_KEY.match(value)) else form


_PAIR = TextPattern(r"([a-z][a-z_-]{1,15})=[^=]")
"""A name and its value, as a line of a log has them behind its sentence."""

_IDENTIFIER = TextPattern(
    r"[a-z]+(?:[._][a-z]+){1,2}|(?:ssh|gpg|git|ansible|docker|systemd|kube|pg|mysql|aws|npm)-[a-z]+"
)
"""Words joined as those of a method, a text's key, a host, a column or a program are."""


_PUBLIC_KEY = TextPattern(SSH_KEY)


_IS_NAME_BEHIND = TextPattern(r"[\"'`]\s*[:=]")
"""The text behind a word that is a key of an object."""


_OTHER_NAME = TextPattern(
    r"[\w-](?:[iI][dD]|番号|号|编号)[\"'`]?\s*(?:[:=＝：]\s*[\"'`]?.|=)$|\b(?:ssh|scp|sftp|rsync) (?:-\S+ )*.$"
    r"|accessor[\s=:]+.$"
)
"""The end of a text whose value has another name, an id's or a host's."""


_NAMES_A_THING = TextPattern(
    r"(?:(?<!secret)(?<!secret[ _-])\b(?:ids?(?:\s(?:da|de|do|of|der|du)\s\w+)?"
    r"|app|request|trace|commit|hash|digest|checksum|fingerprint|accessor"
    r"|sha-?\d+|md5)|(?-i:[^\W_a-z]ID)|コミット|ハッシュ|フィンガープリント|指紋)(?:[^\w]{0,4}|\s+(?:is|of|ist|est|es)\s+|\s*[=是は]\s*)$",
    re.IGNORECASE,
)
"""The end of a text behind which hexadecimal digits or a UUID name a thing."""

_HEXADECIMAL = TextPattern(r"[0-9a-fA-F-]{12,}")
_OF_A_THING = TextPattern(
    r"\b(?:for|of|on|de|del|della|da|do|di|von|vom|für|fürs|du|des|sur|para|pour)\s+(?:the\s+|la\s+|le\s+|dem?r?\s+)?$",
    re.IGNORECASE,
)
"""The end of a text behind which a word names what a password opens: `the password for orders2`."""


_IS_CALLED = TextPattern(
    r"(?:\b(?:users?|user ?name|account|host(?:name)?|server|machine|branch|class|button|dto|benutzer(?:name)?"
    r"|konto|rechner|usuario|cuenta|servidor|utilisateur|compte|serveur|utente|conta|gebruiker|named|called|test-?id)"
    r"|ユーザー?(?:名|プール)?|アカウント名?|ホスト名?|サーバー?|AP名|名前|用户名?|账号|帐号|主机|名字叫?|아이디|계정|서버)"
    r"[\s\"'`「『“„«:：=]*$"
    r"|(?:(?<![a-z])(?:user ?name|login name|id|kennung|benutzername|identifiant)"
    r"(?:\s+(?:is|ist|est|es)\s+|\s*[は是]\s*)"
    r"|(?:ユーザー?(?:名|ID)?|アカウント名?|ホスト名?|名前)[はが]\s*|(?:用户名?|账号|帐号)是\s*|아이디[는은가]\s*)"
    r"[\"'`「『“„«]?$",
    re.IGNORECASE,
)
"""The end of a text behind which a word is what a user, a host or a part of a program is called."""


def _names_a_thing(value: str, before: str) -> bool:
    """Return whether the text before a value says that the value is the name of a thing."""
    if _HEXADECIMAL.fullmatch(value):
        return _NAMES_A_THING.search(before) is not None
    return _IS_CALLED.search(before) is not None


def _is_stated(near: _Neighbour, family: int, *, is_ascii: bool) -> bool:
    """Return whether the text between links label and value as closely as the value's form asks."""
    form, between = near.form, near.between
    if _names_a_thing(near.value, between[-32:]):
        return False
    if form <= Form.WORD_AND_DIGITS and _OF_A_THING.search(between[-24:]):
        return False
    if _IS_NAME_BEHIND.match(near.other) or _OTHER_NAME.search(between + near.value[:1]):
        return False
    linked = len(between) <= 72 and _links(between)
    if form is Form.DIGITS:
        size = len(remove_bytes(near.value.encode(), DIGITS))
        is_long = 6 <= len(near.value) - size <= 16 and size <= 2
        is_long = is_long or near.value[-1:] in ("#", "*")
        is_long = is_long or (size == 0 and not is_ascii and len(between.strip()) <= 1)
        return family == _PASSWORD and linked and is_long and not _UNITS.match(near.other)
    if form is Form.KEY:
        is_id = family == _PASSWORD and not between.strip() and UUID.occurs_in(near.value.encode())
        return len(between) <= 56 and (linked or family != _PASSWORD) and not is_id
    if family == _KEY:
        is_key = form is Form.CHOSEN and len(near.value) >= 10 and "/" not in near.value
        ends = not near.other.strip() and len(between) <= 40 and near.value.isalnum()
        return is_key and (linked or ends)
    if form in (Form.CHOSEN, Form.WORD_AND_DIGITS):
        return len(between) <= 72
    if between.rstrip(" \"'`")[-1:] in (",", "/", "-", "("):
        return False
    if between.strip() in (":", "=") and near.value.isalpha():
        return False  # a type
    is_quoted = between.rstrip(" ")[-1:] in "\"'`“「『«„‘" and between[-1:] != " " and between != ""
    following = near.other.lstrip(" \"'`")[:1]
    ends = following in ("", ".", ",", "。", "、") or following >= "\u2fff"
    return linked and bool(between.strip()) and (is_quoted or ends)


def _is_stated_far(near: _Neighbour, family: int, border: int) -> bool:
    """Return whether a value of the next sentence belongs to the label: `… had no password. I set it to …`."""
    if family == _KEY:
        return near.form is Form.KEY and not near.between[border + 1 :].strip()
    if family == _PASSWORD and not near.between.strip("?.! "):
        return near.form >= Form.WORD_AND_DIGITS
    if family != _PASSWORD or near.form < Form.WORD_AND_DIGITS or len(near.between) > border + 64:
        return False
    between = near.between
    ends_wide = between.rstrip()[-1:] >= "\u2fff"
    if ends_wide:
        return near.other.lstrip(" ")[:1] >= "\u2fff"
    return _FAR.search(between) is not None


def _before(text: str, family: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of the values before a label, in its sentence."""
    begins = max((found.end() for found in _BREAK.finditer(text)), default=0)
    for token in _TOKENS[family].finditer(text, begins):
        first, last = _trimmed(text, *token.span())
        value, between = text[first:last], text[last:]
        form = _form(value)
        if len(between) > 64 or not (form > Form.DIGITS or family == _CODE):
            continue
        if _names_a_thing(value, text[max(0, first - 32) : first]):
            continue
        led = _LED.search(text[max(0, first - 20) : first]) is not None
        is_close = form is Form.CHOSEN and "@" not in value[1:-1]
        if not (led or is_close or _LINKS_AHEAD.match(between)) or _IS_CODE.search(between):
            continue
        if family == _CODE:
            if _CODE_VALUE.fullmatch(value) and len(between) <= 48 and len(value) >= 4:
                yield first, last
            continue
        if family == _KEY and form is not Form.KEY:
            continue
        if form is Form.JOINED and not _IS_LABEL.match(between):
            continue
        if form is Form.WORD_AND_DIGITS and not (
            _AS.search(between)
            or between.lstrip()[:1] >= "\u2010"
            or led
            or between.lstrip(" \"'`")[:1] in ("(", "<")
        ):
            continue
        yield first, last


_IS_LABEL = TextPattern(r"[\s\"'`”»」』]*(?:(?:is|ist|est|es|é|è)\s|←|<-|[\u2fff-\uffee])")
"""The beginning of the text between a plain word and the label behind the word, where the word is the secret."""


def _trimmed(text: str, first: int, last: int) -> tuple[int, int]:
    """Return the span without the quotes and the punctuation around it."""
    value = text[first:last]
    body = value.lstrip(_OPENING)
    first += len(value) - len(body)
    kept = body.rstrip(_CLOSING)
    if body[len(kept) : len(kept) + 1] == "?" and len(body) - len(kept) > 1:
        kept = body[: len(kept) + 1]
    if value[:1] in ("*", "_"):
        kept = kept.rstrip("*_")
    return first, first + len(kept)


_NATIVE = Pattern(
    r"(?:密[码碼]|口令|暗号|비밀 ?번호|비번|암호|パスワード|合い?言葉|парол[ьяею])"
    r"(?:[是为爲は는은이가:： ]|это){0,4}"
    r"[“「『\"'‘«]((?:[^“”「」『』\"'‘’«»\s]){2,24})[”」』\"'’»]"
)
_ANSWER = Pattern(
    r"(?:秘密の質問(?:の(?:答え|回答)|[(（][^()（）\r\n]{1,24}[)）])?|合い?言葉|密保问题的?答案)(?:は|が|：|:"
    rf"|是)[ 　]?[「『“\"]?([{JAPANESE_LETTERS}0-9]{{2,20}}?)"
    r"(?:[」』”\"]|[ 　]?(?:です|だ)|に(?:して|設定|した)|です|でした|だよ|。|、|\z)"
)


_MEASURE = TextPattern(r"[0-9０-９](?:文字|桁|種類|回|日|分|時間|個|位|个|天|字符|자|분|일|회)")


def _find_native(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield quoted passwords in a language's own script, and answers to secret questions."""
    for _, (first, last) in _NATIVE.each(raw, start, end):
        value = raw[first:last].decode("utf-8", "ignore")
        found = not value.isascii() and any(map(str.isdigit, value)) and not value.isdigit()
        found = found and not _MEASURE.search(value)
        yield "spoken", first, last if found else first
    for _, (first, last) in _ANSWER.each(raw, start, end):
        is_answer = first < last and not raw[first:last].startswith(_QUESTION_WORDS)
        yield "spoken", first, last if is_answer else first


_QUESTION_WORDS = tuple(
    word.encode()
    for word in (
        "必須",
        "何",
        "任意",
        "登録",
        "設定",
        "入力",
        "大文字",
        "文字",
        "半角",
        "変更",
        "忘れ",
        "不要",
        "まだ",
        "以下",
        "下記",
        "次",
    )
)
NATIVE = Rule(
    "密[码碼]|口令|暗号|비밀 ?번호|비번|암호|パスワード|合い?言葉|парол|秘密の質問|密保",
    _find_native,
)
_NEW_WORD = Pattern(
    r"(?i)(?:^|[.!?:\n])[\"'`“„«» ]*([a-z]{6,24})[\"'`”“» ]* (?:(?:is|ist|es|é|è|est) (?:the|our|my|das|la|a|le|il)"
    r"|이게|가|이|が|就是) ?"
    r"(?:new|neue|nueva|nova|nuova|nouveau|nuevo|새|新しい|新的?|当面の)[^.!?\r\n]{0,24}?"
    r"(?:pass(?:word|phrase)?|passwort|kennwort|contraseña|senha|mot de passe|비밀번호|비번|パスワード|パス|密码)"
)


def _find_new_words(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield a plain word that a sentence calls the new password."""
    for _, (first, last) in _NEW_WORD.each(raw, start, end):
        yield "spoken", first, last


NEW_WORDS = Rule(
    "(?i)(?:new|neue|nueva|nova|nuova|nouveau|새|新しい|新的?|当面の) ",
    _find_new_words,
)
STATED = Rule(
    r"(?i)pass?s?[a-z]?w|pass(?:[^a-z]|[cops]|e(?:[^ds]|\z)|\z)|pw|digicode|ぱす|kennwort|mdp|contrase|clave|senha|parol|wachtwoord|senord|adgangskode|hasł"
    "|şifre|heslo|salasana"
    "|jelszó|mật khẩu|kata sandi|парол|كلمة|पासवर्ड|รหัส|κωδικ|סיסמה|密|口令|비밀|비번|암호|패스|パス|ﾊﾟｽ"
    "|い?言葉|暗証|ＰＷ|ＰＡＳＳ|phrase"
    r"|(?:^|[^a-z0-9_])pin(?:[^a-z]|s[^a-z]|s?\z)"
    "|puk|combination|alarm|door|says|sent me|shows|gave me|seed|code|código|codice|код|otp"
    "|cv[vc]|opens|验证|驗證|校验|动态码|取件|인증|번호|도어락|ｱﾝｼｮｳ|コード|番号|ロック"
    "|[口関庫ア](?:の番号|の暗証)?は"
    r"|wi-?fi|wlan|token(?:[^i]|\z)|key(?:[^bow]|\z)|secret|schlüssel|clé|chave|chiave|jeton|令牌|키|토큰|시크릿|ключ|токен|トークン|ﾄｰｸﾝ|シークレット"
    r"|キー|鍵|ｷｰ|auth(?:[^o]|ori[sz]|ority|or number|\z)",
    _find,
)
