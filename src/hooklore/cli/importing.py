"""Copy other programs' memories, whose files are only read: `hooklore import`."""

import hashlib
import os
import stat
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Annotated

import orjson
import typer

from hooklore.broker import Broker
from hooklore.cli import output
from hooklore.cli.indexing import index_with_progress
from hooklore.cli.progress import progress
from hooklore.cli.store import home, opened, require_acknowledged
from hooklore.errors import ImportFailed
from hooklore.hooks.project import project_keys
from hooklore.memories import hook_memory
from hooklore.memories.decisions.doubt import find_doubt
from hooklore.records.draft import PERSON, Draft, ProjectKeys, Receipt
from hooklore.redaction import redact_value

_BATCH = 500
_CHUNK_BYTES = 1 << 20
_MAX_LINE_BYTES = 16 * 1024 * 1024
_NEW = ("stored", "spooled")
_NAMED = 10
"""Damaged lines that are named one by one."""
_OWN_LINE_START = b'{"v":'
"""The beginning of every line of our own log."""


def import_(
    file: Annotated[Path, typer.Argument(help="the log to copy from")],
    source: Annotated[str, typer.Option("--from", help="whose log it is: hook-memory")],
) -> None:
    """Copy another program's memories. What is known already is not copied again."""
    if source != hook_memory.SYSTEM:
        raise typer.BadParameter(
            f"`{source}` is not known; `{hook_memory.SYSTEM}` is", param_hint="--from"
        )
    with _open_foreign(file) as stream, opened() as broker:
        tally = _copy(broker, stream)
        index_with_progress(broker)
    for number, reason in tally.damaged[:_NAMED]:
        output.say(f"line {number} was left out: {reason}")
    if len(tally.damaged) > _NAMED:
        output.say(f"and {len(tally.damaged) - _NAMED} more were left out")
    if tally.waiting:
        output.say(f"{tally.waiting} wait until you approve them: `hooklore pending` lists them")
    output.data(tally.sentence())


def _open_foreign(file: Path) -> IO[bytes]:
    try:
        fd = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise ImportFailed(str(file), error.strerror or str(error)) from None
    found = os.fstat(fd)
    problem = None
    if not stat.S_ISREG(found.st_mode):
        problem = "it is not a file"
    elif os.pread(fd, len(_OWN_LINE_START), 0) == _OWN_LINE_START:
        problem = "it is a log of hooklore's own"
    if problem:
        os.close(fd)
        raise ImportFailed(str(file), problem)
    return os.fdopen(fd, "rb")


@dataclass(slots=True)
class ImportCounts:
    """Counts of the imported lines by the status of their receipts, and the damaged lines.

    `waiting` counts the new memories that wait for a person. Each of `damaged` is the number of a line and
    the reason.
    """

    statuses: Counter[str] = field(default_factory=Counter)
    waiting: int = 0
    damaged: list[tuple[int, str]] = field(default_factory=list)

    def add(self, batch: list[Draft], receipts: list[Receipt]) -> None:
        """Count drafts by what became of them."""
        self.statuses.update(receipt.status for receipt in receipts)
        self.waiting += sum(
            receipt.status in _NEW and "waits" in draft.record
            for draft, receipt in zip(batch, receipts, strict=True)
        )

    def sentence(self) -> str:
        """Return the counts in one line."""
        new = f"{sum(self.statuses[status] for status in _NEW)} imported"
        if self.statuses["spooled"]:
            new += f" ({self.statuses['spooled']} wait in the spool)"
        return f"{new}, {self.statuses['duplicate']} known already, {len(self.damaged)} damaged"


def _copy(broker: Broker, stream: IO[bytes]) -> ImportCounts:
    tally, now, batch = ImportCounts(), datetime.now(UTC), list[Draft]()
    total = sum(chunk.count(b"\n") for chunk in iter(lambda: stream.read(_CHUNK_BYTES), b""))
    stream.seek(0)
    with progress("importing", total) as advance:
        for number, line in _lines(stream):
            try:
                batch.append(_draft(hook_memory.import_line(line, now)))
            except hook_memory.DamagedLine as error:
                tally.damaged.append((number, str(error)))
            if len(batch) >= _BATCH:
                _append(broker, batch, tally)
                batch = []
            if number % _BATCH == 0:
                advance(number)
        _append(broker, batch, tally)
    return tally


def _lines(stream: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield the number and the bytes of every line that is not blank, at most `_MAX_LINE_BYTES` of each."""
    number = 0
    while line := stream.readline(_MAX_LINE_BYTES):
        number += 1
        rest = line
        while len(rest) >= _MAX_LINE_BYTES and not rest.endswith(b"\n"):
            rest = stream.readline(_MAX_LINE_BYTES)
        if number == 1:
            line = line.removeprefix(b"\xef\xbb\xbf")
        if line.strip():
            yield number, line


def _draft(found: hook_memory.ImportedEvent) -> Draft:
    """Return an event's draft with its project. A draft without a project is for its session alone.

    A memory waits where it would wait if an agent wrote it.
    """
    draft, record = found.draft, found.draft.record
    if record.stream == "memory":
        doubt = find_doubt(record, record.body.content_md, is_by_person=False)
        draft = draft if doubt is None else draft.with_fields(waits=doubt)
    if "scope" in draft.record:
        return draft
    if found.project is None:
        return draft.with_fields(scope=f"agent:{draft.record.agent_id}", visibility="session")
    path = found.project
    keys = project_keys(path, None, home()) if path.startswith("/") else None
    if keys is None:  # no such folder exists: a key is made of its name
        name = path.rstrip("/").rpartition("/")[2] or path
        keys = ProjectKeys((f"{hook_memory.SYSTEM}:{path}",), name, path)
    return Draft(draft.record, keys)


def _append(broker: Broker, batch: list[Draft], tally: ImportCounts) -> None:
    if not batch:
        return
    receipts = broker.append(batch)
    require_acknowledged(receipts, broker.place)
    tally.add(batch, receipts)
    renamed = list(_renamed_events(broker, batch, receipts))
    if renamed:
        later = broker.append(renamed)
        require_acknowledged(later, broker.place)
        tally.statuses.subtract({"duplicate": len(renamed)})
        tally.add(renamed, later)


def _renamed_events(broker: Broker, batch: list[Draft], receipts: list[Receipt]) -> Iterator[Draft]:
    """Yield the events whose id names an earlier event, under an id that ends in a digest of the redacted event."""
    reader = broker.as_reader(PERSON)
    for draft, receipt in zip(batch, receipts, strict=True):
        if receipt.status != "duplicate" or receipt.id is None:
            continue
        imported = redact_value(draft.record.body.extra("imported"))[0]
        if imported != reader.get(receipt.id).body.extra("imported"):
            raw = orjson.dumps(imported, option=orjson.OPT_SORT_KEYS)
            digest = hashlib.blake2b(raw, digest_size=8).hexdigest()
            yield draft.with_fields(delivery_id=f"{draft.record.delivery_id}#{digest}")
