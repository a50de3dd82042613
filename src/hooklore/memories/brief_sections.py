"""The curated part of a brief: pins, what is to be checked, and the snapshot's id (seed 000 §4)."""

from dataclasses import replace
from typing import Any

from hooklore.broker.broker import Broker
from hooklore.memories.pins import bullet, places
from hooklore.memories.staleness import checks
from hooklore.prompt.frame import CLOSE, Section, note
from hooklore.prompt.neutralize import blunt
from hooklore.records.draft import Principal, Shown
from hooklore.text.token_estimate import estimate

Fields = dict[str, Any]

PINNED = "Pinned (read these first):"
CHECKS = "Contradictory or out of date (check before you rely on it):"

SIGNATURE = 24
"""Tokens kept for the line that names the snapshot."""

_ROOM = 800
"""Tokens of a brief that pins may take: what is to be checked must fit, too."""


def pin_notes(records: list[Fields], told: dict[str, str]) -> list[tuple[str, str]]:
    """(id, note) of pins, as many as there is room for; `told` keeps what was worded before."""
    found: list[tuple[str, str]] = []
    room = _ROOM
    for record in records:
        key = f"pin|{record['id']}|{record.get('hash')}"
        if key not in told:
            told[key] = note(record, bullet(record))
        text = told[key]
        room -= estimate(text) + 1
        if room < 0:
            break
        found.append((record["id"], text))
    return found


def check_notes(broker: Broker, who: Principal, shown: set[str]) -> list[tuple[str, str]]:
    """(id, note) of what contradicts something, or is out of date, with the command that mends it."""
    found = checks(broker, who, places(who))
    return [(r["id"], note(r, text)) for r, text in found if r["id"] not in shown]


def signed(shown: Shown, sections: list[Section], wake_up: str = "") -> Shown:
    """A brief that names its snapshot, and knows how many of its notes are pins and checks.

    `wake_up` is what it says of private memory (seed 001 §7).
    """
    if not shown.ids or shown.snapshot_id is None:
        return shown
    pinned, checked = ({id_ for id_, _ in notes} for _, notes in sections[:2])
    text = with_snapshot(shown.text, shown.snapshot_id, wake_up)
    return replace(
        shown,
        text=text,
        tokens=estimate(text),
        pinned=sum(id_ in pinned for id_ in shown.ids),
        checked=sum(id_ in checked for id_ in shown.ids),
        wake_up=wake_up,
    )


def with_snapshot(text: str, snapshot_id: str, wake_up: str = "") -> str:
    """A framed text with `wake_up` and the line that names its snapshot before the frame closes."""
    if not text:
        return text
    last = "\n".join(filter(None, (blunt(wake_up), f"(snapshot {snapshot_id})", CLOSE)))
    return text.removesuffix(CLOSE) + last
