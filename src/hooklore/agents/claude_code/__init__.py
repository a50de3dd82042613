"""Claude Code, as seen by driving the real client (2.1.197 and 2.1.329)."""

from pathlib import Path
from typing import TYPE_CHECKING

from hooklore.agents.agent import (
    RECALLING_SECONDS,
    SESSION_END_SECONDS,
    Agent,
    Asking,
    ClientEvent,
    Marks,
    McpClient,
    Payload,
    UnreadableAnswer,
    WireFormat,
)
from hooklore.agents.claude_code.plugin_tools import PLUGIN_TOOLS
from hooklore.agents.claude_code.printing import print_answer
from hooklore.agents.claude_code.prompt import split_prompt, typed_text
from hooklore.agents.claude_code.stopping import EXIT_STATUS, stopped_by
from hooklore.agents.claude_code.tool_calls import change_command, read_call, runs_plainly
from hooklore.agents.claude_code.transcript import session_of_transcript, token_totals

if TYPE_CHECKING:
    from hooklore.agents.diagnosis import Diagnosis
    from hooklore.agents.memory_files import MemoryFiles
    from hooklore.agents.registration import Registration
    from hooklore.agents.rehearsal import Rehearsal

_EVENTS = {
    "SessionStart": ClientEvent("session_start", RECALLING_SECONDS, recalls=True, speaks=True),
    "UserPromptSubmit": ClientEvent("prompt", RECALLING_SECONDS, recalls=True, speaks=True),
    "PreToolUse": ClientEvent("before_tool", RECALLING_SECONDS, recalls=True),
    "PostToolUse": ClientEvent("after_tool"),
    "PostToolUseFailure": ClientEvent("failure", RECALLING_SECONDS, recalls=True),
    "Stop": ClientEvent("answer"),
    "StopFailure": ClientEvent("answer_failed"),
    "SubagentStart": ClientEvent("agent_start", RECALLING_SECONDS, recalls=True),
    "SubagentStop": ClientEvent("agent_stop"),
    "TaskCreated": ClientEvent("task_created"),
    "TaskCompleted": ClientEvent("task_completed"),
    "PreCompact": ClientEvent("before_compaction"),
    "PostCompact": ClientEvent("after_compaction"),
    "SessionEnd": ClientEvent("session_end", SESSION_END_SECONDS),
}
"""At all other events printed text is ignored, makes the turn go on, or instructs a summariser."""

_TASK = {"task": ("task_id",), "task_description": ("task_description",)}

_WIRE = WireFormat(
    event_name=("hook_event_name",),
    names={
        "session_id": ("session_id",),
        "subagent_id": ("agent_id",),
        "agent_type": ("agent_type",),
        "permission_mode": ("permission_mode",),
        "task_id": ("prompt_id",),
        "tool": ("tool_name",),
        "tool_use_id": ("tool_use_id",),
    },
    locations={
        "cwd": ("cwd",),
        "transcript_path": ("transcript_path",),
    },
    interrupted=("is_interrupt",),
    duration_ms=("duration_ms",),
    text={
        "prompt": ("prompt",),
        "failure": ("error",),
        "answer": ("last_assistant_message",),
        "answer_failed": ("error",),
        "agent_stop": ("last_assistant_message",),
        "task_created": ("task_subject",),
        "task_completed": ("task_subject",),
        "before_compaction": ("custom_instructions",),
        "after_compaction": ("compact_summary",),
    },
    source={
        "session_start": ("source",),
        "session_end": ("reason",),
        "before_compaction": ("trigger",),
        "after_compaction": ("trigger",),
    },
    details={
        "session_start": {"model": ("model",), "session_title": ("session_title",)},
        "task_created": _TASK,
        "task_completed": _TASK,
    },
    failure_details=(("last_assistant_message",), ("error_details",)),
    salvaged=(
        ("session_id",),
        ("transcript_path",),
        ("cwd",),
        ("prompt_id",),
        ("hook_event_name",),
        ("agent_id",),
        ("agent_type",),
        ("source",),
        ("reason",),
        ("trigger",),
        ("prompt",),
        ("tool_name",),
        ("tool_use_id",),
        ("error",),
        ("last_assistant_message",),
        ("compact_summary",),
        ("task_id",),
        ("task_subject",),
        ("tool_input", "command"),
        ("tool_input", "description"),
        ("tool_input", "file_path"),
        ("tool_input", "notebook_path"),
        ("tool_input", "subagent_type"),
        ("tool_input", "url"),
    ),
)

