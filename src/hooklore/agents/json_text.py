"""A JSON text and the place of everything in it, so that the text can be edited without a rewrite.

Parsing is strict: trailing commas, NaN and control characters are errors, and comments where the client
takes none. A byte order mark, repeated keys (the last counts) and bytes that are not UTF-8 are accepted.
"""

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NoReturn

from hooklore.errors import SettingsError

EACH = "*"
"""The step of a way that leads to every child of an object or an array."""

_BLANK = " \t\r\n"
_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\r\n]*|/\*.*?\*/', re.DOTALL)
"""A string or a comment: whichever begins first is not part of the other."""

_INK = re.compile(r"[^\r\n]")


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)


_DECODER = json.JSONDecoder(
    # Python would refuse to convert thousands of digits.
    parse_int=lambda digits: int(digits) if len(digits) < 19 else digits,
    parse_constant=_refuse_constant,
)


@dataclass(frozen=True, eq=False)
class Node:
    """A value in a text without comments, and its place. `start` is that of its key, where it has one."""

    text: str = field(repr=False)
    value: Any
    start: int
    end: int
    value_start: int
    key: str | None = None
    key_end: int = 0
    parent: "Node | None" = field(default=None, repr=False)

    @cached_property
    def children(self) -> tuple["Node", ...]:
        """The members of an object, or the elements of an array."""
        found: list[Node] = []
        if not isinstance(self.value, dict | list):
            return ()
        at = _skip(self.text, self.value_start + 1)
        while self.text[at] not in "}]":
            found.append(self._child(at))
            at = _skip(self.text, found[-1].end)
            if self.text[at] == ",":
                at = _skip(self.text, at + 1)
        return tuple(found)

    def _child(self, start: int) -> "Node":
        key, key_end, at = None, start, start
        if isinstance(self.value, dict):
            key, key_end = _DECODER.raw_decode(self.text, start)
            at = _skip(self.text, _skip(self.text, key_end) + 1)
        value, end = _DECODER.raw_decode(self.text, at)
        return Node(self.text, value, start, end, at, key, key_end, self)

    @property
    def counts(self) -> bool:
        """Return whether no later key of the same name hides the value."""
        above = self.parent
        if above is None:
            return True
        return above.counts and (self.key is None or above.last(self.key) is self)

    @property
    def name(self) -> str:
        """The keys of the value from the outside, with dots between."""
        outer = self.parent.name if self.parent else ""
        return ".".join(filter(None, (outer, self.key)))

    def last(self, key: str) -> "Node | None":
        """Return the member of that name that counts: of repeated keys the last."""
        return next((each for each in reversed(self.children) if each.key == key), None)

    def above(self, steps: int) -> "Node":
        """Return the object or array that holds the value, so many steps outside."""
        assert self.parent is not None
        return self.parent if steps == 1 else self.parent.above(steps - 1)

    def at(self, way: tuple[str, ...]) -> "Node | None":
        """Return the value at the end of a way of keys that counts, None without one."""
        found: Node | None = self
        for key in way:
            found = found.last(key) if found else None
        return found

    def find(self, way: tuple[str, ...]) -> Iterator["Node"]:
        """Yield the values at the end of a way of keys, those that repeated keys hide, too."""
        if not way:
            yield self
            return
        for child in self.children:
            if way[0] in (EACH, child.key):
                yield from child.find(way[1:])

    def span(self, keep: Collection[str] = ()) -> tuple[int, int]:
        """Return the span of the value with its comma and the blanks on one side.

        That is the span of the outermost object or array that would be left empty, except those whose key or
        name is in `keep`.
        """
        outer = self.above(1)
        children = outer.children
        if len(children) > 1:
            index = children.index(self)
            if index:
                return children[index - 1].end, self.end
            return self.start, children[1].start
        if outer.parent is None or outer.key in keep or outer.name in keep:
            return outer.value_start + 1, outer.end - 1
        return outer.span(keep)


def is_blank(text: str) -> bool:
    """Return whether there is no JSON in the text at all."""
    return not text.strip(_BLANK)


def blank_comments(text: str) -> str:
    """Return the text with blanks in place of its comments: all else stays where it is."""
    if "//" not in text and "/*" not in text:
        return text
    return _TOKEN.sub(
        lambda found: _INK.sub(" ", found[0]) if _is_comment(found) else found[0], text
    )


def comments(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return the spans of the comments between two offsets of a text."""
    found = (each for each in _TOKEN.finditer(text) if _is_comment(each))
    return [each.span() for each in found if start <= each.start() and each.end() <= end]


def _is_comment(found: re.Match[str]) -> bool:
    return found[0].startswith("/")


def check(text: str, path: str, consequence: str) -> None:
    """Raise SettingsError, with line, column and `consequence`, unless this text is a JSON object."""
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise SettingsError(path, f"{_cause(text, error)}; {consequence}") from None
    except ValueError as error:
        raise SettingsError(path, f"`{error}` is not JSON") from None
    except RecursionError:
        raise SettingsError(path, "it is nested too deeply") from None
    if not isinstance(value, dict):
        raise SettingsError(path, "it does not hold a JSON object")


def _cause(text: str, error: json.JSONDecodeError) -> str:
    """Return place and cause. A comment is named: it is the commonest cause and looks harmless."""
    at = error.pos if error.msg.startswith("Invalid") else _skip(text, error.pos)
    line = text.count("\n", 0, at) + 1
    column = at - text.rfind("\n", 0, at)
    comment = text.startswith(("//", "/*"), at)
    why = "a comment" if comment else error.msg[:1].lower() + error.msg[1:].removesuffix(" at")
    return f"line {line} column {column}: {why}"


def root(text: str) -> Node:
    """Return the top-level object of a text that passed `check`, of a blank text an empty one."""
    text = "{}" if is_blank(text) else blank_comments(text)
    at = _skip(text, 0)
    value, end = _DECODER.raw_decode(text, at)
    return Node(text, value, at, end, at)


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in _BLANK:
        at += 1
    return at
