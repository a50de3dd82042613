"""What the real Claude Code writes into its own memory files is in the next start of the real Codex CLI."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from hooklore.agents.claude_code.memory_folder import find_memory_folders
from tests.claude import api as claude_api
from tests.claude.session import Claude, Session, hook_text
from tests.codex import api as codex_api
from tests.codex.session import Codex
from tests.conftest import wait_until
from tests.gemini import api as gemini_api
from tests.gemini.session import Gemini
from tests.support.codex_machine import codex_at
from tests.support.installed import Machine, client_at, install

pytestmark = [pytest.mark.client, pytest.mark.timeout(300)]

HELLO: Final = "Good morning, how are you today?"
TITLE: Final = "Torque limits of the press"
MEMORY: Final = """\
---
name: press-torque
description: Torque limits of the press
metadata:
  type: project
---

Every bolt of the press takes {limit} Nm.

**Why:** the frame cracked in March.
**How to apply:** set it in bolts.toml before a run.
"""
INDEX: Final = "- [Torque limits](press-torque.md) — what the bolts take\n"


@dataclass(frozen=True)
class Two:
    """One user's machine with Claude Code and Codex, hooklore registered with both."""

    machine: Machine
    codex: Codex

    @property
    def claude(self) -> Claude:
        return self.machine.claude

    @property
    def folder(self) -> Path:
        """The folder of the project's memory files, as the client names it."""
        transcript = self.claude.home / ".claude" / "projects" / "any" / "s.jsonl"
        return Path(find_memory_folders(str(transcript), (str(self.claude.project),))[0])

    def writes(self, limit: int) -> Session:
        """A session of Claude Code in which its model writes the file, and the index of its files."""
        file, index = self.folder / "press-torque.md", self.folder / "MEMORY.md"
        return self.claude.run(
            HELLO,
            (
                *(claude_api.use("Read", file_path=str(each)) for each in (file, index) if each.exists()),
                claude_api.use("Write", file_path=str(file), content=MEMORY.format(limit=limit)),
                claude_api.use("Write", file_path=str(index), content=INDEX),
                claude_api.say("noted"),
            ),
        )  # fmt: skip

    def starts(self) -> str:
        """What the next start of Codex is told."""
        return self.codex.run(HELLO, [codex_api.say("fine")]).requests[0].told

    def ends(self, count: int) -> None:
        """Wait until so many sessions have ended in the log."""
        self.machine.wait_for("session_end", count)

    def kept(self, limit: int) -> Callable[[], bool]:
        """Whether the log has a memory with this limit."""
        return lambda: any(
            r["stream"] == "memory" and f"{limit} Nm" in str(r["body"])
            for r in self.machine.records()
        )


@pytest.fixture
def two(claude_binary: Path, codex_program: Path, tmp_path: Path) -> Two:
    claude = client_at(claude_binary, tmp_path)
    codex = codex_at(codex_program, claude.home, claude.project)
    machine = install(claude)
    machine.run("hooks", "install", "--agent", "codex", "--no-server")
    return Two(machine, codex)


def test_a_memory_file_of_one_client_is_in_the_next_start_of_another_until_it_is_taken_back(
    two: Two,
) -> None:
    session = two.writes(47)
    assert two.folder.joinpath("press-torque.md").exists(), "the client has its files elsewhere"
    assert str(two.folder) in str(session.turns()[0].body["system"])
    wait_until(two.kept(47), "the memory of the file")

    assert f"{TITLE} (claude)" in two.starts()
    again = two.claude.run(HELLO, (claude_api.say("fine"),)).turns()[0]
    assert "what the bolts take" in str(again.messages), "the client loads the index itself"
    assert TITLE not in hook_text(again, "SessionStart")
    opened = two.claude.run(
        HELLO, (claude_api.bash(f'hooklore get "{TITLE}"'), claude_api.say("ok"))
    )
    assert "47 Nm" in str(opened.turns()[1].messages[-1])

    two.machine.run("hooklore", "forget", "--agent", "claude", "--yes")
    two.claude.run(HELLO, (claude_api.say("fine"),))
    assert TITLE not in two.starts()

    two.writes(52)
    wait_until(two.kept(52), "the memory of the changed file")
    assert f"{TITLE} (claude)" in two.starts()
    (standing,) = (
        r for r in two.machine.records() if r["stream"] == "memory" and "52 Nm" in str(r["body"])
    )
    assert standing.get("waits") is None
    assert sum(r["stream"] == "memory" for r in two.machine.records()) == 2


def test_files_from_before_the_install_are_read_at_the_first_headless_start(
    claude_binary: Path, codex_program: Path, tmp_path: Path
) -> None:
    claude = client_at(claude_binary, tmp_path)
    codex = codex_at(codex_program, claude.home, claude.project)
    two = Two(Machine(claude), codex)
    two.writes(47)
    install(claude)
    two.machine.run("hooks", "install", "--agent", "codex", "--no-server")

    claude.run(HELLO, (claude_api.say("fine"),))
    wait_until(two.kept(47), "the memory of the file")

    assert f"{TITLE} (claude)" in two.starts()
    doctor = two.machine.outcome("hooks", "doctor").stdout
    assert "1 memory of its own files, told to other agents" in doctor


def test_a_private_note_of_gemini_is_read_from_the_folder_that_its_client_names(
    claude_binary: Path, gemini_program: Path, tmp_path: Path
) -> None:
    claude = client_at(claude_binary, tmp_path)
    gemini = Gemini(gemini_program, claude.home, claude.project)
    gemini.furnish()
    machine = install(claude)
    machine.run("hooks", "install", "--agent", "gemini", "--no-server")
    first = gemini.run(HELLO, (gemini_api.say("fine"),))
    folder = next(claude.home.glob(".gemini/tmp/*/chats")).with_name("memory")
    assert str(folder) in str(first.turns[0].body)
    folder.mkdir(exist_ok=True)
    folder.joinpath("MEMORY.md").write_text(
        "- The staging host is kestrel.\n- The lathe is in room four.\n"
    )

    gemini.run(HELLO, (gemini_api.say("fine"),))
    wait_until(
        lambda: any(
            "kestrel" in str(r["body"]) for r in machine.records() if r["stream"] == "memory"
        ),
        "the memory of the note",
    )

    told = hook_text(claude.run(HELLO, (claude_api.say("fine"),)).turns()[0], "SessionStart")
    assert "The staging host is kestrel (gemini)" in told
    assert "The lathe is in room four (gemini)" in told
