"""What one agent keeps by MCP is told to another at its step, by the hook that its client runs."""

import pytest

from tests.support.untried import NO_MCP

pytest.importorskip("mcp", reason=NO_MCP)

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.conftest import end_residents
from tests.support.agent import repository
from tests.support.launcher import Launcher
from tests.support.mcp import content_of, open_server, server

LEDGER = "round_cents loses a cent on negative totals, so call it with a Decimal."
LEGACY = "Files below src/legacy/ are generated and never edited by hand."
TORQUE = "In press.toml the torque stays below 47, or the belt tears."
NPM = "Never run npm in this project, the lock file is pnpm's."
TERRAFORM = "terraform is run from the infra folder only."
RULES = (LEDGER, LEGACY, TORQUE, NPM, TERRAFORM)


class Project:
    """A project in which Codex, by its MCP server, keeps rules, and Claude Code's hooks run."""

    def __init__(self, home: Path) -> None:
        self.hooks = Launcher(home).lay_out(is_patient=True)
        self.folder = repository(home / "widgets")
        codex = server(home, "--agent", "codex", folder=self.folder, CODEX_THREAD_ID="c-1")
        with open_server(codex) as ask:
            for rule in RULES:
                kept = content_of(ask("remember", {"content": rule, "kind": "constraint"}))
                assert (kept["status"], kept.get("waits")) == ("stored", None), kept

    def edit(self, path: str, new: str) -> tuple[str, dict[str, Any]]:
        file = str(self.folder / path)
        return "Edit", {"file_path": file, "old_string": "total = 0", "new_string": new}

    def told_before(self, session: str, tool: str, given: dict[str, Any]) -> list[str]:
        """The notes that Claude Code's model is told before a step, by the real hook process."""
        ran = self.hooks.run("PreToolUse", {
            "session_id": session, "cwd": str(self.folder), "hook_event_name": "PreToolUse",
            "tool_name": tool, "tool_use_id": f"{session}-t1", "tool_input": given,
        })  # fmt: skip
        assert ran.status == 0
        return [line for line in ran.context.splitlines() if line.startswith("- ")]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    home = tmp_path_factory.mktemp("rules")
    yield Project(home)
    end_residents(home)


@pytest.mark.req("AC-11")
@pytest.mark.parametrize(
    ("path", "new", "rule"),
    [
        ("src/ledger.py", "total = round_cents(0)", LEDGER),
        ("src/legacy/mill.py", "total = 1", LEGACY),
        ("press.toml", "torque = 46", TORQUE),
    ],
)
def test_a_rule_of_codex_is_told_before_claudes_edit_with_its_name(
    project: Project, path: str, new: str, rule: str
) -> None:
    (told,) = project.told_before(f"claude-{path}", *project.edit(path, new))

    assert rule in told
    assert "said by codex · trust low" in told


@pytest.mark.req("AC-11")
@pytest.mark.parametrize(("command", "rule"), [("npm ci", NPM), ("terraform plan", TERRAFORM)])
def test_a_rule_of_codex_is_told_before_claudes_command_with_its_name(
    project: Project, command: str, rule: str
) -> None:
    (told,) = project.told_before(f"claude-{command}", "Bash", {"command": command})

    assert rule in told
    assert "said by codex · trust low" in told


@pytest.mark.parametrize(
    ("path", "new"), [("src/press.py", "total = 1"), ("docs/ledger.md", "negative totals")]
)
def test_a_step_that_no_rule_names_is_told_none(project: Project, path: str, new: str) -> None:
    assert project.told_before(f"claude-{path}", *project.edit(path, new)) == []
