"""A machine on which the user ran `hooks install --agent codex`, and has the real Codex CLI."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from hooklore.config import StoreLocation, store_location_at
from tests.codex.session import Codex
from tests.support.terminal import run_at_terminal

SCRIPTS = Path(sys.executable).parent


@dataclass(frozen=True)
class CodexMachine:
    """One user's home with hooklore installed in it; `codex` runs the client there."""

    codex: Codex

    @property
    def place(self) -> StoreLocation:
        """The store that the hooks write."""
        return store_location_at(self.codex.home / ".config" / "ai" / "memory")

    def run(self, *words: str) -> str:
        """What a command prints that the user runs at a terminal."""
        done = self.outcome(*words)
        assert done.returncode == 0, (words, done.stdout, done.stderr)
        return done.stdout

    def outcome(self, *words: str) -> subprocess.CompletedProcess[str]:
        """The outcome of a command that the user runs at a terminal."""
        command = [str(SCRIPTS / words[0]), *words[1:]]
        return run_at_terminal(command, self.codex.environment, self.codex.project, "")

    def records(self, kind: str) -> list[dict[str, Any]]:
        """The records of a kind, in order."""
        log = self.place.log
        lines = log.read_bytes().splitlines() if log.exists() else []
        return [each for each in map(orjson.loads, lines) if each["kind"] == kind]


def codex_at(program: Path, home: Path, project: Path) -> Codex:
    """Return the client in a home where `codex` and `hooklore` are on PATH, and a project."""
    found = Codex(program, home, project)
    found.furnish()
    for name, target in (("codex", program), ("hooklore", SCRIPTS / "hooklore")):
        link = home / "bin" / name
        if not link.is_symlink():
            link.symlink_to(target)
    (project / ".git").mkdir(exist_ok=True)
    (project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    return found
