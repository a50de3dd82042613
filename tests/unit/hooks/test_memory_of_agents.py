"""A memory that is kept for one type of subagent is told to that type alone (row HK-10)."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hooklore.config import StoreLocation
from tests.support.agent import Agent, repository

pytestmark = pytest.mark.req("HK-10")

RULE = "Deploy keys rotate on the first Tuesday, by the quartermaster script"
ASKED = "How do the deploy keys rotate with the quartermaster script?"


@pytest.fixture
def agent(store: StoreLocation, tmp_path: Path, home: Path) -> Iterator[Agent]:
    found = Agent(store, repository(tmp_path / "widgets"), home)
    found.remembers("Look for races first", agent_type="reviewer")
    found.remembers("Draw the boxes first", agent_type="planner")
    found.remembers("Pin this for planners", "decision", agent_type="planner")
    found.remembers("Answer in short sentences", "preference", scope="global")
    yield found
    found.broker.close()


def begins(agent: Agent, agent_type: str) -> str:
    """What a subagent of a type is told when it begins."""
    return agent.told("SubagentStart", agent_id=f"a-{agent_type}", agent_type=agent_type)


def test_a_subagent_is_told_what_is_kept_for_its_type_and_for_everybody(agent: Agent) -> None:
    told = begins(agent, "reviewer")

    assert "Look for races first" in told
    assert "Answer in short sentences" in told
    assert "planners" not in told
    assert "Draw the boxes first" not in told


def test_another_type_is_told_its_own(agent: Agent) -> None:
    told = begins(agent, "planner")

    assert "Draw the boxes first" in told
    assert "Look for races first" not in told


def test_a_session_is_told_what_is_kept_for_no_type(agent: Agent) -> None:
    brief = agent.starts("s1")

    assert "Answer in short sentences" in brief
    assert "races" not in brief
    assert "boxes" not in brief


def test_a_prompt_of_the_main_agent_does_not_bring_it_up_either(agent: Agent) -> None:
    agent.starts("s1")
    agent.remembers(RULE, "fact", agent_type="reviewer")

    assert agent.asks(ASKED) == ""

    agent.remembers(f"{RULE}.", "fact")
    assert RULE in agent.asks(ASKED)


@pytest.mark.parametrize(("started", "is_told"), [("reviewer", True), ("planner", False)])
def test_what_bears_on_a_task_for_a_type_of_agent_comes_before_it_is_started(
    agent: Agent, started: str, is_told: bool
) -> None:
    agent.starts("s1")
    agent.remembers("Quartermaster scripts are reviewed line by line", agent_type="reviewer")

    told = agent.told(
        "PreToolUse", tool_name="Task", tool_use_id="t",
        tool_input={"subagent_type": started, "prompt": "look at the quartermaster scripts"},
    )  # fmt: skip

    assert ("line by line" in told) is is_told
