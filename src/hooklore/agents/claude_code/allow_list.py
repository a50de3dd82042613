"""The permission rules in a settings file: those of ours are put into `permissions.allow`, and taken out again."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from hooklore.agents.json_edit import insert_into, span_of, style_of
from hooklore.agents.json_text import Child, Container, container, is_blank, root
from hooklore.agents.program_name import PROGRAM
from hooklore.agents.registration import SERVER_NAME, Insertion
from hooklore.errors import SettingsError

_PERMISSIONS = "permissions"
_ALLOW = "allow"
_ALLOW_PATH = f"{_PERMISSIONS}.{_ALLOW}"
_COMMAND = f"Bash({PROGRAM} "
_SERVER_TOOLS = f"mcp__{SERVER_NAME}__"


@dataclass(frozen=True, slots=True)
class AllowList:
    """The `PermissionRules` of this client. A rule that the user has already is left as it is."""

    rules: tuple[str, ...]

    def for_programs(self, *programs: str) -> "AllowList":
        """Return the rules with each command under the names of `programs`."""
        named = (
            rule.replace(_COMMAND, f"Bash({program} ", 1)
            for program in programs
            for rule in self.rules
        )
        return AllowList(tuple(dict.fromkeys(named)))

    def without_server(self) -> "AllowList":
        """Return the rules but for those of the server's tools: another server might take its name."""
        return AllowList(tuple(rule for rule in self.rules if not rule.startswith(_SERVER_TOOLS)))

    def missing(self, text: str) -> tuple[str, ...]:
        """Return those of the rules that a checked text does not hold."""
        allowed = self._allowed(text)
        return tuple(rule for rule in self.rules if rule not in allowed)

    def present(self, text: str) -> frozenset[str]:
        """Return the containers of the rules that a checked text has already."""
        permissions = _member(text, None, _PERMISSIONS)
        allow = _member(text, permissions, _ALLOW)
        found = {_PERMISSIONS: permissions, _ALLOW_PATH: allow}
        return frozenset(name for name, child in found.items() if child is not None)

    def add(self, text: str, rules: Collection[str], path: str) -> list[Insertion]:
        """Return the insertion of `rules` into a checked text. Raise SettingsError."""
        style, new = style_of(text), list(rules)
        permissions = _member(text, None, _PERMISSIONS)
        if permissions is None:
            return [insert_into(text, root(text), style, {_PERMISSIONS: {_ALLOW: new}})]
        inside = _inside(text, permissions, dict, path)
        allow = _member(text, permissions, _ALLOW)
        if allow is None:
            return [insert_into(text, inside, style, {_ALLOW: new})]
        return [insert_into(text, _inside(text, allow, list, path), style, new)]

    def remove(self, text: str, rules: Collection[str], keep: Collection[str]) -> str:
        """Return a checked text without `rules`, each once, and without emptied containers, except `keep`."""
        for rule in rules:
            cut = _cut(text, rule, keep)
            if cut is not None:
                text = text[: cut[0]] + text[cut[1] :]
        return text

    def _allowed(self, text: str) -> list[Any]:
        permissions = None if is_blank(text) else _member(text, None, _PERMISSIONS)
        allow = _member(text, permissions, _ALLOW) if permissions is not None else None
        return allow.value if allow is not None and isinstance(allow.value, list) else []


def _member(text: str, parent: Child | None, name: str) -> Child | None:
    """Return the member of that name that counts: of the whole text, or of an object in it."""
    if is_blank(text):
        return None
    if parent is None:
        return root(text).last(name) if name == _PERMISSIONS else None
    if not isinstance(parent.value, dict):
        return None
    return container(text, parent.value_start).last(name)


def _inside(text: str, child: Child, kind: type, path: str) -> Container:
    """Return the container that a member's value is. Raise SettingsError for another value."""
    if not isinstance(child.value, kind):
        raise SettingsError(
            path,
            f'"{_PERMISSIONS}" must be an object and "{_ALLOW_PATH}" an array',
            fix="correct the file, or run `hooks install --no-permissions`",
        )
    return container(text, child.value_start)


def _cut(text: str, rule: str, keep: Collection[str]) -> tuple[int, int] | None:
    """Return the span of the last such rule, or of the outermost container that it would leave empty."""
    permissions = _member(text, None, _PERMISSIONS)
    allow = _member(text, permissions, _ALLOW)
    if permissions is None or allow is None or not isinstance(allow.value, list):
        return None
    array = container(text, allow.value_start)
    places = [index for index, each in enumerate(array.children) if each.value == rule]
    if not places:
        return None
    if len(array.children) > 1 or _ALLOW_PATH in keep:
        return span_of(array, places[-1])
    inside = container(text, permissions.value_start)
    if len(inside.children) > 1 or _PERMISSIONS in keep:
        return span_of(inside, inside.children.index(allow))
    top = root(text)
    return span_of(top, top.children.index(permissions))
