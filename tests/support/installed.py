"""A machine on which the user ran `hooks install --user`, and has the real client."""

import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import orjson

from hooklore.config import StoreLocation, store_location_at
from tests.claude.session import Claude
from tests.conftest import end_residents, wait_until
from tests.processes import residents
from tests.support.prepared_command import run_command
from tests.support.terminal import run_at_terminal

SCRIPTS = Path(sys.executable).parent


@dataclass(frozen=True)
class Machine:
    """One user's home with hooklore installed in it; `claude` runs the client there."""

    claude: Claude

    @property
    def place(self) -> StoreLocation:
        """The store that the hooks write."""
        return store_location_at(self.claude.home / ".config" / "ai" / "memory")

    def run(self, *words: str, stdin: str = "", rc: int = 0) -> str:
        """What a command prints that the user runs at a terminal; with `stdin` a program runs it."""
        done = self.outcome(*words, stdin=stdin)
        assert done.returncode == rc, (words, done.stdout, done.stderr)
        return done.stdout

    def outcome(
        self, *words: str, stdin: str = "", typed: str = "", marks: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """The outcome of a command of ours; `marks` are an agent's in its environment."""
        command = [str(SCRIPTS / words[0]), *words[1:]]
        env = self.claude.environment | dict(marks or {})
        if not stdin and marks is None:
            return run_at_terminal(command, env, self.claude.project, typed)
        return run_command(command, env, self.claude.project, stdin)

    def records(self) -> list[dict[str, object]]:
        """Every record of the log, in order."""
        if not self.place.log.exists():
            return []
        return [orjson.loads(line) for line in self.place.log.read_bytes().splitlines()]

    def kinds(self) -> list[str]:
        """The kinds of the records, in order."""
        return [str(record["kind"]) for record in self.records()]

    def wait_for(self, kind: str, count: int = 1) -> None:
        """Wait until the log holds so many records of a kind: some are appended after the answer."""
        wait_until(lambda: self.kinds().count(kind) >= count, f"{count} x {kind}")

    def resident_pids(self) -> list[int]:
        """The residents of this home's store."""
        return residents(str(self.place.directory))

    def end_resident(self) -> None:
        """Kill them."""
        end_residents(self.claude.home)


def client_at(binary: Path, folder: Path) -> Claude:
    """Return the client on a new machine: a repository, and a home where `hooklore` is on PATH."""
    project, home = folder / "project", folder / "home"
    (project / ".git").mkdir(parents=True)
    (project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (home / "bin").mkdir(parents=True)
    (home / "bin" / "hooklore").symlink_to(SCRIPTS / "hooklore")
    return Claude(binary, home, project)


def install(claude: Claude, *, server: bool = False) -> Machine:
    """Run the installer as the user does.

    Without a `server` the client starts none: each session starts its own, which takes longer than the
    rest of the session.
    """
    claude.project.mkdir(parents=True, exist_ok=True)
    machine = Machine(claude)
    machine.run("hooks", "install", "--user", *(() if server else ("--no-server",)))
    return machine
