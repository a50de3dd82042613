"""Hooks work with an index in any state, and a rebuilt index equals a fresh one."""

import os
import random
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hooklore.broker import Broker
from hooklore.config import StoreLocation, store_location_at
from hooklore.errors import IndexUnusable, LogError, StoreUnreadable
from hooklore.index import catalog, generation
from hooklore.index.projector import Projector
from hooklore.log.line import renew_hash
from hooklore.records.draft import PERSON
from tests.property.test_rebuild import contents, rebuilt
from tests.support.writers import KEYS, acknowledge, deliveries, draft, nursery


@pytest.fixture
def indexed(store: StoreLocation) -> StoreLocation:
    """A store of sixty records, indexed in three steps, with a tail of two."""
    broker = Broker(store)
    for step in range(3):
        texts = [f"alpha{n % 5} 共有記憶 widgets.toml" for n in range(20)]
        broker.append([draft(f"d{step}.{n}", text, keys=KEYS) for n, text in enumerate(texts)])
        broker.index()
    broker.append([draft("tail.0", "alpha1"), draft("tail.1")])
    broker.close()
    return store


def _works(place: StoreLocation) -> Broker:
    """Return a broker that knows old events, takes new ones, and finds both."""
    broker = Broker(place)
    broker.refresh()
    assert broker.append([draft("d0.3")])[0].status == "duplicate"
    assert broker.append([draft("tail.1")])[0].status == "duplicate"
    assert broker.append([draft("new", "gamma")])[0].status in ("stored", "duplicate")
    assert next(iter(broker.as_reader(PERSON).newest())).delivery_id == "new"
    found = broker._view.search(broker._view.terms("gamma"), ["-/observation"], 5)
    assert found is not None
    return broker


def _catalog(place: StoreLocation) -> Path:
    return place.directory / "index" / "g1" / "catalog.sqlite"


def _remove_all(place: StoreLocation) -> None:
    shutil.rmtree(place.directory / "index")


def _remove_pointer(place: StoreLocation) -> None:
    (place.directory / "index" / "current").unlink()


def _bad_pointer(place: StoreLocation) -> None:
    (place.directory / "index" / "current").write_bytes(b"../../etc\xff")


def _remove_catalog(place: StoreLocation) -> None:
    _catalog(place).unlink()


def _truncate_catalog(place: StoreLocation) -> None:
    os.truncate(_catalog(place), 5_000)


def _old_schema(place: StoreLocation) -> None:
    with sqlite3.connect(_catalog(place)) as db:
        db.execute("PRAGMA user_version = 99")
    db.close()


def _bad_watermark(place: StoreLocation) -> None:
    with sqlite3.connect(_catalog(place)) as db:
        db.execute("UPDATE meta SET value = 'x' WHERE name = 'pos'")
    db.close()


def _remove_words(place: StoreLocation) -> None:
    shutil.rmtree(place.directory / "index" / "g1" / "text")


def _empty_words(place: StoreLocation) -> None:
    for path in (place.directory / "index" / "g1" / "text").iterdir():
        if path.suffix != ".lock":
            path.unlink()  # what a thread of the index has mapped must not lose its pages
            path.touch()


def _catalog_is_a_directory(place: StoreLocation) -> None:
    _catalog(place).unlink()
    _catalog(place).mkdir()


_DAMAGES = [
    _remove_all, _remove_pointer, _bad_pointer, _remove_catalog, _truncate_catalog, _old_schema,
    _bad_watermark, _remove_words, _empty_words, _catalog_is_a_directory,
]  # fmt: skip


@pytest.mark.req("WF-25")
@pytest.mark.parametrize("damage", _DAMAGES)
@pytest.mark.parametrize("is_open", [False, True], ids=["closed", "open"])
def test_a_damaged_index_is_left_out_and_rebuilt(
    indexed: StoreLocation, damage: Callable[[StoreLocation], None], is_open: bool
) -> None:
    running = Broker(indexed)
    if is_open:
        running.refresh()
        running._view.search(["alpha1"], ["x"], 1)
    damage(indexed)

    running.refresh()
    assert running.append([draft("d1.7")])[0].status == "duplicate"
    _works(indexed).close()
    running.index()
    running.refresh()
    again = _works(indexed)

    assert again.index_problem is None
    again.index()
    again.close()
    running.close()
    live = contents(indexed)
    assert live == rebuilt(indexed)
    assert live["documents"] == 63