_TOOLS = {
    "Bash": "command",
    "PowerShell": "command",
    "Edit": "edit",
    "MultiEdit": "edit",
    "NotebookEdit": "edit",
    "Write": "write",
    "Read": "read",
    "NotebookRead": "read",
    "Glob": "search",
    "Grep": "search",
    "LS": "search",
    "Agent": "agent",
    "Task": "agent",
    "WebFetch": "web",
    "WebSearch": "web",
}

_ROLES = {
    "Explore": "researcher",
    "claude-code-guide": "researcher",
    "Plan": "reasoner",
    "general-purpose": "executor",
    "claude": "executor",
    "statusline-setup": "executor",
}


def _is_summarizer(payload: Payload) -> bool:
    """Return whether a subagent is the one that summarises a session: its type is empty."""
    return payload.get("agent_type") == ""


def _may_start_server(home: Path, project_dir: str) -> bool:
    from hooklore.agents.claude_code.server_answer import may_start

    return may_start(home, project_dir)


def _memory_files() -> "MemoryFiles":
    from hooklore.agents.claude_code.memory_folder import MEMORY_FILES

    return MEMORY_FILES


def _registration() -> "Registration":
    from hooklore.agents.claude_code.registering import REGISTRATION

    return REGISTRATION


def _diagnosis() -> "Diagnosis":
    from hooklore.agents.claude_code.diagnosing import DIAGNOSIS

    return DIAGNOSIS


def _rehearsal() -> "Rehearsal":
    from hooklore.agents.claude_code.rehearsing import REHEARSAL

    return REHEARSAL


AGENT = Agent(
    id="claude",
    name="Claude Code",
    events=_EVENTS,
    wire=_WIRE,
    read_call=read_call,
    print_answer=print_answer,
    registration=_registration,
    diagnosis=_diagnosis,
    rehearsal=_rehearsal,
    tools=_TOOLS,
    tool_prefixes={"mcp__": "mcp"},
    split_prompt=split_prompt,
    typed_text=typed_text,
    is_summarizer=_is_summarizer,
    marks=Marks(
        programs=("claude",),
        project_dir="CLAUDE_PROJECT_DIR",
        entrypoint="CLAUDE_CODE_ENTRYPOINT",
        child_session="CLAUDE_CODE_CHILD_SESSION",
        interactive=("cli",),
        process=("CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_CHILD_SESSION"),
        session="CLAUDE_CODE_SESSION_ID",
    ),
    asking=Asking(
        modes=frozenset(("default", "acceptEdits", "bypassPermissions", "plan", "auto")),
        change_command=change_command,
        runs_plainly=runs_plainly,
    ),
    mcp=McpClient(names=("claude-code",), plugin_tools=PLUGIN_TOOLS, may_start=_may_start_server),
    unreadable=UnreadableAnswer(
        context='{"hookSpecificOutput": {"hookEventName": "<event>", "additionalContext": "<text>"}, '
        '"systemMessage": "<notice>"}',
        stop='{"continue": false, "stopReason": "<text>"}',
    ),
    role="orchestrator",
    permission="owner",  # the agent that a person talks to: it may propose what the person then decides
    roles=_ROLES,
    stopped_by=stopped_by,
    exit_status=EXIT_STATUS,
    aliases=("claude-code", "claude_code", "conductor"),
    spoken_names=("claude",),
    sites=("claude.com",),
    later_imports=(
        "hooklore.agents.claude_code.memory_folder",
        "hooklore.agents.claude_code.server_answer",
    ),
    token_totals=token_totals,
    session_of_transcript=session_of_transcript,
    transcripts=r"\.claude/projects/.*\.jsonl$",
    notes=r"(?:^|/)claude(?:\.local)?\.md$",
    memory_files=_memory_files,
    loads_memory_files=True,
    recorded_sessions=Path(__file__).with_name("demo_session.jsonl"),
)
