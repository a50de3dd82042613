"""A compaction: what it saves, once and silently, and what the session is told after it."""

import json
from typing import Any

import pytest

from hooklore.hooks.delivery import Delivery
from hooklore.text.token_estimate import estimate_tokens
from tests.support.agent import Agent
from tests.support.notes import origin_of
from tests.unit.cli.conftest import Run

ANSWER = """\
Done.

Decision: keep SQLite for the catalog

Next steps:
- Tag the release

I could not reproduce the crash on ARM."""
COLOUR = "KeyError: 'colour' in widgets.ini"
STATE = "Where this session stood before its compaction"


def works(agent: Agent) -> None:
    """A session of two answers."""
    agent.starts("s1")
    agent.asks("Make it pass.")
    agent.hook("Stop", last_assistant_message="I decided to use orjson.\n\nNext: I will test it.")
    agent.asks("And the catalog?")
    agent.hook("Stop", last_assistant_message=ANSWER)


def compacts(
    agent: Agent, trigger: str = "auto", instructions: str = "", delivery: str = ""
) -> str:
    """What a compaction's first hook prints; with `delivery`, under that id."""
    payload = {"trigger": trigger, "custom_instructions": instructions}
    if not delivery:
        return str(agent.hook("PreCompact", **payload) or "")
    full = {"session_id": agent.session, "cwd": str(agent.project), **payload}
    sent = Delivery("claude", "PreCompact", delivery, json.dumps(full).encode())
    return agent.runner.run(sent).stdout.decode()


def extracted(agent: Agent) -> list[dict[str, Any]]:
    """What the agent had said, as saved before compactions, oldest first."""
    bodies = [r["body"] for r in agent.records("compaction")]
    return [body["agent_said"] for body in bodies if body["detail"]["phase"] == "before"]


@pytest.mark.req("HK-27")
@pytest.mark.parametrize("trigger", ["manual", "auto"])
def test_a_compaction_silently_saves_memory_once(agent: Agent, trigger: str) -> None:
    works(agent)

    printed = [compacts(agent, trigger) for _ in range(3)]

    (found,) = extracted(agent)
    assert printed == ["", "", ""]
    assert found["next_actions"] == ["Tag the release"]
    assert found["decisions"] == ["keep SQLite for the catalog", "I decided to use orjson"]
    assert found["unresolved"] == ["I could not reproduce the crash on ARM"]
    assert [r for r in agent.records() if r["stream"] == "memory"] == []


@pytest.mark.req("HK-27")
def test_each_compaction_saves_what_came_since(agent: Agent) -> None:
    works(agent)
    compacts(agent)
    agent.starts("s1", "compact")
    agent.hook("PostCompact", trigger="auto", compact_summary="They keep SQLite.")
    agent.asks("And the docs?")
    agent.hook("Stop", last_assistant_message="I wrote them.\n\nNext steps:\n- Print the docs\n")

    compacts(agent)
    compacts(agent)

    assert [found["next_actions"] for found in extracted(agent)] == [
        ["Tag the release"], ["Tag the release", "Print the docs"],
    ]  # fmt: skip


@pytest.mark.req("HK-27")
def test_a_second_compaction_at_once_is_another_one(agent: Agent) -> None:
    works(agent)

    for _ in range(2):
        compacts(agent)
        agent.starts("s1", "compact")

    assert len(extracted(agent)) == 2


@pytest.mark.req("HK-27")
def test_a_compaction_that_is_called_for_again_adds_what_the_user_says_alone(agent: Agent) -> None:
    works(agent)
    compacts(agent)

    agent.asks("/compact keep the catalog")
    compacts(agent, "manual", "keep the catalog")
    agent.asks("/compact keep the catalog")
    compacts(agent, "manual", "keep the catalog")

    saved = agent.records("compaction")
    assert [r["body"].get("text") for r in saved] == [None, "keep the catalog"]


@pytest.mark.req("HK-27")
def test_a_delivery_that_comes_again_adds_nothing_whatever_came_in_between(agent: Agent) -> None:
    works(agent)
    compacts(agent, delivery="d-1")
    agent.asks("Are you there?")

    compacts(agent, delivery="d-1")

    assert len(extracted(agent)) == 1


@pytest.mark.req("HK-27")
def test_of_two_sessions_each_saves_its_own(agent: Agent) -> None:
    for session in ("s1", "s2"):
        agent.starts(session)
        agent.hook("Stop", last_assistant_message=f"Done.\n\nNext steps:\n- Tag {session}-final\n")
        compacts(agent)

    assert [found["next_actions"] for found in extracted(agent)] == [
        ["Tag s1-final"], ["Tag s2-final"],
    ]  # fmt: skip


@pytest.mark.req("HK-27")
def test_of_two_sessions_of_which_nothing_else_is_known_each_is_recorded(agent: Agent) -> None:
    for session in ("s1", "s2", "s1", "s2"):
        agent.session = session
        compacts(agent)

    assert [r["session_id"] for r in agent.records("compaction")] == ["s1", "s2"]


