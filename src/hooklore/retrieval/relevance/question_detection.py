"""Detect questions: by how a sentence begins in English, by how it ends in Japanese."""

import re

_ENGLISH = re.compile(
    r"(?:(?:and|but|so|ok|okay|then|also|now),? )?"
    r"(?:how|what|which|why|where|when|who|whom|whose|can|could|may|do|does|did|is|are|am|was|were"
    r"|should|shall|would|will|has|have)\b",
    re.IGNORECASE,
)
_JAPANESE = re.compile("(?:か|の|っけ|かな|かね|でしょう)$")
_WH_QUESTION = re.compile(
    r"(?:how|what|which|why|where|when|who|whose) "
    r"(?:do|does|did|is|are|was|were|can|could|should|shall|will|would|has|have|had)\b",
    re.IGNORECASE,
)
_MAX_FACT_QUESTION = 300
_MARKS = ("?", "？")


def is_question(sentence: str, prompt: str = "") -> bool:
    """Return whether a sentence is a question. Its mark may stand in `prompt` only, where it was split off."""
    if sentence.endswith(_MARKS) or any(sentence + mark in prompt for mark in _MARKS):
        return True
    return bool(_ENGLISH.match(sentence) or _JAPANESE.search(sentence))


def asks_for_fact(prompt: str) -> bool:
    """Return whether a prompt of one line asks for a fact, with or without its mark.

    "Can you …" and "do …" ask for a deed.
    """
    line = prompt.strip().rstrip("。.")
    if len(line) > _MAX_FACT_QUESTION or "\n" in line:
        return False
    return bool(_WH_QUESTION.match(line) or _JAPANESE.search(line))
