"""`hooks install`: the launcher, the agent's files, and the manifest of both."""

import os
import sys
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from hooklore.agents.agent import Agent
from hooklore.agents.own_program import find_program
from hooklore.agents.registration import Places, Scope
from hooklore.agents.registry import DEFAULT_AGENT_ID, get_agent
from hooklore.cli.install import launcher, slash_command
from hooklore.cli.install.edit import SettingsChanged, SettingsEdit, write
from hooklore.cli.install.files import installing
from hooklore.cli.install.manifest import (
    Command,
    Manifest,
    described_agents,
    read_manifest,
    write_manifest,
)
from hooklore.cli.install.plan import InstallPlan, Planner, holding
from hooklore.cli.install.reach import Reach, decide_reach, make_link, plan_link, typed_program
from hooklore.cli.install.server import is_server_installed, server_marks
from hooklore.errors import InstallError, SettingsError

__all__ = ["InstallReport", "Scope", "SettingsEdit", "install", "keep", "settings_path"]

_ATTEMPTS = 5


@dataclass(frozen=True, slots=True)
class InstallReport:
    """The result of an install; `edit` is None for the plugin, which edits no settings.

    `command` is the slash command's file, where the hooks are registered for the user. `rules` are the
    permission rules of ours in the settings. `server` is the file that registers the MCP server, and
    `server_edit` its edit where it is another file than the hooks'. `serves_freely` says that the agent calls
    the server's tools without a question. `reach` is how the agents' shells reach `hooklore`, None where no
    PATH was given.
    """

    launcher: Path
    edit: SettingsEdit | None
    dry_run: bool
    command: Path | None = None
    rules: tuple[str, ...] = ()
    server: Path | None = None
    server_edit: SettingsEdit | None = None
    serves_freely: bool = False
    reach: Reach | None = None


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
    serves: bool = True,
    path: str | None = None,
) -> InstallReport:
    """Lay out the launcher and register every event in one settings file; twice is once.

    The launcher comes first: a registered command never finds it missing. With `permits` the file gets the
    agent's permission rules. With `serves` the MCP server is registered, too, where this environment has it.
    `path` is the PATH of the user's shells: where it lacks the command, a link is made, or agents are told the
    launcher's own path. None leaves that as it is. Raise SettingsError before anything is written where a file
    cannot be edited safely, InstallError for all other problems.
    """
    _refuse_windows()
    places = Places(home, project_dir, config_dir)
    serves = serves and is_server_installed()
    reach = decide_reach(home, path, read_manifest(home).link) if path is not None else None
    program = find_program(str(home)) if reach is None else typed_program(reach, home)
    one = _Install(
        get_agent(agent), scope, places, capture_reads,
        permits=permits, serves=serves, program=program,
    )  # fmt: skip
    planned = one.plan()
    command = one.command(planned)
    folder = launcher.launcher_directory(home)
    if not dry_run:
        with installing(folder.parent):
            launcher.lay_out(home, interpreter=interpreter, client=client, agents=one.agents())
            if reach is not None:
                _make_reachable(home, reach)
            planned = one.carry_out()
            command = one.command(planned)
            if command is not None:
                one.lay_out(command)
    command_path = Path(command.path) if command else None
    report = InstallReport(folder, None, dry_run, command_path, reach=reach)
    return one.reported(report, planned) if planned is not None else report


def _make_reachable(home: Path, reach: Reach) -> None:
    """Make the link, where one is wanted, and leave the mark by which agents are told the launcher's path."""
    manifest = read_manifest(home)
    link = plan_link(reach, home, manifest.link)
    if reach.way == "link" and link is not None:
        keep(home, manifest.model_copy(update={"link": link}), say=False)
        make_link(link, home, manifest.link)
    launcher.mark_by_path(home, is_by_path=reach.way == "launcher")


