"""Run a command of ours in a fork of a process that has imported it.

Every command is a process of its own, with its own arguments, environment, folder, descriptors and session. Only
the 200 ms of imports are left out, which are the same each time: hundreds of commands of the suite are not about
their start. `python -m tests.support.prepared_command FD` is the process that is forked; it ends with its socket.
"""

import fcntl
import importlib
import json
import os
import pkgutil
import signal
import socket
import subprocess
import sys
import tempfile
import termios
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[2]
_SCRIPTS: Final = Path(sys.executable).parent
_OURS: Final = (str(_SCRIPTS / "hooklore"), str(_SCRIPTS / "hooks"))
_REQUEST_BYTES: Final = 1 << 18
_SECONDS: Final = 120.0


def is_prepared(words: Sequence[str]) -> bool:
    """Return True for a command that a fork can run: a script of ours that ends by itself."""
    return words[0] in _OURS and words[1:2] != ["mcp"]


def run_command(
    words: Sequence[str], env: Mapping[str, str], cwd: Path, stdin: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run a script of ours to its end, without a terminal, as a program does."""
    files = [tempfile.TemporaryFile() for _ in range(3)]  # noqa: SIM115 - closed below
    files[0].write(stdin.encode())
    files[0].seek(0)
    try:
        status = finish_command(words, env, cwd, [file.fileno() for file in files])
        for file in files:
            file.seek(0)
        _, stdout, stderr = (file.read().decode("utf-8", "replace") for file in files)
    finally:
        for file in files:
            file.close()
    return subprocess.CompletedProcess(list(words), status, stdout, stderr)


def finish_command(
    words: Sequence[str], env: Mapping[str, str], cwd: Path, descriptors: Sequence[int]
) -> int:
    """Run a script of ours with these descriptors as stdin, stdout and stderr; its exit status.

    A command that does not end is killed: raise TimeoutExpired.
    """
    request = json.dumps([list(words), dict(env), str(cwd)]).encode()
    # The fixture that ends what a test left looks for processes only where one was started.
    sys.audit("os.fork")
    prepared, _ = _prepared()
    socket.send_fds(prepared, [request], list(descriptors))
    pid = int(prepared.recv(32))
    try:
        return int(prepared.recv(32))
    except TimeoutError:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        prepared.recv(32)
        raise subprocess.TimeoutExpired(list(words), _SECONDS) from None


@lru_cache(maxsize=1)
def _prepared() -> "tuple[socket.socket, subprocess.Popen[bytes]]":
    """Start the process that is forked. It answers what is sent to it with a pid, then with a status."""
    ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.support.prepared_command", str(its.fileno())],
        cwd=ROOT, env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}, pass_fds=[its.fileno()],
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    its.close()
    ours.settimeout(_SECONDS)
    return ours, process


def main(descriptor: int) -> int:
    """Fork for each request until the socket ends; return the exit status."""
    _load_commands()
    connection = socket.socket(fileno=descriptor)
    while True:
        request, descriptors, _, _ = socket.recv_fds(connection, _REQUEST_BYTES, 3)
        if not request:
            return 0
        pid = os.fork()
        if pid == 0:
            connection.close()
            words, env, cwd = json.loads(request)
            _become(words, env, cwd, descriptors)
        for each in descriptors:
            os.close(each)
        connection.send(str(pid).encode())
        _, status = os.waitpid(pid, 0)
        connection.send(str(os.waitstatus_to_exitcode(status)).encode())


def _load_commands() -> None:
    """Import the modules of all commands, and compile what reads every text."""
    from hooklore import cli
    from hooklore.redaction import redact

    for module in pkgutil.walk_packages(cli.__path__, f"{cli.__name__}."):
        importlib.import_module(module.name)
    importlib.import_module("hooklore.retrieval.recall")
    redact("The password is not said.")


def _become(words: list[str], env: dict[str, str], cwd: str, descriptors: list[int]) -> None:
    """Run a command as if this process had been started for it."""
    os.setsid()
    for number, each in enumerate(descriptors):
        os.dup2(each, number)
        os.close(each)
    if os.isatty(0):
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    sys.argv[:] = words
    sys.stdin, sys.stdout, sys.stderr = (
        open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115 - a descriptor
        for number, mode in ((0, "r"), (1, "w"), (2, "w"))
    )
    sys.exit(_main_of(words[0])())


def _main_of(path: str) -> Any:
    from hooklore.cli import entry, main

    return main.hooks_main if path.endswith("/hooks") else entry.main


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
