"""An approval or a rejection is about the answer before it."""

from pathlib import Path

import pytest

from hooklore.broker.answered import signal_on
from hooklore.config import Place
from tests.agent import Agent, repository


@pytest.fixture
def agent(store: Place, tmp_path: Path, home: Path) -> Agent:
    return Agent(store, repository(tmp_path / "api"), home)


@pytest.mark.parametrize(
    ("prompts", "signal"),
    [
        (("perfect, thanks",), "approval"),
        (("no, use the real press instead of a mock",), "correction"),
        (("いや、戻して",), "rejection"),
        (("And the catalog?",), None),
        ((), None),
        (("perfect, thanks", "no, stop"), "approval"),
        (("And the catalog?", "perfect, thanks"), None),
    ],
)
def test_the_first_prompt_after_an_answer_is_about_it(
    agent: Agent, prompts: tuple[str, ...], signal: str | None
) -> None:
    agent.starts("s1")
    agent.asks("Make it pass.")
    agent.hook("Stop", last_assistant_message="I mocked the press.")
    for prompt in prompts:
        agent.asks(prompt)

    agent.broker.refresh()

    assert signal_on(agent.broker.view, agent.records("answer")[0]) == signal
