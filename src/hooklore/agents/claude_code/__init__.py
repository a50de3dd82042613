"""Claude Code, as seen by driving the real client (2.1.197 and 2.1.329)."""

from pathlib import Path

from hooklore.agents import hook_dialect as dialect
from hooklore.agents.agent import (
    Asking,
    ClientEvent,
    Marks,
    McpClient,
    late,
    list_fields,
    name_fields,
)
from hooklore.agents.claude_code.prompt import split_prompt, typed_text
from hooklore.agents.claude_code.stopping import STOPS
from hooklore.agents.claude_code.tool_calls import CALL, change_command, read_call, runs_plainly
from hooklore.agents.claude_code.transcript import session_of_transcript, token_totals

_RECALLED_TOOLS = "Bash|Edit|Write|MultiEdit|NotebookEdit|Task|Agent|WebFetch|WebSearch"
"""Tools before which something may be recalled. Names only: the client compares them."""

EVENTS = {
    "SessionStart": ClientEvent("session_start", recalls=True, limit=10),
    "UserPromptSubmit": ClientEvent("prompt", recalls=True),
    "PreToolUse": ClientEvent("before_tool", recalls=True, matcher=_RECALLED_TOOLS),
    "PostToolUse": ClientEvent("after_tool", reads="Read|Glob|Grep"),
    "PostToolUseFailure": ClientEvent("failure", recalls=True),
    "Stop": ClientEvent("answer"),
    "StopFailure": ClientEvent("answer_failed"),
    "SubagentStart": ClientEvent("agent_start", recalls=True),
    "SubagentStop": ClientEvent("agent_stop"),
    "TaskCreated": ClientEvent("task_created"),
    "TaskCompleted": ClientEvent("task_completed"),
    "PreCompact": ClientEvent("before_compaction"),
    "PostCompact": ClientEvent("after_compaction"),
    "SessionEnd": ClientEvent("session_end"),
}
"""At all other events printed text is ignored, makes the turn go on, or instructs a summariser."""

_TASK = name_fields(task="task_id", task_description="task_description")
_TEXTS = name_fields(
    prompt="prompt", failure="error", answer="last_assistant_message", answer_failed="error",
    agent_stop="last_assistant_message", task_created="task_subject", task_completed="task_subject",
    before_compaction="custom_instructions", after_compaction="compact_summary",
)  # fmt: skip
_WIRE = dialect.hook_wire(
    names=dialect.AGENT_NAMES | name_fields(task_id="prompt_id"),
    interrupted=("is_interrupt",),
    duration_ms=("duration_ms",),
    text=_TEXTS,
    details={
        "session_start": name_fields(model="model", session_title="session_title"),
        "task_created": _TASK,
        "task_completed": _TASK,
    },
    failure_details=list_fields("last_assistant_message error_details"),
    salvaged=list_fields(
        "session_id transcript_path cwd prompt_id hook_event_name agent_id agent_type source reason"
        " trigger prompt tool_name tool_use_id error last_assistant_message compact_summary task_id"
        " task_subject tool_input.command tool_input.description tool_input.file_path"
        " tool_input.notebook_path tool_input.subagent_type tool_input.url"
    ),
    call=CALL,
)

_TOOLS = {
    "Bash": "command", "PowerShell": "command", "Edit": "edit", "MultiEdit": "edit",
    "NotebookEdit": "edit", "Write": "write", "Read": "read", "NotebookRead": "read",
    "Glob": "search", "Grep": "search", "LS": "search", "Agent": "agent", "Task": "agent",
    "WebFetch": "web", "WebSearch": "web",
}  # fmt: skip

_ROLES = {
    "Explore": "researcher", "claude-code-guide": "researcher", "Plan": "reasoner",
    "general-purpose": "executor", "claude": "executor", "statusline-setup": "executor",
}  # fmt: skip

PLUGIN_TOOLS = {
    name: f"mcp__plugin_hooklore_hooklore__{name}"
    for name in ("get", "recall", "remember", "search_memories", "wake_up")
}
"""The tools that need nobody, each as the client calls it where the plugin brings its server.

A plugin brings no permission rules, so the plugin's hook permits these tools.
"""

MAX_OUTPUT_UNITS = 9000
"""UTF-16 units of a whole stdout. Above 10,000 the client shows the model a preview instead."""

ANSWERS = dialect.AnswerForm(
    room=MAX_OUTPUT_UNITS - 1,
    measure=dialect.count_utf16,
    deciding="PreToolUse",
    decisions=("ask", "deny", "allow"),
)


AGENT = dialect.hook_agent(
    __name__,
    ANSWERS,
    id="claude",
    name="Claude Code",
    events=EVENTS,
    wire=_WIRE,
    read_call=read_call,
    tools=_TOOLS,
    tool_prefixes={"mcp__": "mcp"},
    split_prompt=split_prompt,
    typed_text=typed_text,
    is_summarizer=lambda payload: payload.get("agent_type") == "",
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
    mcp=McpClient(
        names=("claude-code",),
        plugin_tools=PLUGIN_TOOLS,
        may_start=late("hooklore.agents.claude_code.server_answer", "may_start"),
    ),
    role="orchestrator",
    permission="owner",  # the agent that a person talks to: it may propose what the person then decides
    roles=_ROLES,
    stops=STOPS,
    aliases=("claude-code", "claude_code", "conductor"),
    spoken_names=("claude",),
    connector_hosts=("claude.ai",),
    sites=("claude.com",),
    later_imports=("hooklore.agents.claude_code.server_answer",),
    token_totals=token_totals,
    session_of_transcript=session_of_transcript,
    transcripts=r"\.claude/projects/.*\.jsonl$",
    notes=r"(?:^|/)claude(?:\.local)?\.md$",
    memory_files=late("hooklore.agents.claude_code.memory_folder", "MEMORY_FILES"),
    loads_memory_files=True,
    recorded_sessions=Path(__file__).with_name("demo_session.jsonl"),
)
