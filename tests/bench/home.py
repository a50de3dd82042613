"""A user's machine in a temporary folder: hooklore installed, a project, a store, perhaps a resident."""

import contextlib
import json
import os
import signal
import subprocess
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from hooklore.agents.claude_code.registering import GROUPS
from hooklore.broker import Broker
from hooklore.cli.install import install
from hooklore.config import StoreLocation, locate_store
from hooklore.errors import HookloreError
from hooklore.hooks.project import project_keys
from hooklore.records.draft import PERSON, ProjectKeys
from hooklore.resident import call
from tests.bench.base import Ran, begin, run
from tests.processes import residents

_COMMANDS = {event: GROUPS.command(event) for event in GROUPS.events}


@dataclass(frozen=True)
class Home:
    """HOME, and in it a repository to work in."""

    directory: Path

    @property
    def environment(self) -> dict[str, str]:
        """What a hook sees of the environment."""
        return {
            "HOME": str(self.directory),
            "PATH": "/usr/bin:/bin",
            "CLAUDE_PROJECT_DIR": str(self.project),
            "CLAUDE_CODE_ENTRYPOINT": "cli",
        }

    @property
    def place(self) -> StoreLocation:
        """The default store of this home."""
        return locate_store(self.environment)

    @property
    def project(self) -> Path:
        """The repository."""
        return self.directory / "work" / "widgets"

    @property
    def keys(self) -> ProjectKeys:
        """What identifies the repository."""
        keys = project_keys(str(self.project), str(self.project), str(self.directory))
        assert keys is not None
        return keys

    def furnish(self) -> None:
        """Make the repository, and install hooklore as a user does."""
        git = self.project / ".git"
        git.mkdir(parents=True)
        (git / "HEAD").write_text("ref: refs/heads/main\n")
        (git / "config").write_text(
            '[remote "origin"]\n\turl = https://example.org/me/widgets.git\n'
        )
        install("user", home=self.directory, project_dir=self.project)

    # ---- hooks

    def payload(self, event: str, session: str, **more: Any) -> bytes:
        """What Claude Code gives to a hook."""
        return json.dumps(
            {
                "session_id": session,
                "transcript_path": str(self.directory / "none" / f"{session}.jsonl"),
                "cwd": str(self.project),
                "permission_mode": "default",
                "hook_event_name": event,
                **more,
            },
            ensure_ascii=False,
        ).encode()

    def result(self, unique: str, size: int) -> bytes:
        """The payload of a command that passed, of that many bytes: PostToolUse.

        Its ids have the form of the client's own: a UUID for a session, a prefix for a tool call.
        """
        session = uuid.uuid5(uuid.NAMESPACE_URL, unique)
        parts = {
            "tool_name": "Bash",
            "tool_input": {"command": "make check", "description": "run the checks"},
            "tool_use_id": f"toolu_01{session.hex[:22]}",
            "duration_ms": 12,
        }
        empty = self.payload("PostToolUse", str(session), **parts, tool_response={"stdout": ""})
        line = f"{unique} passed in 3 ms, 0 failed. "
        output = (line * (size // len(line) + 1))[: max(0, size - len(empty))]
        return self.payload("PostToolUse", str(session), **parts, tool_response={"stdout": output})

    def hook(self, event: str, payload: bytes) -> Ran:
        """Run the registered command line of an event."""
        return run(["/bin/sh", "-c", _COMMANDS[event]], self.environment, payload)

    def begin(self, event: str, payload: bytes) -> int:
        """Start the same without waiting for it; its pid."""
        return begin(["/bin/sh", "-c", _COMMANDS[event]], self.environment, payload)

    def open(self, event: str, payload: IO[bytes]) -> "subprocess.Popen[bytes]":
        """Start the same with a payload that no pipe holds; its process."""
        payload.seek(0)
        return subprocess.Popen(
            ["/bin/sh", "-c", _COMMANDS[event]],
            env=self.environment,
            stdin=payload,
            stdout=subprocess.DEVNULL,
        )

    # ---- the resident

    def pid(self) -> int | None:
        """The resident's; None when none runs."""
        told = call.request_status(self.place)
        return None if told is None else int(told["pid"])

    def start(self) -> int:
        """Have a resident run that has nothing left to index; its pid."""
        self.hook("SessionStart", self.payload("SessionStart", f"start-{time.time_ns()}"))
        self.wait_until_indexed()
        pid = self.pid()
        assert pid is not None
        return pid

    def wait_until_indexed(self, seconds: float = 300.0) -> None:
        """Return when the index has all that the log has."""
        end = time.monotonic() + seconds
        with self.broker() as broker:
            broker.refresh()
            while broker._view.lag > 0:
                if time.monotonic() > end:
                    raise TimeoutError(f"{broker._view.lag} not indexed in {seconds} s")
                time.sleep(0.05)
                broker.refresh()

    @contextmanager
    def broker(self) -> Iterator[Broker]:
        """The store, read from this process."""
        broker = Broker(self.place)
        try:
            yield broker
        finally:
            broker.close()

    def recorded(self, event: str) -> int:
        """How many records of hooks of this event are indexed."""
        with self.broker() as broker:
            broker.refresh()
            return sum(
                each.events
                for each in broker.as_reader(PERSON).stats()
                if each.name == f"hook:{event}"
            )

    def stop(self) -> None:
        """End every resident of this store."""
        with contextlib.suppress(HookloreError):
            call.stop_resident(self.place)
        for pid in self.residents():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def residents(self) -> list[int]:
        """The pids of all residents of this store."""
        return residents(self.place.root)


@contextmanager
def furnished(directory: Path) -> Iterator[Home]:
    """A home whose residents are gone afterwards."""
    home = Home(directory)
    home.furnish()
    try:
        yield home
    finally:
        home.stop()
        for path in home.place.socket.parent.glob(f"{home.place.socket.stem}.*"):
            if not path.is_dir():
                path.unlink(missing_ok=True)
