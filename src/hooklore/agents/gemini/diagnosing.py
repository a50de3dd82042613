"""The settings files that Gemini CLI loads, and the mistakes in them that stop the hooks."""

import sys
from collections.abc import Iterator
from pathlib import Path

from hooklore.agents.check import Check, failed, listed, noted, passed
from hooklore.agents.diagnosis import (
    Diagnosis,
    ReadSettings,
    SettingsFacts,
    SettingsFile,
    SettingsScope,
)
from hooklore.agents.gemini.registering import HOOK_NAME, REGISTRATION
from hooklore.agents.registration import Places
from hooklore.agents.settings_checks import (
    check_config_directory,
    count_valid,
    each_once,
    find_expected,
    find_unreadable,
)

_MANAGED = Path(
    "/Library/Application Support/GeminiCli" if sys.platform == "darwin" else "/etc/gemini-cli"
)
_NOT_LOADED = ("root", "default user")
_INSTALL = "hooks install --agent gemini"


def find_settings(read: ReadSettings, places: Places, top: Path | None) -> Iterator[SettingsFile]:
    """Yield every settings file that a session loads, and those that the user may expect it to load."""
    for scope, path in each_once(_candidates(places, top)):
        yield read(scope, path, is_loaded=scope not in _NOT_LOADED)


def _candidates(places: Places, top: Path | None) -> Iterator[tuple[SettingsScope, Path]]:
    path_of = REGISTRATION.settings_path
    yield "user", path_of("user", places)
    yield "project", path_of("project", places)
    if top is not None and top != places.project_dir:
        yield "root", path_of("project", Places(places.home, top))
    yield "default user", path_of("user", Places(places.home, places.project_dir))
    for name in ("system-defaults.json", "settings.json"):
        yield "managed", _MANAGED / name


def _unregistered(settings: SettingsFacts) -> Check:
    """Return why no hook is registered here although it may be registered where somebody expects it to count."""
    others = {f.scope: f for f in settings.files if not f.is_loaded and f.groups}
    expected = find_expected(
        settings, others, client="Gemini CLI", variable="GEMINI_CLI_HOME", install=_INSTALL
    )
    return expected or failed("registration", "no settings file registers the hooks", _INSTALL)


def _settings_files(settings: SettingsFacts) -> Check:
    """Fail for a file that the client cannot read: it does not start then."""
    return find_unreadable(settings) or count_valid(settings)


def _hooks_enabled(settings: SettingsFacts) -> Check:
    """Fail when a file switches hooks off: all of them, or ours by name."""
    for file in settings.files:
        named = (file.document or {}).get("hooksConfig") if file.is_loaded else None
        switches = named if isinstance(named, dict) else {}
        if switches.get("enabled") is False:
            detail = f"`hooksConfig.enabled` in `{file.path}` stops every hook"
            return failed("hooks enabled", detail, f"remove it from `{file.path}`")
        disabled = switches.get("disabled")
        if isinstance(disabled, list) and HOOK_NAME in disabled:
            detail = f"`hooksConfig.disabled` in `{file.path}` names `{HOOK_NAME}`"
            return failed("hooks enabled", detail, f"run `/hooks enable {HOOK_NAME}` in Gemini CLI")
    return passed("hooks enabled", "no settings file switches hooks off")


def _trusted_folder(settings: SettingsFacts) -> Check:
    """Note that a project's hooks run in a trusted folder alone."""
    paths = [file.path for file in settings.loaded if file.scope == "project" and file.groups]
    if not paths:
        return passed("trusted folder", "the user's hooks run in every folder")
    detail = f"the hooks in {listed(paths)} run only where Gemini CLI trusts the folder"
    return noted("trusted folder", detail, "gemini trust")


def _config_directory(settings: SettingsFacts) -> Check:
    """Note the folder of the user's settings when a variable moves it."""
    return check_config_directory(settings, "GEMINI_CLI_HOME", "~/.gemini")


def _repair(file: SettingsFile) -> str:
    return f"{_INSTALL} --project" if file.scope == "project" else _INSTALL


DIAGNOSIS = Diagnosis(
    program="gemini",
    find_settings=find_settings,
    unregistered=_unregistered,
    repair=_repair,
    checks=(
        ("settings files", _settings_files),
        ("hooks enabled", _hooks_enabled),
        ("trusted folder", _trusted_folder),
        ("config directory", _config_directory),
    ),
)
