"""A memory that is kept for some files comes up for those, and for no others (row SK-11)."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hooklore.config import StoreLocation
from hooklore.memories.pins import pin
from hooklore.records.draft import PERSON
from tests.support.agent import Agent, repository

pytestmark = pytest.mark.req("SK-11")

RULE = (
    "Frames of the protocol are little-endian: the header fields stay as the old meters read them"
)


@pytest.fixture
def agent(store: StoreLocation, tmp_path: Path, home: Path) -> Iterator[Agent]:
    found = Agent(store, repository(tmp_path / "widgets"), home)
    found.starts("s0")
    yield found
    found.broker.close()


def about_to_edit(agent: Agent, path: str, session: str = "s0") -> str:
    agent.session = session
    given = {"file_path": str(agent.project / path), "old_string": "a", "new_string": "b"}
    return agent.told("PreToolUse", tool_name="Edit", tool_input=given, tool_use_id=f"t-{path}")


def test_it_comes_up_before_an_edit_of_such_a_file(agent: Agent) -> None:
    agent.remembers(RULE, paths=["crates/protocol/**"])

    assert RULE in about_to_edit(agent, "crates/protocol/src/frame.rs")


def test_it_stays_away_from_another_file_even_if_its_words_are_the_same(agent: Agent) -> None:
    agent.remembers(RULE, paths=["crates/protocol/**"])

    assert about_to_edit(agent, "docs/protocol/frames-header-fields-endian.md") == ""
    assert agent.about_to("reorder-header-fields --little-endian protocol frames") == ""


def test_without_files_the_same_words_bring_it_up(agent: Agent) -> None:
    agent.remembers(RULE)

    assert RULE in about_to_edit(agent, "docs/protocol/frames-header-fields-endian.md")


def test_a_prompt_brings_it_up_only_when_it_names_such_a_file(agent: Agent) -> None:
    agent.remembers(RULE, paths=["crates/protocol/**"])
    asked = "Are the header fields of the protocol frames little-endian, or did the old meters change? See"

    assert agent.asks(f"{asked} docs/frame.rs") == ""
    assert RULE in agent.asks(f"{asked} crates/protocol/src/frame.rs")


def test_a_brief_leaves_it_out(agent: Agent) -> None:
    agent.remembers(RULE, paths=["crates/protocol/**"])
    agent.remembers("Never push on Fridays")

    brief = agent.starts("s1")

    assert "Never push on Fridays" in brief
    assert "little-endian" not in brief


def test_a_key_alone_does_not_pin_it_but_a_person_can(agent: Agent) -> None:
    id_ = agent.remembers(RULE, paths=["crates/protocol/**"], dedupe_key="constraint:frames").id
    assert "little-endian" not in agent.starts("s1")

    agent.broker.refresh()
    pin(agent.broker, str(id_), PERSON)

    assert "little-endian" in agent.starts("s2")
