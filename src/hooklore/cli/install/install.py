"""`hooks install` and `hooks uninstall`: the launcher, one settings file, and the manifest of both."""

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from hooklore.agents.agent import Agent
from hooklore.agents.registration import Places, Scope, UserCommand
from hooklore.agents.registry import DEFAULT_AGENT_ID, find_agent, get_agent, known_agents
from hooklore.cli.install import launcher, slash_command
from hooklore.cli.install.edit import (
    SettingsChanged,
    SettingsEdit,
    plan_install,
    plan_uninstall,
    write,
)
from hooklore.cli.install.files import installing
from hooklore.cli.install.manifest import (
    Command,
    Manifest,
    Place,
    described_agents,
    read_manifest,
    write_manifest,
)
from hooklore.errors import InstallError, SettingsError

__all__ = [
    "InstallReport",
    "Scope",
    "SettingsEdit",
    "UninstallReport",
    "install",
    "settings_path",
    "uninstall",
]

_ATTEMPTS = 5


@dataclass(frozen=True, slots=True)
class InstallReport:
    """The result of an install; `edit` is None for the plugin, which edits no settings.

    `command` is the slash command's file, where the hooks are registered for the user. `rules` are the
    permission rules of ours in the settings.
    """

    launcher: Path
    edit: SettingsEdit | None
    dry_run: bool
    command: Path | None = None
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class UninstallReport:
    """The result of an uninstall: the files looked at, and whether the launcher is gone.

    `command` is the slash command's file, where it goes.
    """

    launcher: Path
    edits: tuple[SettingsEdit, ...]
    launcher_removed: bool
    dry_run: bool
    command: Path | None = None


def settings_path(
    scope: Scope,
    *,
    home: Path,
    project_dir: Path,
    config_dir: Path | None = None,
    agent: str = DEFAULT_AGENT_ID,
) -> Path:
    """Return the settings file of a scope. `config_dir` is the agent's folder where the user moved it."""
    places = Places(home, project_dir, config_dir)
    return get_agent(agent).registration().settings_path(scope, places)


def install(
    scope: Scope,
    *,
    home: Path,
    project_dir: Path,
    config_dir: Path | None = None,
    capture_reads: bool = False,
    dry_run: bool = False,
    interpreter: str = sys.executable,
    client: Path | None = None,
    agent: str = DEFAULT_AGENT_ID,
    permits: bool = True,
) -> InstallReport:
    """Lay out the launcher and register every event in one settings file; twice is once.

    The launcher comes first: a registered command never finds it missing. With `permits` the file gets the
    agent's permission rules. Raise SettingsError before
    anything is written where the file cannot be edited safely, InstallError for all other problems.
    """
    _refuse_windows()
    places = Places(home, project_dir, config_dir)
    one = _Install(get_agent(agent), scope, places, capture_reads, permits=permits)
    planned = one.plan()
    command = one.command(planned)
    folder = launcher.launcher_directory(home)
    if not dry_run:
        with installing(folder.parent):
            launcher.lay_out(home, interpreter=interpreter, client=client, agents=one.agents())
            planned = one.carry_out()
            command = one.command(planned)
            if command is not None:
                one.lay_out(command)
    path = Path(command.path) if command else None
    if planned is None:
        return InstallReport(folder, None, dry_run, path)
    return InstallReport(folder, planned[0], dry_run, path, tuple(planned[1].rules))


