"""The sections of a session's end, and of a compaction, say what the answers said."""

from pathlib import Path

import pytest

from hooklore.config import StoreLocation
from tests.support.agent import Agent, repository

ANSWER = """\
Done.

Decision: keep SQLite for the catalog

Next steps:
- Tag the release

I could not reproduce the crash on ARM."""


@pytest.fixture
def agent(store: StoreLocation, tmp_path: Path, home: Path) -> Agent:
    return Agent(store, repository(tmp_path / "api"), home)


def works(agent: Agent) -> None:
    """A session of two answers."""
    agent.starts("s1")
    agent.asks("Make it pass.")
    agent.hook("Stop", last_assistant_message="I decided to use orjson.\n\nNext: I will test it.")
    agent.asks("And the catalog?")
    agent.hook("Stop", last_assistant_message=ANSWER)


def test_an_end_has_the_decisions_of_all_answers_and_what_the_last_one_left_open(
    agent: Agent,
) -> None:
    works(agent)

    agent.hook("SessionEnd", reason="exit")

    said = agent.records("session_end")[0]["body"]["agent_said"]
    assert said["decisions"] == ["keep SQLite for the catalog", "I decided to use orjson"]
    assert said["next_actions"] == ["Tag the release"]
    assert said["unresolved"] == ["I could not reproduce the crash on ARM"]


def test_the_next_session_is_told_what_was_left_open(agent: Agent) -> None:
    works(agent)
    agent.hook("SessionEnd", reason="exit")

    brief = agent.starts("s2")

    for said in ("Tag the release", "crash on ARM"):
        assert said in brief


def test_what_the_user_refused_was_not_decided(agent: Agent) -> None:
    agent.starts("s1")
    agent.hook("Stop", last_assistant_message="I decided to mock the press.")
    agent.asks("no, use the real press instead")
    agent.hook("Stop", last_assistant_message="I decided to use the real press.")

    agent.hook("SessionEnd", reason="exit")

    said = agent.records("session_end")[0]["body"]["agent_said"]
    assert said["decisions"] == ["I decided to use the real press"]
