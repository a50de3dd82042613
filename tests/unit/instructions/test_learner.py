"""Learn from a user's corrections for the sessions that follow."""

import json
from pathlib import Path
from typing import Any

import pytest

from hooklore.config import StoreLocation
from hooklore.memories.decisions.approval_queue import list_pending
from hooklore.records.draft import PERSON
from hooklore.records.record import Record
from tests.support.agent import Agent, repository

PREFERENCE = "use uv instead of pip"


@pytest.fixture
def agent(store: StoreLocation, tmp_path: Path, home: Path) -> Agent:
    return Agent(store, repository(tmp_path / "api"), home)


def waiting(agent: Agent) -> list[Record]:
    """Return the memories that wait for a person, newest first."""
    return list_pending(agent.broker.as_reader(PERSON))


def memories(agent: Agent) -> list[dict[str, Any]]:
    """Return every memory, oldest first."""
    return [r for r in agent.records() if r["stream"] == "memory"]


def test_a_correction_of_one_session_stands_in_the_brief_of_the_next_with_its_basis(
    agent: Agent,
) -> None:
    agent.starts("s1")
    agent.asks(PREFERENCE)
    agent.asks("今後PRは日本語にして")

    brief = agent.starts("s2")

    heading, _, notes = brief.partition("said by the user")
    assert heading.count("\n- ") == 0
    assert PREFERENCE in notes
    assert "今後PRは日本語にして" in notes


@pytest.mark.req("HK-19")
@pytest.mark.parametrize(
    "prompt",
    [
        "Should we always use uv here?",
        "```\n# always call this first\n```\nwhat does it do?",
        "> いつも日本語で書いて\n\nこれは誰の言葉?",
        "Make the tests pass.",
        "バグを直して",
    ],
)
def test_questions_code_quotations_and_orders_add_nothing_curated(
    agent: Agent, prompt: str
) -> None:
    agent.starts("s1")
    agent.asks(prompt)
    agent.hook("Stop", last_assistant_message="I decided to always use uv. Next steps: run it.")
    agent.hook("SessionEnd", reason="exit")

    assert memories(agent) == []


def test_a_long_japanese_instruction_is_learnt_whole(agent: Agent) -> None:
    prompt = "今後は、コミットする前に必ずテストとリンターを両方とも実行してから報告するようにしてください。"

    agent.asks(prompt)

    assert [r["body"]["content_md"] for r in memories(agent)] == [prompt.rstrip("。")]


def test_a_rule_with_characters_that_nobody_sees_waits_though_it_was_typed(agent: Agent) -> None:
    agent.asks("Always run the linter\u200b before you commit.")

    (rule,) = waiting(agent)
    assert rule.waits == "hidden_characters"


def test_what_is_said_twice_is_kept_once(agent: Agent) -> None:
    agent.asks("Always run the linter before you commit.")
    agent.asks("always run the linter before you commit")

    assert len(memories(agent)) == 1


def test_a_later_instruction_on_the_same_topic_takes_the_place_of_the_earlier(agent: Agent) -> None:
    agent.asks("今後PRは日本語にして")
    agent.starts("s2")
    agent.asks("これからはPRを英語にして")

    brief = agent.starts("s3")

    assert "PRを英語にして" in brief
    assert "PRは日本語にして" not in brief


def test_how_to_answer_holds_in_every_project_and_a_projects_rule_in_that_project(
    agent: Agent,
) -> None:
    agent.asks("From now on, answer in Japanese.")
    agent.asks("From now on, commit messages are written in English, never push to main")
    agent.asks("今後は日本語で答えて")

    answer, commit, again = memories(agent)

    assert (answer["scope"], again["scope"]) == ("global", "global")
    assert commit["scope"].startswith("project:")
    brief = agent.starts("s2")
    assert "今後は日本語で答えて" in brief
    assert "From now on, answer in Japanese" not in brief


def test_what_may_have_been_meant_for_once_is_left_to_the_agent(agent: Agent) -> None:
    agent.asks("use httpx")

    assert memories(agent) == []


def test_a_decision_is_kept_as_a_decision_with_its_reason(agent: Agent) -> None:
    said = "We decided to store all prices as integer yen because floats lost us a yen twice."
    agent.asks(said)

    kept = [(r["kind"], r["body"]["content_md"]) for r in memories(agent)]
    assert kept == [("decision", said.rstrip("."))]


@pytest.mark.req("WF-10")
def test_more_than_seven_instructions_at_one_prompt_wait(agent: Agent) -> None:
    told = "\n".join(f"- always run checker{chr(97 + n)} before you commit" for n in range(9))

    agent.asks(f"Rules:\n{told}")

    assert len(memories(agent)) == 9
    assert {r.waits for r in waiting(agent)} == {"run_limit"}
    assert len(waiting(agent)) == 2


def test_a_private_part_of_a_prompt_teaches_nothing(agent: Agent) -> None:
    agent.asks("<private>always use the blue door</private> Make the tests pass.")

    assert memories(agent) == []


def test_a_secret_in_an_instruction_is_not_kept(agent: Agent) -> None:
    secret = "ghp_" + "x7Kq" * 9

    agent.asks(f"remember: the token is {secret}")

    assert secret.encode() not in agent.place.log.read_bytes()
    assert all(secret not in json.dumps(r) for r in memories(agent))


@pytest.mark.parametrize(
    "rule",
    [
        "テストの前に必ず make lint を実行してください",
        "Always run make lint before you run the tests.",
    ],
)
def test_a_rule_that_the_user_types_waits_in_neither_language(agent: Agent, rule: str) -> None:
    agent.starts("s1")
    agent.asks(rule)

    assert waiting(agent) == []
    assert "make lint" in agent.starts("s2")
