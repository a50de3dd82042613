"""Settings of an agent in JSON: hooks, MCP servers and permission rules are found, put in and taken out.

All else stays byte for byte, with comments where the client takes them.
"""

import json
from abc import abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from hooklore.agents.json_edit import cut_out, insert_at
from hooklore.agents.json_text import EACH, Node, blank_comments, check, is_blank, root
from hooklore.agents.program_name import PROGRAM
from hooklore.agents.registration import (
    SERVER_NAME,
    Entry,
    Insertion,
    SettingsFormat,
    is_server_command,
)
from hooklore.errors import SettingsError

HOOKS = "hooks"


@dataclass(frozen=True, slots=True)
class JsonSettings(SettingsFormat):
    """The part of a `SettingsFormat` that every form of JSON settings has.

    `consequence` says what the client does with a file that is not JSON, `allows_comments` that the client
    takes comments in it.
    """

    consequence: str
    allows_comments: bool = False

    def check(self, text: str, path: str) -> None:
        """Raise SettingsError unless the client would read this text."""
        check(blank_comments(text) if self.allows_comments else text, path, self.consequence)

    def read(self, text: str) -> Mapping[str, Any]:
        """Return the settings of a checked text. Numbers become floats, however many digits they have."""
        plain = "{}" if is_blank(text) else blank_comments(text)
        document: Mapping[str, Any] = json.loads(plain, parse_int=float)
        return document

    def is_empty(self, text: str) -> bool:
        """Return whether a checked text holds no setting."""
        return not root(text).children

    def remove(self, text: str, keep: Collection[str] = ()) -> str:
        """Return a checked text without our entries and without what they leave empty, except `keep`."""
        while found := next(self._find(text), None):
            text = cut_out(text, *self._outermost(found).span(keep))
        return text

    @abstractmethod
    def _find(self, text: str) -> Iterator[Node]:
        """Yield the entries of ours."""

    def _outermost(self, entry: Node) -> Node:
        """Return the value that goes with an entry of ours."""
        return entry

    def _add(self, text: str, way: tuple[str, ...], new: Any, path: str) -> Insertion:
        kind = "an array" if isinstance(new, list) else "an object"
        return insert_at(text, way, new, SettingsError(path, f'"{".".join(way)}" must be {kind}'))


@dataclass(frozen=True, slots=True)
class HookSettings(JsonSettings):
    """The form `{"hooks": {event: [group, …]}}`: a group's own `hooks` run something.

    `is_ours` recognises a hook of ours.
    """

    is_ours: Callable[[object], bool] = lambda _hook: False

    def registered(self, text: str) -> list[tuple[str, Entry]]:
        """Return (event, group) of each hook of ours; the event is "" where a later key hides the hook."""
        groups = [(each.counts, each.above(2)) for each in self._find(text)]
        return [(g.above(1).key or "" if counts else "", g.value) for counts, g in groups]

    def present(self, text: str) -> frozenset[str]:
        """Return the containers of our groups that the text has already: `hooks`, and names of events."""
        hooks = _value_at(text, (HOOKS,))
        return frozenset({HOOKS, *hooks}) if isinstance(hooks, dict) else frozenset()

    def add(self, text: str, wanted: Mapping[str, Entry], path: str) -> list[Insertion]:
        """Return the insertions that register `wanted` in a text without hooks of ours, in ascending order."""
        if not is_blank(text):
            self.check(text, path)
        there = self.present(text)
        insertions = [
            self._add(text, (HOOKS, event), [each], path)
            for event, each in wanted.items()
            if event in there
        ]
        missing = {event: [each] for event, each in wanted.items() if event not in there}
        insertions += [self._add(text, (HOOKS,), missing, path)] if missing else []
        return sorted(insertions, key=lambda each: each.at)

    def _find(self, text: str) -> Iterator[Node]:
        found = root(text).find((HOOKS, EACH, EACH, HOOKS, EACH))
        ours = (each for each in found if self.is_ours(each.value))
        return (e for e in ours if isinstance(e.above(3).value, list) and e.key is None)

    def _outermost(self, entry: Node) -> Node:
        """Return the hook, or its group where the group has no other hook."""
        return entry if len(entry.above(1).children) > 1 else entry.above(2)


@dataclass(frozen=True, slots=True)
class ServerSettings(JsonSettings):
    """The form `{"mcpServers": {name: server}}`. `install` is the command that registers us with this agent."""

    install: str = "hooks install"
    key: str = "mcpServers"

    def registered(self, text: str) -> list[tuple[str, Entry]]:
        """Return (name, server) of each server of ours."""
        return [(each.key or "", each.value) for each in self._find(text)]

    def present(self, text: str) -> frozenset[str]:
        """Return the container of our server that the text has already."""
        return _present(text, (self.key,))

    def add(self, text: str, wanted: Mapping[str, Entry], path: str) -> list[Insertion]:
        """Return the insertion that registers `wanted` in a text without a server of ours."""
        if not is_blank(text):
            self.check(text, path)
        if _value_at(text, (self.key, SERVER_NAME)) is not None:
            raise server_taken(path, self.install)
        return [self._add(text, (self.key,), wanted, path)]

    def _find(self, text: str) -> Iterator[Node]:
        servers = root(text).last(self.key)
        children = servers.children if servers and isinstance(servers.value, dict) else ()
        return (each for each in children if is_our_server(each.value))


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
        found = _value_at(text, self.way)
        allowed = found if isinstance(found, list) else ()
        return tuple(rule for rule in self.rules if rule not in allowed)

    def present(self, text: str) -> frozenset[str]:
        """Return the containers of the rules that a checked text has already."""
        return _present(text, self.way)

    def add(self, text: str, rules: Collection[str], path: str) -> list[Insertion]:
        """Return the insertion of `rules` into a checked text. Raise SettingsError."""
        cause = f'"{self.way[0]}" must be an object and "{".".join(self.way)}" an array'
        fix = "correct the file, or run `hooks install --no-permissions`"
        return [insert_at(text, self.way, list(rules), SettingsError(path, cause, fix=fix))]

    def remove(self, text: str, rules: Collection[str], keep: Collection[str]) -> str:
        """Return a checked text without `rules`, each once, and without emptied containers, except `keep`."""
        for rule in rules:
            listed = root(text).at(self.way)
            ours = [e for e in listed.children if e.value == rule] if listed is not None else []
            if ours and ours[-1].key is None:
                text = cut_out(text, *ours[-1].span(keep))
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


def _value_at(text: str, way: tuple[str, ...]) -> Any:
    """Return the value at the end of a way of keys, None for none."""
    found = root(text).at(way)
    return found.value if found else None


def _present(text: str, way: tuple[str, ...]) -> frozenset[str]:
    """Return the objects and arrays on a way of keys that a text has already, by their names."""
    top, ways = root(text), (way[:end] for end in range(1, len(way) + 1))
    return frozenset(".".join(each) for each in ways if top.at(each) is not None)
