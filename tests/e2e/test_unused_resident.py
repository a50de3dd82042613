"""A resident that nobody used for a while starts anew, in place, and is then as small as a new one."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hooklore.resident import call
from hooklore.resident.__main__ import _hand_on
from tests.conftest import wait_until
from tests.redaction.draw import Draw, glue
from tests.support.launcher import Launcher, prompt

_SOON = """
import sys
from hooklore.resident import server
from hooklore.resident.__main__ import main
server._UNUSED_SECONDS = 1.5
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture
def hooks(home: Path) -> Launcher:
    """A home with the launcher in it."""
    return Launcher(home).lay_out()


@pytest.fixture
def resident(hooks: Launcher) -> Iterator[int]:
    """The pid of a resident to which a second and a half without a hook is long."""
    words = [sys.executable, "-I", "-c", _SOON, "--root", str(hooks.place.directory)]
    process = subprocess.Popen([*words, "--launcher", str(hooks.folder)], env=hooks.environment({}))
    wait_until(lambda: call.request_status(hooks.place), "the resident")
    yield process.pid
    process.kill()
    process.wait()


def _words(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/cmdline").read_text().split("\0")


def _is_anew(pid: int) -> bool:
    return "--idle" in _words(pid)


@pytest.mark.skipif(not os.path.exists("/proc/self/cmdline"), reason="there is no /proc")
def test_an_unused_resident_starts_anew_with_its_lock_its_socket_and_its_time(
    hooks: Launcher, resident: int
) -> None:
    hooks.run("UserPromptSubmit", prompt("before"))
    inode = hooks.place.socket.stat().st_ino

    wait_until(lambda: _is_anew(resident), "the new start")
    words = _words(resident)
    hooks.run("UserPromptSubmit", prompt("after"))

    assert hooks.wait_for_prompts(2) == ["before", "after"]
    assert hooks.place.socket.stat().st_ino == inode
    assert hooks.residents() == [resident]
    assert 1 <= int(words[words.index("--idle") + 1]) < 60
    told = call.request_status(hooks.place)
    assert told is not None
    assert told["pid"] == resident


@pytest.mark.req("RD-01")
@pytest.mark.skipif(not os.path.exists("/proc/self/cmdline"), reason="there is no /proc")
def test_a_secret_of_the_session_is_known_after_the_new_start_and_stands_in_no_command_line(
    hooks: Launcher, resident: int
) -> None:
    secret = glue("tanuki", Draw("anew").chars("23456789", 3))
    hooks.run("UserPromptSubmit", prompt(f"the admin password is {secret}"))

    wait_until(lambda: _is_anew(resident), "the new start")
    hooks.run("UserPromptSubmit", prompt(f"done, {secret} is written there now"))

    assert hooks.wait_for_prompts(2)[1] == "done, [REDACTED:repeated] is written there now"
    assert not any(secret in word for word in _words(resident))


def test_a_pipe_that_does_not_take_all_hands_on_nothing_and_waits_for_nothing() -> None:
    assert _hand_on(b"x" * (1 << 22)) is None
