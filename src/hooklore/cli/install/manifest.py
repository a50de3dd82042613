"""The manifest: each file that `hooks install` changed, and how `hooks uninstall` undoes the change.

It holds places and lengths, never a copy of the user's text: a settings file may hold secrets.
"""

import hashlib
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from hooklore.agents.agent import Agent
from hooklore.agents.registry import DEFAULT_AGENT_ID, default_agent, find_agent
from hooklore.cli.install.files import read_regular, replace_file
from hooklore.cli.install.launcher import launcher_directory

Which = Literal["places", "servers"]
"""The list of a manifest: registrations of the hooks, or of the MCP server."""


class _Kept(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")


class Undo(_Kept):
    """The way from the bytes that an install wrote back to those that it found.

    `before` and `after` are SHA-256 in hex, `before` is None where there was no file. `spans` are
    (offset, length) in bytes of the insertions, ascending, counted in the file that was written.
    """

    before: str | None
    after: str
    spans: list[tuple[int, int]]

    def undo(self, raw: bytes) -> bytes | None:
        """Return the bytes before the install, None for no file. Raise ValueError for other bytes than written."""
        if digest(raw) != self.after:
            raise ValueError("edited since")
        for offset, length in reversed(self.spans):
            raw = raw[:offset] + raw[offset + length :]
        if self.before is None:
            return None
        if digest(raw) != self.before:
            raise ValueError("the manifest does not fit")
        return raw


class Place(_Kept):
    """One settings file that registers the hooks, or the MCP server, of one agent.

    `line` is its line in `in-settings`. `had` names the containers of our entries that the file had.
    `made` are the folders that were made for the file, outermost first. `rules` are the permission rules
    that the install added. `undo` is None where the file held our entries before the install. Of a file that
    no manifest names, `is_known` is false.
    """

    path: str
    line: str
    agent: str = DEFAULT_AGENT_ID
    had: list[str] = []
    made: list[str] = []
    rules: list[str] = []
    undo: Undo | None = None
    is_known: bool = Field(default=True, exclude=True)


class Command(_Kept):
    """The slash command among the user's own: its file, the file's SHA-256, the folders made for the file."""

    path: str
    after: str
    made: list[str] = []


class Link(_Kept):
    """The link in a folder of PATH to the launcher's program: its path, its target, the folders made for it."""

    path: str
    target: str
    made: list[str] = []


class Manifest(_Kept):
    """All places of all agents.

    `plugin` is set when the default agent's launcher was asked for by itself. `command` is the default
    agent's slash command, `commands` are those of other agents, by agent id. `servers` are the files that
    register the MCP server. `link` is the link by which shells find `hooklore`, where an install made one.
    """

    places: list[Place] = []
    servers: list[Place] = []
    plugin: bool = False
    command: Command | None = None
    commands: dict[str, Command] = {}
    link: Link | None = None

    @property
    def agents(self) -> tuple[str, ...]:
        """The ids of the agents that are registered, the default one first."""
        found = dict.fromkeys(place.agent for place in (*self.places, *self.servers))
        if self.plugin or DEFAULT_AGENT_ID in found:
            found = dict.fromkeys((DEFAULT_AGENT_ID, *found))
        return tuple(found)

    def place(self, which: Which, path: Path, agent_id: str, line: str = "") -> Place:
        """Return the place of an agent's hooks or server in a settings file; a new one where none is noted."""
        places: list[Place] = getattr(self, which)
        new = Place(path=str(path), line=line, agent=agent_id, is_known=False)
        return next((p for p in places if (p.path, p.agent) == (str(path), agent_id)), new)

    def with_place(self, which: Which, place: Place) -> "Manifest":
        """Return the manifest with this place instead of an older one of the same file."""
        others = getattr(self.without(which, Path(place.path), place.agent), which)
        return self.model_copy(update={which: [*others, place]})

    def without(self, which: Which, path: Path, agent_id: str) -> "Manifest":
        """Return the manifest without the place of an agent in that settings file."""
        places: list[Place] = getattr(self, which)
        kept = [each for each in places if (each.path, each.agent) != (str(path), agent_id)]
        return self.model_copy(update={which: kept})

    def command_of(self, agent_id: str) -> Command | None:
        """Return the slash command that was laid out for an agent."""
        return self.command if agent_id == DEFAULT_AGENT_ID else self.commands.get(agent_id)

    def with_command(self, agent_id: str, command: Command | None) -> "Manifest":
        """Return the manifest with this slash command for an agent, or without one."""
        if agent_id == DEFAULT_AGENT_ID:
            return self.model_copy(update={"command": command})
        others = {name: each for name, each in self.commands.items() if name != agent_id}
        named = {agent_id: command} if command else {}
        return self.model_copy(update={"commands": others | named})


def described_agents(manifest: Manifest) -> list[Agent]:
    """Return the registered agents that something installed describes; the default one without any."""
    found = [find_agent(name) for name in manifest.agents]
    return [agent for agent in found if agent is not None] or [default_agent()]


def digest(raw: bytes) -> str:
    """Return the SHA-256 of bytes, in hex."""
    return hashlib.sha256(raw).hexdigest()


def read_manifest(home: Path) -> Manifest:
    """Return the manifest; an empty one where none can be read: entries are known by the commands that they run."""
    try:
        return Manifest.model_validate_json(read_regular(_path(home)) or b"{}")
    except (ValidationError, OSError):
        return Manifest()


def is_damaged(home: Path) -> bool:
    """Return whether there is a manifest that nobody can read: what it named is known to nobody, then."""
    try:
        if raw := read_regular(_path(home)):
            Manifest.model_validate_json(raw)
    except (ValidationError, OSError):
        return True
    return raw == b""


def write_manifest(home: Path, manifest: Manifest) -> None:
    """Replace the manifest."""
    replace_file(_path(home), manifest.model_dump_json(indent=1).encode(), 0o600)


def _path(home: Path) -> Path:
    return launcher_directory(home) / "manifest.json"
