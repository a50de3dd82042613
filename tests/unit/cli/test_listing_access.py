"""What the commands read is asked of the one access function: nobody else is told anything."""

import inspect

import pytest

from hooklore.broker import fetch, store_stats
from hooklore.errors import HookloreError
from hooklore.records.draft import PERSON, Principal
from hooklore.records.record import Record
from hooklore.retrieval import browse
from tests.unit.cli.conftest import Memory, statement

STRANGER = Principal(agent_id="codex", project="another", session_id="s-9")


@pytest.fixture
def told(memory: Memory) -> Memory:
    """A store with a session that was shown something, seen anew."""
    memory.append(statement("Never push on Fridays", kind="constraint"))
    memory.append(statement("for my eyes", scope="global", is_private=True), in_project=False)
    memory.fails_and_solves("s-1")
    memory.hook("SessionStart", "s-2", source="startup")
    memory.broker.refresh()
    return memory


def test_a_stranger_is_told_nothing(told: Memory) -> None:
    broker, everything = told.broker, browse.RecordFilter()
    (fix,) = told.of("fix")
    errors = [Record(error) for error in told.of("error")]

    assert list(browse.list_newest(broker, everything, STRANGER)) == []
    assert list(browse.list_newest(broker, browse.RecordFilter(session="s-1"), STRANGER)) == []
    assert browse.search_records(broker, "never push on fridays", everything, STRANGER) == []
    assert fetch.list_projects(broker, STRANGER) == []
    assert fetch.find_derived(broker, errors, STRANGER) == []
    assert fetch.find_enders(broker, Record(fix), STRANGER) == []
    assert browse.list_shown(broker, "s-2", STRANGER) == []
    assert browse.newest_session(broker, STRANGER) is None
    assert browse.newest_shown_session(broker, STRANGER) is None
    assert store_stats.count_by_day(broker, STRANGER) == []
    assert store_stats.last_hook_times(broker, STRANGER) == {}
    for name in ("widgets", fix["project"]):
        with pytest.raises(HookloreError):
            fetch.require_project(broker, name, STRANGER)
    with pytest.raises(HookloreError):
        fetch.get_record(broker, fix["id"], STRANGER)


def test_the_person_is_told_all_of_it(told: Memory) -> None:
    broker, everything = told.broker, browse.RecordFilter()
    (fix,) = told.of("fix")
    errors = [Record(error) for error in told.of("error")]

    assert len(list(browse.list_newest(broker, everything, PERSON))) == len(
        [r for r in told.records() if r["stream"] != "control"]
    )
    assert browse.search_records(broker, "eyes", everything, PERSON)
    assert fetch.get_record(broker, fix["id"].upper(), PERSON).id == fix["id"]
    assert [r.id for r in fetch.find_derived(broker, errors, PERSON)] == [
        fix["id"],
        told.of("session_end")[0]["id"],
    ]
    assert (
        browse.newest_session(broker, PERSON)
        == browse.newest_shown_session(broker, PERSON)
        == "s-2"
    )


def test_every_reading_function_asks_who_reads() -> None:
    own = [
        (name, function)
        for module in (browse, fetch, store_stats)
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__ and name[0] != "_"
    ]

    silent = [name for name, function in own if "who" not in inspect.signature(function).parameters]

    assert silent == ["measure_store"]  # sizes and counts of files
