"""Compute the live importance of records from the log."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hooklore.config import ImportanceSettings, Settings, StoreLocation
from hooklore.memories.live_importance import (
    Breakdown,
    compute_breakdowns,
    explain_importance,
)
from hooklore.memories.write_gate import remember
from hooklore.records.draft import PERSON, Draft, Principal
from hooklore.records.record import Body
from hooklore.retrieval.snapshot import take_snapshot
from tests.support.agent import Agent, repository

KEY = "config:db_engine"


@pytest.fixture
def agent(store: StoreLocation, tmp_path: Path, home: Path) -> Iterator[Agent]:
    found = Agent(store, repository(tmp_path / "widgets"), home)
    yield found
    found.broker.close()


def says(agent: Agent, text: str, key: str | None = KEY, name: str = "claude") -> str:
    event: dict[str, Any] = {
        "agent_id": name, "scope": "global", "kind": "config", "confidence": "high",
        "content_md": text, "source": {"system": "cli"}, "dedupe_key": key,
    }  # fmt: skip
    given = {name: value for name, value in event.items() if value is not None}
    return str(remember(agent.broker, given, Principal(agent_id=name)).id)


def answers(agent: Agent, session: str, text: str, prompt: str = "Set up the database.") -> None:
    """Append a turn of a session."""
    agent.session = session
    agent.asks(prompt)
    agent.hook("Stop", last_assistant_message=text)


def live(agent: Agent, id_: str) -> Breakdown:
    return explain_importance(agent.broker, id_)[1]


@pytest.mark.req("SC-02")
def test_citing_raises_reuse_and_the_score(agent: Agent) -> None:
    memory = says(agent, "We use sqlite")
    before = live(agent, memory)

    for number in range(5):
        answers(agent, "s1", f"Step {number}: done as {KEY} says.")

    after = live(agent, memory)
    assert (before.evidence.citations, after.evidence.citations) == (0, 5)
    assert after.factors["reuse_frequency"] > before.factors["reuse_frequency"]
    assert after.score > before.score


@pytest.mark.req("SC-02")
def test_being_shown_is_counted_apart_from_being_cited(agent: Agent) -> None:
    memory = says(agent, "We use sqlite")

    for _ in range(5):
        take_snapshot(agent.broker, Principal(agent_id="claude"))

    found = live(agent, memory)
    assert (found.evidence.citations, found.evidence.accesses) == (0, 5)
    assert found.factors["reuse_frequency"] > 0


def test_an_id_in_an_answer_is_a_citation_and_a_later_version_takes_the_key_over(
    agent: Agent,
) -> None:
    first = says(agent, "We use sqlite")
    answers(agent, "s1", f"See {first}.")
    second = says(agent, "We use postgres, not what stood there")
    answers(agent, "s1", f"I followed {KEY}.")

    found = compute_breakdowns(
        agent.broker, [agent.broker.as_reader(PERSON).get(id_) for id_ in (first, second)]
    )

    assert found[first].evidence.citations == 1
    assert found[second].evidence.citations == 1


def test_a_key_of_another_project_is_no_citation(
    agent: Agent, tmp_path: Path, store: StoreLocation
) -> None:
    agent.remembers("We use sqlite here", kind="config", dedupe_key=KEY)
    (memory,) = agent.records("config")
    other = Agent(store, repository(tmp_path / "forge"), agent.home)

    answers(other, "s9", f"Done as {KEY} says.")
    other.broker.close()

    assert live(agent, memory["id"]).evidence.citations == 0


@pytest.mark.req("SC-03")
def test_a_second_agent_that_cites_it_raises_the_factor(agent: Agent) -> None:
    memory = says(agent, "We use sqlite")
    answers(agent, "s1", f"Done as {KEY} says.")
    before = live(agent, memory)

    said = Draft.of(
        stream="observation", kind="answer", agent_id="codex", run_id="s1", scope="global",
        body=Body.of(text=f"As {KEY} says."),
    )  # fmt: skip
    agent.broker.append([said])

    after = live(agent, memory)
    assert (before.evidence.agents, after.evidence.agents) == (0, 1)
    assert after.factors["cross_agent_impact"] > before.factors["cross_agent_impact"]
    assert after.score > before.score


@pytest.mark.req("SC-03")
def test_a_second_task_that_cites_it_raises_the_factor(agent: Agent) -> None:
    memory = says(agent, "We use sqlite")
    answers(agent, "s1", f"Done as {KEY} says.")
    before = live(agent, memory)

    answers(agent, "s2", f"Done as {KEY} says.")

    after = live(agent, memory)
    assert after.evidence.tasks == before.evidence.tasks + 1
    assert after.factors["cross_agent_impact"] > before.factors["cross_agent_impact"]


@pytest.mark.req("SC-04")
def test_what_was_known_before_is_less_new(agent: Agent) -> None:
    first = says(agent, "The press needs a torque of 47 newton metres", None)
    second = says(agent, "The press needs its torque of 47 newton metres", None)
    third = says(agent, "プレスの前に必ず潤滑油を確認する", None)

    new, again, other = (live(agent, id_).factors["novelty"] for id_ in (first, second, third))

    assert new == 1.0
    assert again < 0.5
    assert other == 1.0


@pytest.mark.req("SC-05")
def test_what_the_user_says_next_moves_the_factor_both_ways(agent: Agent) -> None:
    answers(agent, "s1", "I mocked the press.", "Make the tests pass.")
    (answer,) = agent.records("answer")
    silent = live(agent, answer["id"])
    agent.asks("違う")
    refused = live(agent, answer["id"])

    answers(agent, "s2", "I used the real press.", "Make the tests pass, please.")
    agent.asks("それで良い")
    praised = live(agent, agent.records("answer")[-1]["id"])

    signals = [found.factors["user_signal"] for found in (refused, silent, praised)]
    assert signals == sorted(signals)
    assert len(set(signals)) == 3
    assert refused.score < silent.score


@pytest.mark.req("SC-05")
def test_praise_of_an_answer_reaches_the_memory_that_it_names(agent: Agent) -> None:
    memory = says(agent, "We use sqlite")
    answers(agent, "s1", f"Done as {KEY} says.")
    before = live(agent, memory)

    agent.asks("perfect, thanks")

    assert live(agent, memory).factors["user_signal"] > before.factors["user_signal"]


def test_what_the_user_said_is_not_judged_by_what_follows(agent: Agent) -> None:
    agent.starts("s1")
    agent.asks("Always use uv for python.")
    agent.hook("Stop", last_assistant_message="Understood.")
    agent.asks("no, stop")
    prompt = agent.records("prompt")[0]

    assert live(agent, prompt["id"]).evidence.rejections == 0


def ends(agent: Agent, session: str, tokens: int, tmp_path: Path) -> None:
    """End a session that took `tokens` tokens."""
    agent.session = session
    path = tmp_path / f"{session}.jsonl"
    message = {"id": session, "model": "m", "usage": {"input_tokens": tokens, "output_tokens": 0}}
    path.write_text(json.dumps({"type": "assistant", "message": message}) + "\n")
    agent.hook("SessionEnd", reason="other", transcript_path=str(path))


@pytest.mark.req("SC-06")
@pytest.mark.parametrize(("tokens", "saves"), [(4_000, True), (12_000, False)])
def test_a_task_repeated_with_fewer_tokens_has_saved_some(
    agent: Agent, tmp_path: Path, tokens: int, saves: bool
) -> None:
    task = "Bring the widget press up to date and run its tests"
    answers(agent, "s1", "It took a while.", task)
    ends(agent, "s1", 10_000, tmp_path)
    agent.remembers("Run make press before the tests", kind="workflow")
    (memory,) = agent.records("workflow")
    agent.starts("s2")
    answers(agent, "s2", "Done.", f"{task} again")
    ends(agent, "s2", tokens, tmp_path)

    found = live(agent, memory["id"])

    assert [r["body"]["cost"]["tokens"] for r in agent.records("session_end")] == [10_000, tokens]
    assert found.evidence.accesses == 1
    assert (found.factors["cost_savings"] > 0) is saves


@pytest.mark.req("SC-01")
def test_a_failure_in_a_run_that_cites_it_says_more_than_none(agent: Agent) -> None:
    memory = says(agent, "We use sqlite")
    answers(agent, "s1", f"Done as {KEY} says.")
    before = live(agent, memory)

    agent.fails("make test", "PressError: the press refuses to start")

    after = live(agent, memory)
    assert after.factors["outcome_impact"] > before.factors["outcome_impact"] > 0


@pytest.mark.req("SC-12")
def test_other_weights_make_another_score_and_the_prior_stays(
    store: StoreLocation, tmp_path: Path, home: Path
) -> None:
    plain = Agent(store, repository(tmp_path / "widgets"), home)
    memory = says(plain, "We use sqlite")
    usual = live(plain, memory)
    plain.broker.close()
    weights = ImportanceSettings(novelty=0.40, outcome_impact=0.0)
    tuned = Agent(store, plain.project, home, Settings(importance=weights))

    other = live(tuned, memory)
    tuned.broker.close()

    assert other.factors == usual.factors
    assert other.score == pytest.approx(usual.score + 0.25, abs=1e-4)
    assert other.prior == usual.prior


def test_an_agent_is_told_nothing_of_what_others_were_shown(agent: Agent) -> None:
    memory = says(agent, "We use sqlite")
    for _ in range(3):
        take_snapshot(agent.broker, Principal(agent_id="codex"))

    seen = explain_importance(agent.broker, memory, Principal(agent_id="gemini"))[1]

    assert seen.evidence.accesses == 0
    assert explain_importance(agent.broker, memory, PERSON)[1].evidence.accesses == 3
