"""What a prompt is told: of earlier conversation and of memories, by words and by exact names."""

import json
import math
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hooklore.config import RecallSettings, Settings, StoreLocation
from hooklore.hooks.delivery import Delivery
from hooklore.records.draft import PERSON
from hooklore.retrieval.access_report import list_shown
from tests.support.agent import Agent, repository

SAID = "The payment gateway Kestrel rejects amounts in float, we send integer cents there"
BUCKET = (
    "Zephyr newsletter screenshots live in the marketing bucket of our team, the one that "
    "Noor looks after"
)
ASK_SAID = "Why does the Kestrel payment gateway reject our float amounts?"
ASK_BUCKET = "In which bucket do screenshots for the Zephyr newsletter live?"
KEY = "config:db_engine"
ERROR = "KeyError: 'colour' in widgets.ini"

PROMPT_TOKENS = 600
"""Tokens that a prompt may be told."""


@pytest.fixture
def agent(store: StoreLocation, tmp_path: Path, home: Path) -> Iterator[Agent]:
    found = Agent(store, repository(tmp_path / "widgets"), home)
    found.starts("s-0")
    yield found
    found.broker.close()


def tokens(text: str) -> int:
    """The tokens of a text, as they are estimated everywhere."""
    ascii_ = sum(char.isascii() for char in text)
    return math.ceil(ascii_ / 4) + len(text) - ascii_


@pytest.mark.req("HK-09")
def test_one_prompt_is_told_of_an_earlier_conversation_and_of_a_global_memory(
    agent: Agent, tmp_path: Path
) -> None:
    agent.asks(SAID)
    agent.remembers(BUCKET, "fact", scope="global")
    other = Agent(agent.place, repository(tmp_path / "gadgets"), agent.home)

    agent.session, other.session = "s-1", "s-2"
    here, there = agent.asks(f"{ASK_SAID} {ASK_BUCKET}"), other.asks(f"{ASK_SAID} {ASK_BUCKET}")
    other.broker.close()

    assert ("integer cents" in here, "marketing bucket" in here) == (True, True)
    assert ("integer cents" in there, "marketing bucket" in there) == (False, True)
    assert "said by the user" in here


@pytest.mark.req("HK-09")
def test_what_a_prompt_is_told_stays_within_its_budget(agent: Agent) -> None:
    """A Japanese character is a token, so these two notes are more than a prompt may be told."""
    press, mill = (
        "部品を押して、回して、もう一度押します。",
        "粉を挽いて、量って、袋に詰めてから運びます。",
    )
    agent.remembers(f"決済ゲートウェイは小数の金額を拒否する。{press * 16}", "fact")
    agent.remembers(f"会報の画面写真は広報の共有バケツに置く。{mill * 15}", "fact", scope="global")

    told = agent.asks(
        "決済ゲートウェイが小数の金額を拒否するのはなぜ? 会報の画面写真は広報の共有バケツのどこに置く?"
    )

    assert "金額を拒否する" in told or "共有バケツ" in told
    assert tokens(told) <= PROMPT_TOKENS


LONG = "部品を押して、回して、もう一度押します。"
"""A Japanese sentence. Its characters are a token each, so that thirty of them exceed a prompt's budget."""


def test_a_japanese_memory_longer_than_the_budget_is_cut_at_the_end_of_a_sentence(
    agent: Agent,
) -> None:
    agent.remembers(f"決済ゲートウェイは小数の金額を拒否する。{LONG * 30}", "fact")

    told = agent.asks("決済ゲートウェイが小数の金額を拒否するのはなぜ?")

    (note,) = [line for line in told.splitlines() if line.startswith("- ")]
    assert note.startswith(f"- 決済ゲートウェイは小数の金額を拒否する。{LONG * 15}")
    assert re.search(r"もう一度押します。… \[[0-9a-z]{8} ", note)
    assert tokens(told) <= PROMPT_TOKENS