@pytest.mark.parametrize("damage", [_truncate_catalog, _old_schema])
def test_a_catalog_that_cannot_be_used_is_let_go(
    indexed: StoreLocation, damage: Callable[[StoreLocation], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    damage(indexed)
    opened: list[sqlite3.Connection] = []
    connect = sqlite3.connect

    def noted(*arguments: Any, **named: Any) -> sqlite3.Connection:
        opened.append(connect(*arguments, **named))
        return opened[-1]

    monkeypatch.setattr(sqlite3, "connect", noted)

    with pytest.raises(IndexUnusable):
        catalog.Catalog(_catalog(indexed))

    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        opened[0].execute("SELECT 1")


def test_any_byte_of_the_index_may_be_damaged(indexed: StoreLocation, tmp_path: Path) -> None:
    """In processes of their own: a crash of the libraries beneath would be one."""
    chance = random.Random(11)
    paths = [
        p for p in (indexed.directory / "index").rglob("*") if p.is_file() and p.stat().st_size
    ]
    plans = [
        [str(p.relative_to(indexed.directory)), chance.randrange(p.stat().st_size), how]
        for p in sorted(paths)
        for how in (0, 1, 2)
    ]
    said = tmp_path / "said"

    status = nursery().run(
        damage_and_work, str(indexed.directory), str(tmp_path / "t"), plans, str(said)
    )

    assert status == 0
    assert len(said.read_text().split()) == len(plans)


def damage_and_work(directory: str, copy: str, plans: list[list[object]], said: str) -> None:
    """Flip, cut or blank a byte of a copy; then work with it, and make it again."""
    for name, offset, how in plans:
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(directory, copy)
        path, place = Path(copy) / str(name), store_location_at(Path(copy))
        assert isinstance(offset, int)
        raw = bytearray(path.read_bytes())
        if how == 0:
            raw[offset] ^= 4
        elif how == 1:
            del raw[offset:]
        else:
            raw[offset : offset + 64] = bytes(len(raw[offset : offset + 64]))
        path.write_bytes(raw)
        broker = Broker(place)
        broker.refresh()
        broker._view.search(broker._view.terms("alpha1 widgets"), ["x"], 5)
        broker._view.idf("alpha1")
        assert broker.append([draft("new")])[0].status == "stored"
        broker.index()
        broker.rebuild()
        broker.refresh()
        assert broker.append([draft("d0.3"), draft("new")])[0].status == "duplicate"
        assert broker._view.problem is None
        broker.close()
        acknowledge(said, ["done"])


def test_a_kill_at_any_commit_of_a_rebuild_leaves_an_index_that_is_repaired(
    indexed: StoreLocation, tmp_path: Path
) -> None:
    for point in range(1, 12):
        nursery().run(rebuild_and_die, str(indexed.directory), point)
        _works(indexed).close()
    broker = Broker(indexed)
    broker.index()
    broker.close()

    live = contents(indexed)

    assert live == rebuilt(indexed)
    assert live["documents"] == 63
    assert len(list((indexed.directory / "index").glob("g*"))) == 1


@pytest.mark.req("WF-05")
def test_a_kill_between_append_and_index_indexes_each_record_once(indexed: StoreLocation) -> None:
    nursery().run(index_and_die, str(indexed.directory))
    broker = Broker(indexed)

    broker.index()

    broker.close()
    live = contents(indexed)
    assert live == rebuilt(indexed)
    assert live["documents"] == 62


def rebuild_and_die(directory: str, point: int) -> None:
    """Killed at the nth call that changes the disk or a catalog."""
    _die_at(point)
    Broker(store_location_at(Path(directory))).rebuild()


def index_and_die(directory: str) -> None:
    """Killed when the words are committed and the catalog is not."""
    catalog.Catalog.put = _die  # type: ignore[method-assign]
    Broker(store_location_at(Path(directory))).index()


def _die(*_arguments: object, **_named: object) -> None:
    os.kill(os.getpid(), 9)


def _die_at(point: int) -> None:
    seen = 0

    def watched(call: Callable[..., object]) -> Callable[..., object]:
        def wrapper(*arguments: object, **named: object) -> object:
            nonlocal seen
            seen += 1
            if seen == point:
                _die()
            return call(*arguments, **named)

        return wrapper

    for name in ("mkdir", "rename", "unlink", "fsync"):
        setattr(os, name, watched(getattr(os, name)))
    catalog.Catalog.put = watched(catalog.Catalog.put)  # type: ignore[method-assign, assignment]
    generation.discard_old_generations = watched(generation.discard_old_generations)  # type: ignore[assignment]


@pytest.mark.parametrize("is_open", [False, True], ids=["closed", "open"])
@pytest.mark.parametrize("is_indexed", [False, True], ids=["in the tail", "indexed"])
def test_a_log_restored_from_a_backup_is_noticed(
    indexed: StoreLocation, is_open: bool, is_indexed: bool
) -> None:
    backup = indexed.log.read_bytes()
    broker = Broker(indexed)
    broker.append([draft(f"later.{n}", "delta") for n in range(30)])
    if is_indexed:
        broker.index()
    if not is_open:
        broker.close()
        broker = Broker(indexed)
    indexed.log.write_bytes(backup)

    receipts = broker.append([draft("later.7", "delta"), draft("d0.3"), draft("other")])
    broker.refresh()
    seen = [r.delivery_id for r in broker.as_reader(PERSON).newest() if r.delivery_id]
    broker.index()
    broker.close()

    assert [r.status for r in receipts] == ["stored", "duplicate", "stored"]
    assert seen == deliveries(indexed)[::-1]
    assert contents(indexed) == rebuilt(indexed)


@pytest.mark.parametrize("how", ["removed", "replaced", "emptied"])
def test_a_log_removed_under_a_running_broker_starts_again(
    indexed: StoreLocation, how: str
) -> None:
    broker = Broker(indexed)
    broker.refresh()
    if how == "removed":
        shutil.rmtree(indexed.directory)
    elif how == "replaced":
        other = store_location_at(indexed.directory.parent / "other")
        elsewhere = Broker(other)
        elsewhere.append([draft(f"d0.{n}", "x" * 500) for n in range(100, 300)])
        elsewhere.close()
        os.replace(other.log, indexed.log)
    else:
        os.truncate(indexed.log, 0)

    receipts = broker.append([draft("d0.3", keys=KEYS)])

    assert receipts[0].status == "stored"
    broker.index()
    broker.refresh()
    assert [
        r.delivery_id for r in broker.as_reader(PERSON).newest() if r.delivery_id
    ] == deliveries(indexed)[::-1]
    broker.close()
    assert contents(indexed) == rebuilt(indexed)


def test_an_append_does_not_wait_for_whoever_indexes(indexed: StoreLocation) -> None:
    broker = Broker(indexed)
    lock = generation.WriterLock(indexed)
    with lock.held() as mine, sqlite3.connect(_catalog(indexed)) as db:
        assert mine
        db.execute("BEGIN EXCLUSIVE")
        receipt = broker.append([draft("meanwhile")])[0]
        indexed_now = broker.index()
        with pytest.raises(LogError, match=f"pid {os.getpid()}"):
            broker.rebuild()
        db.execute("ROLLBACK")
    db.close()

    assert receipt.status == "stored"
    assert indexed_now == 0
    assert broker.index() == 3
    broker.close()


def test_a_lock_file_that_is_replaced_is_not_held(indexed: StoreLocation) -> None:
    lock = generation.WriterLock(indexed)
    assert lock.take()
    (indexed.directory / "index" / "writer.lock").unlink()
    other = generation.WriterLock(indexed)
    assert other.take()

    assert not lock.take()
    other.give_back()
    assert lock.take()
    lock.give_back()


def test_a_projector_notices_that_its_index_is_gone(indexed: StoreLocation) -> None:
    projector = Projector(indexed)
    projector.advance()
    shutil.rmtree(indexed.directory / "index")

    count = projector.advance()

    projector.close()
    assert count == 65 - 1
    assert contents(indexed) == rebuilt(indexed)


def test_a_log_that_cannot_be_read_is_a_typed_error(indexed: StoreLocation) -> None:
    indexed.log.unlink()
    indexed.log.mkdir()
    broker = Broker(indexed)

    with pytest.raises(StoreUnreadable) as raised:
        broker.refresh()

    assert str(indexed.log) in str(raised.value)
    broker.close()


def test_an_index_whose_last_line_this_version_cannot_read_is_rebuilt(
    store: StoreLocation,
) -> None:
    broker = Broker(store)
    broker.append([draft("one", keys=KEYS)])
    broker.index()
    broker.close()
    *lines, last = store.log.read_bytes().splitlines()
    newer = renew_hash(last.replace(b'"kind":"prompt"', b'"kind":"prayer"'))
    assert newer != last
    store.log.write_bytes(b"".join(line + b"\n" for line in (*lines, newer)))

    Broker(store).index()

    assert generation.current_generation(store) == store.directory / "index" / "g2"
