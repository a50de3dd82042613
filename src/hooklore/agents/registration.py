"""The registration of hooks with an agent: which file, which entries, and how a file is edited."""

import os
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from hooklore.errors import SettingsError

if TYPE_CHECKING:
    from hooklore.agents.json_settings import PermissionList

Scope = Literal["user", "project", "local", "plugin"]
"""Whose settings; `plugin` lays out the launcher and registers nothing: the plugin does."""

Entry = Any
"""The settings of one event as an agent's file holds them."""

Command = str | tuple[str, ...]
"""A command that an agent runs: a line for a shell, or the words of a program without a shell."""

LAUNCHER_PATH = ".local/share/hooklore"
"""The launcher's folder, from the home."""

SERVER_FILE = "server.py"
"""The file in the launcher that starts the MCP server."""

SERVER_NAME = "hooklore"
"""The name of the memory's MCP server in every agent's settings."""

_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Places:
    """The folders of a registration. `config_dir` is the agent's own folder where the user moved it."""

    home: Path
    project_dir: Path
    config_dir: Path | None = None


@dataclass(frozen=True, slots=True)
class ClientFile:
    """The place of a client's file in each scope: the user's below the home, the others below the project.

    `moved` is the user's file below the folder that the client's variable names. A scope without a file
    has none.
    """

    user: str
    moved: str
    project: str = ""
    local: str = ""

    def find(self, scope: Scope, places: Places) -> Path | None:
        """Return the file of a scope, None for a scope without one."""
        if scope == "user":
            named = places.config_dir
            return Path(os.path.abspath(named / self.moved if named else places.home / self.user))
        name = {"project": self.project, "local": self.local}.get(scope)
        return Path(os.path.realpath(places.project_dir)) / name if name else None

    def path(self, scope: Scope, places: Places) -> Path:
        """Return the file of a scope, of one without a file the next wider one's."""
        found = self.find(scope, places) or self.find("project", places)
        return found or self.path("user", places)

    def line(self, path: Path, places: Places) -> str:
        """Return `user` for the user's file, even when reached as a project's: the home can be a project."""
        if os.path.realpath(path) == os.path.realpath(self.path("user", places)):
            return "user"
        return str(path.parents[self.project.count("/")])

    def scope_of(self, line: str, path: str) -> Scope:
        """Return the scope of a file by its line."""
        if line == "user":
            return "user"
        return "local" if self.local and path.endswith(f"/{self.local}") else "project"


@dataclass(frozen=True, slots=True)
class Insertion:
    """Text to put in at an offset of the text before, in characters."""

    at: int
    text: str


class SettingsFormat(ABC):
    """A settings file as text: hooklore's entries are found, put in and taken out, all else stays."""

    __slots__ = ()

    def decode(self, raw: bytes, path: str) -> tuple[bytes, str]:
        """Return the byte order mark or b"", and the text: bytes that are not UTF-8 become surrogates."""
        if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
            raise SettingsError(path, "it is UTF-16", fix=f"save `{path}` as UTF-8")
        mark = _BOM if raw.startswith(_BOM) else b""
        return mark, raw[len(mark) :].decode("utf-8", "surrogateescape")

    def encode(self, text: str) -> bytes:
        """Return the bytes that `decode` came from."""
        return text.encode("utf-8", "surrogateescape")

    def is_blank(self, text: str) -> bool:
        """Return whether the file says nothing at all."""
        return not text.strip(" \t\r\n")

    def is_empty(self, text: str) -> bool:
        """Return whether a checked text holds no setting."""
        return self.is_blank(text)

    @abstractmethod
    def check(self, text: str, path: str) -> None:
        """Raise SettingsError unless the client would read this text."""

    @abstractmethod
    def read(self, text: str) -> Mapping[str, Any]:
        """Return the settings of a checked text."""

    @abstractmethod
    def registered(self, text: str) -> list[tuple[str, Entry]]:
        """Return (event, entry) of each entry of ours; the event is "" where another key hides the entry."""

    @abstractmethod
    def add(self, text: str, wanted: Mapping[str, Entry], path: str) -> list[Insertion]:
        """Return the insertions that register `wanted`, in ascending order. Raise SettingsError."""

    def present(self, text: str) -> frozenset[str]:
        """Return the containers of our entries that the text has already."""
        del text
        return frozenset()

    @abstractmethod
    def remove(self, text: str, keep: Collection[str] = ()) -> str:
        """Return a checked text without our entries and without emptied containers, except `keep`."""


