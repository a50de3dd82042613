"""The person's daily notes: `notes/YYYY-MM-DD.md` in the store's folder, of today and yesterday (row HK-28).

They lie beside the log and not in the project: a file that came with a clone is no note of the person's.
"""

import hashlib
from datetime import date, datetime, timedelta
from pathlib import Path

from hooklore.broker.broker import Broker
from hooklore.config import StoreLocation, read_owned_file
from hooklore.prompt.frame import make_excerpt, render_note
from hooklore.records.record import Record
from hooklore.redaction import redact
from hooklore.redaction.urls import redact_urls

DAILY_HEADING = "Daily notes:"

MAX_DAY_CHARACTERS = 600
"""Characters of one day that a brief quotes: two of them leave most of its budget to the rest."""

_LOOKED_AT = 2_048


def render_daily_notes(broker: Broker, told: dict[str, str]) -> list[tuple[str, str]]:
    """("", note) of today's and of yesterday's notes, where there are any; a day begins at local midnight.

    They are no records, so they have no id. Masked as what is kept is; orders to agents are left out.
    `told` keeps what was worded before: masking takes milliseconds.
    """
    today = datetime.fromisoformat(broker.now()).astimezone().date()
    days = (today, today - timedelta(days=1))
    found = ((day, _read(broker.place, day)) for day in days)
    return [("", text) for day, raw in found if (text := _worded(day, raw, told))]


def _path(place: StoreLocation, day: date) -> Path:
    return place.directory / "notes" / f"{day.isoformat()}.md"


def _read(place: StoreLocation, day: date) -> bytes:
    """A day's notes as they are; empty when there are none of this user's."""
    try:
        return read_owned_file(_path(place, day), follow=False)
    except OSError:
        return b""


def _worded(day: date, raw: bytes, told: dict[str, str]) -> str:
    if not raw:
        return ""
    key = f"daily|{day}|{hashlib.blake2b(raw, digest_size=16).hexdigest()}"
    if key not in told:
        text = _text(raw)
        told[key] = _note(day, text) if text else ""
    return told[key]


def _text(raw: bytes) -> str:
    """The beginning of a day's notes, masked before it is cut."""
    text = raw[:_LOOKED_AT].decode("utf-8", "ignore")
    if len(raw) > _LOOKED_AT:
        text = text[
            : max(text.rfind(" "), text.rfind("\n"), 0)
        ]  # half a secret is not known as one
    return make_excerpt(redact_urls(redact(text).text)[0], MAX_DAY_CHARACTERS)


def _note(day: date, text: str) -> str:
    """As any other note is quoted: nobody knows who wrote it, so it may not give orders."""
    name = f"notes/{day.isoformat()}.md"
    note = Record.of(
        id=name, kind="daily note", ts=day.isoformat(), agent_id="person", stream="memory",
        confidence="low",
    )  # fmt: skip
    return render_note(note, text)
