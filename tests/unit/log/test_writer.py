"""Appending: torn tails, rotation, foreign logs, modes, and write access."""

import os
import stat
from pathlib import Path

import pytest

from hooklore.broker import Broker
from hooklore.config import StoreLocation, is_foreign_log, locate_store
from hooklore.errors import LogError, LogWriteFailed
from hooklore.log import files, quarantine
from hooklore.log import writer as writers
from hooklore.log.reader import LogReader
from hooklore.log.writer import LogWriter
from tests.support.writers import deliveries, draft


def _lines(store: StoreLocation) -> list[bytes]:
    reader = LogReader(store)
    found = [line.raw for line in reader.lines()]
    reader.close()
    return found


def _append(store: StoreLocation, *lines: bytes) -> list[int]:
    writer = LogWriter(store)
    with writer.appending(None) as log:
        positions = log.append([line + b"\n" for line in lines])
    writer.close()
    return positions


@pytest.mark.req("WF-22")
def test_a_tail_torn_at_any_byte_is_quarantined_and_all_earlier_lines_stay(
    store: StoreLocation,
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


def test_a_first_record_torn_at_any_byte_leaves_the_log_ours(store: StoreLocation) -> None:
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
            log.append([b'{"v":1,"half":1}\n'] * 3)

    assert raised.value.errno == 28
    assert _lines(store) == [b'{"v":1}']
    with writer.appending(None) as log:
        log.append([b'{"v":1,"again":1}\n'])
    assert _lines(store) == [b'{"v":1}', b'{"v":1,"again":1}']
    writer.close()


@pytest.mark.parametrize("name", ["²", "x", "1e3", "", "-1"])
def test_a_foreign_file_among_the_segments_is_left_alone(store: StoreLocation, name: str) -> None:
    _append(store, b'{"v":1}')
    files.make_directory(files.segment_directory(store))
    (files.segment_directory(store) / f"{name}.jsonl").write_bytes(b"{}\n")

    assert _lines(store) == [b'{"v":1}']
