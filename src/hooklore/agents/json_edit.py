"""Edits of a JSON text in its own style: members and elements are put in, or taken out with their comma.

Comments of the user's stay, those beside what is taken out too.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hooklore.agents.json_text import Node, comments, root
from hooklore.agents.registration import Insertion

New = Mapping[str, Any] | list[Any]
"""Members that are put into an object, or elements that are put into an array."""


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


def insert_at(text: str, way: tuple[str, ...], new: New, error: Exception) -> Insertion:
    """Return the insertion of members or elements at the end of a way of keys, in a checked text.

    Objects and arrays that are not there are made. Raise `error` where another value stands in the place of one.
    """
    if not text.strip():
        whole = json.dumps(_nested(way, new), indent=2, ensure_ascii=False)
        return Insertion(0, whole if "\n" in text else whole + "\n")
    style, inside = style_of(text), root(text)
    for depth, key in enumerate(way, start=1):
        member = inside.last(key)
        if member is None:
            return _insert_into(inside, style, {key: _nested(way[depth:], new)})
        if not isinstance(member.value, dict if depth < len(way) else type(new)):
            raise error
        inside = member
    return _insert_into(inside, style, new)


def _nested(way: tuple[str, ...], new: New) -> Any:
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
    top = root(text)
    inside, first = top.text[top.start : top.end], next(iter(top.children), None)
    colon = top.text[first.key_end : first.value_start] if first else ": "
    before = top.text[top.start : first.start] if first else ""
    return Style(
        newline="\r\n" if "\r\n" in top.text else "\n",
        unit=before.rpartition("\n")[2] if "\n" in before else "  ",
        colon=colon if "\n" not in colon else ": ",
        inline=first is not None and "\n" not in inside,
    )


def _insert_into(parent: Node, style: Style, new: New) -> Insertion:
    """Return the insertion at the end of an object or array, styled as its last child."""
    text = parent.text
    if not parent.children:
        return Insertion(parent.value_start + 1, _fill(parent, style, new))
    last = parent.children[-1]
    lead = text[_gap_start(text, last.start) : last.start]
    if "\n" not in lead:
        return Insertion(last.end, style.comma + style.comma.join(_dump(new, style)))
    gap = style.newline + lead.rpartition("\n")[2]
    return Insertion(last.end, "".join(f",{gap}{each}" for each in _dump(new, style, gap)))


def _fill(parent: Node, style: Style, new: New) -> str:
    """Return the inside of an object or array that was empty. Its blanks stay behind the new text."""
    if style.inline:
        return style.comma.join(_dump(new, style))
    line = parent.text[: parent.value_start].rpartition("\n")[2]
    outer = style.newline + line[: len(line) - len(line.lstrip(" \t"))]
    gap = outer + style.unit
    end = "" if "\n" in parent.text[parent.value_start : parent.end] else outer
    return gap + f",{gap}".join(_dump(new, style, gap)) + end


def _dump(new: New, style: Style, gap: str = "") -> list[str]:
    """Return each member or element, on one line, or on lines that begin with `gap`."""
    separators = ("," if gap else style.comma, style.colon)

    def dump(value: object) -> str:
        unit = style.unit if gap else None
        whole = json.dumps(value, indent=unit, separators=separators, ensure_ascii=False)
        return whole.replace("\n", gap) if gap else whole

    if isinstance(new, list):
        return [dump(value) for value in new]
    return [f"{json.dumps(key)}{style.colon}{dump(value)}" for key, value in new.items()]


def _gap_start(text: str, start: int) -> int:
    return len(text[:start].rstrip(" \t\r\n"))
