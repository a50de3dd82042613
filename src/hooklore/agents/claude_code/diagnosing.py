"""The settings files that Claude Code loads, and the mistakes in them that stop the hooks."""

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from hooklore.agents.check import Check, listed, noted, passed
from hooklore.agents.claude_code import shape
from hooklore.agents.claude_code.registering import REGISTRATION, SERVER, TO_DO_IN_PROJECT
from hooklore.agents.claude_code.server_answer import read_answer
from hooklore.agents.diagnosis import (
    Diagnosis,
    ReadSettings,
    ServerFile,
    SettingsFacts,
    SettingsFile,
    Switch,
)
from hooklore.agents.registration import Places

_MANAGED = Path(
    "/Library/Application Support/ClaudeCode" if sys.platform == "darwin" else "/etc/claude-code"
)


def _find_mistake(document: Mapping[str, Any]) -> str | None:
    """Return why the client silently ignores all of a file, or a part of it."""
    if dropping := shape.dropping(document):
        return f"{listed(dropping)}; Claude Code ignores this whole file"
    consequence = "Claude Code skips that entry, older versions ignore this whole file"
    invalid = shape.invalid_entries(document)
    return f"{listed(invalid)}; {consequence}" if invalid else None


def _find_plugins(
    read: ReadSettings, places: Places, files: list[SettingsFile]
) -> Iterator[SettingsFile]:
    """Yield the hooks of our plugins, in the client's own list of them; nothing for a list of another form."""
    enabled: dict[str, bool] = {}
    for file in files:  # later files count more
        named = (file.document or {}).get("enabledPlugins") if file.is_loaded else None
        enabled |= {name: value is True for name, value in _members(named)}
    config = places.config_dir or places.home / ".claude"
    listed = read("plugin", config / "plugins" / "installed_plugins.json", is_loaded=True)
    for name, installed in _members((listed.document or {}).get("plugins")):
        is_ours = name.partition("@")[0] == "hooklore" and isinstance(installed, list)
        for place in installed if is_ours else ():
            folder = place.get("installPath") if isinstance(place, dict) else None
            if isinstance(folder, str):
                path = Path(folder) / "hooks" / "hooks.json"
                yield read("plugin", path, is_loaded=enabled.get(name, False))


def _members(value: object) -> Iterable[tuple[str, Any]]:
    return value.items() if isinstance(value, dict) else ()


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


def _server_answer(settings: SettingsFacts, server: ServerFile) -> Check | None:
    """Note that a project's server waits for the user's answer, or that the user refused it."""
    if os.path.basename(server.path) != SERVER.file.project:
        return None
    answer = read_answer(file.document or {} for file in settings.loaded)
    if answer is None:
        return noted("mcp server", f"registered in `{server.path}`; {TO_DO_IN_PROJECT}")
    refused = "refused by you: Claude Code starts it nowhere here"
    detail = f"registered in `{server.path}`, and {refused}"
    return None if answer else noted("mcp server", detail, "claude mcp reset-project-choices")


_SWITCHES = (
    Switch("disableAllHooks", True, "`disableAllHooks` in `{path}` stops every hook",
           "remove `disableAllHooks` from `{path}`"),
    Switch("allowManagedHooksOnly", True, "`{path}` allows only an administrator's hooks",
           "ask your administrator to register hooklore", is_managed=True),
)  # fmt: skip

DIAGNOSIS = Diagnosis(
    program="claude",
    client="Claude Code",
    registration=REGISTRATION,
    install="hooks install",
    folder="~/.claude",
    order=("subdirectory", "settings files", "hooks enabled", "config directory"),
    own_checks={"subdirectory": _subdirectory},
    managed=(
        _MANAGED / "managed-settings.json",
        *sorted(_MANAGED.glob("managed-settings.d/*.json")),
    ),
    switches=_SWITCHES,
    plugin_fixes=("claude plugin enable hooklore", "claude plugin update hooklore"),
    find_more=_find_plugins,
    find_mistake=_find_mistake,
    variables=lambda document: dict(_members(document.get("env"))),
    server_answer=_server_answer,
)
