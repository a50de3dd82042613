"""The one estimate of tokens that all packages share."""

import math
import re


def estimate_tokens(text: str) -> int:
    """Return the tokens of a text: a quarter of its ASCII characters, and one for every other character."""
    ascii_count = len(text.encode("ascii", "ignore"))
    return math.ceil(ascii_count / 4) + len(text) - ascii_count


_SENTENCE_END = re.compile(r"[。！？]|[.!?](?=\s|$)")


def truncate_to_tokens(text: str, limit: int) -> str:
    """Return the beginning of `text` in at most `limit` tokens, with an ellipsis when the text was cut.

    The cut is at the last end of a sentence in the second half of what fits, else at white space.
    """
    if estimate_tokens(text) <= limit:
        return text
    head = _take_tokens(text, limit - 1)
    ends = [found.end() for found in _SENTENCE_END.finditer(head)]
    if ends and ends[-1] > len(head) // 2:
        return head[: ends[-1]] + "…"
    return truncate_text(text, len(head))


def _take_tokens(text: str, limit: int) -> str:
    """Return the longest beginning of `text` that has at most `limit` tokens."""
    tokens = 0.0
    for place, character in enumerate(text):
        tokens += 0.25 if character.isascii() else 1
        if tokens > limit:
            return text[:place]
    return text


def truncate_text(text: str, limit: int) -> str:
    """Return the beginning of `text`, cut at white space after at most `limit` characters, with an ellipsis."""
    if len(text) <= limit:
        return text
    head = text[:limit]
    at = max(head.rfind(" "), head.rfind("\n"))
    return (head[:at] if at > limit // 2 else head).rstrip() + "…"
