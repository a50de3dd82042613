"""Settings of an agent in JSON: hooks, MCP servers and permission rules are found, put in and taken out.

All else stays byte for byte, with comments where the client takes them.
"""

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from hooklore.agents import json_text
from hooklore.agents.json_edit import (
    EACH,
    Found,
    cut_out,
    find_values,
    insert_at,
    present_containers,
)
from hooklore.agents.json_text import blank_comments, is_blank, root
from hooklore.agents.program_name import PROGRAM
from hooklore.agents.registration import SERVER_NAME, Entry, Insertion, is_server_command
from hooklore.errors import SettingsError

HOOKS = "hooks"


@dataclass(frozen=True, slots=True)
class JsonSettings:
    """The part of a `SettingsFormat` that every form of JSON settings has.

    `consequence` says what the client does with a file that is not JSON, `allows_comments` that the client
    takes comments in it.
    """

    consequence: str
    allows_comments: bool = False

    def decode(self, raw: bytes, path: str) -> tuple[bytes, str]:
        """Return the byte order mark or b"", and the text. Raise SettingsError."""
        return json_text.decode(raw, path)

    def encode(self, text: str) -> bytes:
        """Return the bytes that `decode` came from."""
        return json_text.encode(text)

    def is_blank(self, text: str) -> bool:
        """Return whether the file says nothing at all."""
        return is_blank(text)

    def check(self, text: str, path: str) -> None:
        """Raise SettingsError unless the client would read this text."""
        json_text.check(text, path, self.consequence, allows_comments=self.allows_comments)

    def read(self, text: str) -> Mapping[str, Any]:
        """Return the settings of a checked text. Numbers become floats, however many digits they have."""
        plain = blank_comments(text)
        document: Mapping[str, Any] = {} if is_blank(text) else json.loads(plain, parse_int=float)
        return document

    def is_empty(self, text: str) -> bool:
        """Return whether a checked text holds no setting."""
        return not root(text).children

    def remove(self, text: str, keep: Collection[str] = ()) -> str:
        """Return a checked text without our entries and without what they leave empty, except `keep`."""
        while found := self._find(text):
            text = cut_out(text, *found[0].span(keep))
        return text

    def _check_filled(self, text: str, path: str) -> None:
        if not is_blank(text):
            self.check(text, path)

    def _find(self, text: str) -> list[Found]:
        """Return the entries of ours."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class HookSettings(JsonSettings):
    """The form `{"hooks": {event: [group, …]}}`: a group's own `hooks` run something.

    `is_ours` recognises a hook of ours.
    """

    is_ours: Callable[[object], bool] = lambda _hook: False

    def registered(self, text: str) -> list[tuple[str, Entry]]:
        """Return (event, group) of each hook of ours; the event is "" where a later key hides the hook."""
        found = self._find(text)
        return [(e.child(1).key or "" if e.counts else "", e.child(2).value) for e in found]

    def present(self, text: str) -> frozenset[str]:
        """Return the containers of our groups that the text has already: `hooks`, and names of events."""
        hooks = _counting(text, (HOOKS,))
        return frozenset({HOOKS, *hooks}) if hooks is not None else frozenset()

    def add(self, text: str, wanted: Mapping[str, Entry], path: str) -> list[Insertion]:
        """Return the insertions that register `wanted` in a text without hooks of ours, in ascending order."""
        self._check_filled(text, path)
        there = _counting(text, (HOOKS,)) or {}
        insertions = [
            insert_at(text, (HOOKS, event), [each], _wrong(path, f"{HOOKS}.{event}", "an array"))
            for event, each in wanted.items()
            if event in there
        ]
        missing = {event: [each] for event, each in wanted.items() if event not in there}
        if missing:
            insertions.append(insert_at(text, (HOOKS,), missing, _wrong(path, HOOKS, "an object")))
        return sorted(insertions, key=lambda each: each.at)

    def _find(self, text: str) -> list[Found]:
        """Return the hooks of ours. The group around a hook is no container of its own: it goes with the hook."""
        found = find_values(text, (HOOKS, EACH, EACH, HOOKS, EACH))
        ours = (each for each in found if self.is_ours(each.child(4).value))
        return [
            replace(each, nest=(*each.nest[:3], each.nest[4]))
            for each in ours
            if isinstance(each.child(1).value, list) and isinstance(each.child(3).value, list)
        ]


@dataclass(frozen=True, slots=True)
class ServerSettings(JsonSettings):
    """The form `{"mcpServers": {name: server}}`. `install` is the command that registers us with this agent."""

    install: str = "hooks install"
    key: str = "mcpServers"

    def registered(self, text: str) -> list[tuple[str, Entry]]:
        """Return (name, server) of each server of ours."""
        return [(each.child(1).key or "", each.child(1).value) for each in self._find(text)]

    def present(self, text: str) -> frozenset[str]:
        """Return the container of our server that the text has already."""
        return present_containers(text, (self.key,))

    def add(self, text: str, wanted: Mapping[str, Entry], path: str) -> list[Insertion]:
        """Return the insertion that registers `wanted` in a text without a server of ours."""
        self._check_filled(text, path)
        if SERVER_NAME in (_counting(text, (self.key,)) or {}):
            raise server_taken(path, self.install)
        return [insert_at(text, (self.key,), wanted, _wrong(path, self.key, "an object"))]

    def _find(self, text: str) -> list[Found]:
        found = find_values(text, (self.key, EACH))
        ours = (each for each in found if isinstance(each.child(0).value, dict))
        return [each for each in ours if each.nest[0][0].last(self.key) is each.child(0)
                and is_our_server(each.child(1).value)]  # fmt: skip


@dataclass(frozen=True, slots=True)
class PermissionList:
    """Rules in a settings file by which the client lets commands of ours run without a question.

    `way` are the keys to the list, `command` is the beginning of a rule for a command, `tools` that of one
    for a tool of our server. A rule that the user has already is left as it is.
    """

    rules: tuple[str, ...]
    way: tuple[str, str]
    command: str
    tools: str

    def for_programs(self, *programs: str) -> "PermissionList":
        """Return the rules for what a shell runs hooklore by, each as the shell takes it."""
        ours, theirs = self.command.format(PROGRAM), map(self.command.format, programs)
        named = (rule.replace(ours, each, 1) for each in theirs for rule in self.rules)
        return replace(self, rules=tuple(dict.fromkeys(named)))

    def without_server(self) -> "PermissionList":
        """Return the rules but for those of the server's tools: another server might take its name."""
        return replace(self, rules=tuple(r for r in self.rules if not r.startswith(self.tools)))

    def missing(self, text: str) -> tuple[str, ...]:
        """Return those of the rules that a checked text does not hold."""
        allowed = _counting(text, self.way) or ()
        return tuple(rule for rule in self.rules if rule not in allowed)

    def present(self, text: str) -> frozenset[str]:
        """Return the containers of the rules that a checked text has already."""
        return present_containers(text, self.way)

    def add(self, text: str, rules: Collection[str], path: str) -> list[Insertion]:
        """Return the insertion of `rules` into a checked text. Raise SettingsError."""
        cause = f'"{self.way[0]}" must be an object and "{".".join(self.way)}" an array'
        fix = "correct the file, or run `hooks install --no-permissions`"
        return [insert_at(text, self.way, list(rules), SettingsError(path, cause, fix=fix))]

    def remove(self, text: str, rules: Collection[str], keep: Collection[str]) -> str:
        """Return a checked text without `rules`, each once, and without emptied containers, except `keep`."""
        for rule in rules:
            found = [
                each
                for each in find_values(text, (*self.way, EACH))
                if each.counts and each.child(2).key is None and each.child(2).value == rule
            ]
            if found:
                text = cut_out(text, *found[-1].span(keep))
        return text


def server_taken(path: str, install: str) -> SettingsError:
    """Return the error for a file in which a server of the user's own has our name."""
    return SettingsError(
        path,
        f"a server of another program is named `{SERVER_NAME}`",
        fix=f"rename that server, or run `{install} --no-server`",
    )


def is_our_server(server: object) -> bool:
    """Return whether a server's settings run the launcher."""
    if not isinstance(server, dict) or not isinstance(server.get("command"), str):
        return False
    arguments = server.get("args")
    words = arguments if isinstance(arguments, list) else []
    return is_server_command([server["command"], *words])


def _counting(text: str, way: tuple[str, ...]) -> Any:
    """Return the object or array at the end of a way of keys, None for any other value."""
    found = next((each for each in find_values(text, way) if each.counts), None)
    value = found.child(len(way) - 1).value if found else None
    return value if isinstance(value, dict | list) else None


def _wrong(path: str, name: str, kind: str) -> SettingsError:
    return SettingsError(path, f'"{name}" must be {kind}')
