"""JSON settings of the form `{"hooks": {event: [group, …]}}`, which several agents have in common.

A group is an object whose `hooks` are the entries that run something. Groups of ours are found, put in
and taken out. All else stays byte for byte.
"""

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hooklore.agents.json_edit import Style, cut_out, insert_into, span_of, style_of
from hooklore.agents.json_settings import JsonSettings
from hooklore.agents.json_text import Child, Container, container, is_blank, root
from hooklore.agents.registration import Insertion
from hooklore.errors import SettingsError

Group = dict[str, Any]
"""One element of an event's array: an optional matcher and its hooks."""

HOOKS = "hooks"


@dataclass(frozen=True, slots=True)
class _Found:
    """One hook of ours, and its containers from the outside: root, hooks, event, group, list."""

    nest: tuple[tuple[Container, int], ...]
    event: str
    group: Group
    counts: bool


@dataclass(frozen=True, slots=True)
class HookSettings(JsonSettings):
    """A `SettingsFormat` for this form. `is_ours` recognises an entry of ours."""

    is_ours: Callable[[object], bool]
    consequence: str
    allows_comments: bool = False

    def registered(self, text: str) -> list[tuple[str, Group]]:
        """Return (event, group) of each hook of ours; the event is "" where a later key hides the hook."""
        if is_blank(text):
            return []
        found = _find(text, self.is_ours)
        return [(each.event if each.counts else "", each.group) for each in found]

    def present(self, text: str) -> frozenset[str]:
        """Return the containers of our groups that the text has already: `hooks`, and names of events."""
        hooks = None if is_blank(text) else root(text).last(HOOKS)
        if hooks is None or not isinstance(hooks.value, dict):
            return frozenset()
        return frozenset({HOOKS, *hooks.value})

    def add(self, text: str, wanted: Mapping[str, Group], path: str) -> list[Insertion]:
        """Return the insertions that register `wanted` in a text without hooks of ours, in ascending order."""
        if is_blank(text):
            whole = json.dumps({HOOKS: _arrays(wanted)}, indent=2, ensure_ascii=False)
            return [Insertion(0, whole if "\n" in text else whole + "\n")]
        self.check(text, path)
        style, top = style_of(text), root(text)
        hooks = top.last(HOOKS)
        if hooks is None:
            return [insert_into(text, top, style, {HOOKS: _arrays(wanted)})]
        if not isinstance(hooks.value, dict):
            raise SettingsError(path, '"hooks" must be an object')
        return _add_events(text, container(text, hooks.value_start), style, wanted, path)

    def remove(self, text: str, keep: Collection[str] = ()) -> str:
        """Return a checked text without our hooks and without what they leave empty, except `keep`.

        `keep` names the containers that the file had before the hooks (see `present`).
        """
        while not is_blank(text):
            found = next(_find(text, self.is_ours), None)
            if found is None:
                break
            text = cut_out(text, *_cut(found, keep))
        return text


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
            insertions.append(insert_into(text, container(text, member.value_start), style, [each]))
        else:
            raise SettingsError(path, f'"hooks.{event}" must be an array')
    if missing:
        insertions.append(insert_into(text, hooks, style, _arrays(missing)))
    return sorted(insertions, key=lambda each: each.at)


def _arrays(wanted: Mapping[str, Group]) -> dict[str, list[Group]]:
    return {event: [each] for event, each in wanted.items()}


def _find(text: str, is_ours: Callable[[object], bool]) -> Iterator[_Found]:
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
                entries = _find_in_group(text, group, nest, is_ours)
                yield from (_Found(e, event.key or "", group.value, counts) for e in entries)


def _find_in_group(
    text: str,
    group: Child,
    nest: tuple[tuple[Container, int], ...],
    is_ours: Callable[[object], bool],
) -> Iterator[tuple[tuple[Container, int], ...]]:
    """Yield the nest of each hook of ours in a group."""
    for _, member in _members(container(text, group.value_start), list):
        if member.key != HOOKS:
            continue
        entries = container(text, member.value_start)
        for index, entry in enumerate(entries.children):
            if is_ours(entry.value):
                yield (*nest, (entries, index))


def _members(parent: Container, kind: type) -> Iterator[tuple[int, Child]]:
    """Yield the children whose value is of that kind. Others are stepped over, not judged."""
    return ((i, each) for i, each in enumerate(parent.children) if isinstance(each.value, kind))


def _cut(found: _Found, keep: Collection[str]) -> tuple[int, int]:
    """Return the span to take out: the hook, or the outermost container that it would leave empty."""
    names = (HOOKS, found.event, None)
    depth = len(found.nest) - 1
    while depth and len(found.nest[depth][0].children) == 1 and names[depth - 1] not in keep:
        depth -= 1
    return span_of(*found.nest[depth])