@dataclass(frozen=True, slots=True)
class UserCommand:
    """A slash command that the agent loads from a file: `path` is below the user's settings folder.

    `checkout` is the file's source in a checkout, `packaged` its name in the wheel, `usage` an example.
    """

    path: str
    checkout: str
    packaged: str
    usage: str


@dataclass(frozen=True, slots=True)
class ServerRegistration:
    """The registration of the memory's MCP server with one agent.

    `format` is for the one entry of the name `SERVER_NAME`. `file` has its place: in a scope without one the
    agent takes no server. The server is started for `agent_id`, with `more` settings, from the variable `home`
    where the client expands one. `hold` keeps the client from writing to a file, where it has a lock. `permitted`
    lets the agent call the server's tools without a question. `to_do` is what an install leaves to the user.
    """

    format: SettingsFormat
    file: ClientFile
    agent_id: str
    home: str = ""
    more: Mapping[str, object] = field(default_factory=dict)
    hold: Callable[[Path], AbstractContextManager[None]] = lambda _path: nullcontext()
    permitted: Mapping[str, object] = field(default_factory=dict)
    to_do: Mapping[Scope, str] = field(default_factory=dict)

    def settings_path(self, scope: Scope, places: Places) -> Path | None:
        """Return the file of a scope, None for a scope in which the agent takes no server."""
        return self.file.find(scope, places)

    def entry(self, home: Path) -> Entry:
        """Return the settings of the server. It is started by its path: an agent has a PATH of its own."""
        launcher = f"{self.home or home}/{LAUNCHER_PATH}"
        start = ["-I", "-S", f"{launcher}/{SERVER_FILE}", "mcp", "--agent", self.agent_id]
        return {**self.more, "command": f"{launcher}/python", "args": start}

    def without_added(self, entry: Entry, home: Path) -> Entry:
        """Return the settings of a server of ours without the keys that the user added."""
        ours = {*self.entry(home), *self.permitted}
        return {key: value for key, value in entry.items() if key in ours}

    @property
    def permissions(self) -> None:
        """A server's file has no permission rules of ours."""


@dataclass(frozen=True, slots=True)
class InstructionsFile:
    """The file of instructions that an agent reads at every start of a session.

    The user's lies beside the user's settings. `elsewhere` names the other place of a text of instructions.
    """

    file: ClientFile
    elsewhere: str

    def path(self, scope: Scope, places: Places) -> Path:
        """Return the file of a scope."""
        return self.file.path(scope, places)


@dataclass(frozen=True, slots=True)
class Registration:
    """The registration of the hooks with one agent.

    `file` has the place of the settings.
    `entry_files` maps events to files below the launcher's `hooks/`, which the package brings when
    `is_packaged`, and which the installer writes otherwise. `entries` returns the settings of each event,
    by the home, for a `plugin` or not, and with `capture_reads` or without; `commands` returns the commands of
    ours in one of them. `config_variable` is the environment variable that
    moves the agent's folder. `permissions` are the rules for commands of ours, `server` the registration of
    the MCP server, `instructions` the file of instructions, each None where the client has none. `to_do` is the
    step that is left to the user after an install, "" without one.
    """

    format: SettingsFormat
    file: ClientFile
    entry_files: Mapping[str, str]
    entries: Callable[..., Mapping[str, Entry]]
    commands: Callable[[Entry], list[Command]]
    is_packaged: bool = False
    config_variable: str = ""
    user_command: UserCommand | None = None
    permissions: "PermissionList | None" = None
    server: ServerRegistration | None = None
    instructions: InstructionsFile | None = None
    to_do: str = ""

    @property
    def scope_names(self) -> Mapping[Scope, str]:
        """Return where each scope's settings lie, for help texts."""
        names: dict[Scope, str] = {"user": f"in ~/{self.file.user}"}
        if self.file.project:
            names["project"] = f"in {self.file.project} of this folder"
        if self.file.local:
            names["local"] = f"in {self.file.local} of this folder"
        return names

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """Return the scopes of an install: a packaged registration may be a plugin's."""
        return (*self.scope_names, "plugin") if self.is_packaged else tuple(self.scope_names)

    def settings_path(self, scope: Scope, places: Places) -> Path:
        """Return the settings file of a scope."""
        return self.file.path(scope, places)


def entry_file(event: str, folder: str = "") -> str:
    """Return the name of an event's entry file, below the launcher's `hooks/`."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])|[^A-Za-z]+", "_", event).lower()
    return f"{folder}/{words}.py" if folder else f"{words}.py"


def is_server_command(words: Collection[str]) -> bool:
    """Return whether these words start the MCP server of a launcher."""
    program, *arguments = words or ("",)
    return program.endswith(f"/{LAUNCHER_PATH}/python") and "mcp" in arguments
