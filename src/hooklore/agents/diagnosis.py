"""The facts that `hooks doctor` collects of one agent's settings, and the agent's own judgement of them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

from hooklore.agents.check import Check
from hooklore.agents.registration import Entry, Places

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


FindSettings = Callable[[ReadSettings, Places, Path | None], Iterator[SettingsFile]]
"""Yields every settings file that bears on a session in `Places.project_dir`, inside a repository or not."""

SettingsCheck = Callable[[SettingsFacts], Check]


AskClient = Callable[[SettingsFacts, Mapping[str, str]], Mapping[str, str]]
"""Asks the client itself, in an environment; {} where the client is not there or says nothing."""


def _asks_nothing(_settings: SettingsFacts, _environment: Mapping[str, str]) -> Mapping[str, str]:
    return {}


def _is_asked_nothing(_settings: SettingsFacts, _server: ServerFile) -> Check | None:
    return None


def _no_variables(_document: Mapping[str, Any]) -> Mapping[str, Any]:
    return {}


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The part of `hooks doctor` that one agent brings.

    `program` is the client's command, which answers `--version`. `checks` are the agent's own checks by
    name. `unregistered` explains that no loaded file has our entries. `repair` is the command that mends
    the entries of a file. `variables` are those that a settings file puts into the environment. `ask_client` asks
    the client for what no file says. `server_answer` notes that the user does not let the client start the
    server of a file, or was not asked yet.
    """

    program: str
    find_settings: FindSettings
    unregistered: SettingsCheck
    repair: Callable[[SettingsFile], str]
    checks: tuple[tuple[str, SettingsCheck], ...] = ()
    variables: Callable[[Mapping[str, Any]], Mapping[str, Any]] = _no_variables
    ask_client: AskClient = _asks_nothing
    server_answer: Callable[[SettingsFacts, ServerFile], Check | None] = _is_asked_nothing
