"""Our groups in the text of a settings file: found, put in, taken out. All else stays byte for byte."""

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hooklore.cli.install.json_text import Child, Container, check, container, is_blank, root
from hooklore.cli.install.registration import Group, is_ours
from hooklore.errors import SettingsError

HOOKS = "hooks"


@dataclass(frozen=True, slots=True)
class Insertion:
    """Text to put in at an offset of the text before, in characters."""

    at: int
    text: str


@dataclass(frozen=True, slots=True)
class Style:
    """How the file is written: line end, one step of indentation, colon; `inline` on one line."""

    newline: str
    unit: str
    colon: str
    inline: bool

    @property
    def comma(self) -> str:
        """Between two things on one line."""
        return ", " if self.colon.endswith(" ") else ","


@dataclass(frozen=True, slots=True)
class _Found:
    """One hook of ours, and what it stands in, from the outside: root, hooks, event, group, list."""

    nest: tuple[tuple[Container, int], ...]
    event: str
    group: Group
    counts: bool


def registered(text: str) -> list[tuple[str, Group]]:
    """(event, group) of each hook of ours in a checked text; event "" where a later key hides it."""
    if is_blank(text):
        return []
    return [(each.event if each.counts else "", each.group) for each in _find(text)]


def is_registered(text: str, wanted: Mapping[str, Group]) -> bool:
    """Whether the text already holds exactly these groups, each once."""
    found = registered(text)
    return len(found) == len(wanted) and dict(found) == dict(wanted)


def present(text: str) -> frozenset[str]:
    """Which of the containers that we fill the file has already: `hooks`, and names of events."""
    hooks = None if is_blank(text) else root(text).last(HOOKS)
    if hooks is None or not isinstance(hooks.value, dict):
        return frozenset()
    return frozenset({HOOKS, *hooks.value})


def add(text: str, wanted: Mapping[str, Group], path: str) -> list[Insertion]:
    """What to put into a text that holds nothing of ours, in ascending order of place."""
    if is_blank(text):
        whole = json.dumps({HOOKS: _arrays(wanted)}, indent=2, ensure_ascii=False)
        return [Insertion(0, whole if "\n" in text else whole + "\n")]
    check(text, path)
    style, top = _style(text), root(text)
    hooks = top.last(HOOKS)
    if hooks is None:
        return [_into(text, top, style, {HOOKS: _arrays(wanted)})]
    if not isinstance(hooks.value, dict):
        raise SettingsError(path, '"hooks" must be an object')
    return _add_events(text, container(text, hooks.value_start), style, wanted, path)


def _add_events(
    text: str, hooks: Container, style: Style, wanted: Mapping[str, Group], path: str
) -> list[Insertion]:
    insertions: list[Insertion] = []
    missing: dict[str, Group] = {}
    for event, each in wanted.items():
        member = hooks.last(event)
        if member is None:
            missing[event] = each
        elif isinstance(member.value, list):
            insertions.append(_into(text, container(text, member.value_start), style, [each]))
        else:
            raise SettingsError(path, f'"hooks.{event}" must be an array')
    if missing:
        insertions.append(_into(text, hooks, style, _arrays(missing)))
    return sorted(insertions, key=lambda each: each.at)


def _arrays(wanted: Mapping[str, Group]) -> dict[str, list[Group]]:
    return {event: [each] for event, each in wanted.items()}


def apply(text: str, insertions: list[Insertion]) -> str:
    """The text with all of them put in."""
    pieces, at = [], 0
    for each in insertions:
        pieces += [text[at : each.at], each.text]
        at = each.at
    return "".join([*pieces, text[at:]])


def remove(text: str, keep: Collection[str] = ()) -> str:
    """A checked text without our hooks, and without what is left empty by that, except `keep`.

    `keep` names what the file had before us (see `present`).
    """
    while not is_blank(text):
        found = next(_find(text), None)
        if found is None:
            break
        start, end = _cut(found, keep)
        text = text[:start] + text[end:]
    return text


def _find(text: str) -> Iterator[_Found]:
    top = root(text)
    for i, hooks in _members(top, dict):
        if hooks.key != HOOKS:
            continue
        events = container(text, hooks.value_start)
        for j, event in _members(events, list):
            counts = hooks is top.last(HOOKS) and event is events.last(event.key or "")
            array = container(text, event.value_start)
            for k, group in _members(array, dict):
                nest = ((top, i), (events, j), (array, k))
                yield from _find_in_group(text, group, nest, event.key or "", counts=counts)


def _find_in_group(
    text: str, group: Child, nest: tuple[tuple[Container, int], ...], event: str, *, counts: bool
) -> Iterator[_Found]:
    for _, member in _members(container(text, group.value_start), list):
        if member.key != HOOKS:
            continue
        entries = container(text, member.value_start)
        for index, entry in enumerate(entries.children):
            if is_ours(entry.value):
                yield _Found((*nest, (entries, index)), event, group.value, counts)


def _members(parent: Container, kind: type) -> Iterator[tuple[int, Child]]:
    """The children whose value is of that kind: foreign nonsense is stepped over, not judged."""
    return ((i, each) for i, each in enumerate(parent.children) if isinstance(each.value, kind))


def _cut(found: _Found, keep: Collection[str]) -> tuple[int, int]:
    """The span to take out: the hook, or the outermost thing that would be empty without it."""
    names = (HOOKS, found.event, None)
    depth = len(found.nest) - 1
    while depth and len(found.nest[depth][0].children) == 1 and names[depth - 1] not in keep:
        depth -= 1
    return _span(*found.nest[depth])


def _span(parent: Container, index: int) -> tuple[int, int]:
    """What goes with one child: the comma and the blanks on one side of it."""
    children = parent.children
    if len(children) == 1:
        return parent.open + 1, parent.close
    if index:
        return children[index - 1].end, children[index].end
    return children[0].start, children[1].start


def _style(text: str) -> Style:
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


def _into(
    text: str, parent: Container, style: Style, new: Mapping[str, Any] | list[Any]
) -> Insertion:
    """Put members or elements at the end of a container, written as its last child is."""
    if not parent.children:
        return Insertion(parent.open + 1, _fill(text, parent, style, new))
    last = parent.children[-1]
    lead = text[_gap_start(text, last.start) : last.start]
    if "\n" not in lead:
        return Insertion(last.end, style.comma + style.comma.join(_inline(new, style)))
    gap = style.newline + _after_last_line(lead)
    return Insertion(last.end, "".join(f",{gap}{each}" for each in _lines(new, style, gap)))


def _fill(text: str, parent: Container, style: Style, new: Mapping[str, Any] | list[Any]) -> str:
    """The inside of a container that was empty; blanks that stood in it stay behind it."""
    if style.inline:
        return style.comma.join(_inline(new, style))
    line = text[text.rfind("\n", 0, parent.open) + 1 : parent.open]
    outer = style.newline + line[: len(line) - len(line.lstrip(" \t"))]
    gap = outer + style.unit
    end = "" if "\n" in text[parent.open : parent.close] else outer
    return gap + f",{gap}".join(_lines(new, style, gap)) + end


def _lines(new: Mapping[str, Any] | list[Any], style: Style, gap: str) -> list[str]:
    """Each on lines of its own; `gap` is a line end and the indentation that they start with."""

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
