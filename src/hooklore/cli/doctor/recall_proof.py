"""Proof that recall works: a lesson learnt and told through the registered commands.

The proof plays four short sessions in a temporary store. A command fails, and passes after another
command, then it fails in two sessions: the fourth must be told. It runs the commands as they stand in the
settings.
"""

import json
import os
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hooklore.agents.agent import Agent, AnswerInvalid
from hooklore.agents.event import Edit, EventName
from hooklore.agents.registration import Command
from hooklore.agents.rehearsal import Step, as_words
from hooklore.cli.doctor.facts import LESSON_EVENTS, RecallProof
from hooklore.cli.doctor.processes import listener, process
from hooklore.cli.doctor.resident_files import last_error
from hooklore.cli.process_group import run_in_group
from hooklore.cli.purge import forget_socket
from hooklore.config import StoreLocation, store_location_at
from hooklore.errors import HookloreError
from hooklore.maintenance.index_health import index_health
from hooklore.resident import call
from hooklore.text.plural import format_count

_INDEX_SECONDS = 8.0
_STOP_SECONDS = 2.0
_PAUSE = 0.01
_VOWELS, _CONSONANTS = "aeiou", "bdfgklmnprstvz"


class BrokenError(Exception):
    """A step of the proof failed. The message says which step, and how."""


@dataclass(frozen=True, slots=True)
class _Stage:
    """The temporary project and store, the agent, and the commands as the settings have them."""

    folder: Path
    agent: Agent
    commands: Mapping[str, Command]
    home: str
    path: str
    word: str
    deadline: float
    units: list[int] = field(default_factory=list)

    @property
    def store(self) -> StoreLocation:
        return store_location_at(self.folder / "store")

    @property
    def project(self) -> Path:
        return self.folder / "project"

    def has(self, event: EventName) -> bool:
        """Return whether the settings register an event."""
        return any(name in self.commands for name in self.agent.wire_events(event))


def prove_recall(
    agent: Agent, commands: Mapping[str, Command], home: str, path: str, *, seconds: float = 6.0
) -> RecallProof:
    """Play four sessions with the registered commands, by event, and leave nothing of them behind."""
    started = time.monotonic()
    # Nobody has ever said this word: an answer with the word can only be ours.
    word = "".join(secrets.choice(_CONSONANTS) + secrets.choice(_VOWELS) for _ in range(6))
    folder = Path(tempfile.mkdtemp(prefix="hooklore-doctor-"))
    stage = _Stage(folder, agent, commands, home, path, word, started + seconds)
    if not all(stage.has(event) for event in LESSON_EVENTS):
        shutil.rmtree(folder, ignore_errors=True)
        return RecallProof("the hooks are not registered", (), 0, 0.0, is_tried=False)
    problem, channels = None, []
    try:
        _furnish(stage)
        _learn(stage)
        _wait_for_index(stage)
        channels = _recalled(stage)
    except (BrokenError, AnswerInvalid) as error:
        bug = last_error(stage.store.socket.with_suffix(".log"))
        problem = f"{error} (the resident: {bug})" if bug else str(error)
    finally:
        _clear(stage)
    spent = time.monotonic() - started
    return RecallProof(problem, tuple(channels), max(stage.units, default=0), spent)


def _furnish(stage: _Stage) -> None:
    """Make the project a repository: a temporary folder without one is no project."""
    git = stage.project / ".git"
    git.mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    (git / "config").write_text(
        f'[remote "origin"]\n\turl = https://example.invalid/{stage.word}.git\n'
    )


def _learn(stage: _Stage) -> None:
    """Play a failure and its fix, then two sessions that it ends: a start tells of no other failure."""
    _hook(stage, "session_start", "1", source="startup")
    if stage.has("prompt"):
        said = f"The {stage.word[:6]} of {stage.word[6:]} is always {stage.word}."
        _hook(stage, "prompt", "1", prompt=said)
    edit = Edit(str(stage.project / f"{stage.word}.mk"), "a", "b")
    _hook(stage, "after_tool", "1", edit=edit, tool_use_id="canary-0")
    _fail(stage, "1")
    for number, command in enumerate((f"make {stage.word}.mk", f"make {stage.word}"), start=2):
        name = f"canary-1-{number}"
        _hook(stage, "after_tool", "1", command=command, tool_use_id=name, output="ok")
    for session in ("2", "3"):
        _hook(stage, "session_start", session, source="startup")
        _fail(stage, session)


