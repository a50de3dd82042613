"""What is recalled for a file, a link and a day, in the real Claude Code."""

import subprocess
from datetime import datetime
from pathlib import Path

import pytest

from tests.claude.api import say, use
from tests.claude.session import Claude, hook_text
from tests.support.installed import Machine, install

pytestmark = pytest.mark.client

RULE = "Frames are little-endian: the header fields stay as the old meters read them"
OTHER = "Reports of the frames go out on paper, little-endian or not, header fields and all"


@pytest.fixture
def machine(claude_binary: Path, tmp_path: Path) -> Machine:
    project = tmp_path / "meters"
    (project / "crates" / "protocol").mkdir(parents=True)
    (project / "docs").mkdir()
    subprocess.run(["git", "init", "-q", str(project)], check=True)
    found = install(Claude(claude_binary, tmp_path / "home", project))
    kept = ("hooklore", "remember", "--kind", "constraint", "--scope", "project")
    found.run(*kept, RULE, "--path", "crates/protocol/**")
    found.run(*kept, OTHER, "--path", "docs/**")
    return found


@pytest.mark.req("SK-11")
def test_an_edit_of_a_file_brings_up_that_files_constraint_and_nothing_else_in_the_next_request(
    machine: Machine,
) -> None:
    file = str(machine.claude.project / "crates" / "protocol" / "frame.rs")

    session = machine.claude.run(
        "hello", (use("Write", file_path=file, content="// header fields\n"), say("done"))
    )

    first, second = session.turns()[:2]
    assert hook_text(first, "SessionStart") == ""
    told = hook_text(second, "PreToolUse", fresh=True)
    assert told.count(RULE) == 1
    assert told.count("\n- ") == 1
    assert OTHER not in told


@pytest.mark.req("RF-18")
def test_a_link_in_a_prompt_brings_up_that_memory_in_the_same_request(machine: Machine) -> None:
    kept = ("hooklore", "remember", "We use sqlite", "--key", "config:db_engine")
    machine.run(*kept, "--path", "db/**")  # no brief has it

    session = machine.claude.run("Tell me of [[db_engine]]", (say("done"),))

    request = session.turns()[0]
    assert "We use sqlite" in hook_text(request, "UserPromptSubmit")
    assert "We use sqlite" not in hook_text(request, "SessionStart")


@pytest.mark.req("HK-28")
def test_a_session_starts_with_the_notes_of_today(machine: Machine) -> None:
    day = datetime.now().astimezone().date().isoformat()
    notes = machine.place.directory / "notes"
    notes.mkdir()
    (notes / f"{day}.md").write_text("We paint the shed\n")
    (notes / "2020-01-01.md").write_text("We dig the pond\n")

    session = machine.claude.run("hello", (say("done"),))

    told = hook_text(session.turns()[0], "SessionStart")
    assert "We paint the shed" in told
    assert "pond" not in told
