"""The registration of hooks with an agent: which file, which entries, and how a file is edited."""

from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

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


@dataclass(frozen=True, slots=True)
class Places:
    """The folders of a registration. `config_dir` is the agent's own folder where the user moved it."""

    home: Path
    project_dir: Path
    config_dir: Path | None = None


@dataclass(frozen=True, slots=True)
class Insertion:
    """Text to put in at an offset of the text before, in characters."""

    at: int
    text: str


class SettingsFormat(Protocol):
    """A settings file as text: hooklore's entries are found, put in and taken out, all else stays."""

    def decode(self, raw: bytes, path: str) -> tuple[bytes, str]:
        """Return the byte order mark or b"", and the text. Raise SettingsError."""

    def encode(self, text: str) -> bytes:
        """Return the bytes that `decode` came from."""

    def is_blank(self, text: str) -> bool:
        """Return whether the file says nothing at all."""

    def check(self, text: str, path: str) -> None:
        """Raise SettingsError unless the client would read this text."""

    def read(self, text: str) -> Mapping[str, Any]:
        """Return the settings of a checked text."""

    def registered(self, text: str) -> list[tuple[str, Entry]]:
        """Return (event, entry) of each entry of ours; the event is "" where another key hides the entry."""

    def add(self, text: str, wanted: Mapping[str, Entry], path: str) -> list[Insertion]:
        """Return the insertions that register `wanted`, in ascending order. Raise SettingsError."""

    def present(self, text: str) -> frozenset[str]:
        """Return the containers of our entries that the text has already."""

    def remove(self, text: str, keep: Collection[str] = ()) -> str:
        """Return a checked text without our entries and without emptied containers, except `keep`."""

    def is_empty(self, text: str) -> bool:
        """Return whether a checked text holds no setting."""


class PermissionRules(Protocol):
    """Rules in a settings file by which the client lets commands of ours run without a question."""

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that an install puts in."""

    def for_programs(self, *programs: str) -> "PermissionRules":
        """Return the rules for what a shell runs hooklore by, each as the shell takes it."""

    def without_server(self) -> "PermissionRules":
        """Return the rules of an install that registers no MCP server."""

    def missing(self, text: str) -> tuple[str, ...]:
        """Return those of the rules that a checked text does not hold."""

    def present(self, text: str) -> frozenset[str]:
        """Return the containers of the rules that a checked text has already."""

    def add(self, text: str, rules: Collection[str], path: str) -> list[Insertion]:
        """Return the insertions of `rules`. Raise SettingsError."""

    def remove(self, text: str, rules: Collection[str], keep: Collection[str]) -> str:
        """Return a checked text without `rules` and without emptied containers, except `keep`."""


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

    `format` finds, puts in and takes out the one entry of the name `SERVER_NAME`. `settings_path` is the
    file of a scope, None for a scope in which the agent takes no server. `entry` returns the settings of
    the server for a home. `hold` keeps the client from writing to a file, where the client has a lock.
    `permitted` are the settings by which the agent calls the server's tools without a question. `to_do` is
    the step that an install in a scope leaves to the user.
    """

    format: SettingsFormat
    settings_path: Callable[[Scope, Places], Path | None]
    entry: Callable[[Path], Entry]
    hold: Callable[[Path], AbstractContextManager[None]] = lambda _path: nullcontext()
    permitted: Mapping[str, object] = field(default_factory=dict)
    to_do: Mapping[Scope, str] = field(default_factory=dict)

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

    `path` is the file of a scope; the user's lies beside the user's settings. `elsewhere` names the other
    place of a text of instructions.
    """

    path: Callable[[Scope, Places], Path]
    elsewhere: str


@dataclass(frozen=True, slots=True)
class Registration:
    """The registration of the hooks with one agent.

    `entry_files` maps events to files below the launcher's `hooks/`, which the package brings when
    `is_packaged`, and which the installer writes otherwise. `settings_path` is the file of a scope.
    `line` is the name of a settings file's place (`user`, or a project's folder), `scope_of` the scope
    of a place. `entries` are the settings of each event, `commands` the commands of ours in one of them.
    `scope_names` says where each scope's file lies, for help texts. `config_variable` is the environment
    variable that moves the agent's folder. `permissions` are the rules for commands of ours, None where the
    client has none. `server` is the registration of the MCP server, None where the agent takes none.
    `instructions` is the file of instructions, None where the agent has none. `to_do` is the step that is
    left to the user after an install, "" without one.
    """

    scopes: tuple[Scope, ...]
    scope_names: Mapping[Scope, str]
    format: SettingsFormat
    entry_files: Mapping[str, str]
    settings_path: Callable[[Scope, Places], Path]
    line: Callable[[Path, Places], str]
    scope_of: Callable[[str, str], Scope]
    entries: "EntriesFunction"
    commands: Callable[[Entry], list[Command]]
    is_packaged: bool = False
    config_variable: str = ""
    user_command: UserCommand | None = None
    permissions: PermissionRules | None = None
    server: ServerRegistration | None = None
    instructions: InstructionsFile | None = None
    to_do: str = ""


class EntriesFunction(Protocol):
    """Returns the settings of each event, in the order in which they are written."""

    def __call__(
        self, *, home: Path, plugin: bool = False, capture_reads: bool = False
    ) -> Mapping[str, Entry]:
        """Return the settings. `home` is for agents that expand no variables in a command."""


def server_words(launcher: str, agent_id: str) -> tuple[str, ...]:
    """Return the words that start the MCP server for an agent. `launcher` is the launcher's folder.

    The program is named by its path: an agent starts a server with a PATH of its own.
    """
    start = f"{launcher}/{SERVER_FILE}"
    return (f"{launcher}/python", "-I", "-S", start, "mcp", "--agent", agent_id)


def is_server_command(words: Collection[str]) -> bool:
    """Return whether these words start the MCP server of a launcher."""
    program, *arguments = words or ("",)
    return program.endswith(f"/{LAUNCHER_PATH}/python") and "mcp" in arguments


def apply_insertions(text: str, insertions: list[Insertion]) -> str:
    """Return the text with all insertions put in."""
    pieces, at = [], 0
    for each in insertions:
        pieces += [text[at : each.at], each.text]
        at = each.at
    return "".join([*pieces, text[at:]])


def compose_insertions(first: list[Insertion], then: list[Insertion]) -> list[Insertion]:
    """Return the insertions that do at once what `first` does, and `then` to the text after it."""
    done = list(first)
    for each in then:
        done = _with_insertion(done, each)
    return done


def _with_insertion(done: list[Insertion], each: Insertion) -> list[Insertion]:
    """Return `done` with one more insertion, whose offset counts in the text after `done`."""
    shift = 0
    for index, earlier in enumerate(done):
        inside = each.at - earlier.at - shift
        if inside < 0:
            return [*done[:index], Insertion(each.at - shift, each.text), *done[index:]]
        if inside <= len(earlier.text):
            text = earlier.text[:inside] + each.text + earlier.text[inside:]
            return [*done[:index], Insertion(earlier.at, text), *done[index + 1 :]]
        shift += len(earlier.text)
    return [*done, Insertion(each.at - shift, each.text)]


def is_registered(format_: SettingsFormat, text: str, wanted: Mapping[str, Entry]) -> bool:
    """Return whether the text already holds exactly the entries of `wanted`, each once."""
    found = format_.registered(text)
    return len(found) == len(wanted) and dict(found) == dict(wanted)
