"""Detect questions: by how a sentence begins in English, by how it ends in Japanese."""

import re

_ENGLISH = re.compile(
    r"(?:(?:and|but|so|ok|okay|then|also|now),? )?"
    r"(?:how|what|which|why|where|when|who|whom|whose|can|could|may|do|does|did|is|are|am|was|were"
    r"|should|shall|would|will|has|have)\b",
    re.IGNORECASE,
)
_JAPANESE = re.compile("(?:か|の|っけ|かな|かね|でしょう)$")
_MARKS = ("?", "？")


def is_question(sentence: str, prompt: str = "") -> bool:
    """Return whether a sentence is a question. Its mark may stand in `prompt` only, where it was split off."""
    if sentence.endswith(_MARKS) or any(sentence + mark in prompt for mark in _MARKS):
        return True
    return bool(_ENGLISH.match(sentence) or _JAPANESE.search(sentence))
