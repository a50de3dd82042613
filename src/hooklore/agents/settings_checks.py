"""The settings files of a client as doctor looks for them, and the checks of them that several agents share."""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hooklore.agents.check import Check, failed, noted, passed, shell
from hooklore.agents.diagnosis import ReadSettings, SettingsFacts, SettingsFile, SettingsScope
from hooklore.agents.registration import Places, Registration

_NOT_LOADED = ("root", "default user")


@dataclass(frozen=True, slots=True)
class Switch:
    """A setting that stops hooks: its keys, and the value that it has, or holds, then.

    Only an administrator's file counts where `is_managed`. `detail` and `fix` name the file as `{path}`.
    """

    keys: tuple[str, ...]
    value: object
    detail: str
    fix: str
    is_managed: bool = False

    def stops(self, file: SettingsFile) -> bool:
        """Return whether a file that is loaded stops hooks by this setting."""
        found: Any = file.document
        for key in self.keys:
            found = found.get(key) if isinstance(found, dict) else None
        is_set = found is self.value or (isinstance(found, list) and self.value in found)
        return file.is_loaded and is_set and (file.scope == "managed" or not self.is_managed)


@dataclass(frozen=True, slots=True)
class ClientSettings:
    """The settings files of a client, and the mistakes in them.

    `install` registers the hooks. The user's settings lie in `folder`, an administrator's files are `managed`.
    `switches` are the settings that stop hooks. `find_mistake` returns why the client does not take a file
    that can be read, None for one that it takes.
    """

    client: str
    registration: Registration
    install: str
    folder: str
    managed: tuple[Path, ...] = ()
    switches: tuple[Switch, ...] = ()
    find_mistake: Callable[[Mapping[str, Any]], str | None] = lambda _document: None

    def find(self, read: ReadSettings, places: Places, top: Path | None) -> Iterator[SettingsFile]:
        """Yield every settings file that a session loads, and those that the user may expect it to load.

        A file stands under the first of its scopes.
        """
        seen = set()
        for scope, path in self._candidates(places, top):
            if os.path.realpath(path) not in seen:
                seen.add(os.path.realpath(path))
                yield read(scope, path, is_loaded=scope not in _NOT_LOADED)

    def _candidates(self, places: Places, top: Path | None) -> Iterator[tuple[SettingsScope, Path]]:
        path_of = self.registration.settings_path
        scopes = [each for each in self.registration.scopes if each != "plugin"]
        yield from ((scope, path_of(scope, places)) for scope in scopes)
        if top is not None and top != places.project_dir:
            around = Places(places.home, top)
            yield from (("root", path_of(each, around)) for each in scopes if each != "user")
        yield "default user", path_of("user", Places(places.home, places.project_dir))
        yield from (("managed", path) for path in self.managed)

    def unregistered(self, settings: SettingsFacts) -> Check:
        """Return why no hook is registered here, though one may be where somebody expects it to count."""
        others = {f.scope: f.path for f in settings.files if not f.is_loaded and self._events(f)}
        if "root" in others:
            detail = (
                f"{self.client} started in `{settings.start}` does not load `{others['root']}`: "
                "it reads the settings of the folder it is started in"
            )
            return failed("registration", detail, shell("cd", str(settings.top)))
        if "default user" in others:
            variable = self.registration.config_variable
            detail = f"{variable} is `{settings.config_dir}`, so `{others['default user']}` is not loaded"
            return failed("registration", detail, f"{self.install} --user")
        return failed("registration", "no settings file registers the hooks", self.install)

    def _events(self, file: SettingsFile) -> bool:
        return any(event in self.registration.entry_files for event, _ in file.groups)

    def repair(self, file: SettingsFile) -> str:
        """Return the command that mends the entries of a file."""
        named = file.scope in ("project", "local")
        return f"{self.install} --{file.scope}" if named else self.install

    def check_files(self, settings: SettingsFacts) -> Check:
        """Fail for the first file that the client loads and does not take, as it cannot be read or is mistaken."""
        loaded = [file for file in settings.files if file.is_loaded]
        for file in loaded:
            problem = file.problem or self.find_mistake(file.document or {})
            if problem is not None:
                return failed(
                    "settings files", f"`{file.path}`: {problem}", f"correct `{file.path}`"
                )
        count = sum(1 for file in loaded if file.document is not None)
        return passed("settings files", f"{count} loaded here, all valid")

    def check_switches(self, settings: SettingsFacts) -> Check:
        """Fail when a file switches hooks off."""
        for file in settings.files:
            for switch in self.switches:
                if switch.stops(file):
                    texts = (text.format(path=file.path) for text in (switch.detail, switch.fix))
                    return failed("hooks enabled", *texts)
        return passed("hooks enabled", "no settings file switches hooks off")

    def check_folder(self, settings: SettingsFacts) -> Check:
        """Note the folder of the user's settings when a variable moves it."""
        if not settings.config_dir:
            return passed("config directory", f"the user's settings are those in `{self.folder}`")
        variable = self.registration.config_variable
        return noted(
            "config directory",
            f"{variable} is `{settings.config_dir}`; a session without it loads `{self.folder}`",
        )
