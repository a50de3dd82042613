"""Render records as notes: quoted text with its id, as the frame shows it to a model."""

from collections.abc import Mapping
from typing import Any

from hooklore.failures.fix_reading import quotable_fix_text
from hooklore.failures.fix_text import failure_text
from hooklore.prompt.error_line import failure_of, must_pass
from hooklore.prompt.frame import (
    AGENT_SAID,
    make_excerpt,
    make_note,
    max_note_tokens,
    render_note,
)
from hooklore.prompt.note import Note
from hooklore.records.draft import Principal
from hooklore.records.record import Body, Record, spoken_text
from hooklore.retrieval.query import TOKEN_BUDGETS
from hooklore.text.token_estimate import estimate_tokens, truncate_text, truncate_to_tokens

_MAX_NOTE_CHARACTERS = 600

_CUT_TRIGGERS = ("prompt", "before_tool")
"""Triggers whose notes are memories or turns, of which the beginning alone is of use."""

_SHOWN_SECTIONS = ("unresolved", "results", "next_actions")
_SAID_SECTIONS = ("answer", "results", "decisions", "unresolved", "next_actions")
_STATE_SECTIONS = ("next_actions", "decisions", "unresolved")
"""The sections that a compaction must not lose. The client's own summary tells the results."""

_MAX_STATE_SECTION_CHARACTERS = 400
_MAX_GOAL_CHARACTERS = 120


def render_counted_notes(
    records: list[tuple[Record, int]], who: Principal, token_limit: int | None = None
) -> list[tuple[str, str]]:
    """Return (id, note) of records, each with its number of near-duplicates, in at most `token_limit` tokens."""
    return [
        (record.id, quote_record(record, who, count, token_limit=token_limit))
        for record, count in records
    ]


def note_token_limit(trigger: str) -> int | None:
    """Return the tokens of the longest note that an answer to `trigger` holds, or None.

    None means that a note is not cut for this trigger. A fix stands at the end of its note, and a brief
    has room for every note.
    """
    return max_note_tokens(TOKEN_BUDGETS[trigger]) if trigger in _CUT_TRIGGERS else None


def quote_record(
    record: Record, who: Principal, count: int = 1, *, token_limit: int | None = None
) -> str:
    """Return a record as a note of at most `token_limit` tokens for a reader.

    The end of a session is two notes: what tools showed, then what the agent said.
    """
    if record.kind == "session_end":
        of_tools, said = _summary_parts(record.body)
        told = ((record, of_tools), (record.with_fields(basis="inferred"), said))
        parts = [(each, text) for each, text in told if text]
    else:
        parts = [(record, quotable_text(record))]
    limit = token_limit // len(parts) if token_limit and parts else None
    cut = [(each, make_excerpt(text, _MAX_NOTE_CHARACTERS)) for each, text in parts]
    return "\n".join(quote_excerpt(each, text, who, limit, count) for each, text in cut)


def quote_excerpt(
    record: Record, excerpt: str, who: Principal, token_limit: int | None, count: int = 1
) -> str:
    """Return one note of a text, which is cut where the note would have more than `token_limit` tokens."""
    note = render_note(record, excerpt, who, count=count)
    excess = estimate_tokens(note) - token_limit if token_limit else 0
    if excess <= 0:
        return note
    shorter = truncate_to_tokens(excerpt, estimate_tokens(excerpt) - excess)
    return render_note(record, shorter, who, count=count)


def state_notes(record: Record, reader_branch: str | None, failing: list[str]) -> list[Note]:
    """Return notes of where a session stood before a compaction: by its tools, then by its agent.

    `failing` are the checks that fail still, in words: of its failed commands these alone are told, for most of
    the others were looks at something. The record's own basis is that of the user's words about the
    compaction, which are not quoted.
    """
    body = record.body
    told: list[str] = []
    shown = {**body.sections, "unresolved": failing, "next_actions": open_tasks(body)}
    parts = (
        ("tool", _state_of(shown if body.agent_said else {}, told)),
        ("inferred", _state_of(body.agent_said or shown, told)),
    )
    return [
        make_note(record.with_fields(basis=basis), text, reader_branch=reader_branch)
        for basis, text in parts
        if text
    ]


