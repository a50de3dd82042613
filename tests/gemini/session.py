"""One session of the real Gemini CLI in a home of its own, and what its model was shown."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.gemini.api import Request, ScriptedModel, Turns
from tests.support.client_home import closed_environment, make_folders
from tests.support.early_resident import start_early

FLAGS: Final = ("-m", "gemini-2.5-flash", "--yolo", "-o", "json")
SETTINGS: Final = """\
{
  // The machine of a test: a key, no folder to trust, nothing that leaves loopback.
  "security": {
    "auth": { "selectedType": "gemini-api-key" },
    "folderTrust": { "enabled": false }
  },
  "privacy": { "usageStatisticsEnabled": false }, /* and no telemetry */
  "telemetry": { "enabled": false },
  "general": { "enableAutoUpdate": false, "enableAutoUpdateNotification": false }
}
"""
"""A user's settings, with comments, which the client takes."""


@dataclass(frozen=True)
class Session:
    """The traces of a session: its exit status, the requests for a turn, and its output."""

    rc: int
    turns: tuple[Request, ...]
    stdout: str
    stderr: str
    seconds: float


@dataclass(frozen=True)
class Gemini:
    """The client on a machine of its own: a home, a project, and an environment from nothing."""

    program: Path
    home: Path
    project: Path
    env: Mapping[str, str] = field(default_factory=dict)

    @property
    def settings(self) -> Path:
        """The user's settings file."""
        return self.home / ".gemini" / "settings.json"

    @property
    def environment(self) -> dict[str, str]:
        """The environment of a program of this user."""
        node = Path(os.path.realpath(shutil.which("node") or "node")).parent
        own = {"TERM": "dumb", "NO_BROWSER": "1"}
        return closed_environment(self.home, node) | own | dict(self.env)

    def run(
        self, prompt: str, turns: Turns, *, args: Sequence[str] = (), timeout: float = 120.0
    ) -> Session:
        """Run one session with one prompt to its end."""
        self.furnish()
        start_early(self.environment)
        with ScriptedModel(turns) as model:
            started = time.monotonic()
            process = subprocess.Popen(
                [str(self.program), *FLAGS, *args, "-p", prompt],
                cwd=self.project,
                env=settled(model.url) | self.environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
                text=True,
            )
            try:
                stdout, stderr = process.communicate(timeout=timeout)
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.communicate()
            seconds = time.monotonic() - started
            return Session(process.returncode, model.turns, stdout, stderr, seconds)

    def furnish(self) -> None:
        """Make the home's folders, and the user's settings where there are none."""
        make_folders(self.home / "bin", self.home / "tmp", self.home / ".gemini")
        if not self.settings.exists():
            self.settings.write_text(SETTINGS)


def settled(url: str) -> dict[str, str]:
    """Return the variables that point the client at the script."""
    return {
        "GOOGLE_GEMINI_BASE_URL": url,
        "GEMINI_API_KEY": "unused",
        "GEMINI_CLI_NO_RELAUNCH": "true",
    }
