"""Quote the person's daily notes, `notes/YYYY-MM-DD.md` in the store's folder, of today and yesterday.

The notes lie beside the log and not in the project: a file that came with a clone is no note of the
person's.
"""

import hashlib
from datetime import date, datetime, timedelta

from hooklore.broker.broker import Broker
from hooklore.config import StoreLocation, read_owned_file
from hooklore.prompt.frame import make_excerpt, render_note
from hooklore.records.record import Record
from hooklore.redaction import redact
from hooklore.redaction.private_parts import without_private
from hooklore.redaction.urls import redact_urls

DAILY_HEADING = "Daily notes:"

MAX_DAY_CHARACTERS = 600
"""Characters of one day that a brief quotes. Two days leave most of the budget to its other parts."""

_MAX_BYTES_READ = 2_048


def render_daily_notes(broker: Broker, rendered: dict[str, str]) -> list[tuple[str, str]]:
    """Return ("", note) for the notes of today and of yesterday. A day begins at local midnight.

    Notes are no records and have no id. They are redacted like records, and orders to agents are left
    out. `rendered` caches notes between calls, because redaction takes milliseconds.
    """
    today = datetime.fromisoformat(broker.now()).astimezone().date()
    found = []
    for day in (today, today - timedelta(days=1)):
        raw = _read(broker.place, day)
        key = f"daily|{day}|{hashlib.blake2b(raw, digest_size=16).hexdigest()}"
        if raw and key not in rendered:
            text = _redacted_excerpt(raw)
            rendered[key] = _quote(day, text) if text else ""
        found.append(rendered[key] if raw else "")
    return [("", text) for text in found if text]


def _read(place: StoreLocation, day: date) -> bytes:
    """Return a day's notes as they are, or nothing when this user has none."""
    path = place.directory / "notes" / f"{day.isoformat()}.md"
    try:
        return read_owned_file(path, follow=False)
    except OSError:
        return b""


def _redacted_excerpt(raw: bytes) -> str:
    """Return the beginning of a day's notes, redacted before it is cut."""
    text = raw[:_MAX_BYTES_READ].decode("utf-8", "ignore")
    if len(raw) > _MAX_BYTES_READ:
        # Cut between words: no rule finds half a secret.
        text = text[: max(text.rfind(" "), text.rfind("\n"), 0)]
    public, _ = without_private(text)
    return make_excerpt(redact_urls(redact(public).text)[0], MAX_DAY_CHARACTERS)


def _quote(day: date, text: str) -> str:
    """Return the excerpt quoted like a note of low confidence: its author is unknown."""
    name = f"notes/{day.isoformat()}.md"
    note = Record.of(
        id=name, kind="daily note", ts=day.isoformat(), agent_id="person", stream="memory",
        confidence="low",
    )  # fmt: skip
    return render_note(note, text)
