"""Secrets that people and agents state in a sentence: a label, a link, and a value with a form or in quotes.

Sentences of English and Japanese are read. Of other languages only the words for a password, a key and a code are
known. The better the form of a value, the looser the link to its label may be.
"""

import re
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from hooklore.redaction.pattern import Candidate, Pattern, Rule, TextPattern
from hooklore.redaction.rules.candidate_checks import REFERENCE, is_placeholder
from hooklore.redaction.rules.published import begins_as_published
from hooklore.redaction.rules.value_forms import Form, form_of

_PASSWORDS = (
    r"(?:\b|[a-z_])pass(?:word|wd|code|phrase)s?\b|\bpwd?\b|passwort\w{0,2}\b|kennwort\w{0,2}\b"
    r"|\bmots? de passe\b|\bmdp\b"
    r"|\bcontrase[ñn]as?\b|\bsenhas?\b|\bparola\b|\bwachtwoord\b|\bl(?:ö|o)senord\w*|\bhasł[oa]\b|парол[ьяею]"
    r"|密[码碼]|口令|비밀 ?번호|비번|암호|패스워드|パス(?:ワ[ーァ]?ド|コード|フレーズ)?|合い?言葉|暗証(?:番号"
    r"|コード)?|ＰＷ|ワンタイム"
)
_KEYS = (
    r"(?:\b|_)tokens?\b|(?-i:[A-Z]_(?:SECRET|KEY)\b)|\b(?:api|access|secret|signing|license|client|encryption"
    r"|session|master|private|auth)[ -]?keys?\b"
    r"|\b(?:the|this|my|your|our|new) key\b|\b(?:client )?secrets?\b|\bapi[ -]schlüssel\b|\bjeton\b|密[钥鑰]|令牌"
    r"|API ?키"
    r"|토큰|токен|トークン|シークレット|キー|鍵|クレデンシャル|認証情報"
)
_CODES = (
    r"\b(?:verification|confirmation|security|auth\w*|one[ -]time|2fa|mfa|login|sign-in|sms) (?:code|number|pin)\b"
    r"|\bPINs?\b"
    r"|\bOTP\b|(?:認証|確認)(?:コード|番号)|ワンタイムパス(?:ワード|コード)|验证[码碼]|인증 ?(?:번호|코드)"
)
LABELS = rf"(?i)(?:{_CODES}|{_PASSWORDS}|{_KEYS})"
_LABEL = Pattern(LABELS)
_WIDE_LABELS = (
    "パス(?:ワ[ーァ]?ド|コード|フレーズ)|合い?言葉|暗証(?:番号|コード)?|ＰＷ|ワンタイム|トークン|シークレット"
    "|キー|鍵|クレデンシャル"
    "|認証情報|(?:認証|確認)(?:コード|番号)|密[码碼钥鑰]|口令|令牌|验证[码碼]|인증 ?(?:번호|코드)|비밀 ?번호"
    r"|(?i:\b(?:verification|confirmation|security|one[ -]time|2fa|login|sign-in) code\b)"
)
_WIDE_LABEL = Pattern(_WIDE_LABELS)
_IS_CODE, _IS_KEY = (TextPattern(f"(?i)(?:{words})") for words in (_CODES, _KEYS))
_IS_COMPOUND = TextPattern(
    r"[ -]?(?:policy|policies|managers?|strength|rotation|hash\w*|lists?|generators?|fields?|prompts?|reset|length"
    r"|types?|names?|files?|limits?|counts?|usage|budget|ids?|pairs?|bindings?|validation|authentication)\b"
    r"|名|の?(?:認証|ポリシー|強度|マネージャ|定期|ハッシュ|長さ|種類|一覧|管理)|[_$@\\{\[]|(?<=[a-z])\(|[./-]\w"
    r"|s?\b[ ]?=="
)
"""What makes of a label the name of another thing, or the part of one, which has no value."""

_OF_NAME = frozenset("$@/\\.&#%-<")
"""Signs before a label that is a part of a name, a path or a flag."""

_REACH = 96
_BREAK = TextPattern(r"[.!?。！？](?:\s|$)|[。！？]|\n\s*\n|(?<=\S)\r?\n[ \t]*[-*#>|]|;\s")
"""The end of a sentence, in which a value belongs to its label."""

_TOKEN = TextPattern(
    r"""["'“‘「『«]([^"'”’」』»\r\n]{4,64})["'”’」』»]|`([^`\r\n]{4,64})`"""
    r"""|([!#-&*+\-./0-9;?@A-Z_a-z~^|$%][!#-&*+\-./0-9:;=?@A-Z_a-z~^|$%]{3,})"""
)
"""A text in quotes, one in the quotes of code, or a word without blanks."""

_WIDE = "\u2e80-\uffee"
_GLUE = (
    r"is|are|was|be|to|as|now|still|equals|reads|says|use|try|enter|with|it['’]?s|ist|est|es|é|è|war|auf|:|：|="
    r"|＝|→|⇒|->|=>|は|が|を|も|に|へ|って|として|です|是|为|は今|은|는|이|가"
)
_LINKS = TextPattern(
    rf"(?:^|[\s{_WIDE})）])(?:{_GLUE})[\s、*_]*$|^[\s*_]*[:=：＝→(（][\s*_]*$|[{_WIDE}][\s、]*$",
    re.IGNORECASE,
)
"""The end of the text between a label and its value."""

