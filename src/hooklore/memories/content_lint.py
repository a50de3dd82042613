"""Warn about memories that are badly written or not worth keeping (seed 000 §3 and §6b, seed 004)."""

import re

from hooklore.text.display_width import display_width

RECOMMENDED_LENGTH = 1200
"""Characters of a memory's text. A longer text is stored with a warning (seed 000 §6)."""

_MAX_PROSE_LINES = 5
_MAX_PARAGRAPHS = 5
_MAX_LINE_COLUMNS = 300
"""Columns of one line. A Japanese character takes two."""

_BULLET = re.compile(r"\s*(?:[-*+・•]|\d+[.)])\s*")
_CODE = re.compile(r"```.*?```|`[^`]*`", re.DOTALL)


def lint_content_style(text: str) -> list[str]:
    """Return warnings about a memory's text: `content_too_long` and `style`.

    `style` means that the text is more than a few short lines and bullets.
    """
    found = ["content_too_long"] if len(text) > RECOMMENDED_LENGTH else []
    lines = [line for line in text.splitlines() if line.strip()]
    prose = [line for line in lines if not _BULLET.match(line)]
    paragraphs = [part for part in re.split(r"\n\s*\n", text) if part.strip()]
    if (
        len(text) > RECOMMENDED_LENGTH
        or len(prose) > _MAX_PROSE_LINES
        or len(paragraphs) > _MAX_PARAGRAPHS
        or any(display_width(line) > _MAX_LINE_COLUMNS for line in lines)
    ):
        found.append("style")
    return found


_REASONS = {
    "chat_log": r"(?:^\s*(?:user|assistant|human|ai|system|ユーザー|アシスタント)\s*[:：].*$\s*){2,}",
    "progress": (
        r"\b(?:\d{1,3}\s?% (?:done|complete)|step \d+ (?:of|/) \d+|so far,? (?:i|we)|"
        r"(?:half|almost|nearly) (?:done|finished)|(?:i|we) (?:have )?(?:finished|completed) step|"
        r"(?:currently|now) (?:at|on) step)\b|"
        r"進捗|\d+\s?[%％](?:まで)?(?:完了|終わ)|(?:ここまで|途中まで)(?:完了|終わ|でき)|ステップ\s?\d+(?:まで)?(?:完了|終わ)"
    ),
    "work_in_progress": (
        r"\b(?:work in progress|wip|(?:i am|i'm|we are|we're) (?:currently |now |still )?"
        r"(?:working on|fixing|editing|writing|refactoring|debugging|implementing|looking (?:at|into))|"
        r"current task|next,? i will|about to (?:run|edit|fix|start))\b|"
        r"作業中|対応中|修正中|実装中|(?:現在|いま|今)の(?:タスク|作業)|今から.{0,20}(?:します|する)"
    ),
    "temporary_error": (
        r"\b(?:temporar(?:y|ily)|transient(?:ly)?|intermittent(?:ly)?|this time|just now)\b.{0,60}"
        r"\b(?:error|fail\w*|time[d ]?-?out|unavailable|down)\b|"
        r"\b(?:error|fail\w*|time[d ]?-?out|unavailable|down)\b.{0,60}"
        r"\b(?:temporar(?:y|ily)|transient|retry (?:worked|helped)|worked on (?:a )?(?:the second|retry))\b|"
        r"一時的な?.{0,20}(?:エラー|障害|失敗|タイムアウト)|(?:エラー|タイムアウト).{0,30}(?:再試行|リトライ)(?:で|したら)"
    ),
    "intermediate": (
        r"\b(?:intermediate (?:file|result|output|artefact|artifact)s?|scratch (?:file|output)|"
        r"draft (?:version|output) (?:\d|in)|temp(?:orary)? (?:file|output|directory))\b|"
        r"中間(?:成果物|ファイル|結果|出力)|一時ファイル|下書き"
    ),
    "guess": (
        r"\b(?:i (?:guess|suspect|suppose)|i think (?:it|this|that) (?:may|might|could)|probably|perhaps|"
        r"maybe|not (?:yet )?(?:verified|confirmed|tested)|unverified|presumably)\b|"
        r"かもしれ(?:ない|ません)|おそらく|たぶん|多分|未確認|推測|と思われ"
    ),
}
_PATTERNS = {
    reason: re.compile(wording, re.IGNORECASE | re.MULTILINE)
    for reason, wording in _REASONS.items()
}
_MAX_CHARACTERS_READ = 4_000
_DISCUSSION_COLUMNS = 600
"""Columns of one paragraph without a break. A longer one is a discussion, not its outcome."""


def find_rejection_reason(text: str) -> str | None:
    """Return in one word why a text is not worth a memory, or None when it is worth one.

    The words are `progress`, `work_in_progress`, `temporary_error` and `intermediate` (seed 004),
    `guess`, `chat_log` and `discussion` (seed 000 §3). Words in code do not count.
    """
    prose = _CODE.sub(" ", text[:_MAX_CHARACTERS_READ])
    for reason, pattern in _PATTERNS.items():
        if pattern.search(prose):
            return reason
    parts = re.split(r"\n\s*\n|\n(?=\s*[-*・])", prose)
    return "discussion" if any(display_width(p) > _DISCUSSION_COLUMNS for p in parts) else None
