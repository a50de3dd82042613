"""`hooks uninstall`: every file as it was before us, and the launcher gone with the last registration."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

from hooklore.agents.agent import Agent
from hooklore.agents.own_program import quoted_program
from hooklore.agents.program_name import PROGRAM
from hooklore.agents.registration import Places, Registration, Scope, ServerRegistration
from hooklore.agents.registry import DEFAULT_AGENT_ID, find_agent, get_agent, known_agents
from hooklore.cli.install import launcher, slash_command
from hooklore.cli.install.edit import SettingsEdit, read, without_ours, write
from hooklore.cli.install.files import installing
from hooklore.cli.install.install import holding, keep, permitting
from hooklore.cli.install.manifest import Command, Manifest, Place, described_agents, read_manifest
from hooklore.cli.install.reach import find_link, take_link


@dataclass(frozen=True, slots=True)
class UninstallReport:
    """The result of an uninstall: the files looked at, and whether the launcher is gone.

    `command` is the slash command's file, where it goes, `link` the link to `hooklore`, where the link goes.
    `server_files` are files with the MCP server alone.
    `had_launcher` says that the launcher was there before.
    """

    launcher: Path
    edits: tuple[SettingsEdit, ...]
    launcher_removed: bool
    dry_run: bool
    command: Path | None = None
    server_files: frozenset[Path] = frozenset()
    had_launcher: bool = False
    link: Path | None = None

    @property
    def is_idle(self) -> bool:
        """Return whether nothing of ours is there."""
        has_edits = any(edit.changed for edit in self.edits)
        return not (self.had_launcher or self.command or self.link or has_edits)


def uninstall(
    scope: Scope | None = None,
    *,
    home: Path,
    project_dir: Path,
    config_dirs: Mapping[str, Path] = MappingProxyType({}),
    dry_run: bool = False,
    agent: str | None = None,
) -> UninstallReport:
    """Take our entries out of one scope's settings, or of every known file (None).

    `config_dirs` are the folders of agents, by id, where the user moved them. Without `agent` every agent's
    entries go. A file that nobody touched since is byte for byte what it was before; of another file only our
    entries go. The launcher goes with the last place. Raise SettingsError.
    """
    folder = launcher.launcher_directory(home)
    one = _Uninstall(scope, Places(home, project_dir), config_dirs, agent)
    removals = list(one.removals())
    gone = one.manifest_after(removals)
    commands = one.commands(gone)
    link = None if gone.agents else find_link(home, one.manifest.link)
    report = UninstallReport(
        folder,
        tuple(each.edit for each in removals),
        not gone.agents,
        dry_run,
        next((Path(command.path) for _, command in commands), None),
        frozenset(each.edit.path for each in removals if not each.has_hooks),
        folder.is_dir(),
        Path(link.path) if link else None,
    )
    if dry_run or report.is_idle:
        return report
    with installing(folder.parent):
        taken = [slash_command.take_away(command) for _, command in commands]
        _take_out_all(removals)
        if not gone.agents:
            take_link(link, one.manifest.link)
        is_removed = one.leave_launcher(gone, commands)
    kept = report.command if all(taken) else None
    return replace(report, launcher_removed=is_removed, command=kept)


@dataclass(frozen=True, slots=True)
class _Removal:
    """The edit of one agent's file, and what the manifest knows of the hooks and of the server in the file."""

    edit: SettingsEdit
    agent: Agent
    hooks: Place
    server: Place
    has_hooks: bool
    has_server: bool

    @property
    def made(self) -> list[str]:
        """The folders that were made for the file, outermost first."""
        return self.hooks.made or self.server.made


