"""The checks of settings files that several agents have in common."""

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from hooklore.agents.check import Check, failed, noted, passed, shell
from hooklore.agents.diagnosis import SettingsFacts, SettingsFile, SettingsScope


def each_once(
    candidates: Iterable[tuple[SettingsScope, Path]],
) -> Iterator[tuple[SettingsScope, Path]]:
    """Yield (scope, path) of settings files, each file under the first of its scopes."""
    seen = set()
    for scope, path in candidates:
        if os.path.realpath(path) not in seen:
            seen.add(os.path.realpath(path))
            yield scope, path


def find_unreadable(settings: SettingsFacts) -> Check | None:
    """Return the failure of the first file that the client loads and cannot read, None without one."""
    for file in settings.files:
        if file.is_loaded and file.problem is not None:
            detail = f"`{file.path}`: {file.problem}"
            return failed("settings files", detail, f"correct `{file.path}`")
    return None


def count_valid(settings: SettingsFacts) -> Check:
    """Return the passed check of settings files that are all valid."""
    count = sum(1 for file in settings.files if file.is_loaded and file.document is not None)
    return passed("settings files", f"{count} loaded here, all valid")


def find_expected(
    settings: SettingsFacts,
    others: Mapping[SettingsScope, SettingsFile],
    *,
    client: str,
    variable: str,
    install: str,
) -> Check | None:
    """Return why a file of ours that somebody expects to count does not; None without such a file.

    `others` are the files with entries of ours that `client` does not load. `variable` moves the user's
    folder, and `install` registers the hooks there.
    """
    if "root" in others:
        detail = (
            f"{client} started in `{settings.start}` does not load `{others['root'].path}`: "
            "it reads the settings of the folder it is started in"
        )
        return failed("registration", detail, shell("cd", str(settings.top)))
    if "default user" in others:
        path = others["default user"].path
        detail = f"{variable} is `{settings.config_dir}`, so `{path}` is not loaded"
        return failed("registration", detail, f"{install} --user")
    return None


def check_config_directory(settings: SettingsFacts, variable: str, folder: str) -> Check:
    """Note the folder of the user's settings when `variable` moves it from `folder`."""
    if not settings.config_dir:
        return passed("config directory", f"the user's settings are those in `{folder}`")
    return noted(
        "config directory",
        f"{variable} is `{settings.config_dir}`; a session without it loads `{folder}`",
    )
