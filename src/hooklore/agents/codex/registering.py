"""The registration with Codex CLI: event, entry file, matcher, time limit, and the command's text.

The client runs a hook only after its user has trusted the hook's definition. So command, matcher and limit
are the same on every machine and never change between versions: any change would ask for trust again.
"""

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path

from hooklore.agents.codex.serving import SERVER
from hooklore.agents.hook_settings import Group, HookSettings
from hooklore.agents.registration import (
    LAUNCHER_PATH,
    Command,
    Entry,
    InstructionsFile,
    Places,
    Registration,
    Scope,
)

LAUNCHER = f"$HOME/{LAUNCHER_PATH}"
"""The launcher's folder as the shell of a hook sees it."""

RECALLED_TOOLS = "Bash|apply_patch|spawn_agent|web_search"
"""Tools before which something may be recalled."""

_UNREADABLE = {
    "systemMessage": "hooklore cannot start: run its installer again",
    "hookSpecificOutput": {
        "hookEventName": "SessionStart",
        "additionalContext": "shared memory unreadable: the interpreter of hooklore is gone; "
        "do not answer from memory",
    },
}

TO_DO = "start `codex`, type `/hooks` and trust hooklore's hooks; until then Codex CLI skips them silently"


@dataclass(frozen=True, slots=True)
class HookRegistration:
    """One event: its entry file, the tools that it is for, and its limit in seconds."""

    event: str
    entry: str
    matcher: str | None = None
    timeout: int = 5


REGISTRATIONS = (
    HookRegistration("SessionStart", "session_start.py", timeout=10),
    HookRegistration("UserPromptSubmit", "user_prompt_submit.py"),
    HookRegistration("PreToolUse", "pre_tool_use.py", matcher=RECALLED_TOOLS),
    HookRegistration("PostToolUse", "post_tool_use.py"),
    HookRegistration("Stop", "stop.py"),
    HookRegistration("SubagentStart", "subagent_start.py"),
    HookRegistration("SubagentStop", "subagent_stop.py"),
    HookRegistration("PreCompact", "pre_compact.py"),
    HookRegistration("PostCompact", "post_compact.py"),
    HookRegistration("SessionEnd", "session_end.py", timeout=3),  # the most that the client grants
)

_OURS = re.compile(
    r"/\.local/share/hooklore/hooks/codex/(?:"
    + "|".join(re.escape(each.entry) for each in REGISTRATIONS)
    + r")(?![\w.])"
)


def command(registration: HookRegistration) -> str:
    """Return the command line of one event. Whatever is missing or broken, the command exits 0.

    Status 2 would block the user, and a missing script makes an interpreter exit 2. The client takes the shell
    of the user's account, so the line has nothing that only some shells know.
    """
    entry = f"{LAUNCHER}/hooks/codex/{registration.entry}"
    run = f'"{LAUNCHER}/python" -I -S "{entry}"'
    if registration.event != "SessionStart":
        return f"{run} || exit 0"
    return f"""{run} || [ ! -d "{LAUNCHER}" ] || echo '{json.dumps(_UNREADABLE)}' || exit 0"""


def group(registration: HookRegistration) -> Group:
    """Return the element that is put into the event's array."""
    hook = {
        "type": "command",
        "command": command(registration),
        "timeout": registration.timeout,
    }
    matcher = {"matcher": registration.matcher} if registration.matcher else {}
    return {**matcher, "hooks": [hook]}


def is_ours(hook: object) -> bool:
    """Return whether one entry of a group's `hooks` runs an entry file of a launcher."""
    text = hook.get("command") if isinstance(hook, dict) else None
    return isinstance(text, str) and _OURS.search(text) is not None


def settings_path(_scope: Scope, places: Places) -> Path:
    """Return the user's file of hooks."""
    return Path(os.path.abspath(places.config_dir or places.home / ".codex")) / "hooks.json"


def _instructions_path(scope: Scope, places: Places) -> Path:
    """Return the file of instructions of a scope."""
    if scope == "user":
        return settings_path(scope, places).with_name("AGENTS.md")
    return Path(os.path.realpath(places.project_dir)) / "AGENTS.md"


def _entries(*, home: Path, plugin: bool = False, capture_reads: bool = False) -> dict[str, Entry]:
    """Return the element of every event; the client has no tool of its own that reads files."""
    del home, plugin, capture_reads
    return {each.event: group(each) for each in REGISTRATIONS}


def commands_of(group: Group) -> list[Command]:
    """Return our command lines in one group."""
    return [str(hook["command"]) for hook in group.get("hooks", ()) if is_ours(hook)]


REGISTRATION = Registration(
    scopes=("user",),
    scope_names={"user": "in ~/.codex/hooks.json"},
    format=HookSettings(is_ours, "Codex CLI runs no hook of this file"),
    entry_files={each.event: f"codex/{each.entry}" for each in REGISTRATIONS},
    settings_path=settings_path,
    line=lambda _path, _places: "user",
    scope_of=lambda _line, _path: "user",
    entries=_entries,
    commands=commands_of,
    config_variable="CODEX_HOME",
    server=SERVER,
    instructions=InstructionsFile(_instructions_path, "the system or developer message of the API"),
    to_do=TO_DO,
)
