"""Find references in a text: `[[key]]`, `[[key|in other words]]`, and ids of records."""

import re

_LINK = re.compile(r"\[\[\s*([^\[\]|#\n]{1,200}?)\s*(?:[|#][^\[\]\n]{0,200})?\]\]")
_ID = re.compile(
    r"(?<![\w-])[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}(?![\w-])",
    re.IGNORECASE,
)


def find_links(text: str) -> list[str]:
    """Return the keys, or ids, that a text links to, each once, in their order."""
    return list(dict.fromkeys(_LINK.findall(text)))


def find_references(text: str) -> list[str]:
    """Return the keys and ids that a text names: the links first, then ids outside of links."""
    ids = (found.lower() for found in _ID.findall(text))
    return list(dict.fromkeys((*find_links(text), *ids)))


def parse_sole_link(text: str) -> str | None:
    """Return the key of a text that is one link and nothing else, None for any other text."""
    found = _LINK.fullmatch(text.strip())
    return found[1] if found else None
