"""Two proofs of life: a lesson through the registered commands, and a record through the real log.

The first plays two short sessions in a temporary store: one fails at a command and makes it pass, the
other must be told. The lines that are run are those that stand in the settings, by the shell that the
client uses. The second appends a `canary`, which recall never shows, and waits for the index.
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

from hooklore.cli.doctor.facts import RecallProof, StoreProof
from hooklore.cli.doctor.processes import listener, process
from hooklore.cli.doctor.resident_files import last_error
from hooklore.config import Settings, StoreLocation, runtime_directory, store_location_at
from hooklore.errors import HookloreError
from hooklore.hooks.delivery import Delivery
from hooklore.maintenance.health import append_canary, follow_canary, index_health
from hooklore.resident import call
from hooklore.resident.wire import CONTROL

_HOOK_SECONDS = 2.5
_INDEX_SECONDS = 3.0
_STOP_SECONDS = 2.0
_LOCK_SECONDS = 1.0
_PAUSE = 0.01
_LATE = 137
_REASON = 200
_VOWELS, _CONSONANTS = "aeiou", "bdfgklmnprstvz"
_NEEDED = ("PostToolUseFailure", "PostToolUse")


class BrokenError(Exception):
    """A step of the proof failed; the text says which, and how."""


@dataclass(frozen=True, slots=True)
class _Stage:
    """The temporary project and store, and the commands as the settings have them."""

    folder: Path
    commands: Mapping[str, str]
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


def prove_recall(
    commands: Mapping[str, str], home: str, path: str, *, seconds: float = 6.0
) -> RecallProof:
    """Play the two sessions with these commands (event -> command line), within so many seconds.

    `path` is the PATH that they run with. Whatever happens, the temporary store and its resident
    are gone afterwards.
    """
    if not all(event in commands for event in _NEEDED) or "SessionStart" not in commands:
        return RecallProof("the hooks are not registered", (), 0, 0.0, is_tried=False)
    started = time.monotonic()
    folder = Path(tempfile.mkdtemp(prefix="hooklore-doctor-"))
    stage = _Stage(folder, commands, home, path, _word(), started + seconds)
    problem, channels = None, []
    try:
        _furnish(stage)
        _learn(stage)
        _wait_for_index(stage)
        channels = _recalled(stage)
    except BrokenError as error:
        problem = " ".join(filter(None, (str(error), _complaint(stage))))
    finally:
        _clear(stage)
    spent = time.monotonic() - started
    return RecallProof(problem, tuple(channels), max(stage.units, default=0), spent)


def _word() -> str:
    """A word that nobody has ever said: what comes back can only be ours."""
    return "".join(secrets.choice(_CONSONANTS) + secrets.choice(_VOWELS) for _ in range(6))


def _furnish(stage: _Stage) -> None:
    """A project is a folder with a repository: a temporary one without it is none."""
    git = stage.project / ".git"
    git.mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    (git / "config").write_text(
        f'[remote "origin"]\n\turl = https://example.invalid/{stage.word}.git\n'
    )


def _learn(stage: _Stage) -> None:
    """The first session: something is said, a command fails, a file is edited, the command passes."""
    command = f"make {stage.word}"
    _hook(stage, "SessionStart", "1", source="startup")
    if "UserPromptSubmit" in stage.commands:
        said = f"The {stage.word[:6]} of {stage.word[6:]} is always {stage.word}."
        _hook(stage, "UserPromptSubmit", "1", prompt=said)
    _hook(stage, "PostToolUseFailure", "1", **_bash(command, "1"), error=_error(stage.word))
    edited = str(stage.project / f"{stage.word}.mk")
    _hook(
        stage, "PostToolUse", "1", tool_name="Edit", tool_use_id="canary-2",
        tool_input={"file_path": edited, "old_string": "a", "new_string": "b"},
        tool_response={"filePath": edited},
    )  # fmt: skip
    _hook(
        stage, "PostToolUse", "1", **_bash(command, "3"),
        tool_response={"stdout": "ok", "stderr": "", "interrupted": False},
    )  # fmt: skip


def _bash(command: str, number: str) -> dict[str, Any]:
    return {
        "tool_name": "Bash",
        "tool_use_id": f"canary-{number}",
        "tool_input": {"command": command},
    }


def _error(word: str) -> str:
    return f"Exit code 2\nmake: *** No rule to make target '{word}'.  Stop."


def _hook(stage: _Stage, event: str, session: str, **fields: Any) -> dict[str, Any]:
    """Run one event's command as the client does; its answer. Raises BrokenError."""
    payload = {
        "session_id": f"canary-{stage.word}-{session}",
        "transcript_path": str(stage.folder / f"{session}.jsonl"),
        "cwd": str(stage.project),
        "hook_event_name": event,
        **fields,
    }
    patience = min(_HOOK_SECONDS, stage.deadline - time.monotonic())
    if patience <= 0:
        raise BrokenError(f"the hooks are too slow: {event} has not been reached in time")
    code, out, err = _run(stage, event, json.dumps(payload).encode() + b"\n", patience)
    if code == _LATE:
        raise BrokenError(f"{event} did not end in {patience:.1f} s")
    if code != 0:
        raise BrokenError(f"{event} exited {code}: {err[:200]}")
    if err:
        raise BrokenError(f"{event} complained: {err[:200]}")
    stage.units.append(len(out.encode("utf-16-le")) // 2)
    return _answer(event, out)


def _run(stage: _Stage, event: str, payload: bytes, seconds: float) -> tuple[int, str, str]:
    """(exit status, stdout, stderr). Not to a pipe that a child could keep open for ever."""
    with subprocess.Popen(
        ["/bin/sh", "-c", stage.commands[event]],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=stage.project,
        env={
            "HOME": stage.home,
            "PATH": stage.path,
            "HOOKLORE_HOME": str(stage.folder / "store"),
            "CLAUDE_PROJECT_DIR": str(stage.project),
            "CLAUDE_CODE_ENTRYPOINT": "cli",
        },
        start_new_session=True,
    ) as child:
        try:
            out, err = child.communicate(payload, timeout=seconds)
        except subprocess.TimeoutExpired:
            with suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
            child.communicate()
            return _LATE, "", ""
    return child.returncode, out.decode("utf-8", "replace"), err.decode("utf-8", "replace").strip()


def _answer(event: str, out: str) -> dict[str, Any]:
    """The answer as the client reads it. Raises BrokenError for what it would take as plain text."""
    if not out.strip():
        return {}
    try:
        answer = json.loads(out)
    except ValueError:
        raise BrokenError(f"{event} printed what is no JSON: {out[:100]!r}") from None
    if not isinstance(answer, dict):
        raise BrokenError(f"{event} printed JSON that is no object")
    return answer


def _wait_for_index(stage: _Stage) -> None:
    """Until everything that was said stands in the log and in the index. Raises BrokenError."""
    end = min(time.monotonic() + _INDEX_SECONDS, stage.deadline)
    while True:
        health = index_health(stage.store)
        if health.generation is not None and health.lag == 0 and health.stats:
            return
        if time.monotonic() > end:
            if not stage.store.log.exists():
                raise BrokenError("nothing was appended")
            raise BrokenError(
                f"the index lacks {health.lag} record(s) after {_INDEX_SECONDS:.0f} s"
            )
        time.sleep(_PAUSE)


def _recalled(stage: _Stage) -> list[str]:
    """The second session: the events that brought the lesson to the model. Raises BrokenError."""
    asked = f"{stage.word[:6]} {stage.word[6:]}"
    told = [
        _told(stage, "SessionStart", _hook(stage, "SessionStart", "2", source="startup")),
        _told(
            stage, "PostToolUseFailure",
            _hook(
                stage, "PostToolUseFailure", "2",
                **_bash(f"make {stage.word}", "4"), error=_error(stage.word),
            ),
        ),
    ]  # fmt: skip
    if "UserPromptSubmit" in stage.commands:
        answer = _hook(stage, "UserPromptSubmit", "2", prompt=asked)
        told.append(_told(stage, "UserPromptSubmit", answer))
    return told


def _told(stage: _Stage, event: str, answer: dict[str, Any]) -> str:
    """Whether the lesson stands where the model reads it. Raises BrokenError."""
    specific = answer.get("hookSpecificOutput")
    specific = specific if isinstance(specific, dict) else {}
    context = specific.get("additionalContext")
    if isinstance(context, str) and stage.word in context:
        if specific.get("hookEventName") == event:
            return event
        raise BrokenError(f"{event} answers for `{specific.get('hookEventName')}`: it is dropped")
    if stage.word in json.dumps(answer):
        raise BrokenError(f"{event} puts the lesson where only the user reads it")
    said = context[:200] if isinstance(context, str) else "nothing"
    raise BrokenError(f"{event} does not bring the lesson back; it says {said!r}")


def _complaint(stage: _Stage) -> str | None:
    """What the temporary resident wrote of a bug, before it goes."""
    error = last_error(stage.store.socket.with_suffix(".log"))
    return f"(the resident: {error})" if error else None


def _clear(stage: _Stage) -> None:
    """End the temporary resident, and leave nothing of it: what it would still index goes anyway."""
    with suppress(HookloreError, OSError, ValueError):
        resident = listener(stage.store.socket)
        if resident is not None:
            os.kill(resident.pid, signal.SIGKILL)
            _wait_until_gone(resident.pid)
        else:
            call.stop_resident(stage.store, _STOP_SECONDS)
    shutil.rmtree(stage.folder, ignore_errors=True)
    for path in runtime_directory().glob(f"{stage.store.socket.stem}.*"):
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def _wait_until_gone(pid: int) -> None:
    """A dying process may still make a file in a folder that is being removed."""
    end = time.monotonic() + _STOP_SECONDS
    while time.monotonic() < end:
        found = process(pid)
        if found is None or found.state == "Z":
            return
        time.sleep(_PAUSE)


# ---- the real store


def prove_store(
    place: StoreLocation, settings: Settings, *, is_resident: bool, index: bool, seconds: float
) -> StoreProof:
    """Append a canary through the resident, or in this process where none runs, and follow it.

    `index` asks that the index reads it too, within so many seconds.
    """
    token = os.urandom(16).hex()
    via = "the resident" if is_resident else "this process"
    if is_resident:
        found = call.send_delivery(place, Delivery(CONTROL, "Canary", token, b""))
        status, reason = (found[0], found[1].decode("utf-8", "replace")) if found else ("lost", "")
    else:
        receipt = append_canary(place, settings, token, _LOCK_SECONDS, index=index)
        status, reason = receipt.status, receipt.reason or ""
    if status not in ("stored", "duplicate"):
        return StoreProof(via, status, reason[:_REASON], None)
    return StoreProof(via, status, reason, follow_canary(place, token, seconds, index=index))
