"""The idle resident looks through memory, when nobody wants anything of it."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hooklore.broker import Broker
from hooklore.config import StoreLocation
from hooklore.errors import HookloreError
from hooklore.index.generation import index_directory
from hooklore.maintenance import janitor
from hooklore.resident import server
from hooklore.resident.program import Program
from hooklore.resident.server import IndexThread
from tests.conftest import wait_until
from tests.support.agent import Agent, repository
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
    thread = IndexThread(store, Program())
    yield thread
    thread.stop()
    thread.join(20)


@pytest.mark.req("CO-03")
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
def test_the_resident_looks_again_when_the_last_look_is_a_day_old(
    store: StoreLocation, indexer: IndexThread, said: str
) -> None:
    """Two looks of one resident: what was kept between them is in the second."""
    report = index_directory(store) / "janitor.json"
    indexer.start()
    indexer.wake()
    indexer.resume_indexing()
    wait_until(report.exists, "the first report")
    desk = Desk(store)
    later = desk.says("We listen on 8080", "config:port").id
    desk.broker.close()
    old = time.time() - janitor.INSPECTION_INTERVAL_SECONDS - 1
    os.utime(report, (old, old))

    indexer.wake()
    wait_until(lambda: report.stat().st_mtime > old + 1, "the second report")

    assert (janitor.load_janitor_report(store) or {})["pins"] == [later, said]


@pytest.mark.req("CO-03")
def test_a_look_within_the_day_is_not_repeated(store: StoreLocation, said: str) -> None:
    report = index_directory(store) / "janitor.json"
    janitor.inspect_store_if_due(store, lambda: False)
    looked = report.stat().st_ino
    recent = time.time() - janitor.INSPECTION_INTERVAL_SECONDS + 600

    os.utime(report, (recent, recent))
    janitor.inspect_store_if_due(store, lambda: False)
    assert report.stat().st_ino == looked
    assert report.stat().st_mtime == pytest.approx(recent)

    ahead = time.time() + 600  # a clock that was put back
    os.utime(report, (ahead, ahead))
    janitor.inspect_store_if_due(store, lambda: False)
    assert report.stat().st_mtime < ahead


@pytest.mark.req("CO-03")
def test_a_session_that_ended_since_the_last_look_makes_one_due_once(
    store: StoreLocation, said: str, tmp_path: Path, home: Path
) -> None:
    agent = Agent(store, repository(tmp_path / "widgets"), home)
    report = index_directory(store) / "janitor.json"

    def is_looked() -> bool:
        before = report.stat().st_ino
        janitor.inspect_store_if_due(store, lambda: False)
        return report.stat().st_ino != before

    janitor.inspect_store_if_due(store, lambda: False)
    agent.starts("s1")
    agent.asks("Which database do we use?")
    during = is_looked()
    agent.hook("SessionEnd", reason="other")
    after = [is_looked(), is_looked()]
    agent.starts("s2")
    agent.hook("SessionEnd", reason="other")
    after.append(is_looked())
    agent.broker.close()

    assert during is False
    assert after == [True, False, True]


@pytest.mark.req("CO-03")
def test_the_look_after_a_session_is_one_persons_command_or_the_residents_at_a_time(
    store: StoreLocation, said: str, tmp_path: Path, home: Path
) -> None:
    agent = Agent(store, repository(tmp_path / "widgets"), home)
    janitor.inspect_store_if_due(store, lambda: False)
    before = janitor.load_janitor_report(store)
    agent.starts("s1")
    agent.hook("SessionEnd", reason="other")
    agent.broker.close()

    with janitor.hold_janitor_lock(store), pytest.raises(HookloreError, match=r"pid \d+ is at it"):
        janitor.inspect_store_if_due(store, lambda: False)

    assert janitor.load_janitor_report(store) == before


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
        crashed.setattr("hooklore.broker.conflicts.draft_conflicts", lambda *_: [])
        desk.says("We use sqlite", "config:db_engine", agent="claude")
        desk.says("We use postgres", "config:db_engine", agent="codex")
    desk.broker.close()

    janitor.inspect_store_if_due(store, lambda: False)

    broker = Broker(store)
    recorded = [r.id for r in broker._view.newest() if r.kind == "conflict_resolution"]
    broker.close()
    assert (janitor.load_janitor_report(store) or {})["conflicts"] == recorded
    assert len(recorded) == 1