class _Uninstall:
    def __init__(
        self,
        scope: Scope | None,
        places: Places,
        config_dirs: Mapping[str, Path],
        agent: str | None,
    ) -> None:
        self._scope, self._places, self._config_dirs = scope, places, config_dirs
        self._programs = PROGRAM, quoted_program(str(places.home))
        self.manifest = read_manifest(places.home)
        if agent:
            self._agents = [get_agent(agent)]
        else:  # hooklore's own, and every registered one that is still described
            noted = filter(None, map(find_agent, self.manifest.agents))
            by_id = {each.id: each for each in (*known_agents(), *noted)}
            self._agents = list(by_id.values())

    def removals(self) -> Iterator[_Removal]:
        """Yield the edits that take our entries out. The launcher's own files are no part of them."""
        for agent in self._agents if self._scope != "plugin" else ():
            registration = agent.registration()
            # An install may have named the program in either way.
            permitted = permitting(registration, *self._programs)
            hooks = self._files(agent, registration, self.manifest.places)
            server, servers = registration.server, dict[Path, Scope]()
            if server is not None:
                servers = self._files(agent, server, self.manifest.servers)
            for path, scope in (hooks | servers).items():
                place = self.manifest.place("places", path, agent.id)
                served = self.manifest.place("servers", path, agent.id)
                raw = after = read(path)
                if path in servers and server is not None:
                    after = without_ours(after, served, server)
                if path in hooks:
                    after = without_ours(after, place, permitted)
                yield _Removal(
                    SettingsEdit(scope, path, raw, after),
                    agent,
                    place,
                    served,
                    has_hooks=path in hooks,
                    has_server=path in servers,
                )

    def _files(
        self, agent: Agent, part: Registration | ServerRegistration, noted: Sequence[Place]
    ) -> dict[Path, Scope]:
        """Return the files with the hooks or the server, each once: of the scope, or of all and the manifest."""
        places, found = self._places_of(agent), dict[Path, Scope]()
        scopes: tuple[Scope, ...] = (self._scope,) if self._scope else ("user", "project", "local")
        for each in scopes:
            is_known = each in agent.registration().scopes
            path = part.settings_path(each, places) if is_known else None
            if path is not None:
                found.setdefault(path, each)
        scope_of = agent.registration().file.scope_of
        others = {
            Path(each.path): scope_of(each.line, each.path)
            for each in noted
            if self._scope is None and each.agent == agent.id and Path(each.path) not in found
        }
        return found | others

    def _places_of(self, agent: Agent) -> Places:
        return replace(self._places, config_dir=self._config_dirs.get(agent.id))

    def manifest_after(self, removals: Sequence[_Removal]) -> Manifest:
        """Return the manifest as it is when the removals are done."""
        manifest = self.manifest
        for each in removals:
            manifest = manifest.without("places", each.edit.path, each.agent.id)
            manifest = manifest.without("servers", each.edit.path, each.agent.id)
        is_default = any(agent.id == DEFAULT_AGENT_ID for agent in self._agents)
        stays = manifest.plugin and not (is_default and self._scope in (None, "plugin"))
        return manifest.model_copy(update={"plugin": stays})

    def leave_launcher(self, gone: Manifest, commands: Sequence[tuple[str, Command]]) -> bool:
        """Remove the launcher with the last registration, else note what is left. Return whether it is gone."""
        home = self._places.home
        for agent_id, _ in commands:
            gone = gone.with_command(agent_id, None)
        if not gone.agents:
            return launcher.remove(home)
        if launcher.launcher_directory(home).is_dir():
            keep(home, gone)
            if gone.agents != self.manifest.agents:
                launcher.lay_out(home, agents=described_agents(gone), interpreter=None)
        return False

    def commands(self, gone: Manifest) -> list[tuple[str, Command]]:
        """Return the slash commands that go: with the user's registration, or with the last one."""
        found = []
        for agent in self._agents:
            named = agent.registration().user_command
            stays = any(p.line == "user" and p.agent == agent.id for p in gone.places)
            is_meant = self._scope in (None, "user") or not gone.agents
            if named is not None and not stays and is_meant:
                user = agent.registration().settings_path("user", self._places_of(agent))
                kept = self.manifest.command_of(agent.id)
                command = slash_command.found(named, user.parent, kept, *self._programs)
                found += [(agent.id, command)] if command else []
        return found


def _take_out_all(removals: Sequence[_Removal]) -> None:
    """Write the edits, and remove the folders made for our files, the inner ones first, where these are empty."""
    for removal in removals:
        registration, path = removal.agent.registration(), removal.edit.path
        with holding(registration, path) if removal.has_server else nullcontext():
            write(removal.edit)
    made = {folder for each in removals if each.edit.after is None for folder in each.made}
    for folder in sorted(made, key=len, reverse=True):
        with suppress(OSError):
            os.rmdir(folder)
