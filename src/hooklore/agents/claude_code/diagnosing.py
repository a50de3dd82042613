"""The settings files that Claude Code loads, and the mistakes in them that stop the hooks."""

import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hooklore.agents.check import Check, failed, listed, noted, passed
from hooklore.agents.claude_code import shape
from hooklore.agents.claude_code.registering import REGISTRATION
from hooklore.agents.claude_code.server_answer import read_answer
from hooklore.agents.claude_code.serving import PROJECT_FILE, TO_DO_IN_PROJECT
from hooklore.agents.diagnosis import (
    Diagnosis,
    ReadSettings,
    ServerFile,
    SettingsFacts,
    SettingsFile,
    SettingsScope,
)
from hooklore.agents.registration import Places
from hooklore.agents.settings_checks import (
    check_config_directory,
    count_valid,
    each_once,
    find_expected,
)

_MANAGED = (
    Path("/Library/Application Support/ClaudeCode")
    if sys.platform == "darwin"
    else Path("/etc/claude-code")
)
_PLUGIN = "hooklore"
_NOT_LOADED = ("root", "default user")


def find_settings(read: ReadSettings, places: Places, top: Path | None) -> Iterator[SettingsFile]:
    """Yield every settings file that a session loads, and those that the user may expect it to load."""
    files = []
    for scope, path in each_once(_candidates(places, top)):
        files.append(read(scope, path, is_loaded=scope not in _NOT_LOADED))
        yield files[-1]
    config = places.config_dir or places.home / ".claude"
    enabled = _enabled(files)
    for name, folder in _installed(read, config / "plugins" / "installed_plugins.json"):
        path = folder / "hooks" / "hooks.json"
        yield read("plugin", path, is_loaded=enabled.get(name, False))


def _candidates(places: Places, top: Path | None) -> Iterator[tuple[SettingsScope, Path]]:
    path_of = REGISTRATION.settings_path
    yield "user", path_of("user", places)
    yield "project", path_of("project", places)
    yield "local", path_of("local", places)
    if top is not None and top != places.project_dir:
        yield "root", path_of("project", Places(places.home, top))
        yield "root", path_of("local", Places(places.home, top))
    yield "default user", places.home / ".claude" / "settings.json"
    for path in _managed():
        yield "managed", path


def _managed() -> list[Path]:
    """Return an administrator's settings files: they may forbid hooks."""
    return [_MANAGED / "managed-settings.json", *sorted(_MANAGED.glob("managed-settings.d/*.json"))]


def _enabled(files: list[SettingsFile]) -> dict[str, bool]:
    """Return which plugins are switched on: later files count more."""
    found: dict[str, bool] = {}
    for file in files:
        named = (file.document or {}).get("enabledPlugins") if file.is_loaded else None
        for name, value in named.items() if isinstance(named, dict) else ():
            found[name] = value is True
    return found


def _installed(read: ReadSettings, path: Path) -> Iterator[tuple[str, Path]]:
    """Yield (name, folder) of our plugins in the client's own list; nothing for a list of another form."""
    document = read("plugin", path, is_loaded=True).document or {}
    plugins = document.get("plugins")
    for name, places in plugins.items() if isinstance(plugins, dict) else ():
        if name.partition("@")[0] != _PLUGIN or not isinstance(places, list):
            continue
        for place in places:
            folder = place.get("installPath") if isinstance(place, dict) else None
            if isinstance(folder, str):
                yield name, Path(folder)


def _unregistered(settings: SettingsFacts) -> Check:
    """Return why no hook is registered here although it may be registered where somebody expects it to count."""
    others = {f.scope: f for f in settings.files if not f.is_loaded and _has_events(f)}
    expected = find_expected(
        settings,
        others,
        client="Claude Code",
        variable="CLAUDE_CONFIG_DIR",
        install="hooks install",
    )
    if expected is not None:
        return expected
    if "plugin" in others:
        return failed(
            "registration",
            "the plugin is installed and not enabled",
            "claude plugin enable hooklore",
        )
    return failed("registration", "no settings file registers the hooks", "hooks install")