_CODE_VALUE = TextPattern(r"[0-9]{4,8}|[0-9]{3}[ -][0-9]{3}|(?=[A-Z]*[0-9])[A-Z0-9]{6,10}")
_UNITS = TextPattern(
    r"\s?(?:%|ms|sec|min|hour|day|times?|chars?|char\w+|digits?|bits?|bytes?|tokens?|文字|桁|回|日|分|時間|件|個"
    r"|年|円|秒)"
)
_NAMES = TextPattern(
    r"(?:\b(?:users?|user ?name|account|host(?:name)?|server|branch|file|class|function|variable|env\w*|named"
    r"|called"
    r"|commit|hash|digest|id|uuid|id:|for|of|in|from|via|by)|ユーザー?名?|アカウント|ホスト名?|サーバー|名前|変数"
    r"|ファイル|コミット|ID)"
    r"[\s`\"'「（(:：はが=]*$",
    re.IGNORECASE,
)
"""The end of a text behind which a word names a thing: a user, a host, a file, or what a secret opens."""


_LONGEST_LABEL = 64
_MAY_HOLD = TextPattern(rb"[!-~]{4}")
"""A word that could be a value: sentences of Japanese hold few."""


class _Said(NamedTuple):
    """A value in a sentence, the text between it and its label, and the quote before it, if any."""

    value: str
    between: str
    behind: str
    quote: str


def _find(labels: Pattern, raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield the values that sentences state behind one of the labels."""
    place, word = start, _MAY_HOLD.search(raw, start, end)
    while word and (label_at := labels.search(raw, place, end)):
        first, last = label_at[0]
        place = last
        if word.start() < first - _REACH:
            word = _MAY_HOLD.search(raw, first - _REACH, end)
        if word is None or word.start() > last + _REACH * 2:
            place = max(last, word.start() - _REACH * 2 - _LONGEST_LABEL) if word else end
            continue
        before = raw[max(start, first - _REACH) : first].decode("utf-8", "ignore")
        label = raw[first:last].decode("utf-8", "ignore")
        behind = raw[last : min(end, last + _REACH * 2)].decode("utf-8", "ignore")
        yield "spoken", last, last
        is_part = label[0].isascii() and before != "" and before[-1] in _OF_NAME
        if is_part or _IS_COMPOUND.match(label[-1] + behind, 1):
            continue
        for begin, stop in _values_behind(label, behind):
            at = last + len(behind[:begin].encode())
            yield "spoken", at, at + len(behind[begin:stop].encode())


def _values_behind(label: str, text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of the values that the sentence behind a label states: one, or the old and the new one.

    A value of a surer form may stand at the beginning of the next sentence: `the password changed. It's …`.
    """
    broken = _BREAK.search(text)
    border = broken.start() + 1 if broken else len(text)
    place = 0
    for token in _TOKEN.finditer(text):
        first, last = _span_of(token)
        said = _Said(text[first:last], text[place : token.start()], text[last:], _quote(token))
        if len(said.between) > _REACH // 2:
            return
        is_linked = place > 0 or _is_linked(label, said)
        if first >= border:
            is_linked = (
                place == 0
                and form_of(said.value.encode()) in _SURE[_IS_KEY.search(label) is not None]
            )
        if is_linked and _is_secret(label, said):
            yield first, last
            place = token.end()
        elif place or first >= border:
            return


_SURE = ((Form.CHOSEN,), (Form.CHOSEN, Form.KEY))
"""The forms of passwords and of keys in the sentence behind the one that speaks of them."""


def _is_linked(label: str, said: _Said) -> bool:
    """Return whether the text between a label and a value links them, or there is none."""
    if not said.between.strip():
        return said.between != "" or label[-1] > "\u2e80"
    return _LINKS.search(said.between) is not None


def _span_of(token: re.Match[str]) -> tuple[int, int]:
    """Return the span of a token without its quotes, and without the punctuation at its end."""
    place = next(group for group in (1, 2, 3) if token[group] is not None)
    kept = token[place].rstrip(".,;:?" if place == _BARE else "").strip() or token[place]
    return token.start(place), token.start(place) + len(kept)


_BARE = 3
"""The group of a word without quotes."""


def _quote(token: re.Match[str]) -> str:
    return '"' if token[1] is not None else "`" if token[2] is not None else ""


def _is_secret(label: str, said: _Said) -> bool:
    """Return whether a value is what its label announces, by its form, its quotes and the words around it."""
    raw = said.value.encode()
    if _NAMES.search(said.between) or is_placeholder(raw) or REFERENCE.occurs_in(raw):
        return False
    form = form_of(raw)
    if _IS_CODE.search(label):
        close = len(said.between.strip()) <= _CLOSE
        is_code = _CODE_VALUE.fullmatch(said.value) is not None
        return close and is_code and not _UNITS.match(said.behind)
    if _IS_KEY.search(label):
        least = Form.WORD_AND_DIGITS if label in _SURE_LABELS else Form.CHOSEN
        is_key = form >= least and len(raw) >= _KEY_LENGTH and "/" not in said.value
        return (is_key or form is Form.KEY) and not begins_as_published(raw)
    if form >= Form.WORD_AND_DIGITS:
        return True
    if said.value.isdigit():
        close = len(said.between.strip()) <= _CLOSE
        return 4 <= len(raw) <= 12 and close and not _UNITS.match(said.behind)
    return said.quote == '"' and (form is Form.JOINED or _WORDS.fullmatch(said.value) is not None)


_SURE_LABELS = frozenset(("トークン", "シークレット"))
_CLOSE, _KEY_LENGTH = 12, 10
_WORDS = TextPattern(r"[a-z]{6,}|[a-z]{3,}(?:[ -][a-z]{3,}){2,5}")
"""A word or words that a person may choose as a password, where they stand in quotes."""


STATED = Rule(LABELS, partial(_find, _LABEL), in_prose_only=True)
JAPANESE = Rule(_WIDE_LABELS, partial(_find, _WIDE_LABEL), in_print_only=True)
"""What programs print in Japanese, the pages and messages among it, states secrets with labels that no code has."""
