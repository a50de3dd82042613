"""Hooks as the client starts them, from an installed launcher, without the client."""

import os
import signal
import subprocess
import tempfile
import time
import uuid
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import orjson

from hooklore.agents.agent import Agent, ClientEvent
from hooklore.agents.claude_code.registering import GROUPS
from hooklore.agents.registry import default_agent
from hooklore.cli.install import launcher
from hooklore.config import StoreLocation, store_location_at
from hooklore.errors import ResidentUnreachable
from hooklore.resident import call
from tests.conftest import wait_until
from tests.processes import Process, naming, residents, state
from tests.support.writers import records

ENTRIES = GROUPS.entry_files


@dataclass(frozen=True)
class Ran:
    """What a hook did: exit status, stdout, stderr, seconds."""

    status: int
    stdout: bytes
    stderr: bytes
    seconds: float

    @property
    def context(self) -> str:
        """What the model is told; empty when nothing."""
        if not self.stdout:
            return ""
        told = orjson.loads(self.stdout).get("hookSpecificOutput", {})
        return str(told.get("additionalContext", ""))


@dataclass
class Started:
    """A hook that runs."""

    process: "subprocess.Popen[bytes]"
    started: float
    out: Any
    err: Any

    def wait(self) -> Ran:
        """Its end."""
        status = self.process.wait(timeout=120)
        seconds = time.monotonic() - self.started
        found = []
        for file in (self.out, self.err):
            file.seek(0)
            found.append(file.read())
            file.close()
        return Ran(status, found[0], found[1], seconds)


@dataclass
class Launcher:
    """A home in which the launcher lies; every hook runs in an environment of its own."""

    home: Path
    variables: dict[str, str] = field(default_factory=dict)

    def lay_out(self, *, is_patient: bool = False) -> "Launcher":
        """Install the launcher. Patient hooks wait for an answer however busy the machine is.

        They are for tests of what is recorded and answered, not of when.
        """
        launcher.lay_out(self.home, agents=[])
        if is_patient:
            be_patient(self.home)
        return self

    @property
    def folder(self) -> Path:
        """Where the launcher lies."""
        return launcher.launcher_directory(self.home)

    @property
    def place(self) -> StoreLocation:
        """The default store of this home."""
        return store_location_at(self.home / ".config" / "ai" / "memory")

    def start(
        self,
        event: str,
        payload: bytes | Mapping[str, Any],
        *arguments: str,
        variables: Mapping[str, str | None] | None = None,
        prefix: Sequence[str] = (),
    ) -> Started:
        """Start the hook of an event; `variables` are added to its environment, or left out (None)."""
        raw = payload if isinstance(payload, bytes) else orjson.dumps(payload)
        stdin = tempfile.TemporaryFile()  # noqa: SIM115 - the hook's own
        stdin.write(raw)
        stdin.seek(0)
        out, err = tempfile.TemporaryFile(), tempfile.TemporaryFile()  # noqa: SIM115 - closed by `wait`
        started = time.monotonic()
        process = subprocess.Popen(
            [*prefix, *self.command(event), *arguments],
            env=self.environment(variables or {}),
            stdin=stdin,
            stdout=out,
            stderr=err,
        )
        stdin.close()
        return Started(process, started, out, err)

    def run(
        self, event: str, payload: bytes | Mapping[str, Any], *arguments: str, **how: Any
    ) -> Ran:
        """Run the hook of an event to its end."""
        return self.start(event, payload, *arguments, **how).wait()

    def command(self, event: str) -> list[str]:
        """The registered command line, without its shell."""
        return [
            str(self.folder / "python"),
            "-I",
            "-S",
            str(self.folder / "hooks" / ENTRIES[event]),
        ]

    def environment(self, variables: Mapping[str, str | None]) -> dict[str, str]:
        """What a hook's process sees."""
        common = {"HOME": str(self.home), "PATH": "/usr/bin:/bin"} | self.variables
        return {n: v for n, v in (common | dict(variables)).items() if v is not None}

    def residents(self, root: str | None = None) -> list[int]:
        """The pids of the residents of this home's store."""
        return residents(root or str(self.place.directory))

    def wait_for_resident(self, other_than: int = 0) -> int:
        """The pid of the one resident, once it is another than that and answers, and no hook waits.

        On a busy machine the first hook may have ended before its resident answered: its child goes
        on, and its mark says that the resident hangs. Neither is left.
        """
        wait_until(lambda: self._answering() not in (0, other_than), "a resident")
        wait_until(lambda: not self._hooks(), "the end of every hook")
        self.mark.unlink(missing_ok=True)
        return self._answering()

    @property
    def mark(self) -> Path:
        """Where a hook notes that the resident did not answer it."""
        return self.place.socket.with_suffix(".hung")

    def seconds_of_nothing(self) -> float:
        """What a hook takes that is switched off: this machine's time for starting one, now."""
        off = {"HOOKLORE_OFF": "1"}
        ran = [self.run("PostToolUse", b"{}", variables=off) for _ in range(3)]
        return sorted(each.seconds for each in ran)[1]

    def _answering(self) -> int:
        """The pid of the resident that answers; 0 for none."""
        with suppress(ResidentUnreachable):
            told = call.request_status(self.place)
            return int(told["pid"]) if told else 0
        return 0

    def _hooks(self) -> list[Process]:
        return [each for each in naming(self.home) if each.is_hook]

    def prompts(self) -> list[str]:
        """The prompts in the log, in order."""
        found = [r for r in records(self.place) if r["kind"] == "prompt"]
        return [str(r["body"].get("intent") or r["body"].get("text")) for r in found]

    def wait_for_prompts(self, count: int, seconds: float = 60.0) -> list[str]:
        """The prompts in the log, once there are so many."""
        wait_until(lambda: len(self.prompts()) >= count, f"{count} prompts", seconds)
        return self.prompts()


class _PatientEvent(ClientEvent):
    """An event whose hook has a minute."""

    seconds = 60.0


def be_patient(home: Path) -> None:
    """Give the hooks of a home's launcher a minute each."""
    launcher.lay_out(home, agents=[_patient(default_agent())])


def _patient(agent: Agent) -> Agent:
    """Return an agent whose hooks have a minute each."""
    events = {
        name: _PatientEvent(*(getattr(each, f.name) for f in fields(each)))
        for name, each in agent.events.items()
    }
    return replace(agent, events=events)


SESSION = uuid.uuid4().hex
"""What was said to a session is remembered beyond the run of tests."""


def prompt(text: str, session: str = SESSION, **more: Any) -> dict[str, Any]:
    """The payload of a prompt."""
    return {
        "session_id": session, "cwd": "/nowhere", "hook_event_name": "UserPromptSubmit",
        "prompt": text, **more,
    }  # fmt: skip


def tool(identity: str, command: str = "true", session: str = SESSION) -> dict[str, Any]:
    """The payload of a command that has run."""
    return {
        "session_id": session, "cwd": "/nowhere", "hook_event_name": "PostToolUse",
        "tool_name": "Bash", "tool_use_id": identity, "tool_input": {"command": command},
        "tool_response": {"stdout": "", "stderr": "", "interrupted": False},
    }  # fmt: skip


def stopped(pid: int) -> None:
    """Stop a process, and wait until it is."""
    os.kill(pid, signal.SIGSTOP)
    wait_until(lambda: state(pid) == "T", "the stop")
