"""Reads the settings files that bear on a session started in a folder."""

import json
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hooklore.cli.doctor.facts import Scope, SettingsFacts, SettingsFile
from hooklore.cli.install import json_text, settings_path
from hooklore.cli.install.files import read_regular
from hooklore.cli.install.launcher import read_places
from hooklore.cli.install.settings import registered
from hooklore.errors import SettingsError

_MANAGED = (
    Path("/Library/Application Support/ClaudeCode")
    if sys.platform == "darwin"
    else Path("/etc/claude-code")
)
_PLUGIN = "hooklore"


def settings_facts(home: Path, start: Path, config_dir: str | None) -> SettingsFacts:
    """Every settings file that a session started in `start` loads, and those it might be expected to."""
    config = Path(config_dir) if config_dir else None
    top = repository_top(start)
    files = list(_files(home, start, config, top))
    return SettingsFacts(
        start=str(start),
        top=str(top) if top else None,
        config_dir=config_dir,
        files=(*files, *_plugins(config or home / ".claude", files)),
        in_settings=tuple(_places(home)),
    )


def _files(
    home: Path, start: Path, config: Path | None, top: Path | None
) -> Iterator[SettingsFile]:
    user = settings_path("user", home=home, project_dir=start, config_dir=config)
    yield _read("user", user)
    seen = {os.path.realpath(user)}
    places: list[tuple[Scope, Path]] = [
        ("project", settings_path("project", home=home, project_dir=start)),
        ("local", settings_path("local", home=home, project_dir=start)),
    ]
    if top is not None and top != start:
        places.append(("root", settings_path("project", home=home, project_dir=top)))
        places.append(("root", settings_path("local", home=home, project_dir=top)))
    places.append(("default user", home / ".claude" / "settings.json"))
    places += [("managed", path) for path in _managed()]
    for scope, path in places:
        if os.path.realpath(path) not in seen:
            seen.add(os.path.realpath(path))
            yield _read(scope, path)


def _managed() -> list[Path]:
    """An administrator's settings: they may forbid hooks."""
    return [_MANAGED / "managed-settings.json", *sorted(_MANAGED.glob("managed-settings.d/*.json"))]


def _read(scope: Scope, path: Path, *, is_loaded: bool | None = None) -> SettingsFile:
    loaded = scope not in ("root", "default user") if is_loaded is None else is_loaded
    try:
        raw = read_regular(path)
    except NotADirectoryError:
        raw = None
    except OSError as error:
        reason = error.strerror or str(error)
        return SettingsFile(scope, str(path), loaded, problem=f"it cannot be read: {reason}")
    if raw is None:
        return SettingsFile(scope, str(path), loaded)
    try:
        _, text = json_text.decode(raw, str(path))
        if json_text.is_blank(text):
            return SettingsFile(scope, str(path), loaded, document={})
        json_text.check(text, str(path))
    except SettingsError as error:
        return SettingsFile(scope, str(path), loaded, problem=error.cause)
    document: Mapping[str, Any] = json.loads(text, parse_int=float)
    return SettingsFile(scope, str(path), loaded, document, None, tuple(registered(text)))


def _plugins(config: Path, files: list[SettingsFile]) -> Iterator[SettingsFile]:
    """The hooks of our own plugin, where it is installed; loaded when some settings enable it."""
    enabled = _enabled(files)
    for name, folder in _installed(config / "plugins" / "installed_plugins.json"):
        path = folder / "hooks" / "hooks.json"
        yield _read("plugin", path, is_loaded=enabled.get(name, False))


def _enabled(files: list[SettingsFile]) -> dict[str, bool]:
    """Which of our plugins are switched on: later files count more."""
    found: dict[str, bool] = {}
    for file in files:
        named = (file.document or {}).get("enabledPlugins") if file.is_loaded else None
        for name, value in named.items() if isinstance(named, dict) else ():
            found[name] = value is True
    return found


def _installed(path: Path) -> Iterator[tuple[str, Path]]:
    """(name, folder) of our plugins in the client's own list; nothing when its form is another one."""
    document = _read("plugin", path).document or {}
    plugins = document.get("plugins")
    for name, places in plugins.items() if isinstance(plugins, dict) else ():
        if name.partition("@")[0] != _PLUGIN or not isinstance(places, list):
            continue
        for place in places:
            folder = place.get("installPath") if isinstance(place, dict) else None
            if isinstance(folder, str):
                yield name, Path(folder)


def _places(home: Path) -> list[str]:
    try:
        return read_places(home)
    except OSError:
        return []


def repository_top(start: Path) -> Path | None:
    """The nearest folder, this one or one above, that has a `.git`."""
    for folder in (start, *start.parents):
        if os.path.lexists(folder / ".git"):
            return folder
    return None
