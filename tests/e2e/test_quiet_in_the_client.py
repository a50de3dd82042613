"""In the real Claude Code: a ban is told where the step does it, and a prompt without a subject is told nothing."""

from pathlib import Path
from typing import Final

import pytest

from tests.claude.api import bash, say, use
from tests.claude.session import Session, hook_text
from tests.e2e.test_prompts_without_subject import EARLIER
from tests.support.installed import Machine, client_at, install

pytestmark = [pytest.mark.client, pytest.mark.timeout(300)]

INLINE: Final = "No inline imports in Python code; imports stand at the top of the file."
NPM: Final = "Never use npm here, use pnpm."
EMPTY: Final = (
    *("no that's fine", "all looks good", "はい、それで", "1. yes 2. no", "🦊"),
    "the first option please",
)
FLYWHEEL: Final = "The flywheel of the mill is balanced with lead weights from the foundry."
SUBJECT: Final = "no, how is the flywheel of the mill balanced?"


@pytest.fixture
def machine(claude_binary: Path, tmp_path: Path) -> Machine:
    made = install(client_at(claude_binary, tmp_path))
    for rule in (INLINE, NPM):
        made.run("hooklore", "remember", "--kind", "constraint", rule)
    return made


def told_before(session: Session) -> list[str]:
    """Return what each step of a session was told before it ran."""
    return [hook_text(turn, "PreToolUse", fresh=True) for turn in session.turns()[1:]]


def test_an_inline_import_is_told_in_python_and_the_word_in_a_style_sheet_is_not(
    machine: Machine,
) -> None:
    project = machine.claude.project
    code, style = str(project / "press.py"), str(project / "press.css")
    python = "def press():\n    import torque\n\n    return torque.now()\n"
    steps = (
        use("Write", file_path=style, content=".label { display: inline; } /* no imports */\n"),
        use("Write", file_path=code, content="import torque\n\n\ndef press():\n    return torque.now()\n"),
    )  # fmt: skip

    quiet = machine.claude.run("write the press", (*steps, say("done")))
    told = machine.claude.run(
        "write it again", (use("Write", file_path=str(project / "b.py"), content=python), say("ok"))
    )

    assert not any(INLINE[:24] in each for each in told_before(quiet))
    assert INLINE[:24] in told_before(told)[0]


def test_npm_is_told_and_pnpm_is_not(machine: Machine) -> None:
    quiet = machine.claude.run(
        "check it", (bash("pnpm check || true"), bash("grep npm README.md || true"), say("ok"))
    )
    told = machine.claude.run("install it", (bash("npm install || true"), say("ok")))

    assert not any("use pnpm" in each for each in told_before(quiet))
    assert "use pnpm" in told_before(told)[0]


def test_a_prompt_without_a_subject_is_told_nothing(machine: Machine) -> None:
    machine.claude.run(EARLIER, [say("ok") for _ in EARLIER])
    others = [
        f"Press {number} is oiled by apprentice {number} in week {number}" for number in range(40)
    ]
    for fact in (
        FLYWHEEL,
        *EARLIER,
        *others,
    ):  # so many that a session does not begin with the text of each
        machine.run("hooklore", "remember", "--kind", "fact", fact)

    session = machine.claude.run((*EMPTY, SUBJECT), [say("ok") for _ in (*EMPTY, SUBJECT)])
    told = [hook_text(turn, "UserPromptSubmit", fresh=True) for turn in session.turns()]

    assert not any("<hooklore-notes>" in each for each in told[:-1])
    assert "lead weights" in told[-1]
