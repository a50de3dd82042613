"""The registration with Claude Code: event, entry file, matcher, time limit, and the command's text.

The text is the same on every machine and never changes between versions: Claude Code runs equal
commands of several settings files once, and an installed hook is recognised by its path.
"""

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hooklore.agents.claude_code.allow_list import AllowList
from hooklore.agents.claude_code.plugin_tools import PLUGIN_TOOLS
from hooklore.agents.claude_code.serving import SERVER
from hooklore.agents.hook_settings import HookSettings
from hooklore.agents.registration import (
    LAUNCHER_PATH,
    Command,
    InstructionsFile,
    Places,
    Registration,
    Scope,
    UserCommand,
)

Group = dict[str, Any]
"""One element of an event's array in a settings file: an optional matcher and its hooks."""

LAUNCHER = f"$HOME/{LAUNCHER_PATH}"
"""The launcher's folder as the shell of a hook sees it."""

RECALLED_TOOLS = "Bash|Edit|Write|MultiEdit|NotebookEdit|Task|Agent|WebFetch|WebSearch"
"""Tools before which something may be recalled. Names only: the client compares them."""

ALL_BUT_READS = "^(?!(?:Read|Glob|Grep)$)"
"""Every tool but these three, MCP tools included. The client tests it as a regular expression."""

PERMISSIONS = AllowList(
    (
        "Bash(hooklore get:*)",
        "Bash(hooklore recall:*)",
        "Bash(hooklore remember:*)",
        "mcp__hooklore__get",
        "mcp__hooklore__recall",
        "mcp__hooklore__remember",
        "mcp__hooklore__search_memories",
        "mcp__hooklore__wake_up",
    )
)
"""Rules for what an agent does without its user: read memory, and keep its own word, by a command or by a
tool of the MCP server, where that is registered. The client itself refuses expansions, redirections and
prefixes in a command."""

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
    """One event: its entry file, the tools that it is for, and its limit in seconds."""

    event: str
    entry: str
    matcher: str | None = None
    timeout: int = 5


REGISTRATIONS = (
    HookRegistration("SessionStart", "session_start.py", timeout=10),
    HookRegistration("UserPromptSubmit", "user_prompt_submit.py"),
    HookRegistration("PreToolUse", "pre_tool_use.py", matcher=RECALLED_TOOLS),
    HookRegistration("PostToolUse", "post_tool_use.py", matcher=ALL_BUT_READS),
    HookRegistration("PostToolUseFailure", "post_tool_use_failure.py"),
    HookRegistration("Stop", "stop.py"),
    HookRegistration("StopFailure", "stop_failure.py"),
    HookRegistration("SubagentStart", "subagent_start.py"),
    HookRegistration("SubagentStop", "subagent_stop.py"),
    HookRegistration("TaskCreated", "task_created.py"),
    HookRegistration("TaskCompleted", "task_completed.py"),
    HookRegistration("PreCompact", "pre_compact.py"),
    HookRegistration("PostCompact", "post_compact.py"),
    HookRegistration("SessionEnd", "session_end.py"),
)

_OURS = re.compile(
    r"/\.local/share/hooklore/hooks/(?:"
    + "|".join(re.escape(each.entry) for each in REGISTRATIONS)
    + r")(?![\w.])"
)


def command(registration: HookRegistration, *, plugin: bool = False) -> str:
    """Return the command line of one event. Whatever is missing or broken, the command exits 0.

    Status 2 would block the user, and a missing script makes an interpreter exit 2. A plugin's commands
    carry the argument `plugin`: the launcher's client then leaves the work to hooks in the settings.
    """
    argument = " plugin" if plugin else ""
    run = f'"{LAUNCHER}/python" -I -S "{LAUNCHER}/hooks/{registration.entry}"{argument}'
    if registration.event == "StopFailure":
        # As the last event of `-p` this hook is told to end 18 ms after its start: measured.
        return f"trap '' TERM; {run} || exit 0"
    if registration.event != "SessionStart":
        return f"{run} || exit 0"
    return f"{run} || {{ {_speaks_unless(plugin=plugin)} || echo '{json.dumps(_UNREADABLE)}'; exit 0; }}"


def _speaks_unless(*, plugin: bool) -> str:
    """Return the shell test for a dead interpreter that is not reported: not installed, or in the settings."""
    absent = f'[ ! -d "{LAUNCHER}" ]'
    if not plugin:
        return absent
    places = f'-e user -e "$CLAUDE_PROJECT_DIR" "{LAUNCHER}/in-settings"'
    return f"{absent} || grep -qxF {places} 2>/dev/null"