@pytest.mark.req("HK-27")
@pytest.mark.parametrize("instructions", ["", "keep the facts about the catalog"])
def test_after_a_compaction_the_session_is_told_its_decisions_and_next_actions(
    agent: Agent, instructions: str
) -> None:
    works(agent)
    compacts(agent, "manual", instructions)

    told = agent.starts("s1", "compact")

    assert STATE in told
    assert "next actions: Tag the release. decisions: keep SQLite for the catalog" in told
    assert "unresolved: I could not reproduce the crash on ARM" in told
    assert "said by the user" not in told
    assert "the agent said · trust low" in origin_of(told, "Tag the release")


@pytest.mark.req("HK-27")
def test_long_decisions_leave_room_for_the_next_actions_and_rules_for_both(agent: Agent) -> None:
    agent.starts("s1")
    for n in range(90):
        agent.remembers(f"Rule {n} of the house: wipe the press with cloth number {n * 7}")
    decisions = "".join(f"- Decision {n} is {'long ' * 40}\n" for n in range(6))
    steps = "".join(f"- Step {n} is {'wide ' * 40}\n" for n in range(6))
    agent.hook("Stop", last_assistant_message=f"## Decisions\n{decisions}\n## Next steps\n{steps}")
    compacts(agent)

    told = agent.starts("s1", "compact")

    (state,) = [line for line in told.splitlines() if "Step 0 is" in line]
    assert len(state) < 1_500
    assert "Decision 0 is" in state
    assert "Rule 0 of the house" in told or "Rule 89 of the house" in told
    assert estimate_tokens(told) <= 1_500


@pytest.mark.req("HK-27")
@pytest.mark.parametrize("source", ["startup", "resume", "clear"])
def test_it_is_told_after_a_compaction_alone(agent: Agent, source: str) -> None:
    works(agent)
    compacts(agent)

    assert STATE not in agent.starts("s1", source)
    assert STATE not in agent.starts("s2", "compact")


@pytest.mark.req("HK-27")
def test_a_compaction_of_a_session_that_left_nothing_open_says_nothing(agent: Agent) -> None:
    agent.starts("s1")
    agent.asks("hello")
    compacts(agent, "manual", "be brief")

    assert STATE not in agent.starts("s1", "compact")


@pytest.mark.req("AU-04", "HK-27")
def test_what_a_session_is_told_after_a_compaction_is_listed_again(
    agent: Agent, hooklore: Run
) -> None:
    agent.remembers("Never touch the legacy folder", scope="global")
    works(agent)
    compacts(agent)

    told = agent.starts("s1", "compact")

    (row,) = [line for line in hooklore("list", "--kind", "compaction").lines if line]
    assert STATE in told
    assert told in hooklore("last", "--session", "s1").out
    assert "the agent said: Done" in row


@pytest.mark.req("HK-27")
def test_after_a_compaction_each_failure_is_told_once(agent: Agent, hooklore: Run) -> None:
    agent.starts("s0")
    agent.asks("Make it pass.")
    agent.fails("make test", COLOUR)
    agent.hook("SessionEnd", reason="other")
    agent.starts("s1")
    agent.asks("Make it pass.")
    agent.fails("make test", COLOUR)
    agent.fails("make test WIDGET=1", COLOUR)
    agent.fails("make lint", "NameError: name 'torque' is not defined")
    agent.hook("Stop", last_assistant_message="I will go on.")
    compacts(agent)

    told = agent.starts("s1", "compact")

    assert STATE in told
    assert [told.count(line) for line in (COLOUR, "name 'torque'")] == [1, 1]
    assert told in hooklore("last", "--session", "s1").out
    assert COLOUR in agent.starts("s2")


@pytest.mark.req("HK-27")
def test_after_a_compaction_no_failed_look_and_nothing_that_the_machine_lacks_is_told(
    agent: Agent, hooklore: Run
) -> None:
    agent.starts("s1")
    agent.asks("Make it pass.")
    agent.fails("ls build/queue", "ls: build/queue: No such file or directory")
    agent.fails("gh pr checks 19", "some checks were not successful")
    agent.fails("make lint", "(eval):1: command not found: make-lint")
    agent.fails("make test", COLOUR)
    compacts(agent)

    told = agent.starts("s1", "compact")

    assert f"unresolved: `make test` fails: {COLOUR}" in told
    for command in ("ls build", "gh pr", "make lint"):
        assert command not in told
    assert told in hooklore("last", "--session", "s1").out


@pytest.mark.req("HK-27")
def test_before_a_compaction_a_failure_is_told_apart_from_a_claim(agent: Agent) -> None:
    agent.starts("s1")
    agent.asks("Make it pass.")
    agent.fails("make test", "KeyError: 'colour' in widgets.ini")
    agent.hook("Stop", last_assistant_message="All is well.\n\nNext steps:\n- Tag the release\n")
    compacts(agent)

    told = agent.starts("s1", "compact")

    shown, said = told[told.index(STATE) :].splitlines()[1:3]
    assert "unresolved: `make test` fails" in shown
    assert shown.endswith("seen by a tool · trust med]")
    assert said.startswith("- next actions: Tag the release [")
    assert said.endswith("the agent said · trust low]")
