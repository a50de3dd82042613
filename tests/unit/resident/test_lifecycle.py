"""When a resident leaves."""

import os
from pathlib import Path

import pytest

from hooklore.config import StoreLocation, runtime_directory
from hooklore.resident.lifecycle import Lifecycle


class _Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


@pytest.fixture
def launcher(tmp_path: Path) -> Path:
    folder = tmp_path / "launcher"
    folder.mkdir()
    (folder / "python").symlink_to("/usr/bin/python3")
    return folder


@pytest.fixture
def lifecycle(store: StoreLocation, launcher: Path) -> Lifecycle:
    return Lifecycle(store, launcher, now=_Clock(), idle_seconds=60.0)


def test_it_stays_while_nothing_changes_and_leaves_when_idle(lifecycle: Lifecycle) -> None:
    reasons = [lifecycle.reason_to_leave() for _ in range(50)]
    lifecycle.used()
    reasons += [lifecycle.reason_to_leave() for _ in range(50)]
    later = [lifecycle.reason_to_leave() for _ in range(20)]

    assert set(reasons) == {None}
    assert later[-1] == "idle"


def test_it_leaves_when_another_interpreter_is_linked(lifecycle: Lifecycle, launcher: Path) -> None:
    (launcher / "python").unlink()
    (launcher / "python").symlink_to("/usr/bin/python4")

    assert lifecycle.reason_to_leave()


def test_it_leaves_when_the_launcher_is_gone(lifecycle: Lifecycle, launcher: Path) -> None:
    (launcher / "python").unlink()

    assert lifecycle.reason_to_leave()


def test_it_leaves_when_its_socket_is_another(store: StoreLocation, launcher: Path) -> None:
    runtime_directory().mkdir(mode=0o700, exist_ok=True)
    store.socket.write_bytes(b"")
    lifecycle = Lifecycle(store, launcher, now=_Clock())
    assert lifecycle.reason_to_leave() is None
    replaced = store.socket.with_suffix(".new")
    replaced.write_bytes(b"")
    os.replace(replaced, store.socket)

    reason = lifecycle.reason_to_leave()

    store.socket.unlink()
    assert reason


def test_it_leaves_when_its_store_is_gone_and_not_before_there_is_one(
    lifecycle: Lifecycle, store: StoreLocation
) -> None:
    assert lifecycle.reason_to_leave() is None
    store.directory.mkdir()
    assert lifecycle.reason_to_leave() is None
    store.directory.rmdir()

    assert lifecycle.reason_to_leave()


def test_what_it_was_told_stays_said(lifecycle: Lifecycle) -> None:
    lifecycle.stopping = "told to stop"

    assert lifecycle.reason_to_leave() == "told to stop"
