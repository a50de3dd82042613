"""Extract the user's own sentences from a prompt, without code, quotations, logs, mails and long texts.

Foreign text is replaced by blanks, so that offsets in a sentence are offsets in the prompt. A short
quotation inside a sentence stays as one opaque word. Every pattern is bounded and takes linear time.
"""

import re
from dataclasses import dataclass

from hooklore.text.pasted_text import blank_pasted_text

MAX_PROMPT_LENGTH = 16 * 1024
"""Characters of a prompt that are read."""

_WHOLE = 1_500
"""Characters of a prompt that somebody may have typed. Only the short ends of a longer one count."""

_END = 400
_SENTENCE = 320
"""Characters of a sentence. Nobody types an instruction that is longer."""

QUOTE_PLACEHOLDER = "q"
"""The letter that replaces every character of a quotation, which then reads as one noun."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of the user's in lower case, with its offsets in the prompt and its end mark."""

    text: str
    start: int
    end: int
    terminator: str


_FENCE = re.compile(r"^[ \t]*(```|~~~)[^\n]*\n.*?(?:^[ \t]*\1[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
_INLINE_FENCE = re.compile(r"```.{0,4000}?(?:```|\Z)", re.DOTALL)
_BLOCK = re.compile(
    r"<([a-z][\w-]{1,30})\b[^>\n]{0,200}>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE
)
_BLOCK_END = re.compile(r"</([a-z][\w-]{1,30})>", re.IGNORECASE)
_QUOTES = re.compile(
    r"`[^`\n]{1,200}`|\"[^\"\n]{1,400}\"|“[^”\n]{1,400}”|「[^」\n]{1,300}」|"
    r"『[^』\n]{1,300}』"
    r"|«[^»\n]{1,300}»|(?<![\w])'[^'\n]{1,200}'(?![\w])|‘[^’\n]{1,200}’(?!\w)|"
    r"https?://[^\s、。]{1,500}"
)
_FOREIGN_LINE = re.compile(
    (
        r"[ \t]*(?:>|\||\$ |% |>>>|#|//|/\*|\*/|<!--|</?\w|@@|\+|-{3}|={3}|[\[{}\]]|"
        r"\"[\w-]{1,40}\"\s?:)"
        r"|(?: {4,}|\t)\S"
        r"|[ \t]*\[?\d{4}[-/]\d\d[-/]\d\d|[ \t]*\[?\d{1,2}:\d\d(?::\d\d)?\b|"
        r"[ \t]*\[\w{3,12}\]\s"
        r"|[ \t]*(?:警告|エラー|例外|致命的エラー)\s?[:：]|[ \t]*(?:traceback\b|file \"|at \S{1,80}\s?\(|"
        r"e {2,}|failed |passed |panic:|"
        r"npm (?:err|warn)|caused by"
        r"|(?:\w{1,40}\.){0,6}\w{0,40}(?:error|exception|warning)\b\s?[:\[(]|(?:fatal|info|"
        r"debug|warn|error|note|hint)"
        r"(?:\s?\[|\s?:\s|\s{2,})|exit (?:code|status) \d|(?:import|from|def|class|const|"
        r"let|var|return|function|export"
        r"|public|private|async|elif|else|select|insert|update) [^\n]{0,200}(?:[;{(:]|"
        r"\bimport\b[^\n]{0,80})[ \t]*$)"
        r"|[^\n]{0,200}(?:[;{}]|\);|=>)[ \t]*$"
    ),
    re.IGNORECASE,
)
_OWN_LINE = re.compile(r"[ \t]*(?:note|hint)\s?:\s|[ \t]*[-*+・•]\s", re.IGNORECASE)
_HINT = re.compile(r"[ \t]*(?:note|hint)\s?:\s", re.IGNORECASE)
_MAIL = re.compile(
    (
        r"^[ \t]*(?:from|to|cc|bcc|subject|sent|date|reply-to|件名|差出人|宛先|送信者|"
        r"送信日時|日時)\s?[:：]"
        r"|^-{2,}\s?(?:original|forwarded)|^on .{3,80} wrote:"
    ),
    re.IGNORECASE | re.MULTILINE,
)
_GREETING = re.compile(
    (
        r"\n[ \t]*(?:(?:hi|hello|dear|hey|good morning)\b[^\n,]{0,40},[ \t]*$|"
        r"(?:お疲れ様です|お疲れさまです|お世話になって"
        r"|いつもお世話|各位|皆様|みなさま|ご担当者))"
    ),
    re.IGNORECASE | re.MULTILINE,
)
_SPEAKER = re.compile(
    r"^[ \t]*@?[\w.-]{1,20}(?: [A-Z][\w.-]{0,20})?\s?[:：]\s?\S[^\n]*$", re.MULTILINE
)
_ANNOUNCED = re.compile(r"^(?P<head>[^\n]{1,200}?)[:：][ \t]*\n", re.MULTILINE)
_OWN_HEAD = re.compile(
    (
        r"rule|convention|guideline|remember|memori[sz]e|note|reminder|preference|thing|"
        r"point|please|from now|always|never"
        r"|going forward|in (?:the )?future|feedback|correction|覚え|記憶|メモ|ルール|約束|"
        r"注意|方針|お願い|こと|点|今後|いつも|毎回"
        r"|これから|必ず|修正|訂正|指摘"
    ),
    re.IGNORECASE,
)
_TOLD = re.compile(
    (
        r"(?:\b(?:says?|said|reads?|wrote|writes|states?|stated|printed|prints|complains|"
        r"output|log|logs|mail|e-?mail|"
        r"comment|commented|review|quote|message|ticket|issue|transcript|readme|docs?|"
        r"translate[^\n:]{0,60}|summari[sz]e[^\n:]{0,60}|"
        r"proofread[^\n:]{0,40}|rephrase[^\n:]{0,40}|example|rewrite[^\n:]{0,40}|text|"
        r"snippet|prompt)"
        r"|(?:ログ|エラー|出力|メール|メッセージ|コメント|議事録|原文|本文|例|引用|文章|"
        r"レビュー|チケット|指摘|プロンプト|"
        r"(?:訳|翻訳|要約|添削|校正|英訳|和訳)(?:して(?:ください)?|"
        r"お願い(?:します)?)?))[ \t]*[:：]"
    ),
    re.IGNORECASE,
)
_ENDER = re.compile(
    r"[。！？!?]+|[（）]|(?<=[\u3040-\u9fff])[()]|\)(?=$|\n)|\.+(?=\s|$|[\"')”])|"
    r"[;；\n]+|\s(?:—|–|--?)\s|—|…+|\.{3}"
)
_VISIBLE = re.compile(r"\S")
_BULLET = re.compile(r"[\s\-*+・•(（>]+|\s*\d{1,2}[.)]\s")


def extract_user_sentences(prompt: str) -> list[Sentence]:
    """Return the user's own sentences of a prompt, in order."""
    text = _without_foreign(prompt[:MAX_PROMPT_LENGTH])
    found: list[Sentence] = []
    at = 0
    ends = [(each.start(), each.end(), each[0].strip() or "\n") for each in _ENDER.finditer(text)]
    for end, next_at, terminator in [*ends, (len(text), len(text), "")]:
        bullet = _BULLET.match(text, at, end)
        start = bullet.end() if bullet else at
        words = text[start:end].rstrip()
        if words and len(words.lower()) <= _SENTENCE:
            found.append(Sentence(words.lower(), start, start + len(words), terminator))
        at = next_at
    return found


def _without_foreign(text: str) -> str:
    for pattern in (_FENCE, _INLINE_FENCE):
        text = pattern.sub(_blank, text)
    text = _without_lines(blank_pasted_text(_without_blocks(text)))
    for pattern in (_MAIL, _GREETING):
        found = pattern.search(text)
        if found and (pattern is _MAIL or _VISIBLE.search(text, 0, found.start())):
            text = _blank_from(text, found.start())
    text = _QUOTES.sub(lambda m: QUOTE_PLACEHOLDER * len(m[0]), _without_talk(text))
    return _without_middle(_without_announced(text))


def _without_blocks(text: str) -> str:
    """Return the text without its blocks in tags. A further end of one says that a block's text has ended it."""
    names = {found[1].lower() for found in _BLOCK.finditer(text)}
    text = _BLOCK.sub(_blank, text)
    ends = [found.end() for found in _BLOCK_END.finditer(text) if found[1].lower() in names]
    return "\n" * ends[-1] + text[ends[-1] :] if ends else text


def _blank(found: re.Match[str]) -> str:
    return "".join("\n" if char == "\n" else " " for char in found[0])


def _blank_from(text: str, start: int) -> str:
    return text[:start] + "\n" * (len(text) - start)


def _without_lines(text: str) -> str:
    kept, is_after = [], False
    for line in text.split("\n"):
        # a hint right after a pasted line belongs to the same output
        if _OWN_LINE.match(line) and not (is_after and _HINT.match(line)):
            is_after = line.rstrip().endswith((";", "{"))
        else:
            is_after = _FOREIGN_LINE.match(line) is not None
        kept.append(" " * len(line) if is_after else line)
    return "\n".join(kept)


def _without_talk(text: str) -> str:
    """Return the text without a chat, which has two or more lines that begin with a speaker."""
    spoken = [m for m in _SPEAKER.finditer(text) if not _OWN_HEAD.search(m[0].partition(":")[0])]
    spoken = [m for m in spoken if m[0].isascii() or "：" in m[0] or ":" in m[0]]
    return _SPEAKER.sub(_blank, text) if len(spoken) >= 2 else text


def _without_announced(text: str) -> str:
    """Return the text without announced parts: after `CI says: …`, or after a line that ends in a colon."""
    for found in _ANNOUNCED.finditer(text):
        below = text[found.end() :]
        is_part = below.split("\n", 1)[0].strip() or below.startswith("\n") or not below.strip()
        if is_part and not _OWN_HEAD.search(found["head"]):
            return _blank_from(text, found.end())
    told = _TOLD.search(text)
    if told and not _OWN_HEAD.search(text[max(0, told.start() - 12) : told.start()]):
        return _blank_from(text, told.end())
    return text


def _without_middle(text: str) -> str:
    """Return only the short first and last paragraphs of a long text: the middle is pasted."""
    if len(text.strip()) <= _WHOLE:
        return text
    first = text.find("\n\n")
    last = text.rstrip().rfind("\n\n")
    if first < 0:
        return ""
    head = text[:first] if first <= _END else ""
    tail = text[last:] if len(text.rstrip()) - last <= _END else ""
    middle = " " * (len(text) - max(first, 0) - len(tail))
    return (head or " " * first) + middle + tail
