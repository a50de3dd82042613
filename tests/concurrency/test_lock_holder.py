"""C08, C09: who holds the log is killed, stopped, or has its directory taken away."""

import os
import signal
from pathlib import Path

import pytest

from hooklore.broker import Broker
from hooklore.config import StoreLocation, store_location_at
from hooklore.log.writer import LogWriter
from tests.conftest import wait_until
from tests.support.writers import Child, acknowledge, deliveries, draft, nursery, raw_lines


def hold(directory: str, said: str) -> None:
    """Take the log and keep it, in the middle of a line."""
    with LogWriter(store_location_at(Path(directory))).appending(None) as log:
        log.append(raw_lines(b'{"v":1,"holder":true}'))
        os.write(log._descriptor, b'{"v":1,"half a li')
        acknowledge(said, ["held"])
        signal.pause()


@pytest.fixture
def holder(store: StoreLocation, tmp_path: Path) -> Child:
    """A process that holds the log."""
    said = tmp_path / "said"
    child = nursery().start(hold, str(store.directory), str(said))
    wait_until(said.exists, "the lock")
    return child


@pytest.mark.req("WF-22")
def test_the_lock_of_a_killed_holder_is_free_at_once(store: StoreLocation, holder: Child) -> None:
    holder.kill()

    receipts = Broker(store, wait=0.001).append([draft("next")])

    assert receipts[0].status == "stored"
    assert deliveries(store) == ["next"]


@pytest.mark.req("WF-14")
def test_while_the_holder_is_stopped_others_spool_and_lose_nothing(
    store: StoreLocation, holder: Child
) -> None:
    holder.signal(signal.SIGSTOP)
    waiting = [Broker(store, wait=0.02) for _ in range(3)]

    receipts = [broker.append([draft(f"b{n}")])[0] for n, broker in enumerate(waiting)]
    receipts += [broker.append([draft(f"c{n}")])[0] for n, broker in enumerate(waiting)]
    assert {r.status for r in receipts} == {"spooled"}
    assert "locked by another process" in str(receipts[0].reason)
    assert waiting[0].waiting_in_spool() == 6
    holder.kill()
    last = waiting[0].append([draft("last")])

    assert last[0].status == "stored"
    assert deliveries(store) == ["b0", "b1", "b2", "c0", "c1", "c2", "last"]
    assert waiting[0].waiting_in_spool() == 0
    for broker in waiting:
        broker.close()


def test_a_holder_that_goes_on_writes_no_line_into_another(
    store: StoreLocation, tmp_path: Path
) -> None:
    """Its directory was moved away: what it holds is the old log, the new one is another's."""
    with LogWriter(store).appending(None) as old:
        os.rename(store.directory, tmp_path / "moved")
        new = Broker(store, wait=0.5)
        assert new.append([draft("new")])[0].status == "stored"
        old.append(raw_lines(b'{"v":1,"old":true}'))
        assert new.append([draft("newer")])[0].status == "stored"

    assert deliveries(store) == ["new", "newer"]
    assert (tmp_path / "moved" / "events.jsonl").read_bytes() == b'{"v":1,"old":true}\n'
    new.close()


def append_while_replaced(directory: str, name: str, acks: str) -> None:
    """Forty appends, each said with the inode of the log in which it must be."""
    broker = Broker(store_location_at(Path(directory)), wait=None)
    for n in range(40):
        if broker.append([draft(f"{name}.{n}")])[0].status == "stored":
            acknowledge(acks, [f"{name}.{n}"])
    broker.close()


def test_a_directory_that_is_replaced_meanwhile_never_has_two_holders(
    store: StoreLocation, tmp_path: Path
) -> None:
    """Lines of two holders would run into each other; all that was stored is in one of the logs."""
    children = [
        nursery().start(
            append_while_replaced, str(store.directory), f"w{n}", str(tmp_path / f"w{n}.acks")
        )
        for n in range(8)
    ]
    for n in range(12):
        wait_until(store.log.exists, "a log")
        os.rename(store.directory, tmp_path / f"moved{n}")
    assert [child.wait() for child in children] == [0] * 8

    places = [store_location_at(tmp_path / f"moved{n}") for n in range(12)] + [store]
    logs = [deliveries(place) for place in places]
    found = [name for log in logs for name in log]
    stored = [name for path in tmp_path.glob("*.acks") for name in path.read_text().split()]
    assert set(stored) <= set(found)
    # What was appended to a log that was moved away at that moment may be appended to the new one too.
    assert all(len(log) == len(set(log)) for log in logs)


@pytest.mark.parametrize("name", ["events.lock", "lock", ".lock", "writer.lock"])
def test_a_stale_lock_file_holds_nobody_up(store: StoreLocation, name: str) -> None:
    store.directory.mkdir()
    (store.directory / name).write_text("4121")

    assert Broker(store, wait=0.001).append([draft("first")])[0].status == "stored"
