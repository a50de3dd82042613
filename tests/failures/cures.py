"""Failures with what passed next, as people wrote them who do not know the rules: is the cure told at their return?

    python -m tests.failures.cures [FILE…] [--misses]

A line of `tests/fixtures/failure_cures/*.jsonl` is a failed command with its output, the steps after it, the run
that passed, and a reader's judgement: `cure` says that a session with the same failure is helped by what passed.
Each case is played in a store of its own: one session with the failure and its end, and a later one in which
the failure comes back.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from hooklore.config import store_location_at
from tests.support.agent import Agent, repository

FOLDER: Final = Path(__file__).parents[1] / "fixtures/failure_cures"

_SAID: Final = ("passed instead was", "made it pass was")
_QUOTED: Final = 12
"""Characters at the end of a command by which it is found in a sentence, where the paths are shortened."""


class Outcome(NamedTuple):
    """What became of a case: the note at its return, and whether its command was left open."""

    case: dict[str, Any]
    note: str
    is_open: bool

    @property
    def is_told(self) -> bool:
        """True when the note tells something as the cure."""
        return any(said in self.note for said in _SAID)

    @property
    def is_right(self) -> bool:
        """True when a reader finds a cure here, and the note tells the run that passed or a command before it."""
        if not (self.case["cure"] and self.is_told):
            return False
        commands = (step["command"] for step in self.case["between"] if "command" in step)
        is_step = any(_in_note(command) in self.note for command in commands)
        return _SAID[0] in self.note or is_step


@dataclass
class Score:
    """Counts of cases."""

    cures: int = 0
    told: int = 0
    right: int = 0
    left_open: int = 0

    @property
    def precision(self) -> float:
        """The share of what is told that cures."""
        return self.right / self.told if self.told else 1.0

    @property
    def recall(self) -> float:
        """The share of the cures that are told."""
        return self.right / self.cures if self.cures else 1.0


def score(outcomes: list[Outcome]) -> Score:
    """Return the counts of what became of cases."""
    return Score(
        cures=sum(bool(each.case["cure"]) for each in outcomes),
        told=sum(each.is_told for each in outcomes),
        right=sum(each.is_right for each in outcomes),
        left_open=sum(each.is_open and each.case["cure"] for each in outcomes),
    )


def play(file: Path) -> Iterator[Outcome]:
    """Yield what becomes of each case of a file."""
    for line in file.read_text(encoding="utf-8").splitlines():
        with tempfile.TemporaryDirectory() as folder:
            yield _play_case(json.loads(line), Path(folder).resolve())


def _play_case(case: dict[str, Any], folder: Path) -> Outcome:
    agent = Agent(
        store_location_at(folder / "store"), repository(folder / "home/project"), folder / "home"
    )
    try:
        agent.starts("first")
        agent.fails(**_of_failure(case))
        for step in (*case["between"], case["passed"] | {"tool": "Bash"}):
            _take(agent, step)
        agent.hook("SessionEnd", reason="other")
        is_open = bool(agent.records("session_end")[-1]["body"].get("failures"))
        is_open |= _is_unresolved(agent)
        agent.starts("second")
        return Outcome(case, agent.fails(**_of_failure(case)), is_open)
    finally:
        agent.broker.close()


def _of_failure(case: dict[str, Any]) -> dict[str, str]:
    return {"command": case["failed"]["command"], "error": case["failed"]["output"]}


def _is_unresolved(agent: Agent) -> bool:
    sections = agent.records("session_end")[-1]["body"].get("sections") or {}
    return bool(sections.get("unresolved"))


def _take(agent: Agent, step: dict[str, Any]) -> None:
    """Take one step of a case, which went well."""
    if step["tool"] == "Bash":
        agent.passes(step["command"], step["output"])
        return
    file = str(agent.project / step["file"])
    given = {"file_path": file}
    if step["tool"] == "Edit":
        given |= {"old_string": step["old"], "new_string": step["new"]}
    agent.hook(
        "PostToolUse", tool_name=step["tool"], tool_use_id=f"step-{id(step)}", tool_input=given,
        tool_response={"filePath": file},
    )  # fmt: skip


def _in_note(command: str) -> str:
    return command.replace("`", "'")[-_QUOTED:]


def main() -> int:
    """Print the figures of each file."""
    parser = argparse.ArgumentParser(prog="python -m tests.failures.cures", description=__doc__)
    parser.add_argument("files", type=Path, nargs="*", default=sorted(FOLDER.glob("*.jsonl")))
    parser.add_argument("--misses", action="store_true", help="print where the two differ")
    options = parser.parse_args()
    for file in options.files:
        outcomes = list(play(file))
        found = score(outcomes)
        sys.stdout.write(
            f"{file.name}: precision {found.precision:.2f} ({found.right}/{found.told})"
            f" recall {found.recall:.2f} ({found.right}/{found.cures}) left open {found.left_open}\n"
        )
        for each in outcomes if options.misses else ():
            if (
                each.is_right != each.case["cure"]
                or each.is_told != each.is_right
                or (each.is_open and each.case["cure"])
            ):
                sys.stdout.write(_miss(each))
    return 0


def _miss(each: Outcome) -> str:
    case = each.case
    return (
        f"  {case['id']} cure={case['cure']} open={each.is_open} ({case['way']})\n"
        f"      {case['failed']['command']}\n      {case['passed']['command']}\n"
        f"      told: {next((line for line in each.note.splitlines() if line[:2] == '- '), '-')}\n"
    )


if __name__ == "__main__":
    sys.exit(main())
