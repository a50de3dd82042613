"""A hook's event in hooklore's own terms, without the vendor's wire format."""

from dataclasses import dataclass, field
from typing import Any, Literal

EventName = Literal[
    "session_start", "prompt", "before_tool", "after_tool", "failure", "answer", "answer_failed",
    "agent_start", "agent_stop", "task_created", "task_completed", "before_compaction",
    "after_compaction", "session_end", "other",
]  # fmt: skip

RECALLING_EVENTS: frozenset[str] = frozenset(
    ("session_start", "prompt", "before_tool", "failure", "agent_start")
)
"""The events whose answer may put text before the model."""


@dataclass(frozen=True, slots=True)
class HookEvent:
    """One event of an agent, parsed leniently, once.

    `tool_class` is the tool's purpose: command, edit, write, read, search, agent, web, mcp or other. `paths`
    are the files that the tool names. `text` is the event's prompt, answer, summary or error. `problem` says
    why the payload could not be read, if so.
    """

    event: EventName
    agent_id: str
    delivery_id: str
    wire_event: str = ""
    session_id: str | None = None
    cwd: str | None = None
    project_dir: str | None = None
    entrypoint: str | None = None
    transcript_path: str | None = None
    subagent_id: str | None = None
    agent_type: str | None = None
    task_id: str | None = None
    tool: str | None = None
    tool_class: str | None = None
    tool_use_id: str | None = None
    tool_input: dict[str, Any] = field(default_factory=dict)
    tool_response: Any = None
    paths: tuple[str, ...] = ()
    command: str | None = None
    text: str | None = None
    source: str | None = None
    interrupted: bool = False
    duration_ms: int = 0
    extra: dict[str, Any] = field(default_factory=dict)
    problem: str | None = None
    true_size: int = 0
