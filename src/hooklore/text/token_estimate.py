"""The one estimate of tokens that all packages share."""

import math


def estimate_tokens(text: str) -> int:
    """Return the tokens of a text: a quarter of its ASCII characters, and one for every other character."""
    ascii_count = len(text.encode("ascii", "ignore"))
    return math.ceil(ascii_count / 4) + len(text) - ascii_count


def truncate_text(text: str, limit: int) -> str:
    """Return the beginning of `text`, cut at white space after at most `limit` characters, with an ellipsis."""
    if len(text) <= limit:
        return text
    head = text[:limit]
    at = max(head.rfind(" "), head.rfind("\n"))
    return (head[:at] if at > limit // 2 else head).rstrip() + "…"
