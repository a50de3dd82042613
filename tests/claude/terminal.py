"""The real Claude Code with a person in front of it: keys go into a terminal, its screen is read.

with Terminal(claude, [say("seen")]) as terminal:
    terminal.paste("a page")
    terminal.type(" what is this?")
    terminal.send("seen")
"""

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
from collections.abc import Sequence
from contextlib import suppress
from types import TracebackType
from typing import Final, Self

from tests.claude.api import ScriptedApi, Turns
from tests.claude.session import GRACE, Claude, settled
from tests.conftest import wait_until
from tests.support.early_resident import start_early

ROWS, COLUMNS = 45, 140
READY: Final = "❯"
_TRIES: Final = 20
ENTER: Final = "\r"
ESCAPE: Final = "\x1b"
_TERMINAL: Final = {"TERM": "xterm-256color", "IS_SANDBOX": "1"}  # root may skip permissions there
_CONTROL: Final = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07]*(?:\x07|\x1b\\)|\x1b[@-_]")


class Terminal:
    """One interactive session, from its start to its end."""

    def __init__(self, claude: Claude, turns: Turns, args: Sequence[str] = ()) -> None:
        self._claude = claude
        self._args = args
        self._turns = turns
        self._written = bytearray()
        self._seen = 0

    def __enter__(self) -> Self:
        self._claude.furnish()
        start_early(self._claude.environment)
        self._trust()
        self.api = ScriptedApi(self._turns, None)
        self.api.__enter__()
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self._process = subprocess.Popen(
            [str(self._claude.binary), *self._args],
            cwd=self._claude.project,
            env=settled(self.api.url) | self._claude.environment | _TERMINAL,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
        )
        os.close(slave)
        self._reader = threading.Thread(target=self._read)
        self._reader.start()
        self.wait_for(READY)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.terminate()
        try:
            self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        self._reader.join()
        os.close(self._master)
        self.api.__exit__(kind, error, trace)

    def type(self, text: str) -> None:
        """Type a text of one line, and wait until it stands on the screen."""
        self._write(text.encode())
        self.wait_for(text.rsplit(maxsplit=1)[-1])

    def paste(self, text: str, shown: str) -> None:
        """Paste a text as a terminal does, and wait until the screen shows that it came."""
        self._write(b"\x1b[200~" + text.encode() + b"\x1b[201~")
        self.wait_for(shown)

    def send(self, answer: str) -> None:
        """Press Enter, and wait until the model's answer stands on the screen."""
        self._write(b"\r")
        self.wait_for(answer)

    def answer(self, keys: str, words: str) -> None:
        """Press keys until these words stand on the screen: a question is drawn before it takes keys."""
        self._seen = len(self._written)
        for _ in range(_TRIES):
            os.write(self._master, keys.encode())
            with suppress(AssertionError):
                wait_until(lambda: _squeezed(words) in _squeezed(self._screen()), words, 3.0)
                return
        raise AssertionError(f"{words!r} did not come: {self._screen()[-400:]}")

    def press(self, keys: str) -> None:
        """Press keys that write nothing on the screen."""
        self._write(keys.encode())

    def wait_for(self, words: str) -> None:
        """Wait until the client has written these words since the last keys."""
        wait_until(
            lambda: _squeezed(words) in _squeezed(self._screen()), f"{words!r} on the screen"
        )

    def _screen(self) -> str:
        return _CONTROL.sub("", self._written[self._seen :].decode("utf-8", "replace"))

    def _write(self, keys: bytes) -> None:
        self._seen = len(self._written)
        os.write(self._master, keys)

    def _read(self) -> None:
        with suppress(OSError):  # the terminal has no reader left
            while chunk := os.read(self._master, 1 << 16):
                self._written += chunk

    def _trust(self) -> None:
        """Answer beforehand what the client asks at its first start."""
        known = {
            "hasCompletedOnboarding": True,
            "theme": "dark",
            "bypassPermissionsModeAccepted": True,
            "customApiKeyResponses": {"approved": ["unused"], "rejected": []},
            "projects": {
                str(self._claude.project): {
                    "hasTrustDialogAccepted": True,
                    "hasCompletedProjectOnboarding": True,
                }
            },
        }
        (self._claude.home / ".claude.json").write_text(json.dumps(known))


def _squeezed(text: str) -> str:
    """Return a text without blanks: the client moves the cursor instead of writing them."""
    return "".join(text.split())
