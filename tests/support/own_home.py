"""A home of its own, where commands run in processes that have only the environment that a test names."""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from tests.support.launcher import be_patient

SCRIPTS: Final = Path(sys.executable).parent
"""The folder with `hooks` and `hooklore`, of an environment of one's own."""

MINIMAL_PATH: Final = "/usr/bin:/bin"
AS_AGENT: Final = {
    "CLAUDECODE": "1",
    "CLAUDE_CODE_ENTRYPOINT": "cli",
    "CLAUDE_CODE_SESSION_ID": "s-1",
}


@dataclass(frozen=True)
class Done:
    """The end of a process."""

    rc: int
    out: str
    err: str


@dataclass
class OwnHome:
    """A home, and the PATH that its user's shells have."""

    folder: Path
    path: str = MINIMAL_PATH
    variables: Mapping[str, str] = field(default_factory=dict)

    @property
    def links(self) -> Path:
        return self.folder / ".local" / "bin"

    @property
    def link(self) -> Path:
        return self.links / "hooklore"

    @property
    def launched(self) -> Path:
        return self.folder / ".local" / "share" / "hooklore" / "hooklore"

    @property
    def settings(self) -> Path:
        return self.folder / ".claude" / "settings.json"

    def run(self, *words: str, stdin: str = "", **variables: str) -> Done:
        """Run a program in the home."""
        env = {"HOME": str(self.folder), "PATH": self.path, "LANG": "C.UTF-8", **self.variables}
        done = subprocess.run(
            words, env=env | variables, cwd=self.folder, input=stdin, capture_output=True, text=True,
            timeout=120,
        )  # fmt: skip
        return Done(done.returncode, done.stdout, done.stderr)

    def hooks(self, *words: str) -> str:
        """Run the suite's command, which must succeed, and return what it printed.

        Hooks that it installs wait for their answers however busy the machine is.
        """
        done = self.run(str(SCRIPTS / "hooks"), *words)
        assert done.rc == 0, done
        if words[0] == "install" and "--dry-run" not in words:
            be_patient(self.folder)
        return done.out

    def shell(self, command: str) -> Done:
        """Run a command line as the shell that an agent starts."""
        return self.run("/bin/sh", "-c", command, **AS_AGENT)

    def hook(self, entry: str, **payload: Any) -> dict[str, Any]:
        """Run the registered command of an event as the client does, and return its answer."""
        launcher = "$HOME/.local/share/hooklore"
        command = f'"{launcher}/python" -I -S "{launcher}/hooks/{entry}.py" || exit 0'
        given = {
            "session_id": "s-1",
            "cwd": str(self.folder),
            "permission_mode": "default",
            **payload,
        }
        done = self.run("/bin/sh", "-c", command, stdin=json.dumps(given), **AS_AGENT)
        return dict(json.loads(done.out)["hookSpecificOutput"]) if done.out else {}

    def memories(self) -> Iterator[str]:
        """Yield the text of each memory in the log."""
        log = self.folder / ".config" / "ai" / "memory" / "events.jsonl"
        for line in log.read_text().splitlines() if log.exists() else ():
            record = json.loads(line)
            if record["stream"] == "memory":
                yield record["body"]["content_md"]
