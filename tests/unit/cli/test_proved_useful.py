"""What counts as use: who cited a memory, in which run, and what is pinned or merged because of it."""

from typing import Any

import pytest

from tests.support.agent import Agent
from tests.unit.cli.conftest import Memory, Run, said

KEY = "config:db_engine"
FACT = "Alembic revisions of the press are linear since spring"

Json = dict[str, Any]


# ---- citations


def answers(agent: Agent, session: str, text: str, **payload: str) -> None:
    """The final answer of a turn of a session."""
    agent.session = session
    agent.hook("Stop", last_assistant_message=text, **payload)


def live(hooklore: Run, id_: str) -> Json:
    """What `hooklore why` says of a memory now."""
    found: Json = hooklore("why", id_, "--json").records[0]
    return found


@pytest.mark.req("SC-03")
def test_a_citation_of_another_run_raises_the_impact_and_one_of_its_own_does_not(
    hooklore: Run, agent: Agent
) -> None:
    id_ = said(hooklore, "We use sqlite", "--key", KEY, "--agent", "claude", "--run", "s-1")
    before = live(hooklore, id_)

    answers(agent, "s-1", f"Done as {KEY} says.")
    own = live(hooklore, id_)
    answers(agent, "s-2", f"Done as {KEY} says, again.")
    other = live(hooklore, id_)
    said(hooklore, f"As {KEY} says, we back it up", "--agent", "codex", "--run", "s-2")
    by_codex = live(hooklore, id_)

    counted = [(each["evidence"]["citations"], each["evidence"]["tasks"], each["evidence"]["agents"])
               for each in (before, own, other, by_codex)]  # fmt: skip
    impact = [each["factors"]["cross_agent_impact"] for each in (before, own, other, by_codex)]
    assert counted == [(0, 0, 0), (1, 0, 0), (2, 1, 0), (3, 1, 1)]
    assert impact[0] == impact[1] == 0
    assert impact[1] < impact[2] < impact[3]
    assert "cited by 1 other agent and in 1 other task" in hooklore("why", id_).out


# ---- pinned after several sessions


@pytest.mark.req("CL-04")
def test_a_memory_that_bore_on_three_sessions_is_pinned_once(hooklore: Run, agent: Agent) -> None:
    id_ = said(hooklore, FACT, "--kind", "constraint")
    pinned: list[Any] = []
    for number in range(4):
        agent.session = f"s-{number}"
        assert FACT in agent.about_to("alembic upgrade head")
        pinned.append(hooklore("consolidate", "--json").records[0]["pinned"])

    again = hooklore("consolidate")

    assert [len(each) for each in pinned] == [0, 0, 1, 0]
    assert id_ in str(pinned[2])
    assert hooklore("snapshot").lines[1] == f"- {FACT}"
    assert (again.out, again.err) == ("", "nothing to consolidate\n")


@pytest.mark.req("CL-04")
def test_being_in_three_briefs_pins_nothing(hooklore: Run, agent: Agent) -> None:
    said(hooklore, FACT, "--kind", "constraint")
    for number in range(4):
        assert FACT in agent.starts(f"s-{number}")

    assert hooklore("consolidate").err == "nothing to consolidate\n"
    assert hooklore("snapshot", "--json").records[0]["pins"] == []


# ---- merged only when it says the same


ALIKE = (
    ("The gateway listens on port 8080", "The gateway listens on port 8081"),
    ("Run `make lint` before a commit", "Run `make lint` after a commit"),
    ("We deploy on Monday", "We do not deploy on Monday"),
    ("The press is in room 4", "The press is in room 4 of hall B"),
    ("テストは pytest で実行する", "テストは pytest で実行しない"),
)


@pytest.mark.req("CL-04")
@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_what_says_something_else_is_not_merged(
    hooklore: Run, memory: Memory, one: str, other: str
) -> None:
    ids = [said(hooklore, text) for text in (one, other)]

    done = hooklore("consolidate", "--json").records[0]

    assert done["merged"] == []
    kept = {record["id"] for record in hooklore("memory", "list", "--json").records}
    assert kept == set(ids)


@pytest.mark.req("CL-04")
@pytest.mark.parametrize(
    "other", ["the press is in room 4", "The press is in room 4!", "Ｔｈｅ press is  in room ４"]
)
def test_what_says_the_same_is_merged_into_one_that_can_be_brought_back(
    hooklore: Run, memory: Memory, other: str
) -> None:
    kept = said(hooklore, "The press is in room 4", "--key", "fact:press")
    lost = said(hooklore, other)

    done = hooklore("consolidate")

    assert done.lines == [f"merged {lost} into {kept}"]
    assert [r["id"] for r in hooklore("memory", "list", "--json").records] == [kept]
    assert other in hooklore("show", lost).out
    assert hooklore("consolidate").err == "nothing to consolidate\n"
