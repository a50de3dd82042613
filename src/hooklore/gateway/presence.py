"""The mark of a running gateway: where it listens, under a lock that ends with its process."""

import contextlib
import fcntl
import http.client
import os
import ssl
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO
from urllib.parse import urlsplit

import orjson

from hooklore.config import StoreLocation, make_private_directory, root_digest

_SECONDS = 3.0
_MOST_BYTES = 4096


@dataclass(frozen=True, slots=True)
class RunningGateway:
    """A gateway of this machine: clients ask its `url`, and this machine reaches it at `local_url`."""

    url: str
    local_url: str

    def answers(self) -> bool:
        """Return whether the gateway and its memory answer."""
        parts = urlsplit(self.local_url)
        host, port = str(parts.hostname), int(parts.port or 0)
        connection = http.client.HTTPConnection(host, port, timeout=_SECONDS)
        if (
            parts.scheme == "https"
        ):  # whose certificate names another host than this machine's own address
            context = ssl._create_unverified_context()  # noqa: S323
            connection = http.client.HTTPSConnection(host, port, timeout=_SECONDS, context=context)
        try:
            connection.request("GET", "/healthz")
            return connection.getresponse().status == http.client.OK
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()


@contextlib.contextmanager
def marked(place: StoreLocation, running: RunningGateway) -> Iterator[None]:
    """Leave the mark of a gateway while the block runs. Raise OSError."""
    make_private_directory(place.runtime)
    path = place.runtime / f"{_prefix(place)}{urlsplit(running.local_url).port}"
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
    with open(os.open(path, flags, 0o600), "wb", buffering=0) as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.truncate(0)
        file.write(orjson.dumps({"url": running.url, "local_url": running.local_url}))
        try:
            yield
        finally:
            path.unlink(missing_ok=True)


def list_running(place: StoreLocation) -> tuple[RunningGateway, ...]:
    """Return the gateways of a store that run on this machine."""
    names = sorted(place.runtime.glob(f"{_prefix(place)}*"))
    return tuple(found for path in names if (found := _read(path)) is not None)


def _read(path: Path) -> RunningGateway | None:
    """Return the gateway of a mark, None for a mark that a killed one left."""
    try:
        with open(os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW), "rb") as file:
            if not _is_locked(file):
                return None
            told = orjson.loads(file.read(_MOST_BYTES))
        return RunningGateway(str(told["url"]), str(told["local_url"]))
    except (OSError, ValueError, KeyError):
        return None


def _is_locked(file: BinaryIO) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    return False


def _prefix(place: StoreLocation) -> str:
    return f"{root_digest(place.root)}.gateway-"
