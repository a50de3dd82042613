"""Play a diary of sessions in several clients through the hooks, and tell what each was shown.

    python -m tests.diary FILE

A diary is JSON lines, a session each: `agent`, `day`, `branch`, and `turns` of a prompt, steps, memories that
the agent keeps, and an answer. The clock of the store goes with the days. Printed is what was shown at which
point, then the tokens by part: the notes themselves, and the fixed words around them.
"""

import argparse
import json
import re
import sys
import tempfile
import uuid
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hooklore.agents.event import Edit, EventName
from hooklore.agents.registry import get_agent
from hooklore.agents.rehearsal import Step
from hooklore.broker import Broker
from hooklore.config import Settings, store_location_at
from hooklore.hooks import project
from hooklore.hooks.delivery import Delivery
from hooklore.hooks.runner import Runner
from hooklore.requests.desk import RequestDesk
from hooklore.requests.request import Caller, Request
from hooklore.text.token_estimate import estimate_tokens

Json = dict[str, Any]

_FIRST_DAY = 1_790_000_000
_DAY = 86_400
_MINUTE = 60
_NOTE = re.compile(r"^(?:- |[a-z]+: ).*$", re.MULTILINE)
"""A note, or a line of titles in the index."""

_ORIGIN = re.compile(r"\s*\[[^\[\]]*\]\s*$")
_ORIGINS = re.compile(r"\[[^\[\]\n]*\]$|(?<= )\([^()\n]*\):$", re.MULTILINE)
"""Date, speaker, trust and id, behind a note or in a heading."""

_SWITCH = re.compile(r"\bgit (?:switch|checkout)(?: -[cb])? ([\w/.]+[\w/.-]*)")
_PROGRAM = "-"
"""In place of an agent, where a command answered and no hook."""


@dataclass(frozen=True)
class Shown:
    """One text that was put before a model: in which session, and at what point of it."""

    session: int
    agent: str
    point: str
    text: str


@dataclass
class Diary:
    """A home with a project, whose sessions are played one after the other."""

    home: Path
    shown: list[Shown] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.project = self.home / "project"
        (self.project / ".git").mkdir(parents=True)
        self.now = float(_FIRST_DAY)
        place = store_location_at(self.home / ".config" / "ai" / "memory")
        self.broker = Broker(place, Settings(), now_ns=self._clock, wait=5.0)
        self.runner = Runner(self.broker, str(self.home), self._clock)

    def _clock(self) -> int:
        return int(self.now * 1e9)

    def play(self, sessions: Iterable[Json]) -> list[Shown]:
        """Play sessions in their order, and return what was shown."""
        for number, session in enumerate(sessions, 1):
            _Player(self, number, session).play()
        return self.shown


