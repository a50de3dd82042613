"""The broker serves this user's processes only, whatever the modes on the way to its socket say."""

import os
import shutil
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from hooklore.hooks.delivery import Delivery, DeliveryResult
from hooklore.resident.listener import Listener, bind_socket
from hooklore.resident.wire import encode_frame

NOBODY = 65_534
FRAME = encode_frame(Delivery("claude", "Stop", "0" * 32, b"{}"))


@pytest.fixture
def path() -> Iterator[Path]:
    """A socket that everybody can reach: what keeps others out must be the check of who calls."""
    folder = Path(tempfile.mkdtemp(dir="/tmp"))
    yield folder / "x.sock"
    shutil.rmtree(folder)


def served(path: Path, served_uid: int | None, ask_as: int | None) -> list[str]:
    """The events that reach the broker when one process asks, as another user where that is given."""
    listening = bind_socket(path)
    path.parent.chmod(0o711)
    path.chmod(0o666)
    listener = Listener(listening, served_uid)
    child = os.fork()
    if child == 0:
        os._exit(asked(path, ask_as))
    found: list[str] = []
    while os.waitpid(child, os.WNOHANG) == (0, 0):
        for request in listener.take(8, 0.01):
            found.append(request.delivery.event)
            request.reply(DeliveryResult("stored", b""))
    for connection in (*listener._incoming, listening):
        connection.close()
    return found


def asked(path: Path, uid: int | None) -> int:
    try:
        if uid is not None:
            os.setgroups([])
            os.setgid(uid)
            os.setuid(uid)
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(60)
            client.connect(str(path))
            client.sendall(FRAME)
            client.recv(64)
    except OSError:
        return 1
    return 0


def test_a_process_of_the_same_user_is_served(path: Path) -> None:
    assert served(path, None, None) == ["Stop"]


def test_a_process_of_another_user_is_not(path: Path) -> None:
    """As root a child becomes another user; otherwise the broker is told to serve another one."""
    is_root = os.getuid() == 0

    found = served(path, None if is_root else os.getuid() + 1, NOBODY if is_root else None)

    assert found == []


@pytest.mark.parametrize("mode", [0o755, 0o701, 0o770])
def test_a_folder_that_others_may_enter_takes_no_socket(tmp_path: Path, mode: int) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    folder.chmod(mode)

    with pytest.raises(PermissionError):
        bind_socket(folder / "x.sock")
