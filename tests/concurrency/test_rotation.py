"""C10: segments are closed while sixteen write and others read, and at every step somebody is killed."""

import os
import signal
from pathlib import Path

import pytest

from hooklore.broker import Broker
from hooklore.config import StoreLocation, store_location_at
from hooklore.log import files
from hooklore.log.line import decode_line
from hooklore.log.reader import LogReader
from tests.concurrency.test_failing_disk import CALLS
from tests.support.writers import (
    acknowledge,
    acknowledged,
    deliveries,
    draft,
    is_acknowledged,
    nursery,
    records,
    write_many,
)

_STEPS = ("rename", "fsync", "fdatasync", "mkdir", "open", "write")


def write_and_rotate(directory: str, name: str, acks: str, count: int) -> None:
    """Appends; the log is closed every few records."""
    files.SEGMENT_BYTES = 4_000
    write_many(directory, name, acks, count, 1, 5.0)


def read_on(directory: str, said: str, last: str) -> None:
    """Follow the log by position until the last record: nothing may be missing or come twice."""
    reader = LogReader(store_location_at(Path(directory)))
    at, seen = 0, []
    while last not in seen:
        for line in reader.lines(at):
            record = decode_line(line.raw)
            assert record is not None
            seen.append(str(record.delivery_id))
            at = line.end
    acknowledge(said, seen)


def test_readers_see_no_gap_and_nothing_twice(store: StoreLocation, tmp_path: Path) -> None:
    acks = tmp_path / "acks"
    acks.mkdir()
    start = nursery().start
    directory = str(store.directory)
    readers = [start(read_on, directory, str(tmp_path / f"r{n}.seen"), "last") for n in range(3)]
    writers = [
        start(write_and_rotate, directory, f"w{n:02d}", str(acks / f"{n}.acks"), 40)
        for n in range(16)
    ]

    assert [child.wait() for child in writers] == [0] * 16
    Broker(store).append([draft("last")])
    assert [child.wait() for child in readers] == [0] * 3

    assert len(files.closed_segments(store)) > 20
    assert sorted(acknowledged(acks)) == sorted(deliveries(store)[:-1])
    for path in tmp_path.glob("*.seen"):
        assert path.read_text().split() == deliveries(store)


def rotate_and_die(directory: str, acks: str, step: str, nth: int, before: bool) -> None:
    """Killed before or after the nth call of one kind."""
    files.SEGMENT_BYTES = 600
    broker = Broker(store_location_at(Path(directory)), wait=5.0)
    real = getattr(os, step)
    seen = 0

    def dying(*arguments: object, **named: object) -> object:
        nonlocal seen
        seen += 1
        if seen == nth and before:
            os.kill(os.getpid(), signal.SIGKILL)
        result = real(*arguments, **named)
        if seen == nth:
            os.kill(os.getpid(), signal.SIGKILL)
        return result

    for n in range(8):
        setattr(os, step, dying)
        receipt = broker.append([draft(f"{Path(acks).name}.{n}", "x" * 200)])[0]
        setattr(os, step, real)
        if is_acknowledged(receipt):
            acknowledge(acks, [f"{Path(acks).name}.{n}"])


@pytest.mark.req("WF-22")
@pytest.mark.parametrize("step", _STEPS)
def test_a_kill_at_any_step_of_a_rotation_loses_nothing(
    store: StoreLocation, tmp_path: Path, step: str
) -> None:
    """One store, killed again and again: each time where the last one left it."""
    assert step in CALLS
    acks = tmp_path / "acks"
    acks.mkdir()
    for nth in range(1, 9):
        for before in (True, False):
            path = acks / f"{step}-{nth}-{before}.acks"
            nursery().run(rotate_and_die, str(store.directory), str(path), step, nth, before)
    broker = Broker(store)
    assert broker.append([draft("last")])[0].status == "stored"
    broker.close()

    found = deliveries(store)
    assert set(acknowledged(acks)) <= set(found)
    assert len(found) == len(set(found))
    ids = [record["id"] for record in records(store)]
    assert ids == sorted(set(ids))
    assert len(files.closed_segments(store)) > 2
