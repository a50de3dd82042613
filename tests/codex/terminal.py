"""The real Codex CLI at a terminal, where a person types."""

import fcntl
import json
import os
import pty
import select
import signal
import struct
import termios
import time
from collections.abc import Callable
from contextlib import suppress

from tests.codex.api import Request, ScriptedModel, Turns
from tests.codex.session import TRUSTING, Codex
from tests.support.early_resident import start_early

_ANSWERS = {
    b"\x1b[6n": b"\x1b[1;1R",
    b"\x1b[c": b"\x1b[?62;c",
    b"]10;?": b"\x1b]10;rgb:ffff/ffff/ffff\x1b\\",
    b"]11;?": b"\x1b]11;rgb:0000/0000/0000\x1b\\",
}
"""What the client asks of a terminal, and what a terminal answers."""

_ADVERTISING = b"Use existing model"
_SIZE = struct.pack("HHHH", 40, 120, 0, 0)


class CodexTimeoutError(TimeoutError):
    """The client did not come to the awaited point in time."""


def type_prompt(
    codex: Codex, prompt: str, turns: Turns, is_done: Callable[[], bool], seconds: float = 60.0
) -> tuple[Request, ...]:
    """Start the client with a prompt of its user and end it when `is_done`. Return the model's requests."""
    codex.furnish()
    start_early(codex.environment)
    _trust_folder(codex)
    with ScriptedModel(turns) as model:
        address = f"model_providers.scripted.base_url={json.dumps(model.url)}"
        words = [str(codex.program), TRUSTING, "-c", address, prompt]
        pid, screen = pty.fork()
        if pid == 0:
            os.chdir(codex.project)
            os.execve(words[0], words, codex.environment | {"TERM": "xterm-256color"})
        try:
            fcntl.ioctl(screen, termios.TIOCSWINSZ, _SIZE)
            _converse(screen, is_done, time.monotonic() + seconds)
        finally:
            _end(pid, screen)
        return model.requests


def _trust_folder(codex: Codex) -> None:
    """Note that the user trusts the project's folder, as the client does when its user says so."""
    table = f"\n[projects.{json.dumps(str(codex.project))}]\ntrust_level = 'trusted'\n"
    codex.settings.write_text(codex.settings.read_text() + table)


def _converse(screen: int, is_done: Callable[[], bool], deadline: float) -> None:
    shown, is_past_advertising = b"", False
    while not is_done():
        if time.monotonic() > deadline:
            raise CodexTimeoutError(shown[-2000:].decode(errors="replace"))
        if select.select([screen], [], [], 0.2)[0]:
            chunk = os.read(screen, 1 << 16)
            shown += chunk
            for question, answer in _ANSWERS.items():
                if question in chunk:
                    os.write(screen, answer)
        if _ADVERTISING in shown and not is_past_advertising:
            is_past_advertising = True
            for key in (b"2", b"\r"):
                time.sleep(0.5)  # keys are dropped while the dialog is being drawn
                os.write(screen, key)


def _end(pid: int, screen: int) -> None:
    os.kill(pid, signal.SIGTERM)
    end = time.monotonic() + 5.0
    while os.waitpid(pid, os.WNOHANG)[0] == 0:
        if time.monotonic() > end:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        with suppress(OSError):
            if select.select([screen], [], [], 0.05)[0]:
                os.read(screen, 1 << 16)
    os.close(screen)
