"""Rewriting of a segment: one line changes, every other byte stays, and a crash leaves the old or the new."""

import errno
import os
import stat
from pathlib import Path

import pytest

from hooklore.broker import Broker
from hooklore.config import StoreLocation
from hooklore.errors import LogWriteFailed
from hooklore.log import files, rewrite
from hooklore.log.reader import Line, LogReader
from tests.support.writers import deliveries, draft


def _second_is_masked(line: Line) -> bytes | None:
    return b'{"v":1,"masked":true}' if b"second" in line.raw else None


def _written(store: StoreLocation, *names: str) -> bytes:
    broker = Broker(store)
    for name in names:
        broker.append([draft(name, f"{name} 共有記憶")])
    broker.close()
    return store.log.read_bytes()


def test_only_rewritten_lines_change_and_a_torn_tail_stays(store: StoreLocation) -> None:
    whole = _written(store, "first", "second", "third") + b'{"v":1,"torn'
    store.log.write_bytes(whole)

    copy = rewrite.write_segment_copy(store, 1, _second_is_masked)
    rewrite.activate_copies(store, [copy])

    first, _, rest = whole.split(b"\n", 2)
    assert store.log.read_bytes() == first + b'\n{"v":1,"masked":true}\n' + rest


def test_a_copy_that_was_never_activated_changes_nothing_and_is_removed(
    store: StoreLocation,
) -> None:
    whole = _written(store, "first", "second")

    copy = rewrite.write_segment_copy(store, 1, _second_is_masked)
    before = store.log.read_bytes()
    rewrite.remove_leftover_copies(store)

    assert before == whole
    assert not copy.temporary.exists()
    assert store.log.read_bytes() == whole


def test_a_writer_and_a_reader_with_the_segment_open_continue_in_the_new_one(
    store: StoreLocation,
) -> None:
    broker = Broker(store)
    broker.append([draft("first"), draft("second")])
    reader = LogReader(store)
    assert len(list(reader.lines())) == 2

    rewrite.activate_copies(store, [rewrite.write_segment_copy(store, 1, _second_is_masked)])
    receipts = broker.append([draft("third")])

    assert receipts[0].status == "stored"
    assert b'"masked":true' in list(reader.lines())[1].raw
    assert deliveries(store) == ["first", "third"]
    broker.close()
    reader.close()


def test_closed_and_open_segments_are_activated_together(
    store: StoreLocation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "SEGMENT_BYTES", 100)
    _written(store, "first", "second", "third")
    before = {n: rewrite.segment_path(store, n).read_bytes() for n in (1, 2, 3)}

    def shouted(line: Line) -> bytes:
        return line.raw.upper()

    copies = [rewrite.write_segment_copy(store, number, shouted) for number in (1, 2, 3)]
    rewrite.activate_copies(store, copies)

    for number, raw in before.items():
        assert rewrite.segment_path(store, number).read_bytes() == raw.upper()
    assert [copy.inode for copy in copies] != [rewrite.segment_inode(store, n) for n in (1, 2, 3)]
    assert not list(store.directory.rglob("*.rewrite"))


def test_a_long_segment_is_the_same_byte_for_byte_except_the_rewritten_line(
    store: StoreLocation,
) -> None:
    lines = [b'{"n":%d,"text":"%s"}' % (n, b"x" * (n * 977 % 70_000)) for n in range(200)]
    store.directory.mkdir()
    store.log.write_bytes(b"\n".join(lines) + b"\n")

    def masked(line: Line) -> bytes | None:
        return b"{}" if line.raw.startswith(b'{"n":150,') else None

    rewrite.activate_copies(store, [rewrite.write_segment_copy(store, 1, masked)])

    lines[150] = b"{}"
    assert store.log.read_bytes() == b"\n".join(lines) + b"\n"


def test_the_file_mode_set_by_the_user_is_preserved(store: StoreLocation) -> None:
    _written(store, "second")
    store.log.chmod(0o640)

    rewrite.activate_copies(store, [rewrite.write_segment_copy(store, 1, _second_is_masked)])

    assert stat.S_IMODE(store.log.stat().st_mode) == 0o640


def test_a_full_disk_leaves_the_old_segment_and_no_copy(
    store: StoreLocation, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = _written(store, "first", "second")

    def full(_fd: int, _content: bytes) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(files, "write_all", full)

    with pytest.raises(LogWriteFailed, match="No space left"):
        rewrite.write_segment_copy(store, 1, _second_is_masked)

    assert store.log.read_bytes() == whole
    assert not list(store.directory.rglob("*.rewrite"))


def test_a_link_in_the_segments_place_is_not_followed(store: StoreLocation, tmp_path: Path) -> None:
    store.directory.mkdir()
    target = tmp_path / "elsewhere"
    target.write_bytes(b'{"v":1}\n')
    store.log.symlink_to(target)

    with pytest.raises(LogWriteFailed):
        rewrite.write_segment_copy(store, 1, _second_is_masked)

    assert target.read_bytes() == b'{"v":1}\n'
