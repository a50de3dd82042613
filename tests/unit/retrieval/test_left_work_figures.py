"""Sessions and questions that strangers wrote: what is told left, and what is taken for a question about it."""

import json
from pathlib import Path
from typing import Any

import pytest

from hooklore.config import StoreLocation
from hooklore.retrieval.resume_question import find_resume_question
from tests.support.agent import Agent, repository
from tests.support.left_session import Verdict, judge, play

FIXTURES = Path(__file__).parents[2] / "fixtures" / "left_work"
LEAST = 0.9
_SESSIONS = sorted(FIXTURES.glob("*sessions.jsonl"))
_QUESTIONS = sorted(FIXTURES.glob("*questions.jsonl"))


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.mark.parametrize("path", _SESSIONS, ids=lambda path: path.stem)
def test_what_sessions_left_is_told_under_its_status_and_nothing_done_is_told_as_open(
    store: StoreLocation, tmp_path: Path, home: Path, path: Path
) -> None:
    total = Verdict()
    for number, session in enumerate(lines(path)):
        agent = Agent(store, repository(tmp_path / f"project-{number}"), home)
        total += judge(session, play(agent, session))
        agent.broker.close()

    assert total.rightly >= LEAST * total.left, total
    assert total.wrongly == 0, total


@pytest.mark.parametrize("path", _QUESTIONS, ids=lambda path: path.stem)
def test_questions_about_where_work_was_left_are_known_and_look_alikes_are_not(path: Path) -> None:
    prompts = lines(path)
    taken = {each["text"] for each in prompts if find_resume_question(each["text"])}
    asking = {each["text"] for each in prompts if each["asks"]}

    assert len(taken & asking) >= LEAST * len(asking), sorted(asking - taken)
    assert len(taken - asking) <= 0.02 * len(prompts), sorted(taken - asking)
