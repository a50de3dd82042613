"""The idle resident looks through memory, when nobody wants anything of it."""

from collections.abc import Iterator

import pytest

from hooklore.broker.curated import janitor
from hooklore.config import Place
from hooklore.resident import server
from hooklore.resident.server import IndexThread
from tests.conftest import wait_until
from tests.desk import Desk


@pytest.fixture
def said(store: Place) -> str:
    """The id of something that is kept."""
    desk = Desk(store)
    id_ = desk.says("We use sqlite", "config:db_engine").id
    desk.broker.close()
    return str(id_)


@pytest.fixture
def indexer(store: Place, said: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[IndexThread]:
    monkeypatch.setattr(server, "_TICK_SECONDS", 0.01)
    monkeypatch.setattr(server, "_GATHER_SECONDS", 0.01)
    monkeypatch.setattr(server, "_JANITOR_TICKS", 5)
    thread = IndexThread(store)
    yield thread
    thread.stop()
    thread.join(20)


@pytest.mark.req("RD-10")
def test_at_rest_the_resident_looks_through_memory(
    store: Place, indexer: IndexThread, said: str
) -> None:
    indexer.start()
    indexer.wake()
    indexer.go_on()

    wait_until(lambda: janitor.kept(store), "the janitor's report")

    found = janitor.kept(store) or {}
    assert (found["pins"], found["secrets"], found["conflicts"]) == ([said], [], [])
    assert indexer.problem is None
