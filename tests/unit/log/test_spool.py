"""The spool: order, damage, other users, and the end of a batch."""

import os
from pathlib import Path

import pytest

from hooklore.broker import Broker
from hooklore.config import StoreLocation
from hooklore.log import quarantine, spool
from hooklore.log.spool import Spool
from hooklore.records.draft import PERSON
from tests.support.writers import KEYS, clean_record, deliveries, draft


@pytest.fixture(autouse=True)
def beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A runtime directory of the test's own."""
    directory = tmp_path / "runtime"
    directory.mkdir()
    directory.chmod(0o700)
    monkeypatch.setattr(spool, "runtime_directory", lambda: directory)
    return directory


def test_drafts_are_read_back_unchanged(store: StoreLocation) -> None:
    kept = [
        clean_record("a", "\u2028 \x00 共有", keys=KEYS),
        clean_record("b", x_future={"deep": [1]}),
    ]

    Spool(store).put(kept)

    batches = list(Spool(store).batches())
    assert [batch.records for batch in batches] == [kept]
    assert batches[0].is_whole


def test_batches_of_both_directories_come_oldest_first(
    store: StoreLocation, tmp_path: Path
) -> None:
    several = Spool(store)
    several.put([clean_record("first")])
    (store.directory / "spool").rename(tmp_path / "aside")
    (store.directory / "spool").write_bytes(b"in the way")
    several.put([clean_record("second")])
    (store.directory / "spool").unlink()
    (tmp_path / "aside").rename(store.directory / "spool")
    several.put([clean_record("third")])

    found = [d.record.delivery_id for batch in Spool(store).batches() for d in batch.records]

    assert found == ["first", "second", "third"]
    assert len(list((tmp_path / "runtime").rglob("*.jsonl"))) == 1


def test_a_batch_that_cannot_be_read_now_is_not_deleted(
    store: StoreLocation, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = Spool(store).put([clean_record("waiting")])
    broker = Broker(store)
    real = os.open

    def fail(name: object, *arguments: int, **named: int) -> int:
        if str(name) == str(path):
            raise OSError(24, "Too many open files")
        return real(str(name), *arguments, **named)

    with monkeypatch.context() as patched:
        patched.setattr(os, "open", fail)
        broker.append([draft("now")])

    assert path.exists()
    broker.append([draft("later")])
    assert deliveries(store) == ["now", "waiting", "later"]
    assert not path.exists()
    broker.close()


@pytest.mark.parametrize(
    "damage", [b"{", b'{"fields": 1, "keys": null}', b'{"keys": null}', b"\xff\x00", b"[]", b"null"]
)
def test_a_damaged_line_is_quarantined_and_the_others_are_appended(
    store: StoreLocation, damage: bytes
) -> None:
    path = Spool(store).put([clean_record("good")])
    path.write_bytes(damage + b"\n" + path.read_bytes())

    Broker(store).append([draft("now")])

    assert deliveries(store) == ["good", "now"]
    assert quarantine.count_quarantined(store) == 1
    assert damage in (quarantine.quarantine_directory(store) / path.name).read_bytes()
    assert not path.exists()


def test_a_refused_draft_is_quarantined(store: StoreLocation) -> None:
    path = Spool(store).put([clean_record("bad", kind="nonsense"), clean_record("good")])

    Broker(store).append([draft("now")])

    assert deliveries(store) == ["good", "now"]
    assert quarantine.count_quarantined(store) == 1
    assert not path.exists()


def test_a_batch_drained_twice_is_stored_once(store: StoreLocation) -> None:
    """A kill between the append and the removal of the file."""
    path = Spool(store).put([clean_record("a"), clean_record("b")])
    raw = path.read_bytes()
    broker = Broker(store)
    broker.append([draft("now")])
    path.write_bytes(raw)

    broker.append([draft("later")])

    assert deliveries(store) == ["a", "b", "now", "later"]
    broker.close()


def test_a_draft_without_a_delivery_is_drained_once_too(store: StoreLocation) -> None:
    store.directory.mkdir()
    (store.log).mkdir()
    statement = draft("", delivery_id=None, stream="memory", kind="fact", body={"content_md": "x"})
    assert Broker(store).append([statement])[0].status == "spooled"
    store.log.rmdir()
    path = next((store.directory / "spool").iterdir())
    raw = path.read_bytes()
    broker = Broker(store)
    broker.append([draft("now")])
    path.write_bytes(raw)

    broker.append([draft("later")])

    kinds = [record.kind for record in broker.as_reader(PERSON).newest()]
    assert kinds.count("fact") == 1
    broker.close()


@pytest.mark.parametrize("mode", [0o777, 0o750, 0o701])
def test_a_directory_that_other_users_may_write_is_not_read(
    store: StoreLocation, beside: Path, mode: int
) -> None:
    (store.directory).mkdir()
    (store.directory / "spool").write_bytes(b"in the way")
    path = Spool(store).put([clean_record("planted")])
    assert beside in path.parents
    beside.chmod(mode)

    receipts = Broker(store).append([draft("mine")])

    assert receipts[0].status == "stored"
    assert deliveries(store) == ["mine"]
    assert Spool(store).waiting() == 0
    with pytest.raises(OSError, match="not a directory"):
        Spool(store).put([clean_record("no place left")])


def test_a_link_in_the_spool_is_not_followed(store: StoreLocation, tmp_path: Path) -> None:
    path = Spool(store).put([clean_record("real")])
    elsewhere = tmp_path / "elsewhere"
    path.rename(elsewhere)
    path.symlink_to(elsewhere)

    Broker(store).append([draft("mine")])

    assert deliveries(store) == ["mine"]
    assert elsewhere.exists()
