"""`hooklore import`: other programs' memories, copied. The foreign file is only read."""

import hashlib
import os
import stat
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

from hooklore.agents import hook_memory
from hooklore.cli import output
from hooklore.cli.progress import progress
from hooklore.cli.store import acknowledged, home, opened
from hooklore.errors import ImportFailed
from hooklore.records.draft import Draft, ProjectKeys, Receipt

if TYPE_CHECKING:
    from hooklore.broker import Broker

_BATCH = 500
_LONGEST = 16 * 1024 * 1024
_NAMED = 10
_OURS = b'{"v":'
"""How every line of our own log begins."""


def import_(
    file: Annotated[Path, typer.Argument(help="the log to copy from")],
    source: Annotated[str, typer.Option("--from", help="whose log it is: hook-memory")],
) -> None:
    """Copy another program's memories. What is known already is not copied again."""
    if source != hook_memory.SYSTEM:
        raise typer.BadParameter(
            f"`{source}` is not known; `{hook_memory.SYSTEM}` is", param_hint="--from"
        )
    with _opened(file) as stream, opened() as broker:
        tally = _copy(broker, stream, os.fstat(stream.fileno()).st_size)
    for number, reason in tally.damaged[:_NAMED]:
        output.say(f"line {number} was left out: {reason}")
    if len(tally.damaged) > _NAMED:
        output.say(f"and {len(tally.damaged) - _NAMED} more were left out")
    output.data(tally.sentence())


def _opened(file: Path) -> IO[bytes]:
    """The foreign file, for reading. Raises ImportFailed."""
    try:
        fd = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise ImportFailed(str(file), error.strerror or str(error)) from None
    found = os.fstat(fd)
    problem = None
    if not stat.S_ISREG(found.st_mode):
        problem = "it is not a file"
    elif os.pread(fd, len(_OURS), 0) == _OURS:
        problem = "it is a log of hooklore's own"
    if problem:
        os.close(fd)
        raise ImportFailed(str(file), problem)
    return os.fdopen(fd, "rb")


@dataclass(slots=True)
class ImportCounts:
    """What became of the lines."""

    statuses: Counter[str] = field(default_factory=Counter)
    damaged: list[tuple[int, str]] = field(default_factory=list)

    def sentence(self) -> str:
        """In one line."""
        new = self.statuses["stored"] + self.statuses["spooled"]
        parts = [f"{new} imported", f"{self.statuses['duplicate']} known already"]
        if self.statuses["spooled"]:
            parts[0] += f" ({self.statuses['spooled']} wait in the spool)"
        return ", ".join([*parts, f"{len(self.damaged)} damaged"])


def _copy(broker: "Broker", stream: IO[bytes], size: int) -> ImportCounts:
    tally = ImportCounts()
    now = datetime.now(UTC)
    batch: list[Draft] = []
    with progress("importing", size) as advance:
        for number, line in _lines(stream):
            try:
                batch.append(_draft(hook_memory.import_line(line, now)))
            except hook_memory.DamagedLine as error:
                tally.damaged.append((number, str(error)))
            if len(batch) >= _BATCH:
                _append(broker, batch, tally)
                advance(stream.tell())
                batch = []
        _append(broker, batch, tally)
    return tally


def _lines(stream: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """(line number, line) of every line that holds something; of a far too long one only the head."""
    number = 0
    while line := stream.readline(_LONGEST):
        number += 1
        rest = line
        while len(rest) >= _LONGEST and not rest.endswith(b"\n"):
            rest = stream.readline(_LONGEST)
        if number == 1:
            line = line.removeprefix(b"\xef\xbb\xbf")
        if line.strip():
            yield number, line


def _draft(found: hook_memory.ImportedEvent) -> Draft:
    """With the project it belongs to; one that names none stays with the person alone."""
    draft = found.draft
    if "scope" in draft.record:
        return draft
    if found.project is None:
        return draft.with_fields(scope=f"agent:{draft.record.agent_id}", visibility="session")
    return Draft(draft.record, _keys(found.project))


def _keys(project: str) -> ProjectKeys:
    """The folder's project where the folder is here; else one known by its old name alone."""
    from hooklore.hooks.project import project_keys

    keys = project_keys(project, None, home()) if project.startswith("/") else None
    name = project.rstrip("/").rpartition("/")[2] or project
    return keys or ProjectKeys((f"{hook_memory.SYSTEM}:{project}",), name, project)


def _append(broker: "Broker", batch: list[Draft], tally: ImportCounts) -> None:
    if not batch:
        return
    receipts = broker.append(batch)
    acknowledged(receipts, broker.place)
    again = list(_same_id_other_event(broker, batch, receipts))
    if again:
        later = broker.append(again)
        acknowledged(later, broker.place)
        tally.statuses.subtract({"duplicate": len(again)})
        tally.statuses.update(receipt.status for receipt in later)
    tally.statuses.update(receipt.status for receipt in receipts)


def _same_id_other_event(
    broker: "Broker", batch: list[Draft], receipts: list[Receipt]
) -> Iterator[Draft]:
    """Events that the program gave an id it had used: told apart by a digest of what was kept of them."""
    from hooklore.redaction import redact_value

    for draft, receipt in zip(batch, receipts, strict=True):
        if receipt.status != "duplicate" or receipt.id is None:
            continue
        kept = redact_value(draft.record.body.extra("imported"))[0]
        known = broker.get(receipt.id).body.extra("imported")
        if kept != known:
            yield draft.with_fields(delivery_id=f"{draft.record.delivery_id}#{_digest(kept)}")


def _digest(value: Any) -> str:
    import orjson

    raw = orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    return hashlib.blake2b(raw, digest_size=8).hexdigest()