def test_a_long_japanese_rule_is_cut_before_a_command_too(agent: Agent) -> None:
    agent.remembers(f"alembic upgrade は本番の決済データベースでは実行しない。{LONG * 30}")
    agent.session = "s-1"

    told = agent.about_to("alembic upgrade head")

    assert "alembic upgrade は本番の決済データベースでは実行しない。" in told
    assert "もう一度押します。… [" in told


def test_a_note_that_was_cut_is_the_same_when_it_is_repeated_and_shown_again(agent: Agent) -> None:
    """One delivery is asked for twice by two processes, and `hooks shown` prints it once more."""
    agent.remembers(f"決済ゲートウェイは小数の金額を拒否する。{LONG * 30}", "fact")
    payload = {
        "session_id": "s-1", "cwd": str(agent.project), "hook_event_name": "UserPromptSubmit",
        "prompt": "決済ゲートウェイが小数の金額を拒否するのはなぜ?",
    }  # fmt: skip
    delivery = Delivery("claude", "UserPromptSubmit", "d-once", json.dumps(payload).encode())

    first = agent.runner.run(delivery).stdout
    other = Agent(agent.place, agent.project, agent.home)
    second = other.runner.run(delivery).stdout
    (shown,) = list_shown(other.broker.as_reader(PERSON), "s-1")
    other.broker.close()

    assert b"hooklore-notes" in first
    assert second == first
    assert shown.text in json.loads(first)["hookSpecificOutput"]["additionalContext"]


@pytest.mark.req("HK-09")
def test_a_session_is_not_told_again_what_it_said_itself(agent: Agent) -> None:
    agent.asks(SAID)

    assert agent.asks(ASK_SAID) == ""


# ---- exact names beside words


def whole(place: StoreLocation) -> None:
    """Leave the index as it is."""


def without_words(place: StoreLocation) -> None:
    """Take the index of words away."""
    for folder in (place.directory / "index").glob("g*/text"):
        shutil.rmtree(folder)


def with_broken_words(place: StoreLocation) -> None:
    """Empty every file of the index of words."""
    for path in (place.directory / "index").glob("g*/text/*"):
        path.write_bytes(b"")


def without_an_index(place: StoreLocation) -> None:
    """Take the whole index away."""
    shutil.rmtree(place.directory / "index")


@pytest.mark.req("RF-05")
@pytest.mark.parametrize("damage", [whole, without_words, with_broken_words, without_an_index])
def test_what_is_named_exactly_is_told_whatever_becomes_of_words_and_vectors(
    agent: Agent, damage: Callable[[StoreLocation], None]
) -> None:
    """A key, an id and an error's line; the texts share no word with what asks for them."""
    agent.fails("make test", ERROR)
    agent.edits("widgets.ini", "hue = red")
    agent.passes("make test")
    agent.remembers("We use sqlite", "config", dedupe_key=KEY)
    boiler = agent.remembers("The boiler is inspected in May", "fact").id
    agent.broker.index()
    agent.broker.close()
    damage(agent.place)
    settings = Settings(recall=RecallSettings(semantic="mem0"))
    later = Agent(agent.place, agent.project, agent.home, settings, "s-1")

    by_key = later.asks(f"Look at [[{KEY}]], please")
    by_id = later.asks(f"And at {boiler}?")
    by_line = later.fails("make test", ERROR)
    later.broker.close()

    assert "We use sqlite" in by_key
    assert "inspected in May" in by_id
    assert "hue = red" in by_line


@pytest.mark.req("RF-05")
def test_words_find_what_no_name_leads_to(agent: Agent) -> None:
    agent.remembers(f"{SAID}.", "fact")
    agent.remembers("We use sqlite", "config", dedupe_key=KEY)
    agent.broker.index()

    assert "integer cents" in agent.asks(ASK_SAID)
    assert "We use sqlite" in agent.asks(f"Look at [[{KEY}]], please")