def group(
    registration: HookRegistration, *, plugin: bool = False, capture_reads: bool = False
) -> Group:
    """Return the element that is put into the event's array."""
    text = command(registration, plugin=plugin)
    hook = {"type": "command", "command": text, "timeout": registration.timeout}
    matcher = _matcher(registration, plugin=plugin)
    if matcher is None or (capture_reads and matcher == ALL_BUT_READS):
        return {"hooks": [hook]}
    return {"matcher": matcher, "hooks": [hook]}


def _matcher(registration: HookRegistration, *, plugin: bool) -> str | None:
    """Return the tools that an event is for. The plugin's hook permits the tools of the plugin's server."""
    if not plugin or registration.matcher != RECALLED_TOOLS:
        return registration.matcher
    return "|".join((RECALLED_TOOLS, *PLUGIN_TOOLS.values()))


def groups(*, plugin: bool = False, capture_reads: bool = False) -> dict[str, Group]:
    """Return the element of every event, in the order in which they are written."""
    return {
        each.event: group(each, plugin=plugin, capture_reads=capture_reads)
        for each in REGISTRATIONS
    }


def is_ours(hook: object) -> bool:
    """Return whether one entry of a group's `hooks` runs an entry file of a launcher."""
    text = hook.get("command") if isinstance(hook, dict) else None
    return isinstance(text, str) and _OURS.search(text) is not None


def settings_example() -> str:
    """Return the text of `settings.example.json`: a missing file becomes this, where the server is installed."""
    hooks = {event: [each] for event, each in groups().items()}
    return _dump({"hooks": hooks, "permissions": {"allow": list(PERMISSIONS.rules)}})


def plugin_hooks() -> str:
    """Return the text of `hooks/hooks.json`: the same registration as a plugin."""
    return _dump(
        {
            "description": "One memory shared by all of your coding agents",
            "hooks": {event: [each] for event, each in groups(plugin=True).items()},
        }
    )


def _dump(document: object) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def settings_path(scope: Scope, places: Places) -> Path:
    """Return the settings file of a scope."""
    if scope == "user":
        folder = places.config_dir or places.home / ".claude"
        return Path(os.path.abspath(folder)) / "settings.json"
    name = "settings.json" if scope == "project" else "settings.local.json"
    return Path(os.path.realpath(places.project_dir)) / ".claude" / name


def instructions_path(scope: Scope, places: Places) -> Path:
    """Return the file of instructions of a scope."""
    if scope == "user":
        return settings_path("user", places).with_name("CLAUDE.md")
    name = "CLAUDE.local.md" if scope == "local" else "CLAUDE.md"
    return Path(os.path.realpath(places.project_dir)) / name


def _line(path: Path, places: Places) -> str:
    """Return `user` for the user's file, even when reached as a project's: the home can be a project."""
    user = settings_path("user", places)
    if os.path.realpath(path) == os.path.realpath(user):
        return "user"
    return str(path.parent.parent)


def _scope_of(line: str, path: str) -> Scope:
    if line == "user":
        return "user"
    return "local" if path.endswith(".local.json") else "project"


def _entries(*, home: Path, plugin: bool = False, capture_reads: bool = False) -> dict[str, Group]:
    """Return the element of every event; `home` is the shell's `$HOME`, which expands by itself."""
    del home
    return groups(plugin=plugin, capture_reads=capture_reads)


def commands_of(group: Group) -> list[Command]:
    """Return our command lines in one group."""
    return [str(hook["command"]) for hook in group.get("hooks", ()) if is_ours(hook)]


REGISTRATION = Registration(
    scopes=("user", "project", "local", "plugin"),
    scope_names={
        "user": "in ~/.claude/settings.json",
        "project": "in .claude/settings.json of this folder",
        "local": "in .claude/settings.local.json of this folder",
    },
    format=HookSettings(is_ours, "Claude Code ignores this whole file"),
    entry_files={each.event: each.entry for each in REGISTRATIONS},
    settings_path=settings_path,
    line=_line,
    scope_of=_scope_of,
    entries=_entries,
    commands=commands_of,
    is_packaged=True,
    config_variable="CLAUDE_CONFIG_DIR",
    permissions=PERMISSIONS,
    server=SERVER,
    instructions=InstructionsFile(
        instructions_path,
        "the system prompt of the API, or `claude --append-system-prompt` on the command line",
    ),
    user_command=UserCommand(
        path="commands/hooklore/memory.md",
        checkout=".claude-plugin/commands/memory.md",
        packaged="memory.md",
        usage="/hooklore:memory list",
    ),
)
