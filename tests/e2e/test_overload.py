"""More hooks than the resident serves: few wait, the others spool, and nothing is lost."""

import fcntl
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import orjson
import pytest

from hooklore.config import runtime_directory
from hooklore.hooks.delivery import Delivery
from hooklore.resident.wire import encode_frame
from tests.conftest import wait_until
from tests.processes import naming
from tests.support.launcher import Launcher, prompt
from tests.support.writers import records

_HOOKS = 20
_WAITING = 8


@pytest.fixture
def hooks(home: Path) -> Launcher:
    """A home with the launcher in it."""
    return Launcher(home).lay_out()


@contextmanager
def _no_resident(hooks: Launcher) -> Iterator[None]:
    """Hold the lock of the resident for a block: nobody serves, and nobody can start one that does."""
    runtime_directory().mkdir(0o700, exist_ok=True)
    fd = os.open(hooks.place.socket.with_suffix(".lock"), os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(fd, fcntl.LOCK_EX)
    try:
        yield
    finally:
        os.close(fd)


def _spooled(hooks: Launcher) -> list[Path]:
    return list((hooks.place.directory / "spool").glob("*.jsonl"))


def _waiting(hooks: Launcher) -> int:
    return sum(each.is_hook for each in naming(hooks.home))


@pytest.mark.req("WF-08", "WF-14")
def test_beyond_eight_that_wait_for_the_resident_hooks_spool_what_they_have_without_its_secrets(
    hooks: Launcher,
) -> None:
    secret = "gh" + "p_" + "Ab3" * 12
    texts = [f"prompt {n:02d}" for n in range(_HOOKS)]
    with _no_resident(hooks):
        started = [
            hooks.start("UserPromptSubmit", prompt(f"{text} {secret}", f"s{text}"))
            for text in texts
        ]
        ended = [each.wait() for each in started]
        wait_until(lambda: len(_spooled(hooks)) == _HOOKS - _WAITING, "the spooled ones")
        wait_until(lambda: _waiting(hooks) == _WAITING, "the waiting ones")
        has_ninth = hooks.place.socket.with_suffix(f".wait{_WAITING}").exists()
        kept = b"".join(path.read_bytes() for path in _spooled(hooks))
        below = [p for p in hooks.home.rglob("*") if p.is_file() and not p.is_symlink()]
        beside = list(runtime_directory().glob(f"{hooks.place.socket.stem}.*"))
        unclean = [p for p in (*below, *beside) if secret.encode() in p.read_bytes()]

    assert {(ran.status, ran.stderr) for ran in ended} == {(0, b"")}
    assert kept.count(b"prompt ") >= _HOOKS - _WAITING
    assert unclean == []
    assert not has_ninth
    found = sorted(text[:9] for text in hooks.wait_for_prompts(_HOOKS))
    assert found == texts
    assert not _spooled(hooks)
    assert secret not in str(records(hooks.place))


def test_what_hooks_spooled_is_appended_in_a_quiet_second_of_the_resident(hooks: Launcher) -> None:
    hooks.run("UserPromptSubmit", prompt("first"))
    hooks.wait_for_resident()
    delivery = Delivery("claude", "UserPromptSubmit", "0d" * 16, orjson.dumps(prompt("second")))

    subprocess.run(
        [sys.executable, "-I", "-m", "hooklore.resident", "--spool"],
        input=encode_frame(delivery), env=hooks.environment({}), check=True,
    )  # fmt: skip

    assert hooks.wait_for_prompts(2) == ["first", "second"]
    wait_until(lambda: not _spooled(hooks), "the end of the spool")
