"""The settings files that Gemini CLI loads, and the mistakes in them that stop the hooks."""

import sys
from pathlib import Path

from hooklore.agents.check import Check, listed, noted, passed
from hooklore.agents.diagnosis import Diagnosis, SettingsFacts, Switch
from hooklore.agents.gemini.registering import GROUPS, INSTALL, REGISTRATION

_MANAGED = Path(
    "/Library/Application Support/GeminiCli" if sys.platform == "darwin" else "/etc/gemini-cli"
)


_SWITCHES = (
    Switch("hooksConfig.enabled", False, "`hooksConfig.enabled` in `{path}` stops every hook",
           "remove it from `{path}`"),
    Switch("hooksConfig.disabled", GROUPS.name, f"`hooksConfig.disabled` in `{{path}}` names `{GROUPS.name}`",
           f"run `/hooks enable {GROUPS.name}` in Gemini CLI"),
)  # fmt: skip


def _trusted_folder(settings: SettingsFacts) -> Check:
    """Note that a project's hooks run in a trusted folder alone."""
    paths = [file.path for file in settings.loaded if file.scope == "project" and file.groups]
    if not paths:
        return passed("trusted folder", "the user's hooks run in every folder")
    detail = f"the hooks in {listed(paths)} run only where Gemini CLI trusts the folder"
    return noted("trusted folder", detail, "gemini trust")


DIAGNOSIS = Diagnosis(
    program="gemini",
    client="Gemini CLI",
    registration=REGISTRATION,
    install=INSTALL,
    folder="~/.gemini",
    order=("settings files", "hooks enabled", "trusted folder", "config directory"),
    own_checks={"trusted folder": _trusted_folder},
    managed=(_MANAGED / "system-defaults.json", _MANAGED / "settings.json"),
    switches=_SWITCHES,
)
