"""`[[key]]` and ids lead to exactly one record, without words and vectors."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hooklore.config import StoreLocation
from hooklore.retrieval.links import find_links, find_references, parse_sole_link
from tests.support.agent import Agent, repository

pytestmark = pytest.mark.req("RF-18")

KEY = "config:db_engine"
RULE = "Deploy keys rotate on the first Tuesday, by the quartermaster script"
ASKED = "How do the deploy keys rotate with the quartermaster script?"


@pytest.fixture
def agent(store: StoreLocation, tmp_path: Path, home: Path) -> Iterator[Agent]:
    found = Agent(store, repository(tmp_path / "widgets"), home)
    found.starts("s0")
    yield found
    found.broker.close()


def test_a_prompt_that_links_a_key_recalls_exactly_that_memory(agent: Agent) -> None:
    agent.remembers("We use sqlite", "config", dedupe_key=KEY)
    agent.remembers(RULE, "fact")

    told = agent.asks(f"{ASKED} [[{KEY}]]")

    assert "We use sqlite" in told
    assert "first Tuesday" not in told
    assert "first Tuesday" in agent.asks(ASKED)


def test_a_link_needs_no_kind_where_only_one_key_has_that_name(agent: Agent) -> None:
    agent.remembers("We use sqlite", "config", dedupe_key=KEY)

    assert "We use sqlite" in agent.asks("See [[db_engine|the engine]].")

    agent.remembers("The engine is fast", "fact", dedupe_key="fact:db_engine")
    agent.starts("s1", "clear")
    assert agent.asks("See [[db_engine]].") == ""


def test_an_id_in_a_prompt_recalls_that_record(agent: Agent) -> None:
    id_ = agent.remembers("The boiler is inspected in May", "fact").id
    agent.remembers("The boiler is vermilion", "fact")

    told = agent.asks(f"what is {id_}?")

    assert "inspected in May" in told
    assert "vermilion" not in told


def test_a_link_shows_nothing_that_the_reader_may_not_see(agent: Agent) -> None:
    hidden = agent.remembers("Not for agents", "fact", dedupe_key="fact:hidden", is_private=True).id

    assert agent.asks("See [[fact:hidden]].") == ""
    assert agent.asks(f"See {hidden}.") == ""


def test_what_a_link_replaced_is_not_recalled(agent: Agent) -> None:
    old = agent.remembers("We use mysql", "config", dedupe_key=KEY).id
    agent.remembers("We use sqlite", "config", dedupe_key=KEY)

    assert "mysql" not in agent.asks(f"See [[{KEY}]].")
    assert agent.asks(f"See {old}.") == ""


def test_a_link_that_leads_nowhere_leaves_the_prompt_to_its_words(agent: Agent) -> None:
    agent.remembers(RULE, "fact")

    told = agent.asks(f"[[ -f x ]] && make. {ASKED}")

    assert "first Tuesday" in told


def test_the_same_link_is_not_shown_twice_in_a_session(agent: Agent) -> None:
    agent.remembers("We use sqlite", "config", dedupe_key=KEY)

    assert agent.asks(f"[[{KEY}]]")
    assert agent.asks(f"[[{KEY}]]") == ""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[[a]] and [[b|c]], [[a]]", ["a", "b"]),
        ("[[ a#part ]]", ["a"]),
        ("[[a\nb]] [[]] [a] [[a]", []),
        ("[[設定]]", ["設定"]),
        ("[" * 5_000, []),
    ],
)
def test_links_are_read_from_a_text(text: str, found: list[str]) -> None:
    assert find_links(text) == found


def test_an_id_within_a_longer_word_is_none() -> None:
    id_ = "01a1ffba-05b2-7057-a5df-585cccf062f5"

    assert find_references(f"{id_} x{id_} {id_}-1 {id_.upper()}") == [id_]
    assert parse_sole_link(f" [[{id_}]] ") == id_
    assert parse_sole_link(f"[[{id_}]] x") is None
