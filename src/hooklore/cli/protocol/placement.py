"""The protocol's text in the files of instructions of agents: planned, put in, taken out, and found."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from hooklore.agents.agent import Agent
from hooklore.agents.registration import Places, Scope
from hooklore.cli.install.edit import SettingsEdit, read, write
from hooklore.cli.install.manifest import read_manifest
from hooklore.cli.protocol.block import find_blocks, with_block, without_block
from hooklore.cli.protocol.text import VERSION, protocol_text
from hooklore.errors import InstallError, SettingsError

_USER = "user"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class PlacedProtocol:
    """A text of the protocol that a file of a scope holds, and the version of the rules that it is of."""

    scope: Scope
    path: str
    agent_id: str
    version: str

    @property
    def is_current(self) -> bool:
        """Return whether the text is of this version."""
        return self.version == VERSION


def place(agent: Agent, scope: Scope, places: Places, *, dry_run: bool) -> SettingsEdit:
    """Put the text into the agent's file of a scope; twice is once. Raise InstallError, SettingsError."""
    instructions = agent.registration().instructions
    if instructions is None or scope == "plugin":
        raise InstallError("the protocol", f"{agent.name} has no file of instructions there")
    path = instructions.path(scope, places)
    raw = read(path)
    if raw is not None and raw.startswith(_UTF16):
        raise SettingsError(str(path), "it is UTF-16", fix=f"save `{path}` as UTF-8")
    after = with_block(raw, agent.id, VERSION, protocol_text(agent.id))
    edit = SettingsEdit(scope, path, raw, after)
    if not dry_run:
        write(edit)
    return edit


def take_away(
    agents: list[Agent],
    scope: Scope | None,
    places: Places,
    config_dirs: Mapping[str, Path],
    *,
    dry_run: bool,
) -> list[SettingsEdit]:
    """Take the texts of agents out of the files of a scope, or of every known one. Raise SettingsError."""
    edits: list[SettingsEdit] = []
    for agent in agents:
        at = replace(places, config_dir=config_dirs.get(agent.id))
        for path, found in _known_files(agent, scope, at).items():
            raw = read(path)
            after = without_block(raw, agent.id) if raw is not None else None
            if raw != after:
                edits.append(SettingsEdit(found, path, raw, after))
                if not dry_run:
                    write(edits[-1])
    return edits


def _known_files(agent: Agent, scope: Scope | None, places: Places) -> dict[Path, Scope]:
    if scope is not None:
        return _files(agent, scope, places, [places.project_dir])
    noted = [each for each in read_manifest(places.home).places if each.agent == agent.id]
    projects = [Path(each.line) for each in noted if each.line != _USER]
    users: dict[Path, Scope] = {}
    instructions = agent.registration().instructions
    if instructions is not None:
        # One beside each of the user's settings: a variable may have moved these.
        name = instructions.path("user", places).name
        paths = [Path(each.path).with_name(name) for each in noted if each.line == _USER]
        users = dict.fromkeys(paths, "user")
    return users | _files(agent, None, places, [places.project_dir, *projects])


def _files(
    agent: Agent, scope: Scope | None, places: Places, folders: list[Path]
) -> dict[Path, Scope]:
    """Return the files of an agent that may hold the text, each once: the user's, and those of folders."""
    instructions = agent.registration().instructions
    if instructions is None or scope == "plugin":
        return {}
    scopes: tuple[Scope, ...] = (scope,) if scope else ("user", "project", "local")
    found: dict[Path, Scope] = {}
    for folder in folders:
        for each in scopes:
            path = instructions.path(each, replace(places, project_dir=folder))
            found.setdefault(path, each)
    return found


def find_placed(
    agents: list[Agent], places: Places, config_dirs: Mapping[str, Path]
) -> Iterator[PlacedProtocol]:
    """Yield the texts in the files that sessions in a folder read."""
    seen: set[str] = set()
    for agent in agents:
        at = replace(places, config_dir=config_dirs.get(agent.id))
        for path, scope in _files(agent, None, at, [places.project_dir]).items():
            if os.path.realpath(path) not in seen:
                seen.add(os.path.realpath(path))
                for block in find_blocks(read(path) or b""):
                    yield PlacedProtocol(scope, str(path), block.agent_id, block.version)