@dataclass
class _Player:
    """One session of a diary."""

    diary: Diary
    number: int
    session: Json

    def __post_init__(self) -> None:
        self.id = str(uuid.UUID(int=self.number << 64))
        self.agent = get_agent(self.session["agent"])
        start = _FIRST_DAY + self.session.get("day", self.number) * _DAY + self.number * _MINUTE
        self.diary.now = max(self.diary.now + _MINUTE, float(start))
        branch = self.session.get("branch", "main")
        (self.diary.project / ".git" / "HEAD").write_text(f"ref: refs/heads/{branch}\n")

    def play(self) -> None:
        """Play the session from its start to its end."""
        self._tell("session_start", "start", source="startup")
        for n, turn in enumerate(self.session["turns"], 1):
            self._tell("prompt", f"prompt {n}", prompt=turn["prompt"])
            for k, step in enumerate(turn.get("steps", ())):
                self._step(step, f"step {n}.{k}")
            for kept in turn.get("keeps", ()):
                self._keep(kept)
            self._tell("answer", f"answer {n}", answer=turn["answer"])
        self._end()

    def _tell(self, event: EventName, point: str, **given: Any) -> None:
        """Deliver one event, and note what the model is shown."""
        self.diary.now += 2
        transcript = str(self.diary.home / f"{self.id}.jsonl")
        step = Step(event, self.id, str(self.diary.project), transcript=transcript, **given)
        rehearsal = self.agent.rehearsal()
        name, payload = rehearsal.payload(step)
        text = rehearsal.context(name, self._deliver(name, payload))
        if text:
            self.diary.shown.append(Shown(self.number, self.session["agent"], point, text))

    def _deliver(self, name: str, payload: Json) -> bytes:
        found = self.agent.rehearsal().environment(self.diary.project)
        facts = {key: found[key] for key in self.agent.marks.names if key in found}
        raw = json.dumps(payload, ensure_ascii=False).encode()
        delivery = Delivery(self.session["agent"], name, uuid.uuid4().hex, raw, facts)
        return self.diary.runner.run(delivery).stdout

    def _step(self, step: Json, point: str) -> None:
        """Deliver a step before and after it ran. A file that was only read is no step of ours."""
        given: Json = {"tool_use_id": uuid.uuid4().hex[:8]}
        if step["tool"] == "Bash":
            given["command"] = step["command"]
        elif step["tool"] in ("Edit", "Write"):
            path = str(self.diary.project / step["file"])
            given["edit"] = Edit(path, "before\n", step.get("text") or "after\n")
        else:
            return
        self._tell("before_tool", f"before {point}", **given)
        if step.get("ok", True):
            self._switch(step.get("command") or "")
            self._tell("after_tool", f"after {point}", **given, output=step.get("output") or "ok")
        else:
            error = f"Exit code 1\n{step.get('output') or ''}"
            self._tell("failure", f"failure {point}", **given, error=error)

    def _switch(self, command: str) -> None:
        """Let the project's HEAD follow a command that changes the branch."""
        for found in _SWITCH.finditer(command):
            head = self.diary.project / ".git" / "HEAD"
            head.write_text(f"ref: refs/heads/{found[1]}\n")
            project._cache.clear()

    def _keep(self, kept: Json) -> None:
        """Keep a memory as the agent's own command would."""
        desk = RequestDesk(self.diary.broker, self.diary.runner.recall, str(self.diary.home))
        caller = Caller(self.session["agent"], self.id, str(self.diary.project))
        arguments = {"content": kept["text"], "kind": kept["kind"]}
        answer = desk.answer(Request("remember", arguments, caller))
        told = answer.text or str(answer.problem)
        self.diary.shown.append(Shown(self.number, _PROGRAM, "kept", told))

    def _end(self) -> None:
        if self.session["agent"] == "codex":
            return  # the client has no event for it
        payload = {
            "session_id": self.id, "cwd": str(self.diary.project), "reason": "exit",
            "hook_event_name": "SessionEnd",
            "transcript_path": str(self.diary.home / f"{self.id}.jsonl"),
        }  # fmt: skip
        self._deliver("SessionEnd", payload)


def count_tokens(shown: Iterable[Shown]) -> dict[str, Counter[str]]:
    """Return the tokens by point (`start`, `prompt`, …): of notes, of their origins, and of fixed words."""
    found: dict[str, Counter[str]] = {}
    for each in shown:
        if each.agent == _PROGRAM:
            continue
        notes = sum(estimate_tokens(_ORIGIN.sub("", line)) for line in _NOTE.findall(each.text))
        marked = sum(estimate_tokens(mark) for mark in _ORIGINS.findall(each.text))
        whole = estimate_tokens(each.text)
        counts = found.setdefault(re.sub(r" [\d.]+$", "", each.point), Counter())
        counts.update(
            texts=1, tokens=whole, notes=notes, origins=marked, fixed=whole - notes - marked
        )
    return found


def read(file: Path) -> list[Json]:
    """Return the sessions of a diary."""
    return [json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip()]


def main() -> None:
    """Print what the sessions of a diary were shown, and the tokens by part."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    with tempfile.TemporaryDirectory() as folder:
        shown = Diary(Path(folder)).play(read(parser.parse_args().file))
    counts = count_tokens(shown)
    total = sum(counts.values(), Counter())
    lines = [f"### {each.session} {each.agent} {each.point}\n{each.text}\n" for each in shown]
    lines += [f"{point} {dict(found)}" for point, found in counts.items()]
    lines += [f"all {dict(total)}: fixed {total['fixed'] / max(total['tokens'], 1):.2f}"]
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
