"""A session's start is recorded as what it is, and its goal from the first words of the user's."""

from typing import Any

import pytest

from tests.support.agent import Agent
from tests.support.notes import line_with
from tests.unit.cli.conftest import Run

GOAL = "Make the widget tests pass"
SOURCES = ("startup", "resume", "clear", "compact")


def goals(agent: Agent) -> list[tuple[str, str]]:
    """Session and goal of each prompt that has one, oldest first."""
    found = agent.records("prompt")
    return [(r["session_id"], r["body"]["goal"]) for r in found if "goal" in r["body"]]


def ended(agent: Agent) -> dict[str, Any]:
    """The body of the session's end."""
    agent.hook("SessionEnd", reason="other")
    found: dict[str, Any] = agent.records("session_end")[-1]["body"]
    return found


# ---- the start


@pytest.mark.req("HK-05")
@pytest.mark.parametrize("source", SOURCES)
def test_a_start_is_one_record_with_scope_agents_and_its_source(
    agent: Agent, hooklore: Run, source: str
) -> None:
    agent.starts("s1", source)

    (start,) = agent.records("session_start")
    assert (start["session_id"], start["run_id"]) == ("s1", "s1")
    assert start["scope"] == "project:widgets"
    assert start["agent_id"] == "claude"
    assert start["body"]["agents"] == ["claude"]
    assert start["body"]["detail"]["source"] == source
    assert start["body"]["priority"] == "medium"
    assert "scope: project:widgets" in hooklore("show", start["id"]).lines


@pytest.mark.req("HK-05")
def test_a_resumed_session_has_one_start_and_is_recorded_as_resumed(agent: Agent) -> None:
    agent.starts("s1")
    agent.asks(f"{GOAL}.")
    agent.starts("s1", "resume")
    agent.asks("Now look at the docs of the press.")
    agent.starts("s1", "resume")

    sources = [r["body"]["detail"]["source"] for r in agent.records("session_start")]
    assert sources == ["startup", "resume", "resume"]
    assert goals(agent) == [("s1", GOAL)]


# ---- the goal


@pytest.mark.req("HK-05")
def test_the_goal_of_a_session_is_told_by_its_first_prompt(agent: Agent, hooklore: Run) -> None:
    agent.starts("s1")
    agent.asks(f"{GOAL}. They fail since yesterday.")
    agent.asks("And then write the docs of the press.")
    agent.starts("s2")
    agent.asks("Count the cogs in the crate.")

    assert goals(agent) == [("s1", GOAL), ("s2", "Count the cogs in the crate")]
    (first, *_) = agent.records("prompt")
    assert f"goal: {GOAL}" in hooklore("show", first["id"]).lines


@pytest.mark.req("HK-05")
@pytest.mark.parametrize(
    "prompt",
    [
        "/clear", "/review the press", "hello", "Hi Claude!", "yes, go ahead", "こんにちは",
        "<private>Ask Bob for the key</private>",
        "<task-notification><task-id>b1</task-id><summary>It is done</summary></task-notification>",
        "```\nTraceback (most recent call last):\n  boom()\n```",
        "$ make test\nerror: there is no rule for this target\n",
    ],
)  # fmt: skip
def test_what_is_no_wish_of_the_users_is_no_goal(agent: Agent, prompt: str) -> None:
    agent.starts("s1")
    agent.asks(prompt)
    agent.asks(f"{GOAL}, please.")

    assert goals(agent) == [("s1", f"{GOAL}, please")]


@pytest.mark.req("HK-05")
@pytest.mark.parametrize(
    ("prompt", "goal"),
    [
        (f"Hello!\n\n{GOAL}\n\nThen stop", GOAL),
        ("Thanks. Use the other press rather than mine", "Use the other press rather than mine"),
        (f"```\nKeyError: 'colour'\n```\n{GOAL}", GOAL),
        (f"/review <private>x</private>\n{GOAL}", None),
        (f"<private>Bob says:</private> {GOAL}", GOAL),
        ("ウィジェットのテストを通してください。昨日から失敗しています。",
         "ウィジェットのテストを通してください"),
        ("Fix `make lint` in 'widgets/press.py'", "Fix `make lint` in 'widgets/press.py'"),
    ],
)  # fmt: skip
def test_the_goal_is_the_first_sentence_that_says_one(
    agent: Agent, prompt: str, goal: str | None
) -> None:
    agent.starts("s1")
    agent.asks(prompt)

    assert goals(agent) == ([("s1", goal)] if goal else [])


@pytest.mark.req("HK-05")
def test_a_goal_is_short_and_without_secrets(agent: Agent) -> None:
    secret = "gh" + "p_" + "0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV1wX"
    agent.starts("s1")
    agent.asks(f"Log in with {secret} and count {'all the many cogs ' * 10}here")

    ((_, goal),) = goals(agent)
    assert goal.startswith("Log in with [")
    assert 100 < len(goal) <= 201
    assert secret not in str(agent.records())


@pytest.mark.req("HK-05", "HK-06")
def test_the_end_of_a_session_says_the_goal_and_the_next_brief_what_is_left(
    agent: Agent, hooklore: Run
) -> None:
    agent.starts("s1")
    agent.asks(f"{GOAL}. They fail since yesterday.")
    for number in range(450):
        agent.passes(f"make part-{number}")
    agent.hook("Stop", last_assistant_message="The press runs.\n\nNext steps:\n- Ask the mill.\n")

    body = ended(agent)

    assert body["goal"] == GOAL
    (row,) = [line for line in hooklore("list", "--kind", "session_end").lines if line]
    assert f"goal: {GOAL}. " in row
    told = agent.starts("s2")
    assert "(goal: " in line_with(told, "- to do: Ask the mill")
    assert "Where the work was left (" in told


@pytest.mark.req("HK-05")
def test_a_session_that_came_to_nothing_is_not_told_for_its_goal_alone(agent: Agent) -> None:
    agent.starts("s1")
    agent.asks(f"{GOAL}.")

    assert ended(agent)["goal"] == GOAL
    told = agent.starts("s2")
    assert GOAL not in told
    assert "Where the work was left" not in told


@pytest.mark.req("HK-05")
def test_a_compaction_says_the_goal_too_and_changes_it_not(agent: Agent) -> None:
    agent.starts("s1")
    agent.asks(f"{GOAL}.")
    agent.hook("PreCompact", trigger="auto", custom_instructions="")
    agent.starts("s1", "compact")
    agent.asks("Go on with the docs of the press.")

    (saved,) = agent.records("compaction")
    assert saved["body"]["goal"] == GOAL
    assert goals(agent) == [("s1", GOAL)]
