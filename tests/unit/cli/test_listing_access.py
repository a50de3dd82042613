"""Commands read through a reader, which answers its principal alone."""

import inspect
from collections.abc import Callable

import pytest

from hooklore.broker import fetch, store_stats
from hooklore.broker.principal_reader import Reader
from hooklore.errors import HookloreError
from hooklore.records.draft import PERSON, Principal
from hooklore.records.record import Record
from hooklore.retrieval import access_report, browse
from tests.unit.cli.conftest import Memory, statement

STRANGER = Principal(agent_id="codex", project="another", session_id="s-9")


@pytest.fixture
def session_store(memory: Memory) -> Memory:
    """Return a refreshed store with a session that was shown something."""
    memory.append(statement("Never push on Fridays", kind="constraint"))
    memory.append(statement("for my eyes", scope="global", is_private=True), in_project=False)
    memory.fails_and_solves("s-1")
    memory.hook("SessionStart", "s-2", source="startup")
    memory.broker.refresh()
    return memory


def test_a_stranger_reads_nothing(session_store: Memory) -> None:
    reader, everything = session_store.broker.as_reader(STRANGER), browse.RecordFilter()
    (fix,) = session_store.of("fix")
    errors = [Record(error) for error in session_store.of("error")]

    assert list(browse.list_newest(reader, everything)) == []
    assert list(browse.list_newest(reader, browse.RecordFilter(session="s-1"))) == []
    assert browse.search_records(reader, "never push on fridays", everything) == []
    assert fetch.list_projects(reader) == []
    assert fetch.find_derived(reader, errors) == []
    assert fetch.find_enders(reader, Record(fix)) == []
    assert access_report.list_shown(reader, "s-2") == []
    assert browse.newest_session(reader) is None
    assert access_report.newest_shown_session(reader) is None
    assert store_stats.count_by_day(reader) == []
    assert store_stats.last_hook_times(reader) == {}
    for name in ("widgets", fix["project"]):
        with pytest.raises(HookloreError):
            fetch.require_project(reader, name)
    with pytest.raises(HookloreError):
        fetch.get_record(reader, fix["id"])


def test_the_person_reads_everything(session_store: Memory) -> None:
    reader, everything = session_store.broker.as_reader(PERSON), browse.RecordFilter()
    (fix,) = session_store.of("fix")
    errors = [Record(error) for error in session_store.of("error")]

    assert len(list(browse.list_newest(reader, everything))) == len(
        [r for r in session_store.records() if r["stream"] != "control"]
    )
    assert browse.search_records(reader, "eyes", everything)
    assert fetch.get_record(reader, fix["id"].upper()).id == fix["id"]
    assert [r.id for r in fetch.find_derived(reader, errors)] == [
        fix["id"],
        session_store.of("session_end")[0]["id"],
    ]
    assert browse.newest_session(reader) == access_report.newest_shown_session(reader) == "s-2"


def test_every_reading_function_takes_a_reader_first() -> None:
    own = [
        (name, function)
        for module in (browse, access_report, fetch, store_stats)
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__ and name[0] != "_"
    ]

    without_reader = [name for name, function in own if _first_annotation(function) is not Reader]

    assert without_reader == ["measure_store"]  # sizes and counts of files


def _first_annotation(function: Callable[..., object]) -> object:
    return next(iter(inspect.signature(function, eval_str=True).parameters.values())).annotation
