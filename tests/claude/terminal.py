"""One interactive session of the real Claude Code at a terminal of its own: keys in, a screen out."""

import fcntl
import json
import os
import pty
import re
import signal
import struct
import subprocess
import termios
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from tests.claude.api import ScriptedApi, Turns
from tests.claude.session import Claude, furnish, settled
from tests.conftest import wait_until

ENTER: Final = "\r"
ESCAPE: Final = "\x1b"
DOWN: Final = "\x1b[B"
QUESTION: Final = "Do you want to proceed?"

_ESCAPES = re.compile(r"\x1b(?:\[[0-9;?<>=]*[A-Za-z]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_=>])")
_KEY = "dummy"
_SECONDS = 60.0


@dataclass
class Screen:
    """What the client has drawn, without blanks: it moves its cursor instead of printing them."""

    drawn: list[str] = field(default_factory=list)

    def text(self, since: int = 0) -> str:
        return "".join(_ESCAPES.sub("", "".join(self.drawn[since:])).split())


@dataclass(frozen=True)
class Interactive:
    """A running session."""

    screen: Screen
    api: ScriptedApi
    descriptor: int

    def waits_for(self, words: str, since: int = 0) -> None:
        """Wait until the client draws these words."""
        wanted = "".join(words.split())
        wait_until(lambda: wanted in self.screen.text(since), f"`{words}`", _SECONDS)

    def types(self, keys: str) -> int:
        """Type keys, and return the place on the screen from which their effect is seen."""
        place = len(self.screen.drawn)
        os.write(self.descriptor, keys.encode())
        return place


@contextmanager
def at_terminal(
    claude: Claude, prompt: str, turns: Turns, args: Sequence[str] = ()
) -> Iterator[Interactive]:
    """Yield an interactive session that begins with a prompt. The client is ended afterwards."""
    furnish(claude)
    _skip_onboarding(claude)
    mine, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 160, 0, 0))
    with ScriptedApi(turns) as api:
        env = settled(api.url) | {"ANTHROPIC_API_KEY": _KEY, "TERM": "xterm-256color"}
        process = subprocess.Popen(
            [str(claude.binary), *args, "--", prompt], cwd=claude.project, stdin=its, stdout=its,
            stderr=its, env=env | {"IS_SANDBOX": "1"} | claude.environment,
            start_new_session=True,
        )  # fmt: skip
        os.close(its)
        screen = Screen()
        reader = threading.Thread(target=_read, args=(mine, screen.drawn.append), daemon=True)
        reader.start()
        try:
            yield Interactive(screen, api, mine)
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(_SECONDS)
            reader.join(_SECONDS)
            os.close(mine)


def _read(descriptor: int, draw: Callable[[str], None]) -> None:
    while True:
        try:
            piece = os.read(descriptor, 65_536)
        except OSError:
            return
        if not piece:
            return
        draw(piece.decode("utf-8", "replace"))


def _skip_onboarding(claude: Claude) -> None:
    """Tell the client that its user has seen the welcome, trusts the folder and approves the key."""
    path = claude.home / ".claude.json"
    known = json.loads(path.read_text()) if path.exists() else {}
    known |= {
        "hasCompletedOnboarding": True, "theme": "dark", "bypassPermissionsModeAccepted": True,
        "customApiKeyResponses": {"approved": [_KEY], "rejected": []},
        "projects": {str(claude.project): {
            "hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True,
        }},
    }  # fmt: skip
    path.write_text(json.dumps(known))
