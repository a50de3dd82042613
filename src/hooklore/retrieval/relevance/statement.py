"""Detect statements by their form. A statement tells an agent how something is, not what to do."""

import re

from hooklore.late_pattern import compile_late

_MAX_CHARACTERS = 300
_ENGLISH = compile_late(
    r"(?:the|this|that|these|those|our|my|we|it|its|there|all|every|each|only|because|a|an|i think|i said)\b",
    re.IGNORECASE,
)
_JAPANESE = compile_late(
    "[\u306f\u304c\u3082].{2,}(?:です|ます|だ|である|ない|ません|でした|ました|った|いる|ある|する)[。.!！]?$"
)


def is_statement(text: str) -> bool:
    """Return whether a prompt is one line of at most 300 characters that begins or ends as a statement does."""
    line = text.strip()
    if len(line) > _MAX_CHARACTERS or "\n" in line or line.endswith(("?", "？")):
        return False
    return bool(_ENGLISH.match(line) or _JAPANESE.search(line))
