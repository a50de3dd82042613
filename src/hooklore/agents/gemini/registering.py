"""The registration with Gemini CLI: event, entry file, matcher, time limit in milliseconds, command.

The text is the same on every machine and never changes between versions: the client runs equal hooks of
several settings files once, and warns of a project's hook whose command is new.
"""

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path

from hooklore.agents.hook_settings import Group, HookSettings
from hooklore.agents.registration import (
    LAUNCHER_PATH,
    Command,
    Entry,
    InstructionsFile,
    Places,
    Registration,
    Scope,
    ServerRegistration,
    server_words,
)
from hooklore.agents.server_settings import ServerSettings

HOOK_NAME = "hooklore"
"""The name by which the client lists the hooks, and switches them off."""

_LAUNCHER = f"$HOME/{LAUNCHER_PATH}"
"""The launcher's folder. The client expands the variable when it loads the file, and else the shell does."""

_CONSEQUENCE = "Gemini CLI does not start with it"

_RECALLED_TOOLS = (
    "^(?:run_shell_command|replace|write_file|web_fetch|google_web_search|invoke_agent)$"
)
"""Tools whose intent is recorded. The client tests it as a regular expression."""

_READS = "read_file|read_many_files|glob|grep_search|list_directory"
ALL_BUT_READS = f"^(?!(?:{_READS})$)"
"""Every tool but those that read, MCP tools included."""

_BY_USER = "manual"
"""The trigger of a compression that the user asked for. The others come at every call of the model."""

_UNREADABLE = {
    "systemMessage": "hooklore cannot start: run its installer again",
    "hookSpecificOutput": {
        "hookEventName": "SessionStart",
        "additionalContext": "shared memory unreadable: the interpreter of hooklore is gone; "
        "do not answer from memory",
    },
}


@dataclass(frozen=True, slots=True)
class HookRegistration:
    """One event: its entry file, the tools or triggers that it is for, and its limit in milliseconds."""

    event: str
    entry: str
    matcher: str | None = None
    timeout: int = 5_000


REGISTRATIONS = (
    HookRegistration("SessionStart", "gemini/session_start.py", timeout=10_000),
    HookRegistration("BeforeAgent", "gemini/before_agent.py"),
    HookRegistration("BeforeTool", "gemini/before_tool.py", matcher=_RECALLED_TOOLS),
    HookRegistration("AfterTool", "gemini/after_tool.py", matcher=ALL_BUT_READS),
    HookRegistration("AfterAgent", "gemini/after_agent.py"),
    HookRegistration("PreCompress", "gemini/pre_compress.py", matcher=_BY_USER),
    HookRegistration("SessionEnd", "gemini/session_end.py"),
)

_OURS = re.compile(
    r"/\.local/share/hooklore/hooks/(?:"
    + "|".join(re.escape(each.entry) for each in REGISTRATIONS)
    + r")(?![\w.])"
)


def command(registration: HookRegistration) -> str:
    """Return the command line of one event. Whatever is missing or broken, the command exits 0.

    Status 2 would block the user's turn. The client takes stderr for the answer where stdout is empty, so
    stderr leads nowhere.
    """
    run = f'"{_LAUNCHER}/python" -I -S "{_LAUNCHER}/hooks/{registration.entry}" 2>/dev/null'
    if registration.event != "SessionStart":
        return f"{run} || exit 0"
    said = json.dumps(_UNREADABLE)
    return f"""{run} || {{ [ ! -d "{_LAUNCHER}" ] || echo '{said}'; exit 0; }}"""


def group(registration: HookRegistration, *, capture_reads: bool = False) -> Group:
    """Return the element that is put into the event's array."""
    hook = {
        "name": HOOK_NAME,
        "type": "command",
        "command": command(registration),
        "timeout": registration.timeout,
    }
    matcher = registration.matcher
    if matcher is None or (capture_reads and matcher == ALL_BUT_READS):
        return {"hooks": [hook]}
    return {"matcher": matcher, "hooks": [hook]}


def _entries(*, home: Path, plugin: bool = False, capture_reads: bool = False) -> dict[str, Group]:
    """Return the element of every event; `home` is `$HOME`, which expands by itself."""
    del home, plugin
    return {each.event: group(each, capture_reads=capture_reads) for each in REGISTRATIONS}


def is_ours(hook: object) -> bool:
    """Return whether one entry of a group's `hooks` runs an entry file of a launcher."""
    text = hook.get("command") if isinstance(hook, dict) else None
    return isinstance(text, str) and _OURS.search(text) is not None


def settings_path(scope: Scope, places: Places) -> Path:
    """Return the settings file of a scope. The variable names the home in which the client's folder lies."""
    home = Path(os.path.abspath(places.config_dir or places.home))
    folder = home if scope == "user" else Path(os.path.realpath(places.project_dir))
    return folder / ".gemini" / "settings.json"


def instructions_path(scope: Scope, places: Places) -> Path:
    """Return the file of instructions of a scope."""
    if scope == "user":
        return settings_path("user", places).with_name("GEMINI.md")
    return Path(os.path.realpath(places.project_dir)) / "GEMINI.md"


def _line(path: Path, places: Places) -> str:
    """Return `user` for the user's file, even when reached as a project's: the home can be a project."""
    user = settings_path("user", places)
    if os.path.realpath(path) == os.path.realpath(user):
        return "user"
    return str(path.parent.parent)


def _scope_of(line: str, path: str) -> Scope:
    del path
    return "user" if line == "user" else "project"


def _commands(entry: Group) -> list[Command]:
    """Return our command lines in one group."""
    return [str(hook["command"]) for hook in entry.get("hooks", ()) if is_ours(hook)]


def _server(home: Path) -> Entry:
    """Return the settings of the server: the client expands the variable."""
    del home
    program, *arguments = server_words(_LAUNCHER, "gemini")
    return {"command": program, "args": arguments}


REGISTRATION = Registration(
    scopes=("user", "project"),
    scope_names={
        "user": "in ~/.gemini/settings.json",
        "project": "in .gemini/settings.json of this folder",
    },
    format=HookSettings(is_ours, _CONSEQUENCE, allows_comments=True),
    entry_files={each.event: each.entry for each in REGISTRATIONS},
    settings_path=settings_path,
    line=_line,
    scope_of=_scope_of,
    entries=_entries,
    commands=_commands,
    config_variable="GEMINI_CLI_HOME",
    instructions=InstructionsFile(
        instructions_path, "the System Instructions of the API (`systemInstruction`) or of the app"
    ),
    server=ServerRegistration(
        format=ServerSettings(
            _CONSEQUENCE, allows_comments=True, install="hooks install --agent gemini"
        ),
        settings_path=settings_path,
        entry=_server,
    ),
)
