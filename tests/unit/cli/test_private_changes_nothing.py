"""With private memories in the store, everybody else finds what they would find without them, in the same order."""

import re
from pathlib import Path

import pytest

from hooklore.config import StoreLocation, store_location_at
from tests.support.agent import Agent
from tests.unit.cli.conftest import Run

OPEN = (
    ("The payment gateway Kestrel rejects amounts in float; send integer cents", "fact"),
    ("The Kestrel gateway retries a failed payment three times, a day apart", "fact"),
    ("Refunds go through the Osprey gateway, which takes float amounts", "fact"),
    ("Run alembic only against a copy of the payment database, never the live one", "constraint"),
    ("Screenshots for the Zephyr newsletter go to the marketing bucket", "fact"),
    ("決済ゲートウェイは小数の金額を拒否するので整数のセントで送る", "fact"),
    ("支払いの再試行は一日おきに三回まで", "workflow"),
)
QUESTIONS = (
    "Why does the Kestrel payment gateway reject our float amounts?",
    "How often does the gateway retry a failed payment?",
    "Where do screenshots for the newsletter go?",
    "決済ゲートウェイが金額を拒否するのはなぜ?",
    "支払いの再試行は何回まで?",
    "payment gateway float cents",
)
ERROR = "GatewayError: kestrel refused the payment of 3.50"


@pytest.fixture
def place(home: Path, monkeypatch: pytest.MonkeyPatch) -> StoreLocation:
    """The store that commands read."""
    found = store_location_at(home / "store")
    monkeypatch.setenv("HOOKLORE_HOME", found.root)
    return found


def hide(hooklore: Run) -> int:
    """Keep private memories that share every word with the open ones; how many."""
    count = 0
    for word in ("kestrel", "gateway", "payment", "alembic", "zephyr", "決済", "再試行"):
        for number in range(6):
            text = f"{word} {number}: between us, {OPEN[number][0]}"
            assert hooklore("remember", text, "--private", "--kind", "constraint").rc == 0
            count += 1
    return count


def told(place: StoreLocation, project: Path, home: Path, session: str) -> list[object]:
    """What a session is told at each trigger, without ids and times."""
    agent = Agent(place, project, home)
    texts = [agent.starts(f"{session}-0")]
    for number, question in enumerate(QUESTIONS, 1):
        agent.session = f"{session}-{number}"
        texts.append(agent.asks(question))
    agent.session = f"{session}-command"
    texts += [agent.about_to("alembic upgrade head"), agent.fails("make pay", ERROR)]
    agent.broker.close()
    return [re.sub(r"\[[0-9a-f-]{36}|\(snapshot [^)]*\)", "", text) for text in texts]


def found(hooklore: Run) -> list[object]:
    """The texts that an agent finds by each way of asking, best first."""
    ways: list[tuple[str, ...]] = [
        ("recall", question, "--agent", "codex") for question in QUESTIONS
    ]
    ways += [("memory", "search", word, "--agent", "codex") for word in ("payment", "決済")]
    ways += [("memory", "list", "--agent", "codex"), ("tags", "--agent", "codex")]
    return [[_text(line) for line in hooklore(*words).lines] for words in ways]


def _text(row: str) -> str:
    return row[36:]