class _Install:
    """One install: an agent, a scope, and the places of the user."""

    def __init__(
        self, agent: Agent, scope: Scope, places: Places, capture_reads: bool, *, permits: bool
    ) -> None:
        self._agent, self._scope, self._places = agent, scope, places
        self._permits = permits
        self._registration = agent.registration()
        if scope not in self._registration.scopes:
            raise InstallError(f"the hooks for {agent.name}", f"it has no scope `{scope}`")
        self._wanted = self._registration.entries(home=places.home, capture_reads=capture_reads)

    def agents(self) -> list[Agent]:
        """Return the agents that the launcher is for: the registered ones and this one."""
        manifest = read_manifest(self._places.home)
        known = described_agents(manifest) if manifest.agents else []
        return list(dict.fromkeys((*known, self._agent)))

    def plan(self) -> tuple[SettingsEdit, Place] | None:
        """Return the edit and its place; None for the plugin."""
        if self._scope == "plugin":
            return None
        path = self._registration.settings_path(self._scope, self._places)
        line = self._registration.line(path, self._places)
        known = read_manifest(self._places.home).place(path, self._agent.id)
        return plan_install(
            self._scope, path, line, known, self._wanted,
            agent_id=self._agent.id, permits=self._permits,
        )  # fmt: skip

    def carry_out(self) -> tuple[SettingsEdit, Place] | None:
        """Write the settings; plan them again when somebody else wrote to the file meanwhile."""
        planned = None
        for _ in range(_ATTEMPTS):
            planned = self.plan()
            with suppress(SettingsChanged):
                _carry_out(self._places.home, planned)
                return planned
        raise SettingsChanged(str(planned[0].path if planned else self._places.home))

    def command(self, planned: tuple[SettingsEdit, Place] | None) -> Command | None:
        """Return the slash command to lay out: the user's own commands are for all of their projects."""
        named = self._registration.user_command
        if named is None or planned is None or planned[1].line != "user":
            return None
        kept = read_manifest(self._places.home).command_of(self._agent.id)
        return slash_command.planned(named, planned[0].path.parent, kept)

    def lay_out(self, command: Command) -> None:
        """Note the slash command in the manifest, so that it can be undone, and lay it out."""
        named, home = self._registration.user_command, self._places.home
        if named is not None:
            _keep(home, read_manifest(home).with_command(self._agent.id, command), say=False)
            slash_command.lay_out(named, command)


def _carry_out(home: Path, planned: tuple[SettingsEdit, Place] | None) -> None:
    """Write the manifest before the settings: an install that was killed can still be undone."""
    manifest = read_manifest(home)
    if planned is None:
        _keep(home, manifest.model_copy(update={"plugin": True}))
        return
    edit, place = planned
    _keep(home, manifest.with_place(place), say=False)
    try:
        made = write(edit)
    except SettingsError:
        _keep(home, manifest, say=False)
        raise
    if made:
        place = place.model_copy(update={"made": made})
    _keep(home, manifest.with_place(place))


def _keep(home: Path, manifest: Manifest, *, say: bool = True) -> None:
    try:
        write_manifest(home, manifest)
        if say:
            places = (each for each in manifest.places if each.agent == DEFAULT_AGENT_ID)
            launcher.write_places(home, [each.line for each in places])
    except OSError as error:
        raise InstallError("the launcher", f"`{error.filename}`: {error.strerror}") from None


def uninstall(
    scope: Scope | None = None,
    *,
    home: Path,
    project_dir: Path,
    config_dir: Path | None = None,
    dry_run: bool = False,
    agent: str | None = None,
) -> UninstallReport:
    """Take our entries out of one scope's settings, or of every known file (None).

    Without `agent` every agent's entries go. A file that nobody touched since is byte for byte what it
    was before; of another file only our entries go. The launcher goes with the last place. Raise
    SettingsError.
    """
    folder = launcher.launcher_directory(home)
    one = _Uninstall(scope, Places(home, project_dir, config_dir), agent)
    removals = one.removals()
    edits = tuple(each.edit for each in removals)
    gone = one.manifest_after(removals)
    last = not gone.places and not gone.plugin
    commands = one.commands(gone, last=last)
    for agent_id, _ in commands:
        gone = gone.with_command(agent_id, None)
    path = next((Path(command.path) for _, command in commands), None)
    idle = not folder.is_dir() and not commands and not any(edit.changed for edit in edits)
    if dry_run or idle:
        return UninstallReport(folder, edits, last, dry_run, path)
    with installing(folder.parent):
        taken = [slash_command.take_away(command) for _, command in commands]
        for each in removals:
            _take_out(each.edit, each.place)
        if last:
            last = launcher.remove(home)
        elif folder.is_dir():
            _keep(home, gone)
            if gone.agents != one.manifest.agents:
                launcher.lay_out_agents(home, described_agents(gone))
    return UninstallReport(folder, edits, last, dry_run, path if all(taken) else None)


