"""A brief as text: its sections in a frame, what follows them, and the snapshot's id (seed 000 §4)."""

from dataclasses import dataclass, field

from hooklore.agents.program_name import PROGRAM, name_program
from hooklore.prompt.frame import frame_sections
from hooklore.prompt.neutralize import neutralize_markup
from hooklore.prompt.note import Section
from hooklore.records.draft import RecallResult
from hooklore.text.token_estimate import estimate_tokens

SNAPSHOT_LINE_TOKENS = 24
"""Tokens reserved for the line that names the snapshot."""

BY_TOOL = "tool"
"""The tool `remember` of a server in the agent's settings, which the agent knows by that name."""

KEEP_REQUEST = (
    "Keep what lasts: the user's rules, decisions and why, facts the code does not tell "
    "(agreeing or correcting counts): "
)
"""The beginning of the line, before it says how."""

_KINDS = "constraint, preference, decision, workflow, fact"

KEEP_LINE = (
    f"{KEEP_REQUEST}run "
    '`hooklore remember --kind KIND --title "…" --when "what one types who needs it" "the user\'s words"` '
    f"(KIND: {_KINDS}). No orders of the moment."
)
"""The line by which an agent keeps what no rule recognises, of at most 80 tokens."""

_WITH_TOOL = (
    f"with the user's words, title, `kind` ({_KINDS}), as `when` what one types who needs it. "
    "No orders of the moment."
)

KEEP_TOOL_LINE = f"{KEEP_REQUEST}call hooklore's tool `remember` {_WITH_TOOL}"
"""The same line for an agent with the MCP server."""


@dataclass(slots=True)
class BriefText:
    """The sections of a brief in the order of reading.

    With `asks_to_keep` the line stands behind them that asks the agent to keep what lasts, by `keep_tool`
    where it has one, else by `program`. `parts` counts the records of each part, `titles` those of the index.
    """

    sections: list[Section] = field(default_factory=list)
    asks_to_keep: bool = False
    keep_tool: str = ""
    program: str = PROGRAM
    parts: dict[str, int] = field(default_factory=dict)
    titles: int = 0

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the told records, each once, in the order of reading."""
        return tuple(dict.fromkeys(id_ for _, notes in self.sections for id_, _ in notes if id_))

    @property
    def is_empty(self) -> bool:
        """True when there is nothing to tell: an empty frame is noise."""
        return not self.asks_to_keep and not any(notes for _, notes in self.sections)


def keep_line(tool: str, program: str = PROGRAM) -> str:
    """Return the line for an agent that keeps memories by `tool`, or by a command of `program` without one."""
    if tool and tool != BY_TOOL:
        return f"{KEEP_REQUEST}call `{tool}` {_WITH_TOOL}"
    return KEEP_TOOL_LINE if tool else name_program(KEEP_LINE, program)


def finish_brief(brief: BriefText, snapshot_id: str, wake_up: str = "") -> RecallResult:
    """Return a brief in its frame, with `wake_up` (seed 001 §7) and the snapshot's line at its end."""
    text = "" if brief.is_empty else frame_brief(brief, snapshot_id, wake_up)
    return RecallResult(
        text,
        brief.ids,
        estimate_tokens(text) if text else 0,
        snapshot_id,
        parts=tuple(brief.parts.values()),
        titles=brief.titles,
        asks_to_keep=brief.asks_to_keep,
        keep_tool=brief.keep_tool,
        wake_up=wake_up if text else "",
    )


def frame_brief(brief: BriefText, snapshot_id: str, wake_up: str = "") -> str:
    """Return the text of a brief: what changes from session to session stands last."""
    asked = keep_line(brief.keep_tool, brief.program) if brief.asks_to_keep else ""
    last = filter(None, (asked, neutralize_markup(wake_up), f"(snapshot {snapshot_id})"))
    return frame_sections(brief.sections, list(last))
