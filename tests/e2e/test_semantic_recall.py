"""Search by meaning, in the real Claude Code (extra `[semantic]`)."""

import sqlite3
from pathlib import Path

import pytest

from hooklore.index import generation
from hooklore.index.vectors import NAME
from hooklore.retrieval.semantic.availability import semantic_unavailable_reason
from tests.claude.api import say
from tests.claude.session import Claude, hook_text
from tests.conftest import wait_until
from tests.support.installed import Machine, install

pytestmark = [
    pytest.mark.client,
    pytest.mark.skipif(
        semantic_unavailable_reason("auto") is not None,
        reason=str(semantic_unavailable_reason("auto")),
    ),
]

MEMORIES = (
    "Deploys to staging run every night at two from the release branch; nobody starts them by hand.",
    "The invoice PDF is rendered by wkhtmltopdf because Chromium broke the page breaks.",
    "Feature flags live in the table toggles and are read once a minute.",
    "Retry a failed card payment at most three times, a day apart.",
    "Database backups are kept for thirty days in the second region.",
)
TITLES = tuple(
    f"The {colour} service listens on port {8000 + n} and belongs to the {colour} team."
    for n, colour in enumerate("red blue green grey black white amber pink gold teal navy".split())
) + tuple(
    f"Queue {name} is drained by one worker that logs to the file {name}.log."
    for name in "mail index report image search export audit sync backup price stock".split()
)
"""Enough to fill a brief's list of titles: what stands there is not told again at the prompt."""

PROMPT = "カード決済の再試行は何回？"
OTHER = "ログイン画面の背景色を少し明るくしてください"


@pytest.fixture
def machine(claude_binary: Path, tmp_path: Path) -> Machine:
    return install(Claude(claude_binary, tmp_path / "home", tmp_path / "shop"))


def vectors(machine: Machine) -> int:
    """How many records of the machine's store have a vector."""
    directory = generation.current_generation(machine.place)
    if directory is None or not (directory / NAME).exists():
        return 0
    with sqlite3.connect(directory / NAME) as db:
        try:
            return int(db.execute("SELECT count(*) FROM vectors").fetchone()[0])
        except sqlite3.OperationalError:
            return 0


def test_a_japanese_prompt_brings_up_a_memory_written_in_english(machine: Machine) -> None:
    for text in MEMORIES + TITLES:  # facts: a start tells rules in full, and a prompt not again
        machine.run("hooklore", "remember", text, "--scope", "global", "--kind", "fact")
    machine.claude.run("hello", (say("done"),))  # its hooks start the resident, which encodes
    wait_until(lambda: vectors(machine) >= len(MEMORIES + TITLES), "a vector of each memory")

    told = ask_until_in_time(machine, PROMPT)
    other = ask_until_in_time(machine, OTHER)

    assert MEMORIES[3] in told
    assert not any(text in told for text in MEMORIES if text != MEMORIES[3])
    assert other == ""
    why = machine.run("hooklore", "why", PROMPT)
    assert MEMORIES[3][:60] in why
    assert "a hook shows 1 of them" in why


def ask_until_in_time(machine: Machine, prompt: str) -> str:
    """What a prompt is told, in one of three sessions: on a busy machine its vector comes too late for the
    first, which does not wait for it, and is known in the next.
    """
    sessions = (machine.claude.run(prompt, (say("done"),)) for _ in range(3))
    answers = (hook_text(session.turns()[0], "UserPromptSubmit") for session in sessions)
    return next((told for told in answers if "<hooklore-notes>" in told), "")
