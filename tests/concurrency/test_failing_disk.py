"""C03, C04: system calls that fail, once and for ever; a file that may not grow; a full disk."""

import contextlib
import errno
import os
import resource
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hooklore.broker import Broker
from hooklore.config import StoreLocation, store_location_at
from hooklore.log import files, quarantine
from hooklore.log.line import decode_line
from hooklore.log.writer import RESERVE_BYTES
from tests.support.writers import (
    KEYS,
    acknowledge,
    deliveries,
    draft,
    is_acknowledged,
    nursery,
)

CALLS = (
    "write", "fdatasync", "fsync", "ftruncate", "rename", "open", "pread", "fstat", "stat",
    "listdir", "mkdir", "unlink", "posix_fallocate",
)  # fmt: skip
_ERRORS = (errno.EIO, errno.ENOSPC, errno.EINTR, errno.EDQUOT)
_ONCE = (1, 2, 3, 4, 6, 9)
_FOR_EVER = (1, 3)


@contextlib.contextmanager
def failing(call: str, nth: int, number: int, *, for_ever: bool) -> Iterator[None]:
    """The nth call of `os.<call>` fails with this error, or writes only half (0); also all after it."""
    real: Callable[..., Any] = getattr(os, call)
    seen = 0

    def failing_call(*arguments: Any, **named: Any) -> Any:
        nonlocal seen
        seen += 1
        if seen < nth or (seen > nth and not for_ever):
            return real(*arguments, **named)
        if number:
            raise OSError(number, os.strerror(number))
        fd, content = arguments
        return real(fd, content[: max(1, len(content) // 2)])

    setattr(os, call, failing_call)
    try:
        yield
    finally:
        setattr(os, call, real)


def ways(call: str) -> list[tuple[int, int, bool]]:
    """(nth, error, for ever): each error a few times; a short write for `write`."""
    found = [(nth, _ERRORS[n % 4], False) for n, nth in enumerate(_ONCE)]
    found += [(nth, _ERRORS[n % 4], True) for n, nth in enumerate(_FOR_EVER)]
    return found + ([(nth, 0, nth == 1) for nth in _ONCE[:3]] if call == "write" else [])


def every_way(call: str) -> list[tuple[int, int, bool]]:
    """All errors at every one of the first twenty calls."""
    errors = (*_ERRORS, 0) if call == "write" else _ERRORS
    return [(n, e, for_ever) for n in range(1, 21) for e in errors for for_ever in (False, True)]


def append_while_failing(folder: str, call: str, tried: list[tuple[int, int, bool]]) -> None:
    """One store for each way to fail: appends before, meanwhile and afterwards."""
    files.SEGMENT_BYTES = 3_000
    for nth, number, for_ever in tried:
        directory = Path(folder) / f"{number}-{nth}-{for_ever}"
        _append_around(directory, call, nth, number, for_ever=for_ever)


def _append_around(directory: Path, call: str, nth: int, number: int, *, for_ever: bool) -> None:
    broker = Broker(store_location_at(directory), wait=1.0)
    kept = _append(broker, "before", 3)
    with failing(call, nth, number, for_ever=for_ever):
        kept += _append(broker, "meanwhile", 6)
        broker.close()
        other = Broker(store_location_at(directory), wait=1.0)
        kept += _append(other, "other", 3)
    kept += _append(broker, "after", 3, must_be="stored")
    broker.close()
    other.close()
    acknowledge(f"{directory}.acks", kept)


def _append(broker: Broker, name: str, count: int, must_be: str = "") -> list[str]:
    kept = []
    for n in range(count):
        each = [draft(f"{name}.{n}.{k}", "x" * 300, keys=KEYS) for k in range(2)]
        receipts = broker.append(each)
        assert len(receipts) == len(each)
        assert not must_be or [r.status for r in receipts] == [must_be] * 2, receipts
        told = zip(each, receipts, strict=True)
        kept += [str(d.record.delivery_id) for d, r in told if is_acknowledged(r)]
    return kept


@pytest.mark.req("WF-14", "WF-22")
@pytest.mark.parametrize("call", CALLS)
def test_a_call_that_fails_costs_nothing_that_was_acknowledged(tmp_path: Path, call: str) -> None:
    stores = tmp_path / "stores"
    stores.mkdir()

    status = nursery().run(append_while_failing, str(stores), call, ways(call))

    assert status == 0
    _check(stores, len(ways(call)))


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("call", CALLS)
def test_any_call_that_fails_costs_nothing(tmp_path: Path, call: str) -> None:
    stores = tmp_path / "stores"
    stores.mkdir()

    status = nursery().run(append_while_failing, str(stores), call, every_way(call))

    assert status == 0
    _check(stores, len(every_way(call)))


def _check(stores: Path, count: int) -> None:
    directories = sorted(path for path in stores.iterdir() if path.is_dir())
    assert len(directories) == count
    for directory in directories:
        place = store_location_at(directory)
        kept = Path(f"{directory}.acks").read_text().split()
        found = deliveries(place)
        assert set(kept) <= set(found), directory.name
        assert len(found) == len(set(found)), directory.name
        assert not list((directory / "spool").glob("*.jsonl")), directory.name
        for path in [place.log, *(directory / "segments").glob("*")]:
            lines = path.read_bytes().split(b"\n")
            assert lines.pop() == b""
            assert all(decode_line(line) for line in lines), directory.name


@pytest.mark.parametrize("call", ["write", "fdatasync"])
def test_a_batch_that_was_not_flushed_is_taken_back(store: StoreLocation, call: str) -> None:
    broker = Broker(store)
    broker.append([draft("first")])
    before = store.log.read_bytes()

    with failing(call, 1, errno.EIO, for_ever=False):
        receipts = broker.append([draft("second"), draft("third")])

    assert [r.status for r in receipts] == ["spooled", "spooled"]
    assert store.log.read_bytes() == before
    assert broker.append([draft("fourth")])[0].status == "stored"
    assert deliveries(store) == ["first", "second", "third", "fourth"]
    broker.close()


def test_nothing_is_acknowledged_when_neither_log_nor_spool_takes_it(store: StoreLocation) -> None:
    broker = Broker(store)
    broker.append([draft("first")])

    with failing("write", 1, errno.ENOSPC, for_ever=True):
        receipts = broker.append([draft("second")])

    assert receipts[0].status == "lost"
    assert "No space left" in str(receipts[0].reason)
    assert broker.append([draft("second")])[0].status == "stored"
    broker.close()


def test_a_full_disk_costs_the_reserve_which_is_taken_again_later(store: StoreLocation) -> None:
    broker = Broker(store)
    broker.append([draft("first")])
    reserve = store.directory / "reserve"
    assert reserve.stat().st_size == RESERVE_BYTES

    with failing("fdatasync", 1, errno.ENOSPC, for_ever=True):
        spooled = broker.append([draft("second")])
    given_up = not reserve.exists()
    broker.append([draft("third")])

    assert spooled[0].status == "spooled"
    assert given_up
    assert reserve.stat().st_size == RESERVE_BYTES
    assert deliveries(store) == ["first", "second", "third"]
    broker.close()


def append_under_a_limit(directory: str, acks: str, limit: int) -> None:
    """No file may grow past `limit` bytes; afterwards it may."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    broker = Broker(store_location_at(Path(directory)), wait=1.0)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
    for n in range(12):
        delivery = f"limited.{n}"
        if is_acknowledged(broker.append([draft(delivery, "x" * 700)])[0]):
            acknowledge(acks, [delivery])
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    receipt = broker.append([draft("afterwards")])[0]
    assert receipt.status == "stored", receipt
    acknowledge(acks, ["afterwards"])


@pytest.mark.req("WF-14")
@pytest.mark.parametrize("limit", [0, 100, 1500, 4000, 9999])
def test_a_file_that_may_not_grow_loses_nothing_acknowledged(
    store: StoreLocation, tmp_path: Path, limit: int
) -> None:
    acks = tmp_path / "a.acks"

    status = nursery().run(append_under_a_limit, str(store.directory), str(acks), limit)

    assert status == 0
    kept = acks.read_text().split()
    found = deliveries(store)
    assert set(kept) <= set(found)
    assert len(found) == len(set(found))
    assert limit < 1500 or len(kept) == 13
    assert quarantine.count_quarantined(store) == 0


def test_a_system_without_room_is_said_with_its_cause(store: StoreLocation) -> None:
    with failing("open", 1, errno.EROFS, for_ever=True):
        receipts = Broker(store).append([draft("first")])

    assert receipts[0].status == "lost"
    assert "Read-only file system" in str(receipts[0].reason)
