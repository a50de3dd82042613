"""`hooks install` and `hooks uninstall`: the launcher, one settings file, and the manifest of both."""

import os
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from hooklore.cli.install import launcher, slash_command
from hooklore.cli.install.edit import (
    Scope,
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
    read_manifest,
    write_manifest,
)
from hooklore.cli.install.registration import groups
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
    """What an install did, or would do; `edit` is None for the plugin, which edits no settings.

    `command` is the slash command's file, where the hooks are registered for the user.
    """

    launcher: Path
    edit: SettingsEdit | None
    dry_run: bool
    command: Path | None = None


@dataclass(frozen=True, slots=True)
class UninstallReport:
    """What an uninstall did, or would do: the files looked at, and whether the launcher is gone.

    `command` is the slash command's file, where it goes.
    """

    launcher: Path
    edits: tuple[SettingsEdit, ...]
    launcher_removed: bool
    dry_run: bool
    command: Path | None = None


def settings_path(
    scope: Scope, *, home: Path, project_dir: Path, config_dir: Path | None = None
) -> Path:
    """The settings file of a scope. `config_dir` is CLAUDE_CONFIG_DIR where it is set."""
    if scope == "user":
        return Path(os.path.abspath(config_dir or home / ".claude")) / "settings.json"
    name = "settings.json" if scope == "project" else "settings.local.json"
    return Path(os.path.realpath(project_dir)) / ".claude" / name


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
) -> InstallReport:
    """Lay out the launcher and register every event in one settings file; twice is once.

    The launcher first: a registered command never finds it missing. Raises SettingsError before
    anything is written where the file cannot be edited safely, InstallError for the rest.
    """
    _refuse_windows()
    folder = launcher.launcher_directory(home)
    wanted = groups(capture_reads=capture_reads)

    def plan() -> tuple[SettingsEdit, Place] | None:
        if scope == "plugin":
            return None
        path = settings_path(scope, home=home, project_dir=project_dir, config_dir=config_dir)
        line = _line(path, home=home, config_dir=config_dir)
        return plan_install(scope, path, line, read_manifest(home).place(path), wanted)

    planned = plan()
    command = _command(home, planned)
    if not dry_run:
        with installing(folder.parent):
            launcher.lay_out(home, interpreter=interpreter, client=client)
            for _ in range(_ATTEMPTS):
                planned = plan()
                with suppress(SettingsChanged):
                    _carry_out(home, planned)
                    break
            else:
                raise SettingsChanged(str(planned[0].path if planned else folder))
            command = _command(home, planned)
            if command is not None:
                # The manifest first, here too: what is noted can be undone.
                _keep(home, read_manifest(home).model_copy(update={"command": command}), say=False)
                slash_command.lay_out(command)
    path = Path(command.path) if command else None
    return InstallReport(folder, planned[0] if planned else None, dry_run, path)


def _command(home: Path, planned: tuple[SettingsEdit, Place] | None) -> Command | None:
    """The slash command to lay out: the user's own commands are for all of their projects."""
    if planned is None or planned[1].line != "user":
        return None
    return slash_command.planned(planned[0].path.parent, read_manifest(home).command)


def _carry_out(home: Path, planned: tuple[SettingsEdit, Place] | None) -> None:
    """The manifest before the settings: an install that was killed can still be undone."""
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
            launcher.write_places(home, [each.line for each in manifest.places])
    except OSError as error:
        raise InstallError("the launcher", f"`{error.filename}`: {error.strerror}") from None


def uninstall(
    scope: Scope | None = None,
    *,
    home: Path,
    project_dir: Path,
    config_dir: Path | None = None,
    dry_run: bool = False,
) -> UninstallReport:
    """Take our lines out of one scope's settings, or of every file known (None).

    A file that nobody touched since is byte for byte what it was before; of another, only what is
    ours goes. The launcher goes with the last place. Raises SettingsError.
    """
    folder = launcher.launcher_directory(home)
    manifest = read_manifest(home)
    paths = _paths(scope, manifest, home=home, project_dir=project_dir, config_dir=config_dir)
    edits = [plan_uninstall(each, path, manifest.place(path)) for path, each in paths.items()]
    gone = _after(manifest, scope, edits)
    last = not gone.places and not gone.plugin
    command = None
    if all(place.line != "user" for place in gone.places) and (scope in (None, "user") or last):
        user = settings_path("user", home=home, project_dir=project_dir, config_dir=config_dir)
        command = slash_command.found(user.parent, manifest.command)
        gone = gone.model_copy(update={"command": None})
    path = Path(command.path) if command else None
    idle = not folder.is_dir() and not command and not any(edit.changed for edit in edits)
    if dry_run or idle:
        return UninstallReport(folder, tuple(edits), last, dry_run, path)
    with installing(folder.parent):
        if command is not None and not slash_command.take_away(command):
            path = None
        for edit in edits:
            _take_out(edit, manifest.place(edit.path))
        if last:
            last = launcher.remove(home)
        elif folder.is_dir():
            _keep(home, gone)
    return UninstallReport(folder, tuple(edits), last, dry_run, path)


def _after(manifest: Manifest, scope: Scope | None, edits: list[SettingsEdit]) -> Manifest:
    for edit in edits:
        manifest = manifest.without(edit.path)
    plugin = manifest.plugin and scope not in (None, "plugin")
    return manifest.model_copy(update={"plugin": plugin})


def _take_out(edit: SettingsEdit, place: Place | None) -> None:
    write(edit)
    if edit.after is None:
        for folder in reversed(place.made if place else []):
            with suppress(OSError):
                os.rmdir(folder)


def _paths(
    scope: Scope | None,
    manifest: Manifest,
    *,
    home: Path,
    project_dir: Path,
    config_dir: Path | None,
) -> dict[Path, Scope]:
    """The files to look at, each once: those of the scope, or of every scope and the manifest."""
    if scope == "plugin":
        return {}
    scopes: tuple[Scope, ...] = (scope,) if scope else ("user", "project", "local")
    found: dict[Path, Scope] = {}
    for each in scopes:
        path = settings_path(each, home=home, project_dir=project_dir, config_dir=config_dir)
        found.setdefault(path, each)
    if scope is None:
        for place in manifest.places:
            found.setdefault(Path(place.path), _scope_of(place))
    return found


def _scope_of(place: Place) -> Scope:
    if place.line == "user":
        return "user"
    return "local" if place.path.endswith(".local.json") else "project"


def _line(path: Path, *, home: Path, config_dir: Path | None) -> str:
    """`user` for the user's file, even when reached as a project's: the home can be a project."""
    user = settings_path("user", home=home, project_dir=home, config_dir=config_dir)
    if os.path.realpath(path) == os.path.realpath(user):
        return "user"
    return str(path.parent.parent)


def _refuse_windows() -> None:
    if os.name == "nt":
        raise InstallError("the hooks", "Windows is not supported; use WSL")
