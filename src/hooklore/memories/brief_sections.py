"""Render the curated part of a brief: pins, checks and the snapshot's id (seed 000 §4)."""

from dataclasses import replace

from hooklore.broker.principal_reader import Reader
from hooklore.memories.pins import format_pin, reader_places
from hooklore.memories.staleness import list_checks
from hooklore.prompt.frame import FRAME_CLOSE, Section, render_note
from hooklore.prompt.neutralize import neutralize_markup
from hooklore.records.draft import RecallResult
from hooklore.records.record import Record
from hooklore.text.token_estimate import estimate_tokens

PINNED_HEADING = "Pinned (read these first):"
CHECKS_HEADING = "Contradictory or out of date (check before you rely on it):"

SNAPSHOT_LINE_TOKENS = 24
"""Tokens reserved for the line that names the snapshot."""

_PIN_TOKENS = 800
"""Tokens of a brief that pins may take, so that the checks fit as well."""


def render_pin_notes(records: list[Record], rendered: dict[str, str]) -> list[tuple[str, str]]:
    """Return (id, note) of as many pins as fit. `rendered` caches notes between calls."""
    found: list[tuple[str, str]] = []
    room = _PIN_TOKENS
    for record in records:
        key = f"pin|{record.id}|{record.hash}"
        if key not in rendered:
            rendered[key] = render_note(record, format_pin(record))
        text = rendered[key]
        room -= estimate_tokens(text) + 1
        if room < 0:
            break
        found.append((record.id, text))
    return found


def render_check_notes(reader: Reader, now: str, shown: set[str]) -> list[tuple[str, str]]:
    """Return (id, note) of contradictory and outdated records, with the command that mends each.

    `now` is RFC 3339 in UTC. `shown` are ids that the context has already.
    """
    found = list_checks(reader, reader_places(reader.principal), now)
    return [(r.id, render_note(r, text)) for r, text in found if r.id not in shown]


def add_brief_metadata(
    shown: RecallResult, sections: list[Section], wake_up: str = ""
) -> RecallResult:
    """Return a brief that names its snapshot and counts its pins and checks.

    `wake_up` is the sentence about private memory (seed 001 §7).
    """
    if not shown.text or shown.snapshot_id is None:
        return shown
    pinned, checked = ({id_ for id_, _ in notes} for _, notes in sections[:2])
    text = append_snapshot_line(shown.text, shown.snapshot_id, wake_up)
    return replace(
        shown,
        text=text,
        tokens=estimate_tokens(text),
        pinned=sum(id_ in pinned for id_ in shown.ids),
        checked=sum(id_ in checked for id_ in shown.ids),
        wake_up=wake_up,
    )


def append_snapshot_line(text: str, snapshot_id: str, wake_up: str = "") -> str:
    """Return a framed text with `wake_up` and the snapshot's line before the frame closes."""
    if not text:
        return text
    last = "\n".join(
        filter(None, (neutralize_markup(wake_up), f"(snapshot {snapshot_id})", FRAME_CLOSE))
    )
    return text.removesuffix(FRAME_CLOSE) + last
