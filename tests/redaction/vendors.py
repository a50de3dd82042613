"""Tokens with their vendor's mark: each row of `vendors.toml`, drawn from its pattern, in what carries them."""

import tomllib
from collections.abc import Iterator
from importlib import import_module, resources
from typing import Any

from tests.redaction.draw import ALNUM, Draw

parsed, parser = import_module("re._constants"), import_module("re._parser")

_CARRIERS = (
    "{}",
    "use {} for that",
    '{{"value": "{}"}}',
    "https://h.example/x?a={}&b=1",
    "export X='{}'",
)
_MOST = 8
"""How many more characters than a pattern asks for are drawn."""


def rows() -> list[dict[str, Any]]:
    """The rows that come with hooklore."""
    text = resources.files("hooklore.redaction.rules").joinpath("vendors.toml").read_text("utf-8")
    found: list[dict[str, Any]] = tomllib.loads(text)["rules"]
    return found


def vendor_cases() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """(label, text, secrets): each row in each carrier, with other tokens."""
    for row in rows():
        for number, carrier in enumerate(_CARRIERS):
            token = drawn(row["regex"], Draw(f"{row['id']} {number}"))
            yield f"vendor/{row['id']}", carrier.format(token), (token,)


def drawn(pattern: str, draw: Draw) -> str:
    """A text that a pattern matches, its classes filled as programs fill them."""
    return "".join(_pieces(parser.parse(pattern), draw))


def _pieces(sequence: Any, draw: Draw) -> Iterator[str]:
    for kind, value in sequence:
        if kind is parsed.LITERAL:
            yield chr(value)
        elif kind is parsed.IN:
            yield draw.pick(_characters(value))
        elif kind is parsed.SUBPATTERN:
            yield from _pieces(value[-1], draw)
        elif kind is parsed.BRANCH:
            yield from _pieces(draw.pick(value[1]), draw)
        elif kind is parsed.MAX_REPEAT:
            least, most, inner = value
            for _ in range(draw.number(least, min(most, least + _MOST))):
                yield from _pieces(inner, draw)


def _characters(members: Any) -> str:
    """The letters and digits of a class, else its signs."""
    found = ""
    for kind, value in members:
        if kind is parsed.LITERAL:
            found += chr(value)
        elif kind is parsed.RANGE:
            found += "".join(map(chr, range(value[0], value[1] + 1)))
        elif kind is parsed.CATEGORY:
            found += "0123456789" if value is parsed.CATEGORY_DIGIT else ALNUM
        elif kind is parsed.NEGATE:
            return ALNUM
    return "".join(filter(str.isalnum, found)) or found
