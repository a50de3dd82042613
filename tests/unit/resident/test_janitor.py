"""The idle resident looks through memory, when nobody wants anything of it."""

from collections.abc import Iterator

import pytest

from hooklore.broker import Broker
from hooklore.config import StoreLocation
from hooklore.errors import HookloreError
from hooklore.maintenance import janitor
from hooklore.resident import server
from hooklore.resident.server import IndexThread
from tests.conftest import wait_until
from tests.support.desk import Desk
from tests.support.writers import draft


@pytest.fixture
def said(store: StoreLocation) -> str:
    """The id of something that is kept."""
    desk = Desk(store)
    id_ = desk.says("We use sqlite", "config:db_engine").id
    desk.broker.close()
    return str(id_)


@pytest.fixture
def indexer(
    store: StoreLocation, said: str, monkeypatch: pytest.MonkeyPatch
) -> Iterator[IndexThread]:
    monkeypatch.setattr(server, "_TICK_SECONDS", 0.01)
    monkeypatch.setattr(server, "_GATHER_SECONDS", 0.01)
    monkeypatch.setattr(server, "_JANITOR_TICKS", 5)
    thread = IndexThread(store)
    yield thread
    thread.stop()
    thread.join(20)


@pytest.mark.req("CO-03", "RD-10")
def test_at_rest_the_resident_looks_through_memory(
    store: StoreLocation, indexer: IndexThread, said: str
) -> None:
    indexer.start()
    indexer.wake()
    indexer.resume_indexing()

    wait_until(lambda: janitor.load_janitor_report(store), "the janitor's report")

    found = janitor.load_janitor_report(store) or {}
    assert (found["pins"], found["secrets"], found["conflicts"]) == ([said], [], [])
    assert indexer.problem is None


@pytest.mark.req("CO-03")
def test_the_look_after_a_session_has_ended_has_what_was_kept_in_it(
    store: StoreLocation, indexer: IndexThread, said: str
) -> None:
    desk = Desk(store)
    second = desk.says("We listen on 8080", "config:port", agent="claude", run_id="s-1").id
    desk.broker.append([draft("end", kind="session_end", session_id="s-1")])
    desk.broker.close()
    indexer.start()
    indexer.wake()
    indexer.resume_indexing()

    wait_until(lambda: janitor.load_janitor_report(store), "the janitor's report")

    found = janitor.load_janitor_report(store) or {}
    assert found["pins"] == [second, said]
    assert found["counts"] == {"pins": 2, "candidates": 0, "conflicts": 0}


@pytest.mark.req("CO-03")
def test_the_resident_leaves_the_look_to_the_janitor_that_is_at_it(
    store: StoreLocation, said: str
) -> None:
    with janitor.hold_janitor_lock(store), pytest.raises(HookloreError, match=r"pid \d+ is at it"):
        janitor.inspect_store_if_due(store, lambda: False)

    assert janitor.load_janitor_report(store) is None
    janitor.inspect_store_if_due(store, lambda: False)
    assert (janitor.load_janitor_report(store) or {})["pins"] == [said]


@pytest.mark.req("CO-03")
def test_what_only_a_read_finds_is_recorded_by_the_look(
    store: StoreLocation, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(store)
    with monkeypatch.context() as crashed:
        crashed.setattr("hooklore.broker.conflicts.draft_conflict", lambda *_: None)
        desk.says("We use sqlite", "config:db_engine", agent="claude")
        desk.says("We use postgres", "config:db_engine", agent="codex")
    desk.broker.close()

    janitor.inspect_store_if_due(store, lambda: False)

    broker = Broker(store)
    recorded = [r.id for r in broker._view.oldest() if r.kind == "conflict_resolution"]
    broker.close()
    assert (janitor.load_janitor_report(store) or {})["conflicts"] == recorded
    assert len(recorded) == 1
