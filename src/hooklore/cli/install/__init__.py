"""Registration with agents: the work of `hooks install` and `hooks uninstall`, without printing."""

from hooklore.cli.install.install import InstallReport, Scope, SettingsEdit, install, settings_path
from hooklore.cli.install.uninstall import UninstallReport, uninstall

__all__ = [
    "InstallReport",
    "Scope",
    "SettingsEdit",
    "UninstallReport",
    "install",
    "settings_path",
    "uninstall",
]
