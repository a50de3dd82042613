"""The title of a memory, and its topic: one short line that names it in an index, and the line's heading."""

import re
import unicodedata

from hooklore.records.record import Record
from hooklore.text.display_width import display_width
from hooklore.text.token_estimate import truncate_text
from hooklore.text.unicode_cleaning import strip_invisible

MAX_TITLE_LENGTH = 50
"""Characters of a title."""

_CLAUSE = re.compile(r"[.!?;:,](?:\s|$)|[。！？；：、，\n]|\s[—–-]\s|\s\(|（")
_MARKUP = re.compile(r"^[\s#>*+\-•・]+")
_ASKED = re.compile(
    r"(?:(?:hey|also|and|so|just|ok|okay|please|pls)[,:]?\s+)*(?:remember|keep in mind|don'?t forget|note)"
    r"(?:\s+(?:that|this)\b)?(?:,?\s+please\b)?[,:.\s–—-]+(?=\S)"
    r"|(?:覚えて|忘れないで|記憶して)(?:おいて)?(?:ください|ね)?[、。:：\s]+(?=\S)",
    re.IGNORECASE,
)
"""The request to remember, which names nothing of what is to be remembered."""

_QUOTES = {"'": "'", '"': '"', "`": "`", "“": "”", "「": "」"}
_LOOKED_AT = 1000
_SHORTEST = 12
"""Columns of a first clause that names anything: `No,` does not."""


def title_of(record: Record) -> str:
    """Return the title of a memory: the given one, else the first clause of its text, on one line."""
    given = " ".join((record.body.title or "").split())
    return given[:MAX_TITLE_LENGTH] or title_from_text(record.body.content_md)


def topic_of(record: Record) -> str:
    """Return the topic of a memory: its first tag, else its kind, on one line."""
    first = next((str(tag) for tag in record.body.tags if str(tag).strip()), str(record.kind))
    return " ".join(first.split())


def fold_title(text: str) -> str:
    """Return a title or a topic as names are compared: without case, width and invisible characters."""
    visible = unicodedata.normalize("NFKC", strip_invisible(text[:_LOOKED_AT]))
    return " ".join(strip_invisible(visible).casefold().split())


def title_from_text(text: str) -> str:
    """Return the first clause of a text, of at most 50 characters."""
    words = _MARKUP.sub("", text[:_LOOKED_AT]).replace("**", "")
    asked = _ASKED.match(words)
    words = words[asked.end() :] if asked else words
    closing = _QUOTES.get(words[:1], "")
    for found in _CLAUSE.finditer(words):
        clause = words[: found.start()]
        # long enough for a name, and no half of what it quotes
        if display_width(clause) >= _SHORTEST and closing in clause[1:]:
            words = clause
            break
    return truncate_text(" ".join(words.split()), MAX_TITLE_LENGTH - 1)
