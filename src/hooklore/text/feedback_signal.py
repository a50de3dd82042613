"""Classify a prompt's feedback on the answer before it: approval, rejection or correction."""

import re

from hooklore.late_pattern import compile_late

_LONGEST = 400

_APPROVAL = compile_late(
    r"(?:yes|yep|yeah|lgtm|looks good|go ahead|ship it|thanks|thank you|sounds good)\b|"
    r"(?:ok(?:ay)?|perfect|great|nice|approved?|correct|exactly|do it)(?=\s*(?:[,.!;:]|$))|"
    r"(?:それで|これで)(?:良い|いい|よい|OK|大丈夫)(?:です|よ|ね)*(?=\s*(?:[、。，！!,.]|$))|"
    r"(?:はい|うん|了解|承認|いいね|いいです|OKです|お願いします|完璧|ありがとう|その通り)",
    re.IGNORECASE,
)
_REJECTION = compile_late(
    r"(?:no|nope|stop|cancel|rejected|wrong)(?=\s*(?:[,.!;:]|$))|"
    r"(?:don'?t|do not|never ?mind|revert|undo|roll back|not what i)\b|"
    r"(?:いいえ|いや|だめ|ダメ|駄目|やめて|中止|却下|取り消|戻して|違う|違います|ちがう)",
    re.IGNORECASE,
)
_INSTEAD = compile_late(
    r"\b(?:instead|rather than|not what i|should be|should have|use \S+ not|i meant|i said)\b|"
    r"ではなく|じゃなく|の方がいい|を使って|にして|は違う|と言った",
    re.IGNORECASE,
)


def classify_feedback(words: str) -> str | None:
    """Return `approval`, `rejection` or `correction`, or None for a prompt without feedback.

    Only the beginning of a prompt counts. A correction also names the alternative.
    """
    start = words.lstrip()[:_LONGEST]
    if _REJECTION.match(start):
        return "correction" if _INSTEAD.search(start) else "rejection"
    if _APPROVAL.match(start):
        return "approval"
    return "correction" if len(words) <= _LONGEST and _INSTEAD.search(start) else None
