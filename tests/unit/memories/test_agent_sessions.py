"""An agent's tools go on with the session that begins when the user clears the context."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hooklore.config import StoreLocation
from hooklore.memories.agent_sessions import find_continued_session
from hooklore.records.draft import PERSON
from tests.support.agent import Agent, repository


@pytest.fixture
def agent(store: StoreLocation, tmp_path: Path, home: Path) -> Iterator[Agent]:
    found = Agent(store, repository(tmp_path / "widgets"), home)
    yield found
    found.broker.close()


def clears(agent: Agent, following: str) -> None:
    """End the agent's session as a cleared one, and begin the following one."""
    agent.hook("SessionEnd", reason="clear")
    agent.starts(following, "clear")


def session_of(agent: Agent, session: str) -> str:
    agent.broker.refresh()
    project = agent.records("session_start")[-1]["project"]
    return find_continued_session(agent.broker.as_reader(PERSON), session, project)


def test_a_cleared_session_goes_on_in_the_one_that_begins_then(agent: Agent) -> None:
    agent.starts("s1")
    agent.asks("hello")
    clears(agent, "s2")
    agent.asks("hello again")
    clears(agent, "s3")

    assert [session_of(agent, each) for each in ("s1", "s2", "s3")] == ["s3", "s3", "s3"]


def test_a_session_that_ended_otherwise_or_goes_on_stays_itself(agent: Agent) -> None:
    agent.starts("s1")
    agent.hook("SessionEnd", reason="other")
    agent.starts("s2")

    assert session_of(agent, "s1") == "s1"
    assert session_of(agent, "s2") == "s2"
    assert session_of(agent, "never seen") == "never seen"


def test_a_cleared_session_that_is_taken_up_again_stays_itself(agent: Agent) -> None:
    agent.starts("s1")
    clears(agent, "s2")
    agent.starts("s1", "resume")
    agent.asks("on with it")

    assert session_of(agent, "s1") == "s1"


def test_of_two_sessions_that_are_cleared_at_once_none_is_taken_for_the_other(agent: Agent) -> None:
    agent.starts("s1")
    agent.starts("t1")
    agent.session = "s1"
    agent.hook("SessionEnd", reason="clear")
    agent.session = "t1"
    agent.hook("SessionEnd", reason="clear")
    agent.starts("s2", "clear")
    agent.starts("t2", "clear")

    assert session_of(agent, "s1") == "s1"
    assert session_of(agent, "t1") == "t1"