@dataclass(frozen=True, slots=True)
class _Removal:
    """The edit that takes one agent's entries out of a file, and what the manifest knows of the file."""

    edit: SettingsEdit
    place: Place | None
    agent_id: str


class _Uninstall:
    """One uninstall: a scope or every scope, one agent or every agent."""

    def __init__(self, scope: Scope | None, places: Places, agent: str | None) -> None:
        self._scope, self._places = scope, places
        self.manifest = read_manifest(places.home)
        self._agents = [get_agent(agent)] if agent else list(self._every_agent())

    def _every_agent(self) -> Iterator[Agent]:
        """Yield hooklore's own agents and every registered one that is still described."""
        yield from known_agents()
        own = {each.id for each in known_agents()}
        for name in self.manifest.agents:
            found = find_agent(name)
            if found is not None and name not in own:
                yield found

    def removals(self) -> list[_Removal]:
        """Return the edits that take our entries out, each with its place."""
        found: list[_Removal] = []
        for agent in self._agents:
            for path, scope in self._paths(agent).items():
                place = self.manifest.place(path, agent.id)
                edit = plan_uninstall(scope, path, place, agent_id=agent.id)
                found.append(_Removal(edit, place, agent.id))
        return found

    def _paths(self, agent: Agent) -> dict[Path, Scope]:
        """Return the files to look at, each once: of the scope, or of every scope and the manifest."""
        if self._scope == "plugin":
            return {}
        registration = agent.registration()
        scopes: tuple[Scope, ...] = (self._scope,) if self._scope else ("user", "project", "local")
        found: dict[Path, Scope] = {}
        for each in scopes:
            if each in registration.scopes:
                found.setdefault(registration.settings_path(each, self._places), each)
        if self._scope is None:
            for place in self.manifest.places:
                if place.agent == agent.id:
                    scope = registration.scope_of(place.line, place.path)
                    found.setdefault(Path(place.path), scope)
        return found

    def manifest_after(self, removals: list[_Removal]) -> Manifest:
        """Return the manifest as it is when the removals are done."""
        manifest = self.manifest
        for each in removals:
            manifest = manifest.without(each.edit.path, each.agent_id)
        is_default = any(agent.id == DEFAULT_AGENT_ID for agent in self._agents)
        stays = manifest.plugin and not (is_default and self._scope in (None, "plugin"))
        return manifest.model_copy(update={"plugin": stays})

    def commands(self, gone: Manifest, *, last: bool) -> list[tuple[str, Command]]:
        """Return the slash commands that go: with the user's registration, or with the last one."""
        found = []
        for agent in self._agents:
            named = agent.registration().user_command
            stays = any(p.line == "user" and p.agent == agent.id for p in gone.places)
            if named is not None and not stays and (self._scope in (None, "user") or last):
                command = self._command(agent, named)
                found += [(agent.id, command)] if command else []
        return found

    def _command(self, agent: Agent, named: UserCommand) -> Command | None:
        user = agent.registration().settings_path("user", self._places)
        return slash_command.found(named, user.parent, self.manifest.command_of(agent.id))


def _take_out(edit: SettingsEdit, place: Place | None) -> None:
    write(edit)
    if edit.after is None:
        for folder in reversed(place.made if place else []):
            with suppress(OSError):
                os.rmdir(folder)


def _refuse_windows() -> None:
    if os.name == "nt":
        raise InstallError("the hooks", "Windows is not supported; use WSL")