class _Install:
    """One install: an agent, a scope, and the places of the user."""

    def __init__(
        self,
        agent: Agent,
        scope: Scope,
        places: Places,
        capture_reads: bool,
        *,
        permits: bool,
        serves: bool,
        program: str,
    ) -> None:
        self._agent, self._scope, self._places = agent, scope, places
        self._permits, self._serves, self._program = permits, serves, program
        self._registration = agent.registration()
        if scope not in self._registration.scopes:
            raise InstallError(f"the hooks for {agent.name}", f"it has no scope `{scope}`")
        self._wanted = self._registration.entries(home=places.home, capture_reads=capture_reads)

    def reported(self, report: InstallReport, planned: InstallPlan) -> InstallReport:
        """Return the report with the edits of a plan.

        The client may have a setting by which tools of a server run without a question.
        """
        server = self._registration.server
        return replace(
            report,
            edit=planned.edit,
            rules=tuple(planned.place.rules),
            server=Path(planned.server.path) if planned.server else None,
            server_edit=planned.server_edit,
            serves_freely=self._permits and server is not None and bool(server.permitted),
        )

    def agents(self) -> list[Agent]:
        """Return the agents that the launcher is for: the registered ones and this one."""
        manifest = read_manifest(self._places.home)
        known = described_agents(manifest) if manifest.agents else []
        return list(dict.fromkeys((*known, self._agent)))

    def plan(self) -> InstallPlan | None:
        """Return the edits and their places; None for the plugin."""
        if self._scope == "plugin":
            return None
        manifest = read_manifest(self._places.home)
        planner = Planner(
            self._agent, self._scope, self._places, manifest,
            self._permits, self._serves, self._program,
        )  # fmt: skip
        return planner.plan(self._wanted)

    def carry_out(self) -> InstallPlan | None:
        """Write the settings; plan them again when somebody else wrote to a file meanwhile."""
        planned = None
        for _ in range(_ATTEMPTS):
            planned = self.plan()
            with suppress(SettingsChanged):
                return self._carry_out(planned)
        raise SettingsChanged(str(planned.edit.path if planned else self._places.home))

    def _carry_out(self, planned: InstallPlan | None) -> InstallPlan | None:
        """Write the manifest before the settings: an install that was killed can still be undone."""
        home = self._places.home
        manifest = read_manifest(home)
        if planned is None:
            keep(home, manifest.model_copy(update={"plugin": True}))
            return None
        keep(home, planned.noted_in(manifest), say=False)
        try:
            planned = self._write(planned)
        except SettingsError:
            keep(home, manifest, say=False)
            raise
        keep(home, planned.noted_in(manifest))
        return planned

    def _write(self, planned: InstallPlan) -> InstallPlan:
        """Write the edits. Return the plan with the folders that were made for the files."""
        place, server = planned.place, planned.server
        if made := write(planned.edit):
            place = place.model_copy(update={"made": made})
        if planned.server_edit is not None:
            with holding(self._registration, planned.server_edit.path):
                made = write(planned.server_edit)
            if made and server is not None:
                server = server.model_copy(update={"made": made})
        return replace(planned, place=place, server=server)

    def command(self, planned: InstallPlan | None) -> Command | None:
        """Return the slash command to lay out: the user's own commands are for all of their projects."""
        named = self._registration.user_command
        if named is None or planned is None or planned.place.line != "user":
            return None
        kept = read_manifest(self._places.home).command_of(self._agent.id)
        return slash_command.planned(named, planned.edit.path.parent, kept, self._program)

    def lay_out(self, command: Command) -> None:
        """Note the slash command in the manifest, so that it can be undone, and lay it out."""
        named, home = self._registration.user_command, self._places.home
        if named is not None:
            keep(home, read_manifest(home).with_command(self._agent.id, command), say=False)
            slash_command.lay_out(named, command, self._program)


def keep(home: Path, manifest: Manifest, *, say: bool = True) -> None:
    """Write the manifest, and with `say` the marks beside the launcher. Raise InstallError."""
    try:
        write_manifest(home, manifest)
        if say:
            places = (each for each in manifest.places if each.agent == DEFAULT_AGENT_ID)
            launcher.write_places(home, [each.line for each in places])
            launcher.write_server_marks(home, server_marks(manifest))
    except OSError as error:
        raise InstallError("the launcher", f"`{error.filename}`: {error.strerror}") from None


def _refuse_windows() -> None:
    if os.name == "nt":
        raise InstallError("the hooks", "Windows is not supported; use WSL")
