"""Gemini CLI, Codex, Claude Code and a Python program on one memory: each is told what the others keep, by name."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from hooklore import Memory
from tests.claude import api as claude_api
from tests.claude.session import Claude, hook_text
from tests.codex import api as codex_api
from tests.codex.session import Codex
from tests.gemini import api as gemini_api
from tests.gemini.session import Gemini
from tests.support.codex_machine import codex_at
from tests.support.installed import Machine, client_at, install

pytestmark = [pytest.mark.client, pytest.mark.timeout(300)]

TITLES: Final = {
    "gemini": "scheduler runs in UTC",
    "codex": "importer reads Shift_JIS",
    "chatgpt": "money is integer yen",
}
TEXTS: Final = {
    "gemini": "Decision: the scheduler runs in UTC and prints local times.",
    "codex": "Decision: the importer reads Shift_JIS files line by line.",
    "chatgpt": "Decision: amounts are integer yen, the gateway refuses fractions.",
}
HELLO: Final = "Good morning, how are you today?"


@dataclass(frozen=True)
class Three:
    """One user's machine with three clients, hooklore registered with each, its server too."""

    machine: Machine
    gemini: Gemini
    codex: Codex

    def keep(self) -> None:
        """Each of three agents keeps one decision that no prompt of its user's says."""
        self.gemini.run(
            HELLO,
            (gemini_api.use("mcp_hooklore_remember", **given("gemini")), gemini_api.say("ok")),
        )
        self.codex.run(
            HELLO,
            [codex_api.call("remember", "mcp__hooklore", **given("codex")), codex_api.say("ok")],
        )
        with self.chatgpt() as memory:
            memory.ask("remember", **given("chatgpt"))

    def chatgpt(self) -> Memory:
        """The Python client of a program that names itself."""
        place = self.machine.place.directory
        return Memory("chatgpt", folder=self.codex.project, store=place, in_process=True)

    def starts(self) -> dict[str, str]:
        """What the next start of each client is told."""
        gemini = self.gemini.run(HELLO, (gemini_api.say("fine"),))
        codex = self.codex.run(HELLO, [codex_api.say("fine")])
        claude = self.machine.claude.run(HELLO, (claude_api.say("fine"),))
        return {
            "gemini": gemini.turns[0].text(),
            "codex": codex.requests[0].told,
            "claude": hook_text(claude.turns()[0], "SessionStart"),
        }


def given(agent: str) -> dict[str, object]:
    return {"content": TEXTS[agent], "title": TITLES[agent], "kind": "decision"}


@pytest.fixture
def three(claude_binary: Path, codex_program: Path, gemini_program: Path, tmp_path: Path) -> Three:
    claude: Claude = client_at(claude_binary, tmp_path)
    codex = codex_at(codex_program, claude.home, claude.project)
    gemini = Gemini(gemini_program, claude.home, claude.project)
    gemini.furnish()
    machine = install(claude)
    for agent in ("codex", "gemini"):
        machine.run("hooks", "install", "--agent", agent)
    return Three(machine, gemini, codex)


def test_three_agents_read_each_others_words_named_and_one_step_takes_one_agents_back(
    three: Three,
) -> None:
    three.keep()

    told = three.starts()
    for client, text in told.items():
        for agent, title in TITLES.items():
            assert f"{title} ({agent})" in text, (client, agent)
            assert title not in text.partition("Known, by topic")[0], "it is no rule"

    recalled = three.gemini.run(
        HELLO,
        (gemini_api.use("mcp_hooklore_recall", query="how is money stored, and which encoding has the importer"),
         gemini_api.say("ok")),
    ).turns[1].text(fresh=True)  # fmt: skip
    assert TEXTS["chatgpt"] in recalled
    assert "said by chatgpt (self-named) · trust low" in recalled
    with three.chatgpt() as memory:
        found = memory.recall("in which zone does the scheduler run").text
        assert TEXTS["gemini"] in found
        assert "said by gemini · trust low" in found
        assert TEXTS["codex"] in memory.recall("which encoding does the importer read").text
    opened = three.machine.claude.run(
        HELLO, (claude_api.bash(f'hooklore get "{TITLES["codex"]}"'), claude_api.say("ok"))
    )
    assert TEXTS["codex"] in str(opened.turns()[1].messages[-1])

    three.machine.run("hooklore", "forget", "--agent", "gemini", "--yes")
    for client, text in three.starts().items():
        assert TITLES["gemini"] not in text, client
        assert f"{TITLES['codex']} (codex)" in text, client

    three.machine.run("hooklore", "restore", "--agent", "gemini", "--yes")
    for client, text in three.starts().items():
        assert f"{TITLES['gemini']} (gemini)" in text, client
