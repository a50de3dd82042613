"""Read from `/proc` which process holds a lock or a socket, and its state."""

import os
import re
import socket
import struct
from collections.abc import Iterator
from pathlib import Path

from hooklore.cli.doctor.facts import Process
from hooklore.resident.wire import socket_address

_PROC = Path("/proc")
_LOCK_LINE = re.compile(
    r"^\d+: FLOCK\s+\S+\s+WRITE\s+(?P<pid>-?\d+)\s+(?P<major>[0-9a-f]+):(?P<minor>[0-9a-f]+):(?P<inode>\d+)\s"
)
_CONNECT_SECONDS = 0.5


def process(pid: int) -> Process | None:
    """A running process; None when there is none, or none can be seen."""
    try:
        text = (_PROC / str(pid) / "stat").read_text("utf-8", "replace")
    except OSError:
        return None
    name, _, rest = text.partition("(")[2].rpartition(")")
    return Process(pid, name, rest.split()[0] if rest.split() else "?")


def lock_holder(path: Path) -> Process | None:
    """The process that holds a `flock` on this file or folder.

    The kernel's table names the one that took it, which may have handed it on and ended: then the
    one whose descriptor carries it is looked for.
    """
    try:
        found = os.stat(path)
        table = (_PROC / "locks").read_text("ascii", "replace")
    except OSError:
        return None
    pids = holders_in(table, found.st_dev, found.st_ino)
    for pid in pids:
        holder = process(pid)
        if holder is not None and holder.state != "Z":
            return holder
    return _carrier(found.st_ino) if pids else None


def holders_in(table: str, device: int, inode: int) -> list[int]:
    """Pids that `/proc/locks` names for exclusive locks on a file; waiting ones (`->`) are no holders."""
    found = []
    for line in table.splitlines():
        match = _LOCK_LINE.match(line)
        if match is None or int(match["inode"]) != inode:
            continue
        named = (int(match["major"], 16), int(match["minor"], 16))
        if named == (os.major(device), os.minor(device)):
            found.append(int(match["pid"]))
    return found


def _carrier(inode: int) -> Process | None:
    needle = f":{inode} "
    for entry in _own_processes():
        try:
            names = os.listdir(entry / "fdinfo")
        except OSError:
            continue
        for name in names:
            try:
                text = (entry / "fdinfo" / name).read_text("ascii", "replace")
            except OSError:
                continue
            if any(line.startswith("lock:") and needle in line for line in text.splitlines()):
                return process(int(entry.name))
    return None


def _own_processes() -> Iterator[Path]:
    for entry in _PROC.glob("[0-9]*"):
        try:
            if entry.stat().st_uid == os.getuid():
                yield entry
        except OSError:
            continue


def listener(path: Path) -> Process | None:
    """The process that listens at a Unix socket, also one that is stopped; None when there is none.

    Raises OSError when somebody is there who does not take the connection.
    """
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.settimeout(_CONNECT_SECONDS)
    with connection:
        try:
            with socket_address(path) as address:
                connection.connect(address)
        except (FileNotFoundError, ConnectionRefusedError):
            return None
        if not hasattr(socket, "SO_PEERCRED"):
            return None
        raw = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    pid = int(struct.unpack("3i", raw)[0])
    return process(pid) or Process(pid, "", "?")