def _has_events(file: SettingsFile) -> bool:
    return any(event in REGISTRATION.entry_files for event, _ in file.groups)


def _subdirectory(settings: SettingsFacts) -> Check:
    """Note that a repository's own settings are loaded only when the client is started in its root."""
    if settings.top is None or settings.top == settings.start:
        return passed("subdirectory", f"`{settings.start}` is where a session's settings are read")
    unused = [f.path for f in settings.files if f.scope == "root" and f.document is not None]
    detail = f"`{settings.start}` lies in the repository `{settings.top}`"
    if unused:
        return noted(
            "subdirectory", f"{detail}; started here, Claude Code ignores {listed(unused)}"
        )
    return passed("subdirectory", detail)


def _settings_files(settings: SettingsFacts) -> Check:
    """Fail for a file that the client cannot read: for one mistake it silently ignores all of the file."""
    for file in settings.files:
        if file.is_loaded:
            problem = _problem(file)
            if problem is not None:
                return failed("settings files", problem, f"correct `{file.path}`")
    return count_valid(settings)


def _problem(file: SettingsFile) -> str | None:
    if file.problem is not None:
        return f"`{file.path}`: {file.problem}"
    document = file.document or {}
    dropping = shape.dropping(document)
    if dropping:
        return f"`{file.path}`: {listed(dropping)}; Claude Code ignores this whole file"
    invalid = shape.invalid_entries(document)
    if invalid:
        return (
            f"`{file.path}`: {listed(invalid)}; "
            "Claude Code skips that entry, older versions ignore this whole file"
        )
    return None


def _hooks_enabled(settings: SettingsFacts) -> Check:
    """Fail when a file switches all hooks off, or an administrator allows only their own hooks."""
    for file in settings.files:
        document = file.document or {}
        if file.is_loaded and document.get("disableAllHooks") is True:
            return failed(
                "hooks enabled",
                f"`disableAllHooks` in `{file.path}` stops every hook",
                f"remove `disableAllHooks` from `{file.path}`",
            )
        if file.scope == "managed" and document.get("allowManagedHooksOnly") is True:
            return failed(
                "hooks enabled",
                f"`{file.path}` allows only an administrator's hooks",
                "ask your administrator to register hooklore",
            )
    return passed("hooks enabled", "no settings file switches hooks off")


def _config_directory(settings: SettingsFacts) -> Check:
    """Note the folder of the user's settings when a variable moves it."""
    return check_config_directory(settings, "CLAUDE_CONFIG_DIR", "~/.claude")


def _repair(file: SettingsFile) -> str:
    if file.scope == "plugin":
        return "claude plugin update hooklore"
    return (
        f"hooks install --{file.scope}" if file.scope in ("project", "local") else "hooks install"
    )


def _server_answer(settings: SettingsFacts, server: ServerFile) -> Check | None:
    """Note that a project's server waits for the user's answer, or that the user refused it."""
    if os.path.basename(server.path) != PROJECT_FILE:
        return None
    answer = read_answer(file.document or {} for file in settings.loaded)
    if answer:
        return None
    if answer is None:
        return noted("mcp server", f"registered in `{server.path}`; {TO_DO_IN_PROJECT}")
    detail = (
        f"registered in `{server.path}`, and refused by you: Claude Code starts it nowhere here"
    )
    return noted("mcp server", detail, "claude mcp reset-project-choices")


def _variables(document: Mapping[str, Any]) -> Mapping[str, Any]:
    named = document.get("env")
    return named if isinstance(named, dict) else {}


DIAGNOSIS = Diagnosis(
    program="claude",
    find_settings=find_settings,
    unregistered=_unregistered,
    repair=_repair,
    checks=(
        ("subdirectory", _subdirectory),
        ("settings files", _settings_files),
        ("hooks enabled", _hooks_enabled),
        ("config directory", _config_directory),
    ),
    variables=_variables,
    server_answer=_server_answer,
)
