"""A brief that did not reach its session comes with the next prompt, whatever kept it back."""

import json
import time
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from hooklore.agents.claude_code import MAX_OUTPUT_UNITS
from hooklore.config import RecallSettings, Settings, StoreLocation
from hooklore.hooks import marks
from hooklore.hooks.delivery import Delivery
from hooklore.hooks.pending import Pending
from tests.support.agent import Agent, repository

_numbers = count(1)
RULE = "Never deploy widgets on a Friday."


@pytest.fixture
def agent(store: StoreLocation, home: Path) -> Agent:
    found = Agent(store, repository(home / "widgets"), home)
    found.remembers(RULE)
    return found


def misses(agent: Agent, event: str, **payload: Any) -> Pending:
    """Handle a hook whose answer does not arrive, as the resident does."""
    full = {"session_id": agent.session, "cwd": str(agent.project)} | payload
    delivery = Delivery("claude", event, f"missed-{next(_numbers)}", json.dumps(full).encode())
    (pending,) = agent.runner.record([delivery])
    agent.runner.answer(pending)
    agent.broker.append(agent.runner.settle(pending, has_arrived=False))
    return pending


def test_a_prompts_own_notes_come_before_the_brief_and_all_of_them_fit(
    store: StoreLocation, home: Path
) -> None:
    settings = Settings(recall=RecallSettings(brief_tokens=5_000))
    agent = Agent(store, repository(home / "widgets"), home, settings)
    for n in range(60):
        agent.remembers(f"Rule {n}: the {n}th gear of the 🛠 gearbox stays greased. " + "記" * 150)
    agent.remembers("The database of widgets is PostgreSQL 16 on port 6543.", kind="fact")
    misses(agent, "SessionStart", source="startup")

    answer = agent.hook("UserPromptSubmit", prompt="Which port has the database of widgets?")

    raw = json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
    context = answer["hookSpecificOutput"]["additionalContext"]
    assert len(raw.encode("utf-16-le")) // 2 <= MAX_OUTPUT_UNITS
    assert context.index("PostgreSQL 16") < context.index("Rule ")
    assert context.count("<hooklore-notes>") == context.count("</hooklore-notes>") == 2


def test_a_brief_is_owed_until_a_prompt_that_brings_it_arrives(agent: Agent) -> None:
    misses(agent, "SessionStart", source="startup")
    misses(agent, "UserPromptSubmit", prompt="Is anybody there?")

    assert RULE in agent.asks("And now?")
    assert RULE not in agent.asks("And then?")


def test_a_brief_of_another_session_is_not_brought(agent: Agent) -> None:
    misses(agent, "SessionStart", source="startup")
    agent.session = "another"

    assert RULE not in agent.asks("Is anybody there?")


def test_after_another_resident_a_brief_is_still_owed(agent: Agent, home: Path) -> None:
    misses(agent, "SessionStart", source="startup")
    agent.broker.close()
    other = Agent(agent.place, agent.project, home, session=agent.session)

    assert RULE in other.asks("Is anybody there?")


def test_a_brief_missed_after_a_compaction_holds_what_the_session_had_before_it(
    agent: Agent,
) -> None:
    before = agent.starts("s1")
    misses(agent, "SessionStart", source="compact")

    assert RULE in before
    assert RULE in agent.asks("Go on.")


def test_with_an_empty_brief_nothing_is_owed(store: StoreLocation, home: Path) -> None:
    settings = Settings(recall=RecallSettings(keep_line=False))
    agent = Agent(store, repository(home / "widgets"), home, settings)
    misses(agent, "SessionStart", source="startup")

    assert agent.asks("Is anybody there?") == ""
    agent.remembers(RULE)
    assert RULE not in agent.asks("And now?")


def test_notes_that_did_not_arrive_are_no_use_of_them(agent: Agent) -> None:
    agent.starts("s1")
    agent.remembers("The database of widgets is PostgreSQL 16 on port 6543.", kind="fact")
    missed = misses(agent, "UserPromptSubmit", prompt="Which port has the database of widgets?")

    again = agent.asks("Which port has the database of widgets?")

    assert missed.shown
    assert "PostgreSQL 16" in again
    assert [r["body"]["trigger"] for r in agent.records("access")] == ["session_start", "prompt"]


def test_while_memory_cannot_be_read_a_brief_is_owed_and_the_user_sees_a_line(
    agent: Agent,
) -> None:
    log, away = agent.place.log, agent.place.log.with_suffix(".away")
    agent.broker.close()
    log.rename(away)
    log.mkdir()
    start = Agent(agent.place, agent.project, agent.home).hook("SessionStart", source="startup")
    log.rmdir()
    away.rename(log)

    later = Agent(agent.place, agent.project, agent.home)

    assert "unreadable" in start["hookSpecificOutput"]["additionalContext"]
    assert start["systemMessage"].startswith("hooklore could")
    assert "slow" not in json.dumps(start)
    assert RULE in later.asks("And now?")


def test_old_marks_are_removed_and_young_ones_stay(
    agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    marks.owe_brief(agent.place, "s1")
    marks.remove_old_marks(agent.place)
    is_young_kept = marks.owes_brief(agent.place, "s1")
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 8 * 86_400)

    marks.remove_old_marks(agent.place)

    assert is_young_kept
    assert not marks.owes_brief(agent.place, "s1")