def open_tasks(body: Body) -> list[str]:
    """Return the next actions of a session that are not its failures once more."""
    failed = {must_pass(line) for line in list_texts(body.sections.get("unresolved"))}
    actions = list_texts(body.sections.get("next_actions"))
    return [action for action in actions if action not in failed]


def list_texts(found: object) -> list[str]:
    """Return the texts of a section, none for a value that is no list."""
    return [str(each) for each in found if each] if isinstance(found, list) else []


def _state_of(sections: Mapping[str, Any], told: list[str]) -> str:
    """Return the sections of a state as one text, without lines that are `told`, which gets the new ones."""
    texts = [_join_sections(sections, (name,), told) for name in _STATE_SECTIONS]
    return _join_sentences([make_excerpt(t, _MAX_STATE_SECTION_CHARACTERS) for t in texts if t])


def has_state(record: Record) -> bool:
    """Return whether a record was saved before a compaction, and names anything to go on with."""
    told = (record.body.sections, record.body.agent_said)
    return record.kind == "compaction" and any(
        sections.get(name) for sections in told for name in _STATE_SECTIONS
    )


def quotable_text(record: Record) -> str:
    """Return the text of a record that a note quotes, empty when the record has none.

    Nothing is quoted of what tools printed but the error line of a failure.
    """
    body = record.body
    if record.kind == "tool_result":
        own = (body.change, body.intent, body.command)
        return next((text for text in own if isinstance(text, str) and text.strip()), "")
    if record.kind == "session_end" or (record.kind == "compaction" and not body.text):
        return _with_claim(*_summary_parts(body))
    if record.kind == "error":
        return failure_text(body)
    if record.kind == "fix":
        return quotable_fix_text(record)
    for text in (body.content_md, spoken_text(body), body.lessons, body.intent, body.command):
        if isinstance(text, str) and text.strip():
            return text
    return ""


def outcome_text(end: Record) -> str:
    """Return what came of a session: what its tools changed and made pass, then its agent's answer."""
    shown = _join_sections(end.body.sections, ("results",))
    return _with_claim(shown, _join_sections(end.body.agent_said or end.body.sections, ("answer",)))


def _summary_parts(body: Body) -> tuple[str, str]:
    """Return what tools showed of a session, an unresolved failure first, and its agent's own words.

    An older record does not tell the two apart. The goal stands first; alone it tells nothing.
    """
    shown = _join_sections(body.sections, _SHOWN_SECTIONS) if body.agent_said else ""
    said = _join_sections(body.agent_said or body.sections, _SAID_SECTIONS)
    goal = truncate_text(str(body.goal or ""), _MAX_GOAL_CHARACTERS) if shown or said else ""
    return _join_sentences([*filter(None, (f"goal: {goal}" if goal else "", shown))]), said


def _with_claim(shown: str, said: str) -> str:
    return _join_sentences([*filter(None, (shown, f"{AGENT_SAID}: {said}" if said else ""))])


def _join_sections(
    sections: Mapping[str, Any], names: tuple[str, ...], told: list[str] | None = None
) -> str:
    """Return sections as one text, without lines that an earlier one, or `told`, has; `told` gets the new ones.

    A failure and the action to make it pass are one line.
    """
    told = [] if told is None else told
    parts: list[str] = []
    for name in names:
        lines = [str(line) for line in sections.get(name, ()) if line]
        # A line of nothing but dots, or within one that is told already, is left out.
        texts = ((line, failure_of(line.rstrip("."))) for line in lines)
        new = [line for line, text in texts if text and not any(text in other for other in told)]
        if new:
            heading = "" if name == "answer" else f"{name.replace('_', ' ')}: "
            parts.append(heading + "; ".join(new))
            told += map(failure_of, new)
    return _join_sentences(parts)


def _join_sentences(parts: list[str]) -> str:
    """Return texts joined as sentences: every text but the last ends with a full stop."""
    ended = [part if part.endswith(".") else f"{part}." for part in parts[:-1]]
    return " ".join([*ended, *parts[-1:]])
