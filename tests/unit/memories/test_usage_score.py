"""The use of a record: shown, opened and followed, by session, and what follows of it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hooklore.config import StoreLocation
from hooklore.maintenance.cleanup import find_cleanup_candidates
from hooklore.memories.live_importance import explain_importance
from hooklore.memories.live_scores import UNUSED_SESSIONS, ScoreFile, compute_scores, refresh_scores
from hooklore.memories.usage import record_use
from hooklore.memories.usage_score import Use
from hooklore.records.draft import Principal
from tests.support.agent import Agent, repository

WORKFLOW = "Before a release of the kestrel press run `make torque-check` and note the number"


@pytest.fixture
def agent(store: StoreLocation, tmp_path: Path, home: Path) -> Iterator[Agent]:
    found = Agent(store, repository(tmp_path / "widgets"), home)
    yield found
    found.broker.close()


def use_of(agent: Agent, id_: str | None) -> Use:
    return explain_importance(agent.broker, str(id_))[1].use


def ends(agent: Agent) -> None:
    agent.hook("Stop", last_assistant_message="Done.")
    agent.hook("SessionEnd", reason="other")


def test_a_memory_is_followed_where_its_command_runs_after_it_was_shown(agent: Agent) -> None:
    id_ = agent.remembers(WORKFLOW, "workflow").id
    agent.starts("s1")
    agent.passes("make torque-check")
    ends(agent)
    agent.starts("s2")
    agent.passes("git status")
    ends(agent)

    assert use_of(agent, id_) == Use(shown=2, opened=0, followed=1)


def test_what_ran_before_it_was_shown_follows_nothing(agent: Agent) -> None:
    id_ = agent.remembers("The kestrel press is inspected in May by the northern crew", "fact").id
    agent.session = "s1"
    agent.passes("echo northern crew inspected")
    who = Principal(agent_id="claude", session_id="s1")
    record_use(agent.broker, [str(id_)], who, "get")

    assert use_of(agent, id_) == Use(shown=1, opened=1, followed=0)


def test_what_ten_sessions_never_used_leaves_the_brief_and_is_proposed_for_the_archive(
    agent: Agent,
) -> None:
    workflow = agent.remembers(WORKFLOW, "workflow").id
    rule = agent.remembers("Never paint the kestrel press blue", "constraint").id
    for number in range(UNUSED_SESSIONS):
        assert "torque-check" in agent.starts(f"s{number}")
        ends(agent)

    agent.broker.refresh()
    ScoreFile(agent.place).save(compute_scores(agent.broker))
    brief = agent.starts("after")
    proposed = {each.record.id for each in find_cleanup_candidates(agent.broker)}

    assert "run `make torque-check`" not in brief
    assert "Never paint the kestrel press blue" in brief
    assert workflow in proposed
    assert rule not in proposed


def test_scores_are_computed_once_a_week_so_that_the_order_of_a_brief_stays(agent: Agent) -> None:
    agent.remembers(WORKFLOW, "workflow")
    refresh_scores(agent.broker)
    first = ScoreFile(agent.place).load()
    agent.remembers("Answer in short sentences", "preference")
    refresh_scores(agent.broker)

    assert ScoreFile(agent.place).load() == first
    assert len(first.by_id) == 1


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"scores": 1}', b"\xff"])
def test_a_damaged_file_of_scores_orders_nothing_and_stops_nothing(
    agent: Agent, content: bytes
) -> None:
    agent.remembers(WORKFLOW, "workflow")
    refresh_scores(agent.broker)
    (path,) = Path(agent.place.root).rglob("scores.json")
    path.write_bytes(content)

    assert "torque-check" in agent.starts("s1")
