"""The client, in process."""

import os
import posix
import stat
from pathlib import Path

import pytest

from hooklore.resident import client


def test_hooks_that_make_the_sockets_directory_at_once_all_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make = posix.mkdir

    def beaten(path: bytes, mode: int) -> None:
        make(path, mode)  # another hook, between the look and the making
        make(path, mode)

    monkeypatch.setattr(posix, "mkdir", beaten)
    call = client._Call("Stop", "claude", b"/store", 0.0)
    call.directory = os.fsencode(tmp_path / "run")

    call._check_directory()

    assert stat.S_IMODE((tmp_path / "run").stat().st_mode) == 0o700
