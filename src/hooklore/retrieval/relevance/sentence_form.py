"""Tell questions and statements by their form: how a sentence begins in English, how it ends in Japanese."""

import re

from hooklore.late_pattern import compile_late

_ENGLISH_QUESTION = re.compile(
    r"(?:(?:and|but|so|ok|okay|then|also|now),? )?"
    r"(?:how|what|which|why|where|when|who|whom|whose|can|could|may|do|does|did|is|are|am|was|were"
    r"|should|shall|would|will|has|have)\b",
    re.IGNORECASE,
)
_JAPANESE_QUESTION = re.compile("(?:か|の|っけ|かな|かね|でしょう)$")
_WH_QUESTION = re.compile(
    r"(?:how|what|which|why|where|when|who|whose) "
    r"(?:do|does|did|is|are|was|were|can|could|should|shall|will|would|has|have|had)\b",
    re.IGNORECASE,
)
_MAX_CHARACTERS = 300
_MARKS = ("?", "？")
_ENGLISH_STATEMENT = compile_late(
    r"(?:the|this|that|these|those|our|my|we|it|its|there|all|every|each|only|because|a|an|i think|i said)\b",
    re.IGNORECASE,
)
_JAPANESE_STATEMENT = compile_late(
    "[\u306f\u304c\u3082].{2,}(?:です|ます|だ|である|ない|ません|でした|ました|った|いる|ある|する)[。.!！]?$"
)


def is_question(sentence: str, prompt: str = "") -> bool:
    """Return whether a sentence is a question. Its mark may stand in `prompt` only, where it was split off."""
    if sentence.endswith(_MARKS) or any(sentence + mark in prompt for mark in _MARKS):
        return True
    return bool(_ENGLISH_QUESTION.match(sentence) or _JAPANESE_QUESTION.search(sentence))


def asks_for_fact(prompt: str) -> bool:
    """Return whether a prompt of one line asks for a fact, marked or not. "Can you …" and "do …" ask for a deed."""
    line = prompt.strip().rstrip("。.")
    if len(line) > _MAX_CHARACTERS or "\n" in line:
        return False
    return bool(_WH_QUESTION.match(line) or _JAPANESE_QUESTION.search(line))


def is_statement(text: str) -> bool:
    """Return whether a prompt is one line that begins or ends as a statement does: how something is, no order."""
    line = text.strip()
    if len(line) > _MAX_CHARACTERS or "\n" in line or line.endswith(_MARKS):
        return False
    return bool(_ENGLISH_STATEMENT.match(line) or _JAPANESE_STATEMENT.search(line))
