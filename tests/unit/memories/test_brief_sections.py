"""Render a session's brief with pins, checks, and a snapshot that can be listed again."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from hooklore.config import StoreLocation
from hooklore.memories.decisions import approval_queue
from hooklore.memories.pins import pin
from hooklore.memories.write_gate import remember
from hooklore.records.draft import PERSON, Principal
from hooklore.records.ids import short_id
from hooklore.retrieval.query import RecallQuery
from hooklore.retrieval.snapshot import replay_snapshot
from hooklore.retrieval.topic_index import AGENTS_NOTE, INDEX_HEADING
from hooklore.text.token_estimate import estimate_tokens
from tests.support.agent import Agent, repository
from tests.support.writers import draft

KEY = "config:db_engine"


@pytest.fixture
def agent(store: StoreLocation, tmp_path: Path, home: Path) -> Iterator[Agent]:
    found = Agent(store, repository(tmp_path / "widgets"), home)
    yield found
    found.broker.close()


def says(agent: Agent, text: str, name: str, key: str = KEY, **more: object) -> str:
    event = {
        "agent_id": name, "scope": "global", "kind": "config", "confidence": "high", "dedupe_key": key,
        "content_md": text, "source": {"system": "cli"}, **more,
    }  # fmt: skip
    who = Principal(person=name == "person", agent_id=name)
    return str(remember(agent.broker, event, who).id)


def snapshot_of(agent: Agent) -> str:
    """The id of the snapshot of the newest start."""
    return str(agent.records("access")[-1]["body"]["snapshot_id"])


def test_a_brief_reads_pins_before_everything_else(agent: Agent) -> None:
    agent.remembers("Never touch the legacy folder", scope="global")
    says(agent, "We use sqlite for tests", "person", basis="user")

    brief = agent.starts("s1")

    assert brief.index("We use sqlite") < brief.index("Never touch the legacy folder")


def test_only_what_a_person_pinned_stands_under_pinned(agent: Agent) -> None:
    agent.remembers("Never touch the legacy folder", scope="global")
    by_key = says(agent, "We use sqlite for tests", "person", basis="user")
    before = agent.starts("s1")

    pin(agent.broker, by_key)
    after = agent.starts("s2")

    assert "Pinned" not in before
    assert before.count("Rules (") == 1
    assert after.index("Pinned (") < after.index("We use sqlite") < after.index("Rules (")


@pytest.mark.req("HK-18", "AU-04")
def test_the_snapshot_of_a_start_lists_exactly_what_its_brief_told(agent: Agent) -> None:
    agent.remembers("Never touch the legacy folder", scope="global")
    agent.remembers("The press is in room 4", kind="fact", scope="global")
    agent.remembers("The mill is loud", kind="fact", scope="global", basis="agent")
    says(agent, "We use sqlite for tests", "person", basis="user")
    brief, snapshot = agent.starts("s1"), snapshot_of(agent)

    says(agent, "We use make for builds", "person", key="config:build", basis="user")
    found = replay_snapshot(agent.broker, snapshot, PERSON)

    told = re.findall(r"\[([0-9a-z]{8})(?:\]| ·)", brief)
    assert [short_id(id_) for id_ in found.ids] == told
    index = (
        f"{INDEX_HEADING} {AGENTS_NOTE}\nfact: The mill is loud (claude); The press is in room 4"
    )
    assert index in brief
    assert snapshot not in brief
    assert found.text == brief.replace(index, "(and an index of 2 titles)")


@pytest.mark.req("RF-04", "CO-08")
def test_a_contradiction_is_said_with_the_command_that_mends_it(agent: Agent) -> None:
    says(agent, "We use sqlite", "claude")
    says(agent, "We use postgres", "codex")

    brief = agent.starts("s1")

    assert "contradict each other" in brief
    assert re.search(r"hooklore resolve [0-9a-z]{8} --keep newer\|older\|both", brief)


def test_what_is_out_of_date_is_said_with_the_command_that_mends_it(agent: Agent) -> None:
    agent.broker.append(
        [
            draft(
                "d1", stream="memory", kind="config", scope="global", dedupe_key=KEY,
                body={"content_md": "We use sqlite"}, expires_at="2026-01-01T00:00:00.000Z",
            )
        ]
    )  # fmt: skip

    brief = agent.starts("s1")

    assert "Out of date since 2026-01-01" in brief
    assert "hooklore remember --key config:db_engine" in brief


@pytest.mark.req("WF-09")
def test_a_guess_is_in_no_brief_until_it_is_approved(agent: Agent) -> None:
    waiting = says(agent, "We use sqlite", "claude", basis="inferred", confidence="low")
    before = agent.starts("s1")

    approval_queue.approve(agent.broker, waiting)

    assert "sqlite" not in before
    after = agent.starts("s2")
    assert "We use sqlite" in after
    assert "confirmed by the user" in after


@pytest.mark.req("CO-07")
def test_what_was_replaced_is_in_no_brief(agent: Agent) -> None:
    says(agent, "We use sqlite", "person", basis="user")
    says(agent, "We use postgres", "person", basis="user")

    brief = agent.starts("s1")

    assert "postgres" in brief
    assert "sqlite" not in brief


def test_many_pins_leave_room_for_what_is_to_be_checked(agent: Agent) -> None:
    for n in range(60):
        says(agent, f"Setting number {n} of the press stays on {n * 3}", "person",
             key=f"config:setting_{n}", basis="user")  # fmt: skip
    says(agent, "We use sqlite", "claude")
    says(agent, "We use postgres", "codex")

    brief, recall = agent.starts("s1"), agent.settings.recall

    assert estimate_tokens(brief) <= recall.brief_tokens + recall.index_tokens
    assert brief.count("Setting number") > 5
    assert "contradict each other" in brief


def test_the_same_delivery_names_the_same_snapshot(agent: Agent) -> None:
    says(agent, "We use sqlite", "person", basis="user")
    agent.starts("s1")
    (access,) = agent.records("access")
    restarted = Agent(agent.place, agent.project, agent.home)
    restarted.broker.refresh()

    answer = restarted.runner._recall.answer(
        RecallQuery("session_start", "s1"), Principal(), access["body"]["delivery"]
    )

    assert answer.snapshot_id == access["body"]["snapshot_id"]
