"""Read from `/proc` which process holds a lock or a socket, and its state."""

import os
import re
import socket
import struct
from contextlib import suppress
from pathlib import Path

from hooklore.cli.doctor.facts import Process
from hooklore.cli.doctor.part import unless_refused
from hooklore.resident.wire import socket_address

_PROC = Path("/proc")
_LOCK_LINE = re.compile(
    r"^\d+: FLOCK\s+\S+\s+WRITE\s+(?P<pid>-?\d+)\s+(?P<major>[0-9a-f]+):(?P<minor>[0-9a-f]+):(?P<inode>\d+)\s"
)
_CONNECT_SECONDS = 0.5


def process(pid: int) -> Process | None:
    """Return a running process; None when there is none, or none can be seen."""
    path = _PROC / str(pid) / "stat"
    text = unless_refused(lambda: path.read_text("utf-8", "replace"), None)
    if text is None:
        return None
    name, _, rest = text.partition("(")[2].rpartition(")")
    return Process(pid, name, rest.split()[0] if rest.split() else "?")


def lock_holder(path: Path) -> Process | None:
    """Return the process that holds a `flock` on this file or folder.

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
    """Return the pids that `/proc/locks` names for exclusive locks on a file, without those that wait (`->`)."""
    named = (os.major(device), os.minor(device), inode)
    return [
        int(match["pid"])
        for match in filter(None, map(_LOCK_LINE.match, table.splitlines()))
        if (int(match["major"], 16), int(match["minor"], 16), int(match["inode"])) == named
    ]


def _carrier(inode: int) -> Process | None:
    """Return the process of this user's whose descriptor carries a lock on a file."""
    needle = f":{inode} "
    for entry in _PROC.glob("[0-9]*"):
        with suppress(OSError):
            if entry.stat().st_uid != os.getuid():
                continue
            for path in (entry / "fdinfo").iterdir():
                text = unless_refused(lambda path=path: path.read_text("ascii", "replace"), "")  # type: ignore[misc]
                if any(line.startswith("lock:") and needle in line for line in text.splitlines()):
                    return process(int(entry.name))
    return None


def listener(path: Path) -> Process | None:
    """Return the process that listens at a Unix socket, also a stopped one. Raise OSError if it does not accept."""
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
