"""In the real Claude Code: the user corrects the agent in one session, the next one knows."""

from pathlib import Path

import pytest

from tests.claude.api import say, use
from tests.claude.session import Claude, hook_text
from tests.conftest import wait_until
from tests.support.installed import Machine, install
from tests.support.scenario import widgets

pytestmark = pytest.mark.client

CORRECTION = "no, use uv instead"
JAPANESE = "PRは日本語にして"
QUESTION = "Should we always squash before merging?"
GUESS = "The press probably wants whale oil on Mondays"


@pytest.fixture
def machine(claude_binary: Path, tmp_path: Path) -> Machine:
    story = widgets(tmp_path / "widgets")
    return install(Claude(claude_binary, tmp_path / "home", story.project))


def memories(machine: Machine) -> list[dict[str, object]]:
    """Every curated record of the log."""
    return [r for r in machine.records() if r["stream"] == "memory"]


@pytest.mark.req("HK-14", "WF-09")
def test_a_correction_is_in_the_next_brief_a_question_is_not_and_a_guess_of_the_model_waits(
    machine: Machine,
) -> None:
    notes = str(machine.claude.project / "CLAUDE.md")
    first = machine.claude.run(f"{CORRECTION}\n{JAPANESE}", (say("uv it is."),))
    machine.claude.run(
        QUESTION,
        (use("Write", file_path=notes, content=f"# Notes\n\n- {GUESS}\n"), say("It depends.")),
    )
    wait_until(lambda: len(memories(machine)) >= 3, "what the two sessions taught")
    Path(notes).unlink()

    third = machine.claude.run("hello", (say("done"),))

    assert first.rc == third.rc == 0
    brief = hook_text(third.turns()[0], "SessionStart")
    for said in (CORRECTION, JAPANESE):
        (line,) = [line for line in brief.splitlines() if said in line]
        assert "said by the user" in line
    assert "squash" not in " ".join(str(r["body"]) for r in memories(machine))
    assert GUESS not in brief
    (waiting,) = [r for r in memories(machine) if r.get("waits")]
    assert GUESS in str(waiting["body"])
    assert len(memories(machine)) == 3
