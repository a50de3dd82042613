"""The registration with Claude Code, as the launcher, the plugin and a rehearsal have it."""

from typing import Any

from hooklore.agents.claude_code import AGENT, ANSWERS, EVENTS, PLUGIN_TOOLS
from hooklore.agents.client_lock import hold
from hooklore.agents.hook_groups import LAUNCHER, HookGroups, hook_registration, hook_rehearsal
from hooklore.agents.json_settings import PermissionList, ServerSettings
from hooklore.agents.registration import (
    ClientFile,
    InstructionsFile,
    ServerRegistration,
    UserCommand,
)
from hooklore.agents.rehearsal import Step

TO_DO_IN_PROJECT = (
    "start `claude` in this folder, and choose `Use this MCP server` where it asks about `hooklore`"
)
"""The step that only the user can do. Without it the client starts no server of this name there."""

PERMISSIONS = PermissionList(
    (
        *(f"Bash(hooklore {verb}:*)" for verb in ("get", "recall", "remember")),
        *(f"mcp__hooklore__{name}" for name in PLUGIN_TOOLS),
    ),
    way=("permissions", "allow"),
    command="Bash({} ",
    tools="mcp__hooklore__",
)
"""Rules for what an agent does without its user: read memory, and keep its own word, by a command or by a
tool of the MCP server, where that is registered. The client itself refuses expansions, redirections and
prefixes in a command."""

GROUPS = HookGroups(
    EVENTS,
    # As the last event of `-p` this hook is told to end 18 ms after its start: measured.
    lines={"StopFailure": "trap '' TERM; <run> || exit 0"},
    plugin_absent=f'grep -qxF -e user -e "$CLAUDE_PROJECT_DIR" "{LAUNCHER}/in-settings" 2>/dev/null',
    plugin_tools=tuple(PLUGIN_TOOLS.values()),
)

SERVER = ServerRegistration(
    format=ServerSettings("Claude Code starts without its servers"),
    file=ClientFile(user=".claude.json", moved=".claude.json", project=".mcp.json"),
    agent_id="claude",
    home="${HOME}",  # the client expands the variable, so a project's file fits every machine
    more={"type": "stdio"},
    hold=lambda path: hold(path, ".claude.json"),
    to_do={"project": TO_DO_IN_PROJECT},
)

REGISTRATION = hook_registration(
    GROUPS,
    "Claude Code ignores this whole file",
    file=ClientFile(
        ".claude/settings.json",
        "settings.json",
        ".claude/settings.json",
        ".claude/settings.local.json",
    ),
    is_packaged=True,
    config_variable="CLAUDE_CONFIG_DIR",
    permissions=PERMISSIONS,
    server=SERVER,
    instructions=InstructionsFile(
        ClientFile(".claude/CLAUDE.md", "CLAUDE.md", "CLAUDE.md", "CLAUDE.local.md"),
        "the system prompt of the API, or `claude --append-system-prompt` on the command line",
    ),
    user_command=UserCommand(
        path="commands/hooklore/memory.md",
        checkout=".claude-plugin/commands/memory.md",
        packaged="memory.md",
        usage="/hooklore:memory list",
    ),
)


def _tool_answer(step: Step) -> Any:
    """Return the answer of a tool as the client gives it; a tool that failed has none."""
    if step.event != "after_tool":
        return None
    if step.edit is not None:
        return {"filePath": step.edit.path}
    return {"stdout": step.output or "", "stderr": "", "interrupted": False}


REHEARSAL = hook_rehearsal(
    GROUPS,
    ANSWERS,
    AGENT,
    _tool_answer,
    variables={"CLAUDE_PROJECT_DIR": "<project>", "CLAUDE_CODE_ENTRYPOINT": "cli"},
)
