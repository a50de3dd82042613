"""The facts that `hooks doctor` collects of one agent's settings, and the agent's own judgement of them."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

from hooklore.agents.check import Check, failed, noted, passed, shell
from hooklore.agents.registration import Entry, Places, Registration

SettingsScope = Literal["user", "project", "local", "managed", "plugin", "root", "default user"]
"""Whose settings: `root` are those of a repository around the folder, `default user` those of the
default folder when a variable leads elsewhere. The client loads neither."""


@dataclass(frozen=True, slots=True)
class SettingsFile:
    """One settings file. `document` is None when the file is absent or unreadable, then `problem` says why.

    `groups` are our entries: (event, entry). The event is "" where a later key hides the entry.
    """

    scope: SettingsScope
    path: str
    is_loaded: bool
    document: Mapping[str, Any] | None = None
    problem: str | None = None
    groups: tuple[tuple[str, Entry], ...] = ()


@dataclass(frozen=True, slots=True)
class ServerFile:
    """One file that may register the MCP server. `entry` is the server of ours in the file, None without one."""

    path: str
    entry: Entry | None = None
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class SettingsFacts:
    """The folder of a session, the repository around it, and every settings file that bears on it.

    `servers` are the files that may register the MCP server. `told` is the client's own word on our entries,
    by event, where it was asked (see `Diagnosis`).
    """

    start: str
    top: str | None
    config_dir: str | None
    files: tuple[SettingsFile, ...]
    in_settings: tuple[str, ...] = ()
    servers: tuple[ServerFile, ...] = ()
    told: Mapping[str, str] = field(default_factory=dict)

    @property
    def loaded(self) -> Iterator[SettingsFile]:
        """The files that a session started here loads, plugins last."""
        return (file for file in self.files if file.is_loaded and file.document is not None)


class ReadSettings(Protocol):
    """Reads one settings file; never raises."""

    def __call__(self, scope: SettingsScope, path: Path, *, is_loaded: bool) -> SettingsFile:
        """Return the file as far as it can be read."""


SettingsCheck = Callable[[SettingsFacts], Check]

_NOT_LOADED = ("root", "default user")


@dataclass(frozen=True, slots=True)
class Switch:
    """A setting that stops hooks: its keys with dots between, and the value that it has, or holds, then.

    Only an administrator's file counts where `is_managed`. `detail` and `fix` name the file as `{path}`.
    """

    keys: str
    value: object
    detail: str
    fix: str
    is_managed: bool = False

    def stops(self, file: SettingsFile) -> bool:
        """Return whether a file that is loaded stops hooks by this setting."""
        found: Any = file.document
        for key in self.keys.split("."):
            found = found.get(key) if isinstance(found, dict) else None
        is_set = found is self.value or (isinstance(found, list) and self.value in found)
        return file.is_loaded and is_set and (file.scope == "managed" or not self.is_managed)


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The part of `hooks doctor` that one agent brings: its settings files, and the mistakes in them.

    `program` is the client's command, which answers `--version`, `client` its name. `install` registers the
    hooks. The user's settings lie in `folder`, an administrator's files are `managed`. `find_more` yields
    files of a plugin, which `plugin_fixes` switch on and renew. `order` are the checks by name, with the
    client's `own_checks`. `switches` are the settings that stop hooks. `find_mistake` returns why the client
    does not take a file that can be read, None for one that it takes. `variables` are those that a settings file
    puts into the environment. `ask_client` asks the client itself for what no file says, {} where it is not
    there. `server_answer` notes that the user does not let the client start the server of a file, or was not asked.
    """

    program: str
    client: str
    registration: Registration
    install: str
    folder: str
    order: tuple[str, ...] = ()
    own_checks: Mapping[str, SettingsCheck] = field(default_factory=dict)
    managed: tuple[Path, ...] = ()
    switches: tuple[Switch, ...] = ()
    plugin_fixes: tuple[str, str] = ("", "")
    find_more: Callable[[ReadSettings, Places, list[SettingsFile]], Iterable[SettingsFile]] = (
        lambda _read, _places, _files: ()
    )
    find_mistake: Callable[[Mapping[str, Any]], str | None] = lambda _document: None
    variables: Callable[[Mapping[str, Any]], Mapping[str, Any]] = lambda _document: {}
    ask_client: Callable[[SettingsFacts, Mapping[str, str]], Mapping[str, str]] = (
        lambda _settings, _environment: {}
    )
    server_answer: Callable[[SettingsFacts, ServerFile], Check | None] = lambda _facts, _file: None

    def find_settings(
        self, read: ReadSettings, places: Places, top: Path | None
    ) -> Iterator[SettingsFile]:
        """Yield every settings file that a session loads, and those that the user may expect it to load.

        A file stands under the first of its scopes.
        """
        seen = set()
        files: list[SettingsFile] = []
        for scope, path in self._candidates(places, top):
            if os.path.realpath(path) not in seen:
                seen.add(os.path.realpath(path))
                files.append(read(scope, path, is_loaded=scope not in _NOT_LOADED))
                yield files[-1]
        yield from self.find_more(read, places, files)

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
            path, fix = others["default user"], f"{self.install} --user"
            if self.registration.scopes == ("user",):
                path, fix = f"{self.folder}/{os.path.basename(path)}", self.install
            variable = self.registration.config_variable
            detail = f"{variable} is `{settings.config_dir}`, so `{path}` is not loaded"
            return failed("registration", detail, fix)
        if any(f.scope == "plugin" and f.groups and not f.is_loaded for f in settings.files):
            return failed(
                "registration", "the plugin is installed and not enabled", self.plugin_fixes[0]
            )
        return failed("registration", "no settings file registers the hooks", self.install)

    def _events(self, file: SettingsFile) -> bool:
        return any(event in self.registration.entry_files for event, _ in file.groups)

    def repair(self, file: SettingsFile) -> str:
        """Return the command that mends the entries of a file."""
        if file.scope == "plugin":
            return self.plugin_fixes[1]
        named = file.scope in ("project", "local")
        return f"{self.install} --{file.scope}" if named else self.install

    @property
    def checks(self) -> tuple[tuple[str, SettingsCheck], ...]:
        """The checks of the settings by name, in the order of the report."""
        shared: dict[str, SettingsCheck] = {
            "settings files": self.check_files,
            "hooks enabled": self.check_switches,
            "config directory": self.check_folder,
        }
        found = shared | dict(self.own_checks)
        return tuple((name, found[name]) for name in self.order)

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
