"""`hooks install`: the launcher, the agent's files, and the manifest of both.

The hooks and the MCP server may stand in one file. Then the server lies on top: it is taken out before the
hooks are, so that each is undone to the bytes that it found.
"""

import os
import sys
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from hooklore.agents.agent import Agent
from hooklore.agents.own_program import find_program
from hooklore.agents.program_name import PROGRAM
from hooklore.agents.registration import (
    SERVER_NAME,
    Entry,
    Places,
    Registration,
    Scope,
    ServerRegistration,
)
from hooklore.agents.registry import DEFAULT_AGENT_ID, get_agent
from hooklore.cli.install import launcher, slash_command
from hooklore.cli.install.edit import (
    SettingsChanged,
    SettingsEdit,
    read,
    with_ours,
    without_ours,
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
from hooklore.cli.install.reach import Reach, decide_reach, make_link, plan_link, typed_program
from hooklore.cli.install.server import is_server_installed, server_marks
from hooklore.errors import InstallError, SettingsError

__all__ = ["InstallReport", "Scope", "SettingsEdit", "install", "keep", "settings_path"]

_ATTEMPTS = 5
_Bytes = bytes | None


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
    if os.name == "nt":
        raise InstallError("the hooks", "Windows is not supported; use WSL")
    found, manifest = get_agent(agent), read_manifest(home)
    reach = decide_reach(home, path, manifest.link) if path is not None else None
    program = find_program(str(home)) if reach is None else typed_program(reach, home)
    # A project's settings are shared by git, and the path of this home is no other's: the hook permits there.
    registration = permitting(found.registration(), PROGRAM if scope == "project" else program)
    if scope not in registration.scopes:
        raise InstallError(f"the hooks for {found.name}", f"it has no scope `{scope}`")
    places, serves = Places(home, project_dir, config_dir), serves and is_server_installed()
    one = _Install(found, registration, scope, places, capture_reads, permits, serves, program)
    planned = one.plan(manifest)
    command = one.command(planned)
    folder = launcher.launcher_directory(home)
    if not dry_run:
        with installing(folder.parent):
            manifest = read_manifest(home)
            known = described_agents(manifest) if manifest.agents else []
            agents = list(dict.fromkeys((*known, found)))
            launcher.lay_out(home, interpreter=interpreter, client=client, agents=agents)
            if reach is not None:
                _make_reachable(home, reach)
            planned = one.carry_out()
            command = one.command(planned)
            if command is not None:
                one.lay_out(command)
    command_path = Path(command.path) if command else None
    report = InstallReport(folder, None, dry_run, command_path, reach=reach)
    if planned is None:
        return report
    server = registration.server
    return replace(
        report,
        edit=planned.edit,
        rules=tuple(planned.place.rules),
        server=Path(planned.server.path) if planned.server else None,
        server_edit=planned.server_edit,
        # The client may have a setting by which tools of a server run without a question.
        serves_freely=permits and server is not None and bool(server.permitted),
    )


def _make_reachable(home: Path, reach: Reach) -> None:
    """Make the link, where one is wanted, and leave the mark by which agents are told the launcher's path."""
    manifest = read_manifest(home)
    link = plan_link(reach, home, manifest.link)
    if reach.way == "link" and link is not None:
        keep(home, manifest.model_copy(update={"link": link}), say=False)
        make_link(link, home, manifest.link)
    launcher.mark_by_path(home, is_by_path=reach.way == "launcher")


@dataclass(frozen=True, slots=True)
class InstallPlan:
    """The edits of an install. `server_edit` is that of another file than the hooks', where there is one.

    `server` is the place of the MCP server, None where none is registered. `lost_server` is the file of a
    server that goes.
    """

    edit: SettingsEdit
    place: Place
    server_edit: SettingsEdit | None = None
    server: Place | None = None
    lost_server: Path | None = None

    def noted_in(self, manifest: Manifest) -> Manifest:
        """Return the manifest with the places of this plan."""
        manifest = manifest.with_place("places", self.place)
        if self.lost_server is not None:
            manifest = manifest.without("servers", self.lost_server, self.place.agent)
        return manifest.with_place("servers", self.server) if self.server else manifest


@dataclass(frozen=True, slots=True)
class _Install:
    """One install. `program` is what the agent's shell runs hooklore by; the registration's rules are for it."""

    agent: Agent
    registration: Registration
    scope: Scope
    places: Places
    capture_reads: bool
    permits: bool
    serves: bool
    program: str

    def plan(self, manifest: Manifest) -> InstallPlan | None:
        """Return the edits and their places; None for the plugin. Raise SettingsError."""
        if self.scope == "plugin":
            return None
        path = self.registration.settings_path(self.scope, self.places)
        server = self.registration.server
        server_path = server.settings_path(self.scope, self.places) if server else None
        raw = read(path)
        after, place = self._with_hooks(manifest, raw, path, serves=server_path is not None)
        if server is None or server_path is None:
            return InstallPlan(SettingsEdit(self.scope, path, raw, after), place)
        is_shared = server_path == path
        before = raw if is_shared else read(server_path)
        added = self._added_keys(before, server_path, server)
        kept = manifest.place("servers", server_path, self.agent.id, place.line)
        if is_shared and after != raw:
            # Hooks that change are put into the file without the server, and the server behind them.
            clean = without_ours(raw, kept, server)
            after, place = self._with_hooks(manifest, clean, path, serves=True)
        then, served = after if is_shared else before, None
        if self.serves:
            permitted = server.permitted if self.permits else {}
            wanted = {SERVER_NAME: server.entry(self.places.home) | permitted | added}
            then, served = with_ours(then, kept, wanted, server)
        else:
            then = without_ours(then, kept, server)
        edit = SettingsEdit(self.scope, path, raw, then if is_shared else after)
        server_edit = SettingsEdit(self.scope, server_path, before, then)
        lost = None if served else server_path
        return InstallPlan(edit, place, None if is_shared else server_edit, served, lost)

    def _with_hooks(
        self, manifest: Manifest, raw: _Bytes, path: Path, *, serves: bool
    ) -> tuple[_Bytes, Place]:
        """Return the bytes with the hooks registered; `serves` says that a file of this scope has the server."""
        line = self.registration.file.line(path, self.places)
        place = manifest.place("places", path, self.agent.id, line)
        wanted = self.registration.entries(home=self.places.home, capture_reads=self.capture_reads)
        return with_ours(
            raw, place, wanted, self.registration,
            permits=self.permits, serves=self.serves and serves,
        )  # fmt: skip

    def _added_keys(self, raw: _Bytes, path: Path, server: ServerRegistration) -> Entry:
        """Return what the user added to our server's settings: it stays. Raise SettingsError."""
        form = server.format
        _, text = form.decode(raw or b"", str(path))
        if not self.serves or form.is_blank(text):
            return {}
        form.check(text, str(path))
        entry = dict(form.registered(text)).get(SERVER_NAME, {})
        ours = server.without_added(entry, self.places.home)
        return {key: value for key, value in entry.items() if key not in ours}

    def carry_out(self) -> InstallPlan | None:
        """Write the settings; plan them again when somebody else wrote to a file meanwhile."""
        home = self.places.home
        for left in reversed(range(_ATTEMPTS)):
            manifest = read_manifest(home)
            planned = self.plan(manifest)
            if planned is None:
                keep(home, manifest.model_copy(update={"plugin": True}))
                return None
            # The manifest is written first: an install that was killed can still be undone.
            keep(home, planned.noted_in(manifest), say=False)
            try:
                planned = self._write(planned)
            except SettingsError as error:
                keep(home, manifest, say=False)
                if isinstance(error, SettingsChanged) and left:
                    continue
                raise
            keep(home, planned.noted_in(manifest))
            return planned
        return None

    def _write(self, planned: InstallPlan) -> InstallPlan:
        """Write the edits. Return the plan with the folders that were made for the files."""
        place, server = planned.place, planned.server
        if made := write(planned.edit):
            place = place.model_copy(update={"made": made})
        if planned.server_edit is not None:
            with holding(self.registration, planned.server_edit.path):
                made = write(planned.server_edit)
            if made and server is not None:
                server = server.model_copy(update={"made": made})
        return replace(planned, place=place, server=server)

    def command(self, planned: InstallPlan | None) -> Command | None:
        """Return the slash command to lay out: the user's own commands are for all of their projects."""
        named = self.registration.user_command
        if named is None or planned is None or planned.place.line != "user":
            return None
        kept = read_manifest(self.places.home).command_of(self.agent.id)
        return slash_command.planned(named, planned.edit.path.parent, kept, self.program)

    def lay_out(self, command: Command) -> None:
        """Note the slash command in the manifest, so that it can be undone, and lay it out."""
        named, home = self.registration.user_command, self.places.home
        if named is not None:
            keep(home, read_manifest(home).with_command(self.agent.id, command), say=False)
            slash_command.lay_out(named, command, self.program)


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


def permitting(registration: Registration, *programs: str) -> Registration:
    """Return a registration whose permission rules are for `programs`."""
    rules = registration.permissions
    if rules is None:
        return registration
    return replace(registration, permissions=rules.for_programs(*programs))


def holding(registration: Registration, path: Path) -> AbstractContextManager[None]:
    """Return what keeps the client from writing to the server's file `path`."""
    return registration.server.hold(path) if registration.server else nullcontext()