def _fail(stage: _Stage, session: str) -> tuple[str, str]:
    error = f"Exit code 2\nKeyError: '{stage.word}' in {stage.word}.mk"
    name = f"canary-{session}-1"
    return _hook(
        stage, "failure", session, command=f"make {stage.word}", tool_use_id=name, error=error
    )


def _hook(stage: _Stage, event: EventName, session: str, **step: Any) -> tuple[str, str]:
    """Run one event's command as the client does. Return its context and its output. Raise BrokenError."""
    rehearsal = stage.agent.rehearsal()
    name, payload = rehearsal.payload(
        Step(
            event,
            session=f"canary-{stage.word}-{session}",
            folder=str(stage.project),
            transcript=str(stage.folder / f"{session}.jsonl"),
            **step,
        )
    )
    out = _output(stage, name, json.dumps(payload).encode() + b"\n")
    text = out.decode("utf-8", "replace")
    stage.units.append(len(text.encode("utf-16-le")) // 2)
    return rehearsal.context(name, out), text


def _output(stage: _Stage, name: str, payload: bytes) -> bytes:
    """Return the output of a command that ended well, in time and without a complaint. Raise BrokenError."""
    patience = stage.deadline - time.monotonic()
    if patience <= 0:
        raise BrokenError(f"the hooks are too slow: {name} has not been reached in time")
    own = stage.agent.rehearsal().environment(stage.project)
    store = str(stage.folder / "store")
    try:
        done = run_in_group(
            as_words(stage.commands[name]),
            patience,
            payload=payload,
            folder=stage.project,
            environment={"HOME": stage.home, "PATH": stage.path, "HOOKLORE_HOME": store, **own},
        )
    except subprocess.TimeoutExpired:
        raise BrokenError(f"{name} did not end in {patience:.1f} s") from None
    err = done.stderr.decode("utf-8", "replace").strip()
    if done.returncode != 0:
        raise BrokenError(f"{name} exited {done.returncode}: {err[:200]}")
    if err:
        raise BrokenError(f"{name} complained: {err[:200]}")
    return done.stdout


def _wait_for_index(stage: _Stage) -> None:
    """Wait until all records of these sessions stand in the log and in the index. Raise BrokenError."""
    started = time.monotonic()
    end = min(started + _INDEX_SECONDS, stage.deadline)
    while True:
        health = index_health(stage.store)
        if health.generation is not None and health.lag == 0 and health.stats:
            return
        if time.monotonic() > end:
            if not stage.store.log.exists():
                raise BrokenError("nothing was appended")
            raise BrokenError(
                f"the index lacks {format_count(health.lag, 'record')} "
                f"after {time.monotonic() - started:.0f} s"
            )
        time.sleep(_PAUSE)


def _recalled(stage: _Stage) -> list[str]:
    """Play the fourth session. Return the events that brought the lesson to the model. Raise BrokenError."""
    started = _hook(stage, "session_start", "4", source="startup")
    shown = [_shown(stage, "session_start", started), _shown(stage, "failure", _fail(stage, "4"))]
    if stage.has("prompt"):
        asked = _hook(stage, "prompt", "4", prompt=f"{stage.word[:6]} {stage.word[6:]}")
        shown.append(_shown(stage, "prompt", asked))
    return shown


def _shown(stage: _Stage, event: EventName, answer: tuple[str, str]) -> str:
    """Return the client's name of the event when its answer shows the lesson. Raise BrokenError."""
    context, out = answer
    name = next(each for each in stage.agent.wire_events(event) if each in stage.commands)
    if stage.word in context:
        return name
    if stage.word in out:
        raise BrokenError(f"{name} puts the lesson where only the user reads it")
    said = context[:200] if context else "nothing"
    raise BrokenError(f"{name} does not bring the lesson back; it says {said!r}")


def _clear(stage: _Stage) -> None:
    with suppress(HookloreError, OSError, ValueError):
        resident = listener(stage.store.socket)
        if resident is not None:
            os.kill(resident.pid, signal.SIGKILL)
            # Until a process has ended it may make files in a folder that is being removed.
            end = time.monotonic() + _STOP_SECONDS
            while (
                time.monotonic() < end and (found := process(resident.pid)) and found.state != "Z"
            ):
                time.sleep(_PAUSE)
        else:
            call.stop_resident(stage.store, _STOP_SECONDS)
    shutil.rmtree(stage.folder, ignore_errors=True)
    forget_socket(stage.store)
