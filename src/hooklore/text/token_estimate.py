"""One estimate of tokens, the same everywhere."""

import math


def estimate_tokens(text: str) -> int:
    """Tokens of a text: a quarter of its ASCII characters, and every other character whole."""
    ascii_count = len(text.encode("ascii", "ignore"))
    return math.ceil(ascii_count / 4) + len(text) - ascii_count


def truncate_text(text: str, limit: int) -> str:
    """The beginning of a text that is at most `limit` characters, ended at white space, with an ellipsis."""
    if len(text) <= limit:
        return text
    head = text[:limit]
    at = max(head.rfind(" "), head.rfind("\n"))
    return (head[:at] if at > limit // 2 else head).rstrip() + "…"
