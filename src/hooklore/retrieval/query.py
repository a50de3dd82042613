"""What a trigger asks of memory, how much may be told of it, and whose history it is told in."""

from dataclasses import dataclass

GUARD = "guard"
"""The trigger of a refusal: it has a history of its own, whatever the brief has told already."""

TOKEN_BUDGETS = {
    GUARD: 300,
    "session_start": 1_500,
    "prompt": 600,
    "before_tool": 300,
    "failure": 200,
    "agent_start": 400,
}
"""Tokens of text that one answer may hold (design §4)."""


@dataclass(frozen=True, slots=True)
class RecallQuery:
    """What a trigger asks:

    `text` are its words, `command` and `paths` what is about to be done or failed, `signatures` and
    `key` what a failure is known by. `before` is the position and the id of a record: from there on
    the log is not looked at (an evaluation asks as of an earlier day), and `now` is its clock (RFC 3339);
    without it the clock on the wall says what yesterday is.
    """

    trigger: str
    session_id: str | None = None
    subagent_id: str | None = None
    agent_type: str | None = None
    source: str | None = None
    text: str = ""
    command: str | None = None
    paths: tuple[str, ...] = ()
    signatures: tuple[str, ...] = ()
    key: str | None = None
    before: tuple[int, str] | None = None
    now: str | None = None


def context_key(asked: RecallQuery) -> str:
    """What has one history in front of a model: a session, a subagent, and failures apart from the rest."""
    part = asked.trigger if asked.trigger in ("failure", GUARD) else "notes"
    return f"{asked.session_id}|{asked.subagent_id or ''}|{part}"
