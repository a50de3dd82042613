"""Edits of a JSON text in its own style: members and elements are put in, or taken out with their comma.

Comments of the user's stay, those beside what is taken out too.
"""

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hooklore.agents.json_text import Child, Container, blank_comments, comments, container, root
from hooklore.agents.registration import Insertion

EACH = "*"
"""The step of a way that leads to every child of a container."""


@dataclass(frozen=True, slots=True)
class Style:
    """The style of a file: line end, one step of indentation, colon, and whether all is on one line."""

    newline: str
    unit: str
    colon: str
    inline: bool

    @property
    def comma(self) -> str:
        """The separator between two things on one line."""
        return ", " if self.colon.endswith(" ") else ","


@dataclass(frozen=True, slots=True)
class Found:
    """A value and the way to it: each container from the outside, with the place of its child.

    `counts` is false where a later key of the same name hides the value.
    """

    nest: tuple[tuple[Container, int], ...]
    counts: bool = True

    def child(self, depth: int) -> Child:
        """Return the child on the way at a depth."""
        parent, index = self.nest[depth]
        return parent.children[index]

    def span(self, keep: Collection[str] = ()) -> tuple[int, int]:
        """Return the span of the value, or of the outermost container that would be left empty, except `keep`.

        A container is kept by its key, or by its keys from the outside with dots between.
        """
        keys = [self.child(depth).key for depth in range(len(self.nest))]
        depth = len(self.nest) - 1
        while depth and len(self.nest[depth][0].children) == 1:
            if keys[depth - 1] in keep or ".".join(map(str, keys[:depth])) in keep:
                break
            depth -= 1
        parent, index = self.nest[depth]
        children = parent.children
        if len(children) == 1:
            return parent.open + 1, parent.close
        if index:
            return children[index - 1].end, children[index].end
        return children[0].start, children[1].start


def find_values(text: str, way: tuple[str, ...]) -> Iterator[Found]:
    """Yield the values at the end of a way of keys in a checked text, those that repeated keys hide, too."""
    if text.strip():
        yield from _find(text, root(text), way, Found(()))


def _find(text: str, parent: Container, way: tuple[str, ...], found: Found) -> Iterator[Found]:
    for index, child in enumerate(parent.children):
        if way[0] not in (EACH, child.key):
            continue
        counts = found.counts and (child.key is None or parent.last(child.key) is child)
        here = Found((*found.nest, (parent, index)), counts)
        if len(way) == 1:
            yield here
        elif isinstance(child.value, dict | list):
            yield from _find(text, container(text, child.value_start), way[1:], here)


def present_containers(text: str, way: tuple[str, ...]) -> frozenset[str]:
    """Return the containers on a way of keys that a text has already, each by its keys with dots between."""
    ends = range(1, len(way) + 1)
    return frozenset(
        ".".join(way[:end])
        for end in ends
        if any(each.counts for each in find_values(text, way[:end]))
    )


def insert_at(
    text: str, way: tuple[str, ...], new: Mapping[str, Any] | list[Any], error: Exception
) -> Insertion:
    """Return the insertion of members or elements into the container at the end of a way of keys.

    Containers that are not there are made. Raise `error` where another value stands in the place of one.
    """
    if not text.strip():
        whole = json.dumps(_nested(way, new), indent=2, ensure_ascii=False)
        return Insertion(0, whole if "\n" in text else whole + "\n")
    style, inside = style_of(text), root(text)
    for depth, key in enumerate(way, start=1):
        member = inside.last(key)
        if member is None:
            return insert_into(text, inside, style, {key: _nested(way[depth:], new)})
        kind = dict if depth < len(way) else type(new)
        if not isinstance(member.value, kind):
            raise error
        inside = container(text, member.value_start)
    return insert_into(text, inside, style, new)


def _nested(way: tuple[str, ...], new: Mapping[str, Any] | list[Any]) -> Any:
    return {way[0]: _nested(way[1:], new)} if way else new


def cut_out(text: str, start: int, end: int) -> str:
    """Return a checked text without the span between two offsets, except the comments in it."""
    found = comments(text, start, end)
    if not found:
        return text[:start] + text[end:]
    kept = "".join(text[_gap_start(text, each) : to] for each, to in found)
    if text[:start].endswith((" ", "\t", "\n")):
        kept = kept.lstrip()
    rest = text[found[-1][1] : end]
    if not rest.strip(" \t\r\n"):
        kept += rest
    elif text[found[-1][0] :].startswith("//") and not text[end:].startswith(("\r", "\n")):
        kept += style_of(text).newline
    return text[:start] + kept + text[end:]


def style_of(text: str) -> Style:
    """Return the style of a checked text, as its top-level object shows it."""
    text = blank_comments(text)
    top = root(text)
    first = top.children[0] if top.children else None
    colon = text[first.key_end : first.value_start] if first else ": "
    before = text[top.open + 1 : first.start] if first else ""
    return Style(
        newline="\r\n" if "\r\n" in text else "\n",
        unit=_after_last_line(before) if "\n" in before else "  ",
        colon=colon if "\n" not in colon else ": ",
        inline=first is not None and "\n" not in text[top.open : top.close],
    )


def insert_into(
    text: str, parent: Container, style: Style, new: Mapping[str, Any] | list[Any]
) -> Insertion:
    """Return the insertion of members or elements at the end of a container, styled as its last child."""
    text = blank_comments(text)
    if not parent.children:
        return Insertion(parent.open + 1, _fill(text, parent, style, new))
    last = parent.children[-1]
    lead = text[_gap_start(text, last.start) : last.start]
    if "\n" not in lead:
        return Insertion(last.end, style.comma + style.comma.join(_inline(new, style)))
    gap = style.newline + _after_last_line(lead)
    return Insertion(last.end, "".join(f",{gap}{each}" for each in _lines(new, style, gap)))


def _fill(text: str, parent: Container, style: Style, new: Mapping[str, Any] | list[Any]) -> str:
    """Return the inside of a container that was empty. Its blanks stay behind the new text."""
    if style.inline:
        return style.comma.join(_inline(new, style))
    line = text[text.rfind("\n", 0, parent.open) + 1 : parent.open]
    outer = style.newline + line[: len(line) - len(line.lstrip(" \t"))]
    gap = outer + style.unit
    end = "" if "\n" in text[parent.open : parent.close] else outer
    return gap + f",{gap}".join(_lines(new, style, gap)) + end


def _lines(new: Mapping[str, Any] | list[Any], style: Style, gap: str) -> list[str]:
    """Return each member on lines of its own. `gap` is a line end and the indentation after it."""

    def dump(value: object) -> str:
        separators = (",", style.colon)
        whole = json.dumps(value, indent=style.unit, separators=separators, ensure_ascii=False)
        return whole.replace("\n", gap)

    return _dumped(new, style, dump)


def _inline(new: Mapping[str, Any] | list[Any], style: Style) -> list[str]:
    separators = (style.comma, style.colon)
    return _dumped(
        new, style, lambda value: json.dumps(value, separators=separators, ensure_ascii=False)
    )


def _dumped(
    new: Mapping[str, Any] | list[Any], style: Style, dump: Callable[[object], str]
) -> list[str]:
    if isinstance(new, list):
        return [dump(value) for value in new]
    return [f"{json.dumps(key)}{style.colon}{dump(value)}" for key, value in new.items()]


def _gap_start(text: str, start: int) -> int:
    while text[start - 1] in " \t\r\n":
        start -= 1
    return start


def _after_last_line(blanks: str) -> str:
    return blanks[blanks.rfind("\n") + 1 :]
