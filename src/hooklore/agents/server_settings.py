"""JSON settings of the form `{"mcpServers": {name: server}}`, which several agents have in common.

The server of ours is found by its command, put in and taken out. All else stays byte for byte.
"""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from hooklore.agents.json_edit import cut_out, insert_into, span_of, style_of
from hooklore.agents.json_settings import JsonSettings
from hooklore.agents.json_text import Child, container, is_blank, root
from hooklore.agents.registration import SERVER_NAME, Insertion, is_server_command
from hooklore.errors import SettingsError

_SERVERS = "mcpServers"


@dataclass(frozen=True, slots=True)
class ServerSettings(JsonSettings):
    """A `SettingsFormat` for this form. `install` is the command that registers us with this agent."""

    consequence: str
    allows_comments: bool = False
    install: str = "hooks install"

    def registered(self, text: str) -> list[tuple[str, Any]]:
        """Return (name, server) of each server of ours."""
        children = _servers(text)
        return [(each.key or "", each.value) for each in children if is_our_server(each.value)]

    def present(self, text: str) -> frozenset[str]:
        """Return the containers of our server that the text has already."""
        found = None if is_blank(text) else root(text).last(_SERVERS)
        return frozenset() if found is None else frozenset({_SERVERS})

    def add(self, text: str, wanted: Mapping[str, Any], path: str) -> list[Insertion]:
        """Return the insertions that register `wanted` in a text without a server of ours."""
        if is_blank(text):
            whole = json.dumps({_SERVERS: wanted}, indent=2, ensure_ascii=False)
            return [Insertion(0, whole if "\n" in text else whole + "\n")]
        self.check(text, path)
        style, top = style_of(text), root(text)
        servers = top.last(_SERVERS)
        if servers is None:
            return [insert_into(text, top, style, {_SERVERS: wanted})]
        if not isinstance(servers.value, dict):
            raise SettingsError(path, f'"{_SERVERS}" must be an object')
        if SERVER_NAME in servers.value:
            raise server_taken(path, self.install)
        return [insert_into(text, container(text, servers.value_start), style, wanted)]

    def remove(self, text: str, keep: Collection[str] = ()) -> str:
        """Return a checked text without our servers and without what they leave empty, except `keep`."""
        while cut := _cut(text, keep):
            text = cut_out(text, *cut)
        return text


def server_taken(path: str, install: str) -> SettingsError:
    """Return the error for a file in which a server of the user's own has our name.

    `install` is the command that registers us with the agent.
    """
    return SettingsError(
        path,
        f"a server of another program is named `{SERVER_NAME}`",
        fix=f"rename that server, or run `{install} --no-server`",
    )


def _servers(text: str) -> tuple[Child, ...]:
    """Return the members of `mcpServers`: of repeated keys the last one's."""
    found = None if is_blank(text) else root(text).last(_SERVERS)
    if found is None or not isinstance(found.value, dict):
        return ()
    return container(text, found.value_start).children


def is_our_server(server: object) -> bool:
    """Return whether a server's settings run the launcher."""
    if not isinstance(server, dict) or not isinstance(server.get("command"), str):
        return False
    arguments = server.get("args")
    words = arguments if isinstance(arguments, list) else []
    return is_server_command([server["command"], *words])


def _cut(text: str, keep: Collection[str]) -> tuple[int, int] | None:
    """Return the span of the last server of ours, or of the member that it would leave empty."""
    places = [index for index, each in enumerate(_servers(text)) if is_our_server(each.value)]
    if not places:
        return None
    top = root(text)
    found = top.last(_SERVERS)
    if found is None:
        return None
    inside = container(text, found.value_start)
    if len(inside.children) > 1 or _SERVERS in keep:
        return span_of(inside, places[-1])
    return span_of(top, top.children.index(found))
