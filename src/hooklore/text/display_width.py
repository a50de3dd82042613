"""The width of a line on a page."""

import unicodedata


def display_width(text: str) -> int:
    """Return the columns of a line, where a full-width character counts twice."""
    if text.isascii():
        return len(text)
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)
