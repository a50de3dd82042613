"""Where the work was left, rules that stay and rules of order, in the real Claude Code, Codex and Gemini CLI."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from tests.claude import api as claude_api
from tests.claude.session import Claude, Session, hook_text
from tests.claude.terminal import Terminal
from tests.codex import api as codex_api
from tests.codex.session import Codex
from tests.gemini import api as gemini_api
from tests.gemini.session import Gemini
from tests.support.codex_machine import codex_at
from tests.support.installed import Machine, client_at, install

pytestmark = [pytest.mark.client, pytest.mark.timeout(300)]

HELLO: Final = "Good morning, how are you today?"
ASKED: Final = "where were we?"
PLAN: Final = """\
The renderer prints plain text labels now.

Next steps:
- draw the barcodes
- set the margins
- write a test for the parser
"""
RULES: Final = (
    "Never use npm in this project.",
    "Never use yarn in this project.",
    "Never use pip, always uv.",
    "Don't use conda in this project.",
    "Don't commit directly to main.",
    "Never commit generated files.",
)


@dataclass(frozen=True)
class Three:
    """One user's machine with three clients, hooklore registered with each."""

    machine: Machine
    codex: Codex
    gemini: Gemini

    @property
    def claude(self) -> Claude:
        return self.machine.claude

    def types(self, *prompts: str, said: str = "") -> None:
        """Let the user type prompts in a session of Claude Code, and wait for what the screen says then."""
        answers = [f"answer {number}" for number, _ in enumerate(prompts)]
        with Terminal(self.claude, [claude_api.say(each) for each in answers]) as terminal:
            for prompt, answer in zip(prompts, answers, strict=True):
                terminal.type(prompt)
                terminal.send(answer)
            if said:
                terminal.wait_for(said)

    def starts(self, prompt: str = HELLO) -> dict[str, str]:
        """What the hooks of the start and of the prompt tell the model of each client."""
        gemini = self.gemini.run(prompt, (gemini_api.say("fine"),))
        codex = self.codex.run(prompt, [codex_api.say("fine")])
        return {
            "claude": told(self.claude.run(prompt, (claude_api.say("fine"),))),
            "codex": codex.requests[0].told,
            "gemini": gemini.turns[0].text(),
        }


def told(session: Session) -> str:
    """What the hooks of a start and of the first prompt told the model."""
    first = session.turns()[0]
    return "\n".join(hook_text(first, event) for event in ("SessionStart", "UserPromptSubmit"))


@pytest.fixture
def three(claude_binary: Path, codex_program: Path, gemini_program: Path, tmp_path: Path) -> Three:
    claude = client_at(claude_binary, tmp_path)
    codex = codex_at(codex_program, claude.home, claude.project)
    gemini = Gemini(gemini_program, claude.home, claude.project)
    gemini.furnish()
    machine = install(claude)
    for agent in ("codex", "gemini"):
        machine.run("hooks", "install", "--agent", agent, "--no-server")
    return Three(machine, codex, gemini)


@pytest.mark.parametrize("branch", ["main", "feature/labels"])
def test_every_client_is_told_what_is_left_and_not_what_was_done_since(
    three: Three, branch: str
) -> None:
    (three.claude.project / ".git" / "HEAD").write_text(f"ref: refs/heads/{branch}\n")
    file = str(three.claude.project / "render.py")
    three.claude.run(
        ("Write the first version of the label renderer", "Go on with the first one"),
        (
            claude_api.use("Write", file_path=file, content="def render(): ...\n"),
            claude_api.say(PLAN),
            claude_api.use(
                "Edit", file_path=file, old_string="...", new_string="draw_barcodes()"
            ),
            claude_api.say("Done; margins are left."),
        ),
    )  # fmt: skip
    three.machine.wait_for("session_end")

    for client, text in three.starts(ASKED).items():
        left = "\n".join(line for line in text.splitlines() if "left" in line or "to do" in line)
        assert "margins" in left, (client, text)
        assert "test for the parser" in text, (client, text)
        assert "draw the barcodes" not in text, (client, text)


def test_six_rules_stand_until_one_says_that_another_ends(three: Three) -> None:
    three.types(*RULES)
    told_next = three.starts()["claude"]
    for rule in RULES:
        assert rule.rstrip(".") in told_next

    three.types("From now on use npm for the docs site.")
    three.types("From now on use pnpm, not npm, for the docs site.", said="replaces")

    last = three.starts()["codex"]
    assert "use pnpm, not npm, for the docs site" in last
    assert "use npm for the docs site" not in last


def test_a_rule_of_order_is_told_where_it_is_about_to_be_broken(three: Three) -> None:
    project = three.claude.project
    (project / "Makefile").write_text("fmt:\n\t@true\n")
    three.types("Always run `make fmt` before you commit.")
    commit = claude_api.bash("git commit -m 'Draw barcodes' --allow-empty")
    write = claude_api.use("Write", file_path=str(project / "a.py"), content="a = 1\n")

    broken = three.claude.run("Commit it", (write, commit, claude_api.say("ok")))
    obeyed = three.claude.run(
        "Commit it", (claude_api.bash("make fmt"), commit, claude_api.say("ok"))
    )

    assert "make fmt" in hook_text(broken.turns()[2], "PreToolUse:Bash")
    assert "make fmt" not in hook_text(obeyed.turns()[2], "PreToolUse:Bash")
