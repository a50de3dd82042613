"""What is registered: event, entry file, matcher, time limit, and the text of the command.

The text is the same on every machine and never changes between versions: Claude Code runs equal
commands of several settings files once, and an installed hook is recognised by its path.
"""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hooklore.errors import InstallError

Group = dict[str, Any]
"""One element of an event's array in a settings file: an optional matcher and its hooks."""

LAUNCHER = "$HOME/.local/share/hooklore"
"""The launcher's folder as the shell of a hook sees it."""

RECALLED_TOOLS = "Bash|Edit|Write|MultiEdit|NotebookEdit|Task|Agent|WebFetch|WebSearch"
"""Tools before which something may be recalled (design §4). Names only: the client compares them."""

ALL_BUT_READS = "^(?!(?:Read|Glob|Grep)$)"
"""Every tool but these three, MCP tools included. The client tests it as a regular expression."""

_UNREADABLE = {
    "systemMessage": "hooklore cannot start: run its installer again",
    "hookSpecificOutput": {
        "hookEventName": "SessionStart",
        "additionalContext": "shared memory unreadable: the interpreter of hooklore is gone; "
        "do not answer from memory",
    },
}


@dataclass(frozen=True, slots=True)
class Registration:
    """One event: the entry file that answers it, for which tools, and its limit in seconds."""

    event: str
    entry: str
    matcher: str | None = None
    timeout: int = 5


REGISTRATIONS = (
    Registration("SessionStart", "session_start.py", timeout=10),
    Registration("UserPromptSubmit", "user_prompt_submit.py"),
    Registration("PreToolUse", "pre_tool_use.py", matcher=RECALLED_TOOLS),
    Registration("PostToolUse", "post_tool_use.py", matcher=ALL_BUT_READS),
    Registration("PostToolUseFailure", "post_tool_use_failure.py"),
    Registration("Stop", "stop.py"),
    Registration("StopFailure", "stop_failure.py"),
    Registration("SubagentStart", "subagent_start.py"),
    Registration("SubagentStop", "subagent_stop.py"),
    Registration("TaskCreated", "task_created.py"),
    Registration("TaskCompleted", "task_completed.py"),
    Registration("PreCompact", "pre_compact.py"),
    Registration("PostCompact", "post_compact.py"),
    Registration("SessionEnd", "session_end.py"),
)

_OURS = re.compile(
    r"/\.local/share/hooklore/hooks/(?:"
    + "|".join(re.escape(each.entry) for each in REGISTRATIONS)
    + r")(?![\w.])"
)


def command(registration: Registration, *, plugin: bool = False) -> str:
    """The command line of one event; whatever is missing or broken, it exits 0.

    2 would block the user, and a missing script makes an interpreter exit 2. A plugin's commands
    carry the argument `plugin`, by which the client knows to leave what is in the settings to them.
    """
    argument = " plugin" if plugin else ""
    run = f'"{LAUNCHER}/python" -I -S "{LAUNCHER}/hooks/{registration.entry}"{argument}'
    if registration.event == "StopFailure":
        # The client ends this one 18 ms after its start when it is the last of `-p`: measured.
        return f"trap '' TERM; {run} || exit 0"
    if registration.event != "SessionStart":
        return f"{run} || exit 0"
    return f"{run} || {{ {_speaks_unless(plugin=plugin)} || echo '{json.dumps(_UNREADABLE)}'; exit 0; }}"


def _speaks_unless(*, plugin: bool) -> str:
    """When a dead interpreter is not reported: never installed here, or the settings report it."""
    absent = f'[ ! -d "{LAUNCHER}" ]'
    if not plugin:
        return absent
    places = f'-e user -e "$CLAUDE_PROJECT_DIR" "{LAUNCHER}/in-settings"'
    return f"{absent} || grep -qxF {places} 2>/dev/null"


def group(
    registration: Registration, *, plugin: bool = False, capture_reads: bool = False
) -> Group:
    """The element that is put into the event's array."""
    text = command(registration, plugin=plugin)
    hook = {"type": "command", "command": text, "timeout": registration.timeout}
    matcher = registration.matcher
    if matcher is None or (capture_reads and matcher == ALL_BUT_READS):
        return {"hooks": [hook]}
    return {"matcher": matcher, "hooks": [hook]}


def groups(*, plugin: bool = False, capture_reads: bool = False) -> dict[str, Group]:
    """Event to element, for every event, in the order in which they are written."""
    return {
        each.event: group(each, plugin=plugin, capture_reads=capture_reads)
        for each in REGISTRATIONS
    }


def is_ours(hook: object) -> bool:
    """Whether one entry of a group's `hooks` runs an entry file of a launcher."""
    text = hook.get("command") if isinstance(hook, dict) else None
    return isinstance(text, str) and _OURS.search(text) is not None


def settings_example() -> str:
    """The text of `settings.example.json`: what a missing settings file becomes."""
    return _dump({"hooks": {event: [each] for event, each in groups().items()}})


def plugin_hooks() -> str:
    """The text of `hooks/hooks.json`: the same as a plugin."""
    return _dump(
        {
            "description": "One memory shared by all of your coding agents",
            "hooks": {event: [each] for event, each in groups(plugin=True).items()},
        }
    )


def _dump(document: object) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def entry_directory() -> Path:
    """Where the entry files lie: inside the package in a wheel, beside `src` in a checkout."""
    package = Path(__file__).parents[2]
    for candidate in (package / "_entry", package.parents[1] / "hooks"):
        if (candidate / REGISTRATIONS[0].entry).is_file():
            return candidate
    raise InstallError("the entry files", f"`{package / '_entry'}` does not exist")


def client_source() -> Path:
    """The client's source in the package."""
    return Path(__file__).parents[2] / "resident" / "client.py"
