"""Notes that sessions do not use are shown less readily. Notes that are used stay."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hooklore.config import StoreLocation
from hooklore.records.draft import PERSON
from hooklore.records.record import Record
from hooklore.retrieval.shown_history import count_unused_showings
from tests.support.agent import Agent, repository

NOTE = (
    "The checkout worker must not run with more than six tasks, PgBouncer gives it 120 connections"
)
PROMPT = "Can the checkout worker run with ten tasks for the sale?"


@pytest.fixture
def agent(store: StoreLocation, tmp_path: Path, home: Path) -> Iterator[Agent]:
    found = Agent(store, repository(tmp_path / "widgets"), home)
    found.remembers(NOTE, "fact")
    yield found
    found.broker.close()


def shown_in(agent: Agent, session: str, answer: str) -> bool:
    agent.session = session
    told = agent.asks(PROMPT)
    agent.hook("Stop", last_assistant_message=answer)
    return "PgBouncer" in told


def left_aside(agent: Agent) -> int:
    (note,) = agent.records("fact")
    return count_unused_showings(agent.broker.as_reader(PERSON), Record(note), "other")


def test_what_an_answer_leaves_aside_is_counted_and_what_it_takes_up_is_not(agent: Agent) -> None:
    assert shown_in(agent, "s1", "Sure, I set the number of tasks to ten.")
    assert left_aside(agent) == 1
    assert shown_in(agent, "s2", "No: PgBouncer gives it 120 connections, so six is the most.")
    assert left_aside(agent) == 1


def test_a_note_that_is_left_aside_again_and_again_is_no_longer_shown(agent: Agent) -> None:
    shown = [shown_in(agent, f"s{n}", "Sure, I did so.") for n in range(6)]

    assert shown[0]
    assert not shown[-1]


def test_a_note_that_is_taken_up_is_shown_in_every_session(agent: Agent) -> None:
    answer = "No: PgBouncer gives it 120 connections, so six is the most."

    assert all(shown_in(agent, f"s{n}", answer) for n in range(6))


def test_a_showing_that_nobody_answered_yet_counts_for_nothing(agent: Agent) -> None:
    agent.session = "s1"
    agent.asks(PROMPT)

    assert left_aside(agent) == 0
