"""Gemini CLI, as seen by driving the real client (0.61.0).

Its events of a model call (BeforeModel, AfterModel, BeforeToolSelection) carry the whole request and fire
for every chunk of an answer: they are not registered.
"""

from typing import TYPE_CHECKING

from hooklore.agents.agent import (
    RECALLING_SECONDS,
    SESSION_END_SECONDS,
    Agent,
    ClientEvent,
    Marks,
    McpClient,
    Payload,
    Starts,
    UnreadableAnswer,
    WireFormat,
)
from hooklore.agents.event import EventName
from hooklore.agents.gemini.printing import print_answer
from hooklore.agents.gemini.prompt import split_prompt, typed_text
from hooklore.agents.gemini.tool_answer import EXIT_STATUS, error_of, stopped_by
from hooklore.agents.gemini.tool_calls import read_call

if TYPE_CHECKING:
    from hooklore.agents.diagnosis import Diagnosis
    from hooklore.agents.memory_files import MemoryFiles
    from hooklore.agents.registration import Registration
    from hooklore.agents.rehearsal import Rehearsal

_EVENTS = {
    "SessionStart": ClientEvent("session_start", RECALLING_SECONDS, recalls=True, speaks=True),
    "BeforeAgent": ClientEvent("prompt", RECALLING_SECONDS, recalls=True, speaks=True),
    "BeforeTool": ClientEvent("before_tool"),
    "AfterTool": ClientEvent("after_tool", RECALLING_SECONDS, recalls=True, variants=("failure",)),
    "AfterAgent": ClientEvent("answer"),
    "PreCompress": ClientEvent("before_compaction", variants=("other",)),
    "SessionEnd": ClientEvent("session_end", SESSION_END_SECONDS),
}
"""Text printed at BeforeTool reaches no model: that event only refuses a tool."""

_BY_USER = "manual"
"""The trigger of a compression that the user asked for."""

_WIRE = WireFormat(
    event_name=("hook_event_name",),
    names={
        "session_id": ("session_id",),
        "tool": ("tool_name",),
    },
    locations={
        "cwd": ("cwd",),
        "transcript_path": ("transcript_path",),
    },
    text={
        "prompt": ("prompt",),
        "failure": error_of,
        "answer": ("prompt_response",),
    },
    source={
        "session_start": ("source",),
        "session_end": ("reason",),
        "before_compaction": ("trigger",),
    },
    salvaged=(
        ("session_id",),
        ("transcript_path",),
        ("cwd",),
        ("hook_event_name",),
        ("source",),
        ("reason",),
        ("trigger",),
        ("prompt",),
        ("prompt_response",),
        ("tool_name",),
        ("tool_input", "command"),
        ("tool_input", "description"),
        ("tool_input", "file_path"),
    ),
)
"""An answer is not salvaged: a command's exit status stands at its end, which is what is missing."""

_TOOLS = {
    "run_shell_command": "command",
    "replace": "edit",
    "write_file": "write",
    "read_file": "read",
    "read_many_files": "read",
    "read_mcp_resource": "read",
    "glob": "search",
    "grep_search": "search",
    "list_directory": "search",
    "invoke_agent": "agent",
    "web_fetch": "web",
    "google_web_search": "web",
}

_ROLES = {
    "codebase_investigator": "researcher",
    "cli_help": "researcher",
    "generalist": "executor",
    "browser_agent": "executor",
}

_STARTS = Starts(forgetting=frozenset(("resume",)), unheard=frozenset(("clear",)))
"""A session that is resumed has lost the texts of hooks: its file keeps what the user typed."""


def _refine_event(event: EventName, payload: Payload) -> EventName:
    """Return the event of a payload: a failed tool is a failure.

    The client announces a compression at every call of the model, and compresses nothing. Only one that the
    user asked for is told from that.
    """
    if event == "after_tool" and error_of(payload) is not None:
        return "failure"
    if event == "before_compaction" and payload.get("trigger") != _BY_USER:
        return "other"
    return event


def _memory_files() -> "MemoryFiles":
    from hooklore.agents.gemini.memory_folder import MEMORY_FILES

    return MEMORY_FILES


def _registration() -> "Registration":
    from hooklore.agents.gemini.registering import REGISTRATION

    return REGISTRATION


def _diagnosis() -> "Diagnosis":
    from hooklore.agents.gemini.diagnosing import DIAGNOSIS

    return DIAGNOSIS


def _rehearsal() -> "Rehearsal":
    from hooklore.agents.gemini.rehearsing import REHEARSAL

    return REHEARSAL


AGENT = Agent(
    id="gemini",
    name="Gemini CLI",
    events=_EVENTS,
    wire=_WIRE,
    read_call=read_call,
    print_answer=print_answer,
    registration=_registration,
    diagnosis=_diagnosis,
    rehearsal=_rehearsal,
    tools=_TOOLS,
    tool_prefixes={"mcp_": "mcp"},
    refine_event=_refine_event,
    split_prompt=split_prompt,
    typed_text=typed_text,
    marks=Marks(programs=("gemini",), project_dir="GEMINI_PROJECT_DIR", process=("GEMINI_CLI",)),
    starts=_STARTS,
    mcp=McpClient(names=("gemini-cli-mcp-client",)),
    unreadable=UnreadableAnswer(
        context='{"hookSpecificOutput": {"hookEventName": "<event>", "additionalContext": "<text>"}, '
        '"systemMessage": "<notice>"}',
        stop='{"continue": false, "stopReason": "<text>"}',
    ),
    roles=_ROLES,
    stopped_by=stopped_by,
    exit_status=EXIT_STATUS,
    aliases=("gemini-cli", "gemini_cli"),
    spoken_names=("gemini",),
    sites=("geminicli.com",),
    transcripts=r"\.gemini/tmp/[^/]+/chats/.*\.jsonl?$",
    notes=r"(?:^|/)gemini\.md$",
    memory_files=_memory_files,
    loads_memory_files=True,
    later_imports=("hooklore.agents.gemini.memory_folder",),
)
