"""The settings files that Claude Code loads, and the mistakes in them that stop the hooks."""

import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hooklore.agents.check import Check, failed, listed, noted, passed
from hooklore.agents.claude_code import shape
from hooklore.agents.claude_code.registering import REGISTRATION, SERVER, TO_DO_IN_PROJECT
from hooklore.agents.claude_code.server_answer import read_answer
from hooklore.agents.diagnosis import (
    Diagnosis,
    ReadSettings,
    ServerFile,
    SettingsFacts,
    SettingsFile,
)
from hooklore.agents.registration import Places
from hooklore.agents.settings_checks import ClientSettings, Switch

_MANAGED = Path(
    "/Library/Application Support/ClaudeCode" if sys.platform == "darwin" else "/etc/claude-code"
)
_PLUGIN = "hooklore"


def _find_mistake(document: Mapping[str, Any]) -> str | None:
    """Return why the client silently ignores all of a file, or a part of it."""
    if dropping := shape.dropping(document):
        return f"{listed(dropping)}; Claude Code ignores this whole file"
    if invalid := shape.invalid_entries(document):
        return (
            f"{listed(invalid)}; "
            "Claude Code skips that entry, older versions ignore this whole file"
        )
    return None


_SETTINGS = ClientSettings(
    client="Claude Code",
    registration=REGISTRATION,
    install="hooks install",
    folder="~/.claude",
    managed=(
        _MANAGED / "managed-settings.json",
        *sorted(_MANAGED.glob("managed-settings.d/*.json")),
    ),
    switches=(
        Switch(
            ("disableAllHooks",),
            True,
            "`disableAllHooks` in `{path}` stops every hook",
            "remove `disableAllHooks` from `{path}`",
        ),
        Switch(
            ("allowManagedHooksOnly",),
            True,
            "`{path}` allows only an administrator's hooks",
            "ask your administrator to register hooklore",
            is_managed=True,
        ),
    ),
    find_mistake=_find_mistake,
)


def find_settings(read: ReadSettings, places: Places, top: Path | None) -> Iterator[SettingsFile]:
    """Yield every settings file that a session loads, and those that the user may expect it to load."""
    files = []
    for file in _SETTINGS.find(read, places, top):
        files.append(file)
        yield file
    config = places.config_dir or places.home / ".claude"
    enabled = _enabled(files)
    for name, folder in _installed(read, config / "plugins" / "installed_plugins.json"):
        path = folder / "hooks" / "hooks.json"
        yield read("plugin", path, is_loaded=enabled.get(name, False))


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
    """Return why no hook is registered here: after all else, the plugin may be installed and not enabled."""
    found = _SETTINGS.unregistered(settings)
    is_plugin = any(f.scope == "plugin" and f.groups and not f.is_loaded for f in settings.files)
    if found.fix != _SETTINGS.install or not is_plugin:
        return found
    detail = "the plugin is installed and not enabled"
    return failed("registration", detail, "claude plugin enable hooklore")


def _subdirectory(settings: SettingsFacts) -> Check:
    """Note that a repository's own settings are loaded only when the client is started in its root."""
    if settings.top is None or settings.top == settings.start:
        return passed("subdirectory", f"`{settings.start}` is where a session's settings are read")
    unused = [f.path for f in settings.files if f.scope == "root" and f.document is not None]
    detail = f"`{settings.start}` lies in the repository `{settings.top}`"
    if unused:
        detail += f"; started here, Claude Code ignores {listed(unused)}"
        return noted("subdirectory", detail)
    return passed("subdirectory", detail)


def _repair(file: SettingsFile) -> str:
    is_plugin = file.scope == "plugin"
    return "claude plugin update hooklore" if is_plugin else _SETTINGS.repair(file)


def _server_answer(settings: SettingsFacts, server: ServerFile) -> Check | None:
    """Note that a project's server waits for the user's answer, or that the user refused it."""
    if os.path.basename(server.path) != SERVER.file.project:
        return None
    answer = read_answer(file.document or {} for file in settings.loaded)
    if answer is None:
        return noted("mcp server", f"registered in `{server.path}`; {TO_DO_IN_PROJECT}")
    detail = (
        f"registered in `{server.path}`, and refused by you: Claude Code starts it nowhere here"
    )
    return None if answer else noted("mcp server", detail, "claude mcp reset-project-choices")


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
        ("settings files", _SETTINGS.check_files),
        ("hooks enabled", _SETTINGS.check_switches),
        ("config directory", _SETTINGS.check_folder),
    ),
    variables=_variables,
    server_answer=_server_answer,
)
