"""A session from a file of fixtures, played by the payloads of the hooks, and what the next one is told of it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hooklore.hooks import project
from tests.support.agent import Agent

HEADING = "Where the work was left"
LABELS = {
    "todo": "to do: ", "then": "to do then: ", "open": "open: ",
    "blocked": "blocked: ", "waiting": "waits for the user: ",
    "idea": "ideas, not asked for: ",
}  # fmt: skip
SINCE = "done since that was said: "
_ENDS = (
    *LABELS.values(), SINCE, "decided: ", " (goal: ", ". ended with: ", "listed before, perhaps done: ",
)  # fmt: skip
_BY_CHECK = ("blocked", "todo")


@dataclass
class Verdict:
    """How many open steps of a session are told under their status, and how many done ones as open."""

    left: int = 0
    told: int = 0
    rightly: int = 0
    done: int = 0
    wrongly: int = 0

    def __add__(self, other: "Verdict") -> "Verdict":
        return Verdict(
            *(a + b for a, b in zip(vars(self).values(), vars(other).values(), strict=True))
        )


def play(agent: Agent, session: dict[str, Any]) -> str:
    """Play a session to its end; the section that the next one is told at its start."""
    head = agent.project / ".git" / "HEAD"
    head.write_text(f"ref: refs/heads/{session.get('branch', 'main')}\n")
    project._cache.clear()
    agent.starts(str(session["id"]))
    for turn in session["turns"]:
        agent.asks(turn["prompt"])
        for step in turn["steps"]:
            _take(agent, step)
        agent.hook("Stop", last_assistant_message=turn["answer"])
    agent.hook("SessionEnd", reason="other")
    return agent.starts(f"{session['id']}-next")


def _take(agent: Agent, step: dict[str, Any]) -> None:
    if step["tool"] in ("Edit", "Write"):
        agent.edits(step["file"], step.get("text", "y"))
    elif step["tool"] == "Bash":
        ran = agent.passes if step.get("ok", True) else agent.fails
        ran(step["command"], step.get("output", ""))


def section(told: str) -> str:
    """The notes below the heading."""
    lines = told[told.index(HEADING) :].split("\n")[1:] if HEADING in told else []
    return "\n".join(line for line in lines if line.startswith("- "))


def told_as(notes: str, status: str) -> str:
    """The words that are told under a status."""
    return "; ".join(_parts(notes, LABELS[status]))


def _parts(notes: str, label: str) -> Iterator[str]:
    for after in notes.split(label)[1:]:
        ends = [at for end in _ENDS if (at := after.find(end)) >= 0]
        yield after[: min(ends, default=len(after))].split("\n", maxsplit=1)[0]


def judge(session: dict[str, Any], told: str) -> Verdict:
    """Compare what the next session is told with what the session left."""
    notes, verdict = section(told), Verdict()
    opened = "; ".join(told_as(notes, status) for status in LABELS).casefold()
    for item in session["left"]:
        says = item["says"].casefold()
        verdict.left += 1
        verdict.told += says in notes.casefold()
        verdict.rightly += says in told_as(notes, item["status"]).casefold() or _fails(notes, item)
    for says in session["done"]:
        verdict.done += 1
        verdict.wrongly += says.casefold() in opened and SINCE not in notes
    return verdict


def _fails(notes: str, item: dict[str, str]) -> bool:
    """Return whether a step that is blocked is told with the check that fails."""
    return item["status"] == "blocked" and item["says"] in notes and " fails" in notes
