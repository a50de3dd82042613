"""Appending: torn tails, rotation, foreign logs, modes, and write access."""

import errno
import fcntl
import os
import shutil
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from hooklore.broker import Broker
from hooklore.config import StoreLocation, is_foreign_log, locate_store
from hooklore.errors import LogError, LogWriteFailed
from hooklore.log import files, quarantine
from hooklore.log import writer as writers
from hooklore.log.reader import LogReader
from hooklore.log.writer import LogWriter
from tests.support.writers import deliveries, draft, raw_lines


def _lines(store: StoreLocation) -> list[bytes]:
    reader = LogReader(store)
    found = [line.raw for line in reader.lines()]
    reader.close()
    return found


def _append(store: StoreLocation, *lines: bytes) -> list[int]:
    writer = LogWriter(store)
    with writer.appending(None) as log:
        positions = log.append(raw_lines(*lines))
    writer.close()
    return positions


@pytest.fixture
def unflushed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the flushes, which take most of the time of hundreds of appends."""
    for name in ("fsync", "fdatasync"):
        monkeypatch.setattr(os, name, lambda _fd: None)


def test_a_log_that_cannot_be_looked_at_is_named_with_the_systems_own_words(
    store: StoreLocation, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = os.stat

    def refuse(path: Any, **options: Any) -> os.stat_result:
        if path == store.log and options:
            raise OSError(errno.ELOOP, "Too many links", str(path))
        return look(path, **options)

    monkeypatch.setattr(os, "stat", refuse)

    with pytest.raises(LogError, match=r"Too many links$"), LogWriter(store).appending(None):
        pass


@pytest.mark.req("WF-22")
def test_a_tail_torn_at_any_byte_is_quarantined_and_all_earlier_lines_stay(
    store: StoreLocation, unflushed: None
) -> None:
    broker = Broker(store)
    broker.append([draft("first")])
    broker.append([draft("second", "共有記憶")])
    broker.close()
    whole = store.log.read_bytes()
    start = whole.index(b"\n") + 1

    for cut in range(start, len(whole)):
        store.log.write_bytes(whole[:cut])
        _append(store, b'{"v":1,"next":true}')
        left = store.log.read_bytes()
        torn = whole[start:cut]
        kept = quarantine.quarantine_directory(store) / f"000001-{start:010d}-{len(torn)}.bin"

        assert left == whole[:start] + b'{"v":1,"next":true}\n'
        assert not torn or kept.read_bytes() == torn


def test_a_first_record_torn_at_any_byte_leaves_the_log_ours(
    store: StoreLocation, unflushed: None
) -> None:
    broker = Broker(store)
    broker.append([draft("first")])
    broker.close()
    whole = store.log.read_bytes()

    for cut in range(len(whole)):
        store.log.write_bytes(whole[:cut])

        assert not is_foreign_log(store.log), cut
        assert locate_store({"HOOKLORE_HOME": str(store.directory)}).log == store.log
        broker = Broker(store)
        assert broker.append([draft("next")])[0].status == "stored", cut
        broker.close()


def test_a_damaged_first_line_does_not_hide_the_memory(store: StoreLocation) -> None:
    broker = Broker(store)
    broker.append([draft("first"), draft("second")])
    broker.close()
    raw = bytearray(store.log.read_bytes())
    raw[2] ^= 1
    store.log.write_bytes(raw)

    assert not is_foreign_log(store.log)
    assert deliveries(store) == ["second"]


@pytest.mark.req("WF-06")
@pytest.mark.parametrize(
    "content",
    [b'{"timestamp": 1, "type": "prompt"}\n', b"plain text\n", b"\xef\xbb\xbf{}\n", b"[1]", b'{"a'],
)
def test_the_log_of_another_program_is_never_touched(store: StoreLocation, content: bytes) -> None:
    store.directory.mkdir()
    store.directory.chmod(0o755)
    store.log.write_bytes(content)
    store.log.chmod(0o644)
    before = os.stat(store.log)

    beside = locate_store({"HOOKLORE_HOME": str(store.directory)})
    broker = Broker(beside)
    receipts = broker.append([draft("ours")])
    direct = Broker(store).append([draft("not there")])
    broker.close()

    assert receipts[0].status == "stored"
    assert beside.log == store.directory / "hooklore" / "events.jsonl"
    assert direct[0].status == "spooled"
    after = os.stat(store.log)
    assert store.log.read_bytes() == content
    assert (before.st_ino, before.st_mode, before.st_mtime_ns) == (
        after.st_ino, after.st_mode, after.st_mtime_ns,
    )  # fmt: skip
    assert stat.S_IMODE(store.directory.stat().st_mode) == 0o755


@pytest.mark.req("WF-04")
def test_positions_lead_back_to_what_was_appended_over_many_segments(
    store: StoreLocation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "SEGMENT_BYTES", 100)
    written = [b'{"v":1,"n":%d}' % n for n in range(60)]

    positions = [_append(store, line)[0] for line in written]

    assert positions == sorted(positions)
    assert len(files.closed_segments(store)) > 5
    reader = LogReader(store)
    found = {line.pos: line.raw for line in reader.lines()}
    assert found == dict(zip(positions, written, strict=True))
    assert reader.end() == positions[-1] + len(written[-1]) + 1
    reader.close()


def test_a_reader_continues_in_its_open_segment_after_rotation(
    store: StoreLocation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "SEGMENT_BYTES", 100)
    reader = LogReader(store)
    seen: list[bytes] = []
    at = 0

    for n in range(40):
        _append(store, b'{"v":1,"n":%d}' % n)
        for line in reader.lines(at):
            seen.append(line.raw)
            at = line.end

    assert seen == _lines(store)
    reader.close()


def test_a_missing_segment_is_a_gap_and_not_a_repeated_segment(
    store: StoreLocation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "SEGMENT_BYTES", 10)
    for n in range(4):
        _append(store, b'{"v":1,"number":%d}' % n)
    files.closed_path(store, 2).unlink()

    found = _lines(store)

    assert found == [b'{"v":1,"number":%d}' % n for n in (0, 2, 3)]


def test_a_closed_segment_is_flushed_before_it_is_closed(
    store: StoreLocation, monkeypatch: pytest.MonkeyPatch
) -> None:
    _append(store, b'{"v":1}')
    calls: list[str] = []
    real = os.rename
    monkeypatch.setattr(files, "SEGMENT_BYTES", 1)
    monkeypatch.setattr(writers, "flush_to_disk", lambda _fd: calls.append("flush"))

    def rename(source: Path, target: Path) -> None:
        calls.append("rename")
        real(source, target)

    monkeypatch.setattr(os, "rename", rename)

    _append(store, b'{"v":1}')

    assert calls == ["flush", "rename", "flush"]


@pytest.mark.parametrize("umask", [0o000, 0o077, 0o022])
def test_directories_are_0700_and_files_0600_whatever_the_umask(
    store: StoreLocation, umask: int
) -> None:
    before = os.umask(umask)
    try:
        broker = Broker(store)
        os.umask(umask)
        broker.append([draft("first"), draft("second", "words to index")])
        with store.log.open("ab") as log:
            log.write(b'{"v":1,"torn')
        os.umask(umask)
        Broker(store, wait=0.01)
        broker.append([draft("third")])
        broker.index()
        broker.rebuild()
        broker.close()
    finally:
        os.umask(before)

    found = {path: stat.S_IMODE(path.lstat().st_mode) for path in store.directory.rglob("*")}
    assert {mode for path, mode in found.items() if path.is_dir()} == {0o700}
    assert {mode for path, mode in found.items() if not path.is_dir()} == {0o600}
    assert stat.S_IMODE(store.directory.stat().st_mode) == 0o700
    assert any("quarantine" in str(path) for path in found)
    assert any(path.name == "catalog.sqlite" for path in found)


def test_an_existing_directory_keeps_its_mode(store: StoreLocation) -> None:
    store.directory.mkdir()
    store.directory.chmod(0o750)

    Broker(store).append([draft("first")])

    assert stat.S_IMODE(store.directory.stat().st_mode) == 0o750


def _link(path: Path, target: Path) -> None:
    target.write_bytes(b"another's\n")
    path.symlink_to(target)


@pytest.mark.parametrize("what", ["link", "dangling link", "fifo", "device", "directory"])
def test_a_log_that_is_no_regular_file_is_refused(
    store: StoreLocation, tmp_path: Path, what: str
) -> None:
    store.directory.mkdir()
    target = tmp_path / "target"
    if what == "link":
        _link(store.log, target)
    elif what == "dangling link":
        store.log.symlink_to(target)
    elif what == "fifo":
        os.mkfifo(store.log)
    elif what == "device":
        store.log.symlink_to("/dev/null")
    else:
        store.log.mkdir()

    receipts = Broker(store).append([draft("first")])

    assert receipts[0].status == "spooled"
    assert target.exists() == (what == "link")
    assert what != "link" or target.read_bytes() == b"another's\n"


@pytest.mark.parametrize("name", ["spool", "quarantine", "segments", "index", "reserve"])
def test_a_link_in_place_of_a_file_beside_the_log_is_not_followed(
    store: StoreLocation, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "SEGMENT_BYTES", 100)
    target = tmp_path / "precious"
    target.write_bytes(b"precious")
    store.directory.mkdir()
    (store.directory / name).symlink_to(target)

    broker = Broker(store)
    for n in range(4):
        broker.append([draft(f"d{n}")])
    broker.close()

    assert target.read_bytes() == b"precious"


def test_a_store_whose_parent_is_a_file_is_a_typed_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    here = locate_store({"HOOKLORE_HOME": str(tmp_path / "file" / "store")})

    with pytest.raises(LogError) as raised, LogWriter(here).appending(None):
        pass

    assert str(tmp_path / "file") in str(raised.value)


def test_a_failed_batch_raises_with_its_errno_and_leaves_nothing(
    store: StoreLocation, monkeypatch: pytest.MonkeyPatch
) -> None:
    _append(store, b'{"v":1}')

    def fail(_fd: int) -> None:
        raise OSError(28, "No space left on device")

    writer = LogWriter(store)
    with monkeypatch.context() as patched, writer.appending(None) as log:
        patched.setattr(writers, "flush_to_disk", fail)
        with pytest.raises(LogWriteFailed) as raised:
            log.append(raw_lines(*[b'{"v":1,"half":1}'] * 3))

    assert raised.value.errno == 28
    assert _lines(store) == [b'{"v":1}']
    with writer.appending(None) as log:
        log.append(raw_lines(b'{"v":1,"again":1}'))
    assert _lines(store) == [b'{"v":1}', b'{"v":1,"again":1}']
    writer.close()


@pytest.mark.parametrize("name", ["²", "x", "1e3", "", "-1"])
def test_a_foreign_file_among_the_segments_is_left_alone(store: StoreLocation, name: str) -> None:
    _append(store, b'{"v":1}')
    files.make_directory(files.segment_directory(store))
    (files.segment_directory(store) / f"{name}.jsonl").write_bytes(b"{}\n")

    assert _lines(store) == [b'{"v":1}']


# ---- the writer's steps, each alone


@contextmanager
def _held(store: StoreLocation) -> Iterator[LogWriter]:
    """A writer that holds the log."""
    writer = LogWriter(store)
    with writer.appending(None) as log:
        yield log
    writer.close()


def test_the_start_is_the_first_byte_of_the_first_segment(
    store: StoreLocation, monkeypatch: pytest.MonkeyPatch
) -> None:
    with _held(store) as log:
        assert (log.is_at_start, log.end) == (True, files.make_position(1, 0))
        assert log.append(raw_lines(b'{"v":1}', b'{"v":22}', b'{"v":1}')) == [
            files.make_position(1, offset) for offset in (0, 8, 17)
        ]
        assert (log.is_at_start, log.end) == (False, files.make_position(1, 25))
    monkeypatch.setattr(files, "SEGMENT_BYTES", 10)
    with _held(store) as log:
        assert log.append(raw_lines(b'{"v":1}')) == [files.make_position(2, 0)]
        assert not log.is_at_start
    store.log.write_bytes(b"")
    with _held(store) as log:
        assert (log.is_at_start, log.end) == (False, files.make_position(2, 0))


@pytest.mark.parametrize(("size", "closed"), [(9, []), (10, [1]), (11, [1])])
def test_a_segment_is_closed_from_its_size_on(
    store: StoreLocation, monkeypatch: pytest.MonkeyPatch, size: int, closed: list[int]
) -> None:
    monkeypatch.setattr(files, "SEGMENT_BYTES", 10)
    _append(store, b'{"v":' + b"1" * (size - 7) + b"}")

    _append(store, b"{}")

    assert files.closed_segments(store) == closed


@pytest.mark.parametrize("before", [0, 1, 7, 65_535, 65_536, 65_537, 70_000])
@pytest.mark.parametrize("torn", [1, 65_534, 65_535, 65_536, 65_537, 131_071, 131_072])
def test_a_torn_tail_of_any_length_is_cut_at_the_last_end_of_a_line(
    store: StoreLocation, before: int, torn: int
) -> None:
    """The tail is read backwards in blocks of 64 KiB."""
    whole = b'{"v":' + b"x" * before + b"\n"
    _append(store, b"{}")
    store.log.write_bytes(whole + b"t" * torn)

    with _held(store) as log:
        assert log.end == files.make_position(1, len(whole))

    assert store.log.read_bytes() == whole
    kept = quarantine.quarantine_directory(store) / f"000001-{len(whole):010d}-{torn}.bin"
    assert kept.read_bytes() == b"t" * torn


def test_a_log_of_one_torn_line_is_emptied(store: StoreLocation) -> None:
    torn = b'{"v":' + b"x" * 70_000
    _append(store, b"{}")
    store.log.write_bytes(torn)

    with _held(store) as log:
        assert log.is_at_start

    kept = quarantine.quarantine_directory(store) / f"000001-{0:010d}-{len(torn)}.bin"
    assert kept.read_bytes() == torn


def test_a_tail_that_cannot_be_set_aside_stays(
    store: StoreLocation, monkeypatch: pytest.MonkeyPatch
) -> None:
    _append(store, b'{"v":1}')
    with store.log.open("ab") as log:
        log.write(b'{"torn')

    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(quarantine, "quarantine_bytes", fail)

    with pytest.raises(LogWriteFailed) as raised, LogWriter(store).appending(None):
        pass

    assert raised.value.errno == errno.ENOSPC
    assert store.log.read_bytes().endswith(b'{"torn')


def test_a_writer_follows_the_log_that_another_process_rotated_or_replaced(
    store: StoreLocation, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = LogWriter(store)
    with writer.appending(None) as log:
        log.append(raw_lines(b'{"v":1}'))
        fd = log._fd
    with writer.appending(None) as log:
        assert log._fd == fd  # the same file needs no second opening
    with monkeypatch.context() as small:
        small.setattr(files, "SEGMENT_BYTES", 1)
        _append(store, b'{"v":2}')

    with writer.appending(None) as log:
        positions = log.append(raw_lines(b'{"v":3}'))
    store.log.unlink()
    with writer.appending(None) as log:
        again = log.append(raw_lines(b'{"v":4}'))
    writer.close()
    writer.close()

    assert positions == [files.make_position(2, 8)]
    assert again == [files.make_position(2, 0)]
    assert _lines(store) == [b'{"v":1}', b'{"v":4}']


def test_a_store_that_was_removed_meanwhile_is_made_again(store: StoreLocation) -> None:
    writer = LogWriter(store)
    with writer.appending(None) as log:
        log.append(raw_lines(b'{"v":1}'))
    shutil.rmtree(store.directory)

    with writer.appending(None) as log:
        assert log.append(raw_lines(b'{"v":2}')) == [files.make_position(1, 0)]
    writer.close()

    assert _lines(store) == [b'{"v":2}']
    assert (store.directory / "reserve").stat().st_size == writers.RESERVE_BYTES


def test_the_name_of_a_new_log_is_flushed_and_that_of_one_with_lines_is_not_again(
    store: StoreLocation, monkeypatch: pytest.MonkeyPatch
) -> None:
    flushed: list[Path] = []
    _append(store, b'{"v":1}')
    monkeypatch.setattr(files, "sync_directory", flushed.append)

    _append(store, b'{"v":2}')
    assert flushed == []

    for content in (b"", None):
        flushed.clear()
        store.log.unlink()
        if content is not None:
            store.log.write_bytes(content)
        _append(store, b'{"v":3}')
        assert flushed[-1] == store.log.parent


def test_a_log_that_is_not_open_has_no_end(store: StoreLocation) -> None:
    with pytest.raises(LogError, match="it is not open"):
        _ = LogWriter(store).end


def test_a_failed_flush_is_told_and_the_next_batch_opens_the_log_again(
    store: StoreLocation, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_fd: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    writer = LogWriter(store)
    with writer.appending(None) as log:
        log.append(raw_lines(b'{"v":1}'))
        log.flush()
        with monkeypatch.context() as broken:
            broken.setattr(writers, "flush_to_disk", fail)
            with pytest.raises(LogWriteFailed) as raised:
                log.flush()
        assert log._fd is None
    with writer.appending(None) as log:
        log.append(raw_lines(b'{"v":2}'))
    writer.close()

    assert raised.value.errno == errno.EIO
    assert _lines(store) == [b'{"v":1}', b'{"v":2}']


def test_a_batch_that_can_be_neither_written_nor_undone_leaves_no_open_log(
    store: StoreLocation, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    writer = LogWriter(store)
    with writer.appending(None) as log, monkeypatch.context() as broken:
        broken.setattr(writers, "flush_to_disk", fail)
        broken.setattr(os, "ftruncate", fail)
        with pytest.raises(LogWriteFailed):
            log.append(raw_lines(b'{"v":1}'))
        assert log._fd is None
    writer.close()


def test_the_reserve_is_as_large_as_it_is_said_and_allocated_once(
    store: StoreLocation, monkeypatch: pytest.MonkeyPatch
) -> None:
    allocated: list[tuple[int, int]] = []
    allocate = os.posix_fallocate

    def counted(fd: int, offset: int, size: int) -> None:
        allocated.append((offset, size))
        allocate(fd, offset, size)

    monkeypatch.setattr(os, "posix_fallocate", counted)
    reserve = store.directory / "reserve"
    _append(store, b'{"v":1}')
    assert reserve.stat().st_size == writers.RESERVE_BYTES == 1024 * 1024
    writer = LogWriter(store)

    writer.restore_reserve()
    assert allocated == [(0, writers.RESERVE_BYTES)]
    writer.give_up_reserve()
    writer.give_up_reserve()
    assert not reserve.exists()
    reserve.write_bytes(b"x" * (writers.RESERVE_BYTES - 1))
    writer.restore_reserve()

    assert len(allocated) == 2
    assert reserve.stat().st_size == writers.RESERVE_BYTES


@pytest.mark.parametrize(
    "error", [OSError(errno.ENOSPC, "full"), AttributeError("posix_fallocate")]
)
def test_a_disk_without_room_for_the_reserve_keeps_no_part_of_it(
    store: StoreLocation, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(os, "posix_fallocate", fail)

    assert _append(store, b'{"v":1}') == [files.make_position(1, 0)]

    assert not (store.directory / "reserve").exists()


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (errno.ENOSPC, True), (errno.EDQUOT, True), (errno.EFBIG, True),
        (errno.EIO, False), (errno.EACCES, False), (None, False),
    ],
)  # fmt: skip
def test_a_full_disk_is_known_by_its_error(number: int | None, expected: bool) -> None:
    error = OSError() if number is None else OSError(number, "failed")

    assert writers.is_disk_full(error) is expected


@pytest.mark.parametrize(
    ("platform", "expected"), [("linux", ["fdatasync"]), ("darwin", ["F_FULLFSYNC"])]
)
def test_a_flush_goes_to_the_disk_itself_on_each_system(
    monkeypatch: pytest.MonkeyPatch, platform: str, expected: list[str]
) -> None:
    called: list[str] = []
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(os, "fdatasync", lambda _fd: called.append("fdatasync"))
    monkeypatch.setattr(fcntl, "F_FULLFSYNC", "F_FULLFSYNC", raising=False)
    monkeypatch.setattr(fcntl, "fcntl", lambda _fd, name: called.append(name))

    writers.flush_to_disk(0)

    assert called == expected


def test_a_record_is_found_by_its_id_without_a_read_of_the_log(
    store: StoreLocation, monkeypatch: pytest.MonkeyPatch
) -> None:
    broker = Broker(store)
    receipts = broker.append([draft(f"d{number}", "x" * 800) for number in range(2_000)])
    broker.close()
    reader = LogReader(store)
    read: list[int] = []

    def counted(fd: int, count: int, offset: int) -> bytes:
        raw = os.pread(fd, count, offset)
        read.append(len(raw))
        return raw

    monkeypatch.setattr(reader, "_pread", counted)
    found = [reader.find(receipts[place].id or "")[0].id for place in (0, 777, 1_999)]
    reader.close()

    assert found == [receipts[place].id for place in (0, 777, 1_999)]
    assert sum(read) < store.log.stat().st_size / 5
