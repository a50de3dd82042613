"""Write the archive as Markdown files in `archive/`, derived from the log (seed 004).

One file stands for each archived memory that every agent may read in its place. Memories that are
private, or hidden from some readers, stay in the log alone.
"""

import json
import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from hooklore.broker.broker import Broker
from hooklore.errors import StoreError
from hooklore.log import files
from hooklore.memories import archive
from hooklore.records.access import may_read
from hooklore.records.draft import Principal
from hooklore.records.record import Record

_ANYBODY = Principal(agent_id="hooklore")
_MAX_KEY_LENGTH = 64
_UNFIT = re.compile(r"[^A-Za-z0-9_-]")
_OURS = re.compile(r"(?:[A-Za-z0-9_-]{1,64}\.)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.md")
"""Names of the files that this module writes. It leaves every other file of the folder alone."""

_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
"""Characters that JSON leaves unescaped and YAML cannot read."""

_HALF_WRITTEN = re.compile(_OURS.pattern + r"\.\d+\.tmp")
_ABANDONED_SECONDS = 3_600


def archive_file_name(record: Record) -> str:
    """Return `<key>.<id>.md`. The id separates entries of one key, and keys that differ in case alone."""
    key = _UNFIT.sub("_", str(record.dedupe_key or ""))[:_MAX_KEY_LENGTH]
    return f"{key}.{record.id}.md" if key else f"{record.id}.md"


def sync_archive_files(broker: Broker) -> int:
    """Bring the files up to date with the archive. Return how many were written or removed.

    Hooks never wait for this: the archive's commands, the janitor and `hooklore rebuild` call it. Raise
    StoreError for a file that cannot be written.
    """
    wanted = {
        archive_file_name(each.record): render_markdown_entry(
            each.record, str(each.record.body.content_md)
        ).encode()
        for each in archive.list_archived(broker)
        if _may_be_in_a_file(broker, each.record)
    }
    place = broker.place.directory / "archive"
    try:
        there = _there(place)
        missing = {n: content for n, content in wanted.items() if there.get(n) != content}
        if missing:
            files.make_directory(place)
        for name, content in missing.items():
            files.replace_file(place / name, content, f".md.{os.getpid()}.tmp")
        gone = there.keys() - wanted.keys()
        for name in (*gone, *_leftovers(place)):
            (place / name).unlink(missing_ok=True)
    except OSError as error:
        where, cause = str(error.filename or place), error.strerror or str(error)
        raise StoreError(where, cause) from None
    return len(missing) + len(gone)


@contextmanager
def syncing_archive_files(broker: Broker) -> Iterator[None]:
    """Bring the files up to date after the block, also when the block fails. Raise StoreError."""
    try:
        yield
    finally:
        sync_archive_files(broker)


def _may_be_in_a_file(broker: Broker, record: Record) -> bool:
    reader = replace(_ANYBODY, project=record.project, scopes=broker.settings.curated.scopes)
    is_for_all = record.visibility == "public" and not record.is_private
    return is_for_all and not record.trust and may_read(record, reader)


def _there(place: Path) -> dict[str, bytes]:
    """Return our files with their content, which is empty for a link or a folder of such a name."""
    names = os.listdir(place) if place.is_dir() else []
    return {name: _read(place / name) for name in names if _OURS.fullmatch(name)}


def _leftovers(place: Path) -> list[str]:
    """Return the files that killed processes left half written."""
    names = os.listdir(place) if place.is_dir() else []
    before = time.time() - _ABANDONED_SECONDS
    half = (name for name in names if _HALF_WRITTEN.fullmatch(name))
    return [name for name in half if os.lstat(place / name).st_mtime < before]


def _read(path: Path) -> bytes:
    try:
        return files.read_regular(path)
    except OSError:
        return b""


def render_markdown_entry(record: Record, text: str) -> str:
    """Return an entry's file (seed 004): four keys between two lines of `---`, then `text` byte for byte.

    The values are JSON, which is also YAML, so that no colon, dash or line end is misread.
    """
    front = {
        "key": str(record.dedupe_key or record.id),
        "tags": [str(tag) for tag in record.body.tags],
        "created_at": str(record.created_at or record.ts),
        "updated_at": str(record.ts),
    }
    lines = (f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in front.items())
    head = _UNPRINTABLE.sub(lambda found: f"\\u{ord(found.group()):04x}", "".join(lines))
    return f"---\n{head}---\n{text}"
