"""The seed's four agents keep the protocol by the client: read, append, keep no secret, stop (seed 000 §8, §9)."""

import secrets
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hooklore import Memory
from hooklore.config import locate_store, read_environment
from hooklore.errors import HookloreError, RequestRefused
from tests.support.agent import repository
from tests.support.desk import Desk
from tests.support.store_files import holding

FOUR = ("chatgpt", "claude", "gemini", "openclaw")
RULE = "Always oil the press before a run."
FOUND = "The press stops when the torque limit of 47 is passed."

pytestmark = [pytest.mark.req("MA-05"), pytest.mark.parametrize("agent", FOUR)]

Open = Callable[[str], Memory]


@pytest.fixture
def opened(home: Path) -> Iterator[Open]:
    """Open the memory of an agent in a project whose user has said a rule."""
    folder, made = repository(home / "widgets"), []
    people = Desk(locate_store(read_environment()))
    people.says(RULE, "constraint:press_oil", kind="constraint")
    people.broker.close()

    def open_memory(agent: str) -> Memory:
        made.append(Memory(agent, folder=folder, session_id=f"{agent}-1", in_process=True))
        return made[-1]

    yield open_memory
    for each in made:
        each.close()


def event(agent: str, text: str = FOUND, **more: Any) -> dict[str, Any]:
    return {
        "agent_id": agent, "run_id": f"{agent}-1", "scope": "global", "kind": "fact",
        "confidence": "high", "content_md": text, "source": {"system": "other"}, "ttl_days": 0,
    } | more  # fmt: skip


def test_the_agent_reads_the_users_rules_at_the_start_of_its_run(opened: Open, agent: str) -> None:
    taken = opened(agent).snapshot()

    assert [each.text for each in taken.pins] == [RULE]
    assert taken.id
    assert taken.ruleset_stamp


def test_what_its_run_confirmed_is_appended_under_its_name_for_the_others_and_no_guess(
    opened: Open, agent: str
) -> None:
    memory = opened(agent)

    kept = memory.append(event(agent))
    guess = memory.append(event(agent, "The belt tears in May.", confidence="low"))

    assert (kept.status, kept.waits) == ("stored", None)
    assert (guess.status, guess.waits) == ("pending", "unconfirmed")
    for other in FOUR:
        assert [(r.agent_id, r.text) for r in opened(other).snapshot().recent] == [(agent, FOUND)]


def test_no_secret_of_its_run_is_stored(opened: Open, agent: str) -> None:
    token = "ghp_" + secrets.token_hex(18)
    text = f"The robot pushes with {token} at night."
    memory = opened(agent)

    for keep in (memory.remember, lambda said: memory.append(event(agent, said))):
        with pytest.raises(RequestRefused) as refused:
            keep(text)
        assert token not in str(refused.value)

    assert holding(locate_store(read_environment()), token) == []


@pytest.mark.parametrize("verb", ["snapshot", "recall", "append"])
def test_where_memory_cannot_be_read_it_is_told_so_and_gets_no_answer(
    opened: Open, agent: str, verb: str
) -> None:
    place = locate_store(read_environment())
    place.log.unlink()
    place.log.mkdir()
    memory = opened(agent)
    calls: dict[str, Callable[[], object]] = {
        "snapshot": memory.snapshot,
        "recall": lambda: memory.recall("oil the press"),
        "append": lambda: memory.append(event(agent)),
    }

    with pytest.raises(HookloreError) as stopped:
        calls[verb]()

    assert "could not read" in str(stopped.value)
    assert stopped.value.fix
    assert RULE not in str(stopped.value)
