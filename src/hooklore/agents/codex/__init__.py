"""Codex CLI, as seen by driving the real client (0.169.0)."""

from typing import TYPE_CHECKING

from hooklore.agents.agent import (
    RECALLING_SECONDS,
    SESSION_END_SECONDS,
    Agent,
    ClientEvent,
    Marks,
    McpClient,
    UnreadableAnswer,
    WireFormat,
)
from hooklore.agents.codex.printing import print_answer
from hooklore.agents.codex.rollout import session_of_transcript, session_source, token_totals
from hooklore.agents.codex.stopping import EXIT_STATUS, stopped_by
from hooklore.agents.codex.tool_calls import failure_text, read_call, refine_event

if TYPE_CHECKING:
    from hooklore.agents.diagnosis import Diagnosis
    from hooklore.agents.memory_files import MemoryFiles
    from hooklore.agents.registration import Registration
    from hooklore.agents.rehearsal import Rehearsal

_EVENTS = {
    "SessionStart": ClientEvent("session_start", RECALLING_SECONDS, recalls=True, speaks=True),
    "UserPromptSubmit": ClientEvent("prompt", RECALLING_SECONDS, recalls=True, speaks=True),
    "PreToolUse": ClientEvent("before_tool", RECALLING_SECONDS, recalls=True),
    "PostToolUse": ClientEvent(
        "after_tool", RECALLING_SECONDS, recalls=True, variants=("failure",)
    ),
    "Stop": ClientEvent("answer"),
    "SubagentStart": ClientEvent("agent_start", RECALLING_SECONDS, recalls=True),
    "SubagentStop": ClientEvent("agent_stop"),
    "PreCompact": ClientEvent("before_compaction"),
    "PostCompact": ClientEvent("after_compaction"),
    "SessionEnd": ClientEvent("session_end", SESSION_END_SECONDS),
}
"""The client has no event for a tool that failed, and none for an answer that failed."""

_WIRE = WireFormat(
    event_name=("hook_event_name",),
    names={
        "session_id": ("session_id",),
        "subagent_id": ("agent_id",),
        "agent_type": ("agent_type",),
        "permission_mode": ("permission_mode",),
        "task_id": ("turn_id",),
        "tool": ("tool_name",),
        "tool_use_id": ("tool_use_id",),
    },
    locations={"cwd": ("cwd",), "transcript_path": ("transcript_path",)},
    text={
        "prompt": ("prompt",),
        "failure": failure_text,
        "answer": ("last_assistant_message",),
        "agent_stop": ("last_assistant_message",),
    },
    source={
        "session_start": ("source",),
        "session_end": ("reason",),
        "before_compaction": ("trigger",),
        "after_compaction": ("trigger",),
    },
    details={"session_start": {"model": ("model",)}},
    salvaged=(
        ("session_id",),
        ("transcript_path",),
        ("cwd",),
        ("turn_id",),
        ("hook_event_name",),
        ("agent_id",),
        ("agent_type",),
        ("source",),
        ("reason",),
        ("trigger",),
        ("prompt",),
        ("tool_name",),
        ("tool_use_id",),
        ("last_assistant_message",),
        ("tool_input", "command"),
    ),
)

_TOOLS = {
    "Bash": "command",
    "apply_patch": "edit",
    "view_image": "read",
    "web_search": "web",
    "spawn_agent": "agent",
}

_ROLES = {"explorer": "researcher", "worker": "executor", "default": "executor"}


def _memory_files() -> "MemoryFiles":
    from hooklore.agents.codex.memory_handbook import MEMORY_FILES

    return MEMORY_FILES


def _registration() -> "Registration":
    from hooklore.agents.codex.registering import REGISTRATION

    return REGISTRATION


def _diagnosis() -> "Diagnosis":
    from hooklore.agents.codex.diagnosing import DIAGNOSIS

    return DIAGNOSIS


def _rehearsal() -> "Rehearsal":
    from hooklore.agents.codex.rehearsing import REHEARSAL

    return REHEARSAL


AGENT = Agent(
    id="codex",
    name="Codex CLI",
    events=_EVENTS,
    wire=_WIRE,
    read_call=read_call,
    refine_event=refine_event,
    print_answer=print_answer,
    registration=_registration,
    diagnosis=_diagnosis,
    rehearsal=_rehearsal,
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
    unreadable=UnreadableAnswer(
        context='{"hookSpecificOutput": {"hookEventName": "<event>", "additionalContext": "<text>"}, '
        '"systemMessage": "<notice>"}',
        stop='{"continue": false, "stopReason": "<text>"}',
    ),
    roles=_ROLES,
    stopped_by=stopped_by,
    exit_status=EXIT_STATUS,
    aliases=("codex-cli", "codex_cli"),
    spoken_names=("codex",),
    sites=("openai.com",),
    token_totals=token_totals,
    session_of_transcript=session_of_transcript,
    transcripts=r"\.codex/(?:archived_)?sessions/.*rollout-.*\.jsonl$",
    notes=r"(?:^|/)agents(?:\.override)?\.md$",
    memory_files=_memory_files,
    loads_memory_files=True,
    later_imports=("hooklore.agents.codex.memory_handbook",),
)
