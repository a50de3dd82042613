"""Codex CLI, as seen by driving the real client (0.169.0)."""

import re

from hooklore.agents import hook_dialect as dialect
from hooklore.agents.agent import (
    ClientEvent,
    Marks,
    McpClient,
    late,
    list_fields,
    name_fields,
)
from hooklore.agents.codex.rollout import session_of_transcript, session_source, token_totals
from hooklore.agents.codex.tool_calls import CALL, failure_text, read_call, refine_event
from hooklore.agents.stopping import StopMarks

EVENTS = {
    "SessionStart": ClientEvent("session_start", recalls=True, limit=10),
    "UserPromptSubmit": ClientEvent("prompt", recalls=True),
    "PreToolUse": ClientEvent(
        "before_tool", recalls=True, matcher="Bash|apply_patch|spawn_agent|web_search"
    ),
    "PostToolUse": ClientEvent("after_tool", recalls=True, variants=("failure",)),
    "Stop": ClientEvent("answer"),
    "SubagentStart": ClientEvent("agent_start", recalls=True),
    "SubagentStop": ClientEvent("agent_stop"),
    "PreCompact": ClientEvent("before_compaction"),
    "PostCompact": ClientEvent("after_compaction"),
    "SessionEnd": ClientEvent("session_end", limit=3),
}
"""The client has no event for a tool that failed, and none for an answer that failed. It grants a session's
end three seconds at most."""

_LAST = "last_assistant_message"
_WIRE = dialect.hook_wire(
    names=dialect.AGENT_NAMES | name_fields(task_id="turn_id"),
    text={"failure": failure_text, **name_fields(prompt="prompt", answer=_LAST, agent_stop=_LAST)},
    details={"session_start": name_fields(model="model")},
    salvaged=list_fields(
        "session_id transcript_path cwd turn_id hook_event_name agent_id agent_type source reason"
        " trigger prompt tool_name tool_use_id last_assistant_message tool_input.command"
    ),
    call=CALL,
)

_TOOLS = {
    "Bash": "command", "apply_patch": "edit", "view_image": "read", "web_search": "web",
    "spawn_agent": "agent",
}  # fmt: skip

ANSWERS = dialect.AnswerForm(
    room=9000,  # above 10,000 UTF-8 bytes the client shows the model a head and a tail instead
    measure=dialect.count_bytes,
    deciding="PreToolUse",
    telling=frozenset(name for name, each in EVENTS.items() if each.recalls),
    silent=frozenset(("SessionEnd",)),
    is_strict=True,
)

STOPS = StopMarks(
    {
        "refused": (
            r"(?:exec command|patch|user) rejected\b|rejected by user"
            r"|user rejected MCP tool call|writing (?:is blocked|outside of the project)"
            r"|`.{1,4096}` rejected: blocked by policy"
            r"|MCP tool call requires approval"
        ),
        "cancelled": r"user cancelled MCP tool call|MCP tool call cancelled|aborted before",
        "interrupted": r"(?:command )?aborted by user",
        "harness": (
            r"(?:Command|Tool call) blocked by PreToolUse hook|unsupported (?:custom tool )?call"
            r"|apply_patch verification failed|failed to parse function arguments"
        ),
    },
    exit_status=re.compile(r"Exit code (\d{1,3})\b"),
)

AGENT = dialect.hook_agent(
    __name__,
    ANSWERS,
    id="codex",
    name="Codex CLI",
    events=EVENTS,
    wire=_WIRE,
    read_call=read_call,
    refine_event=refine_event,
    tools=_TOOLS,
    tool_prefixes={"mcp__": "mcp"},
    read_entrypoint=session_source,
    marks=Marks(
        programs=("codex",),
        interactive=("cli", "vscode"),
        process=("CODEX_THREAD_ID", "CODEX_SESSION_ID", "CODEX_SANDBOX"),
        session="CODEX_SESSION_ID",
    ),
    mcp=McpClient(names=("codex-mcp-client",), session=("x-codex-turn-metadata", "session_id")),
    roles={"explorer": "researcher", "worker": "executor", "default": "executor"},
    stops=STOPS,
    aliases=("codex-cli", "codex_cli"),
    spoken_names=("codex",),
    sites=("openai.com",),
    token_totals=token_totals,
    session_of_transcript=session_of_transcript,
    transcripts=r"\.codex/(?:archived_)?sessions/.*rollout-.*\.jsonl$",
    notes=r"(?:^|/)agents(?:\.override)?\.md$",
    memory_files=late("hooklore.agents.codex.memory_handbook", "MEMORY_FILES"),
    loads_memory_files=True,
)
