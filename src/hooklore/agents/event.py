"""The event of an agent in hooklore's own words: no name of a vendor's wire format reaches past it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

EventName = Literal[
    "session_start", "prompt", "before_tool", "after_tool", "failure", "answer", "answer_failed",
    "agent_start", "agent_stop", "task_created", "task_completed", "before_compaction",
    "after_compaction", "session_end", "other",
]  # fmt: skip

RECALLING_EVENTS: frozenset[str] = frozenset(
    ("session_start", "prompt", "before_tool", "failure", "agent_start")
)
"""The events whose answer may put text in front of the model."""

TOOL_EVENTS: frozenset[str] = frozenset(("before_tool", "after_tool", "failure"))

EDITING_CLASSES: frozenset[str] = frozenset(("edit", "write"))
"""The classes of tools that change a file."""

READ_CLASSES: frozenset[str] = frozenset(("read", "search"))
FILE_CLASSES: frozenset[str] = EDITING_CLASSES | READ_CLASSES

Outcome = Literal["success", "failure", "partial", "unknown"]

StoppedBy = Literal["refused", "cancelled", "interrupted", "harness"]
"""The reason why a tool did not do its work, where the tool itself is not to blame.

The user or a rule refused it, another call of the same turn failed and cancelled it, somebody interrupted
it, or the client's own harness rejected it (an edit of a file that was not read).
"""


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of a file: the text before and after. A file written whole has no `before`."""

    path: str = ""
    before: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class ToolOutput:
    """The answer of a tool: its output, its error output, its own word on the outcome, its tokens."""

    text: str = ""
    errors: str = ""
    outcome: Outcome | None = None
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One tool call, as far as its event tells of it.

    `changed_lines` are an edit's own lines, each with `+` or `-` in front, where the agent sends them.
    `intent` is the agent's own sentence about the call, `assignment` the task of an agent that it
    starts, `described` everything that it says it is about to do. `arguments` is the input as text,
    for tools without a form of their own. `counts` are range and counts of a read or a search.
    `output` is None without an answer, or when the answer is empty. `stated_privacy` is the value by
    which a call marks its own text as private, in the agent's spelling.
    """

    paths: tuple[str, ...] = ()
    command: str | None = None
    edits: tuple[Edit, ...] = ()
    changed_lines: tuple[str, ...] = ()
    intent: str | None = None
    assignment: str | None = None
    described: tuple[str, ...] = ()
    started_agent_type: str | None = None
    arguments: str = ""
    pattern: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)
    output: ToolOutput | None = None
    stated_privacy: object = None

    @property
    def before_and_after(self) -> tuple[str, str]:
        """The text that the edits replace and the text that they put there, one edit after the other."""
        before = "\n".join(edit.before for edit in self.edits if edit.before)
        return before, "\n".join(edit.after for edit in self.edits if edit.after)


@dataclass(frozen=True, slots=True)
class SlashCommand:
    """A command of the client that was typed as a prompt."""

    name: str
    arguments: str = ""

    @classmethod
    def typed(cls, words: str) -> "SlashCommand | None":
        """Return the command that these words are, None for other words."""
        found = _SLASH.match(words)
        return cls(found[1], (found[2] or "").strip()) if found else None


_SLASH = re.compile(r"/([A-Za-z0-9][\w:.-]{0,99})(?:\s+(.*))?\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class BackgroundTask:
    """The end of a background task, which comes as a prompt. Fields are "" where the client is silent."""

    status: str = ""
    summary: str = ""
    task: str = ""


@dataclass(frozen=True, slots=True)
class HookEvent:
    """One event of an agent, parsed leniently, once.

    `tool_class` says what the tool does for us (command, edit, write, read, search, agent, web, mcp,
    other). `text` is the prompt, the answer, the summary or the error, whichever the event has.
    `payload_event` is the payload's own event name where the registration has another one.
    `private_parts` counts what was marked as private: it has left every text of the event.
    `is_interactive` is true where the client says that a person types the session's prompts. `is_unproven` is
    true where a client that says so at all did not, or did not hand in the event itself.
    `forgets` says that the model has lost what it was told before, `is_unheard` that no text of a hook
    reaches it now. `is_summarizer` marks the agent that the client starts to summarise a session.
    `stopped_by` says why a tool failed that did not fail by itself.
    `problem` says why the payload could not be read, when it could not.
    """

    event: EventName
    agent_id: str
    delivery_id: str
    wire_event: str = ""
    payload_event: str | None = None
    session_id: str | None = None
    session_title: str | None = None
    model: str | None = None
    cwd: str | None = None
    project_dir: str | None = None
    entrypoint: str | None = None
    permission_mode: str | None = None
    is_interactive: bool = False
    is_unproven: bool = False
    forgets: bool = False
    is_unheard: bool = False
    transcript_path: str | None = None
    subagent_id: str | None = None
    agent_type: str | None = None
    role: str = "general"
    task_id: str | None = None
    tool: str | None = None
    tool_class: str | None = None
    tool_use_id: str | None = None
    call: ToolCall = ToolCall()
    text: str | None = None
    source: str | None = None
    slash: SlashCommand | None = None
    notification: BackgroundTask | None = None
    private_parts: int = 0
    task: str | None = None
    task_description: str | None = None
    failure_details: tuple[str, ...] = ()
    is_summarizer: bool = False
    stopped_by: StoppedBy | None = None
    exit_status: int | None = None
    duration_ms: int = 0
    problem: str | None = None

    @property
    def is_headless(self) -> bool:
        """True where the client says that a program runs the session, which no person reads along."""
        return self.entrypoint is not None and not self.is_interactive

    @property
    def paths(self) -> tuple[str, ...]:
        """The files that the tool call names."""
        return self.call.paths

    @property
    def command(self) -> str | None:
        """The command that the tool call runs."""
        return self.call.command
