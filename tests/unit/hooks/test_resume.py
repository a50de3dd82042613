"""A session that is resumed is told what is new: its first brief stands in its history (C38)."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hooklore.config import StoreLocation
from tests.support.agent import Agent, repository


@pytest.fixture
def agent(store: StoreLocation, tmp_path: Path, home: Path) -> Iterator[Agent]:
    found = Agent(store, repository(tmp_path / "widgets"), home)
    yield found
    found.broker.close()


@pytest.mark.req("HK-26")
def test_a_resumed_session_is_told_what_others_did_since_and_the_new_preferences(
    agent: Agent,
) -> None:
    agent.remembers("Answer in short sentences", "preference", scope="global")
    agent.starts("s1")
    agent.edits("lathe.py", "turn")
    agent.starts("s2")
    agent.edits("lathe.py", "calibrate")
    agent.hook("Stop", last_assistant_message="The lathe is calibrated again.")
    agent.hook("SessionEnd", reason="other")
    agent.remembers("Write dates as 2026-11-21", "preference", scope="global")

    told = agent.starts("s1", source="resume")

    assert "The lathe is calibrated again" in told
    assert "Write dates as 2026-11-21" in told
    assert "Answer in short sentences" not in told


def test_a_resumed_session_is_not_told_what_another_did_to_other_files(agent: Agent) -> None:
    agent.starts("s1")
    agent.edits("lathe.py", "turn")
    agent.starts("s2")
    agent.edits("docs/history.md", "A chapter about mills")
    agent.hook("Stop", last_assistant_message="The history has a chapter about mills.")
    agent.hook("SessionEnd", reason="other")

    assert "chapter about mills" not in agent.starts("s1", source="resume")
