"""A brief as text: its sections in a frame, and what follows them."""

from dataclasses import dataclass, field

from hooklore.agents.program_name import PROGRAM, name_program
from hooklore.prompt.frame import frame_sections
from hooklore.prompt.neutralize import neutralize_markup
from hooklore.prompt.note import Section
from hooklore.records.draft import RecallResult
from hooklore.text.token_estimate import estimate_tokens

BY_TOOL = "tool"
"""The tool `remember` of a server in the agent's settings, which the agent knows by that name."""

KEEP_REQUEST = "Keep what lasts of the user's words: "
"""The beginning of the line, before it says how."""

KEEP_LINE = (
    f'{KEEP_REQUEST}`hooklore remember --kind rule|decision|fact --title T --when W "TEXT"`.'
)
"""The line by which an agent keeps what no rule recognises, of at most 30 tokens.

`hooklore remember --help` and the tool's schema have the details: a call without an option is taken too.
"""

_WITH_TOOL = "(kind, title, when)."

KEEP_TOOL_LINE = f"{KEEP_REQUEST}call hooklore's tool `remember` {_WITH_TOOL}"
"""The same line for an agent with the MCP server."""


@dataclass(slots=True)
class BriefText:
    """The sections of a brief in the order of reading.

    With `asks_to_keep` the line stands behind them that asks the agent to keep what lasts, by `keep_tool`
    where it has one, else by `program`. `parts` counts the records of each part, `titles` those of the index.
    A bare one is without the reading rule.
    """

    sections: list[Section] = field(default_factory=list)
    asks_to_keep: bool = False
    keep_tool: str = ""
    program: str = PROGRAM
    parts: dict[str, int] = field(default_factory=dict)
    titles: int = 0
    is_bare: bool = False

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
    """Return a brief in its frame, with `wake_up` (seed 001 §7) at its end.

    The name of its snapshot (seed 000 §4) is for those who ask: the record of what was shown has it.
    """
    text = "" if brief.is_empty else frame_brief(brief, wake_up)
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
        is_bare=bool(text) and brief.is_bare,
    )


def frame_brief(brief: BriefText, wake_up: str = "") -> str:
    """Return the text of a brief: what changes from session to session stands last."""
    asked = keep_line(brief.keep_tool, brief.program) if brief.asks_to_keep else ""
    last = filter(None, (asked, neutralize_markup(wake_up)))
    return frame_sections(brief.sections, list(last), is_bare=brief.is_bare)
