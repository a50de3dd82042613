"""Memories that rules of an older version learnt are proposed for the archive, in one list."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hooklore.config import StoreLocation
from hooklore.maintenance.cleanup import clean_up, find_cleanup_candidates
from hooklore.memories.decisions.approval_queue import list_pending
from hooklore.memories.pins import pin
from hooklore.records.draft import PERSON
from tests.support.agent import Agent, repository

LEARNT = {"source": {"system": "cli", "detail": "learnt"}}
OLD_LINE = {"source": {"system": "cli", "detail": "native:MEMORY.md"}, "waits": "inferred"}


@pytest.fixture
def agent(store: StoreLocation, tmp_path: Path, home: Path) -> Iterator[Agent]:
    found = Agent(store, repository(tmp_path / "widgets"), home)
    yield found
    found.broker.close()


def proposed(agent: Agent) -> dict[str, str]:
    """Return the reason of each candidate by the memory's text."""
    found = find_cleanup_candidates(agent.broker)
    return {each.record.body.content_md: each.reason for each in found}


def test_what_today_would_not_be_learnt_is_proposed_and_what_would_be_is_not(agent: Agent) -> None:
    agent.remembers("run code review one more time", "preference", **LEARNT)
    agent.remembers("いや、グローバル設定で", "preference", **LEARNT)
    agent.remembers("Always run the linter before you commit.", "preference", **LEARNT)
    agent.remembers("return error tuple instead", "preference")
    agent.remembers("the hook is called by", "fact", **OLD_LINE | {"basis": "inferred"})

    assert proposed(agent) == {
        "run code review one more time": "older rule",
        "いや、グローバル設定で": "older rule",
        "the hook is called by": "older rule",
    }


def test_what_a_person_pinned_is_not_proposed(agent: Agent) -> None:
    id_ = agent.remembers(
        "return error tuple instead", "preference", dedupe_key="preference:errors", **LEARNT
    ).id
    assert proposed(agent) == {"return error tuple instead": "older rule"}

    agent.broker.refresh()
    pin(agent.broker, str(id_), PERSON)

    assert proposed(agent) == {}


def test_the_list_is_archived_at_once_and_the_next_brief_has_none_of_it(agent: Agent) -> None:
    agent.remembers("run code review one more time", "preference", **LEARNT)
    agent.remembers("the hook is called by", "fact", **OLD_LINE | {"basis": "inferred"})

    count = clean_up(agent.broker, find_cleanup_candidates(agent.broker))
    agent.broker.refresh()

    assert count == 2
    assert proposed(agent) == {}
    assert list_pending(agent.broker.as_reader(PERSON)) == []
    assert "code review" not in agent.starts("s1")
