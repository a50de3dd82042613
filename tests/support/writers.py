"""Processes that write to a store, to be killed, stopped and starved of disk.

`python -m tests.support.writers` has imported hooklore once and forks a child for every job: a start costs
a millisecond instead of a third of a second, so that hundreds can be killed. A job is a function at
the top of a test module; what it must not lose it says with `acknowledge`, which a kill cannot take
back.
"""

import contextlib
import ctypes
import functools
import importlib
import json
import os
import resource
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from hooklore.broker import Broker
from hooklore.config import StoreLocation, store_location_at
from hooklore.log.line import Line, decode_line
from hooklore.log.reader import LogReader
from hooklore.records.draft import ACKNOWLEDGED, Draft, ProjectKeys, Receipt
from hooklore.records.record import Record
from hooklore.redaction.clean import CleanRecord, clean

KEYS = ProjectKeys(("remote:example.org/me/widgets", "dir:/home/me/widgets/.git"), "widgets", "/w")


def draft(delivery: str, text: str = "a prompt", **fields: Any) -> Draft:
    """A prompt with this delivery id; `fields` are of the envelope, `keys` the project's."""
    keys = fields.pop("keys", None)
    body = fields.pop("body", {"text": text})
    common = {"stream": "observation", "kind": "prompt", "agent_id": "claude", "basis": "user"}
    return Draft(Record(common | {"delivery_id": delivery, "body": body} | fields), keys)


def clean_record(delivery: str, text: str = "a prompt", **fields: Any) -> CleanRecord:
    """The record of `draft`, cleaned."""
    return clean(draft(delivery, text, **fields))


def raw_lines(*contents: bytes) -> list[Line]:
    """Lines of any bytes, as no record could make them: the log's writer is tried by their lengths."""
    lines = [Line(clean_record("raw")) for _ in contents]
    for line, content in zip(lines, contents, strict=True):
        line.content = content + b"\n"
    return lines


def records(place: StoreLocation) -> list[dict[str, Any]]:
    """Every record of the log, oldest first."""
    reader = LogReader(place)
    found = [decode_line(line.raw) for line in reader.lines()]
    reader.close()
    return [record.to_json() for record in found if record is not None]


def deliveries(place: StoreLocation) -> list[str]:
    """The delivery ids of every record that has one, in the log's order."""
    return [r["delivery_id"] for r in records(place) if r.get("delivery_id")]


def acknowledge(path: str, names: Iterable[str]) -> None:
    """Say that these are kept: one write, which stays though the process is killed after it."""
    fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.write(fd, b"".join(name.encode() + b"\n" for name in names))
    os.close(fd)


def acknowledged(folder: Path) -> list[str]:
    """What the writers below a folder said is kept."""
    return [name for path in sorted(folder.glob("*.acks")) for name in path.read_text().split()]


def is_acknowledged(receipt: Receipt) -> bool:
    """Whether the caller was told that it is kept."""
    return receipt.status in ACKNOWLEDGED


class Child:
    """One job, running in a process of its own."""

    def __init__(self, nursery: "Nursery", pid: int) -> None:
        self._nursery = nursery
        self.pid = pid

    def signal(self, number: int) -> None:
        """Send a signal; a process that has ended is left alone."""
        os.kill(self.pid, number)

    def kill(self) -> int:
        """SIGKILL, and wait for the end."""
        self.signal(signal.SIGKILL)
        return self.wait()

    def wait(self) -> int:
        """The exit status, negative for a signal."""
        return self._nursery.wait(self.pid)


class Nursery:
    """Starts jobs by forking a process that has everything imported."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.writers"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=Path(__file__).parents[2],
        )

    def start(self, job: Callable[..., None], *arguments: Any) -> Child:
        """Run a function with JSON arguments in a child."""
        name = f"{job.__module__}:{job.__name__}"
        return Child(self, self._ask({"start": name, "arguments": arguments}))

    def run(self, job: Callable[..., None], *arguments: Any) -> int:
        """Run a function to its end; the exit status."""
        return self.start(job, *arguments).wait()

    def wait(self, pid: int) -> int:
        """The exit status of a child, negative for a signal."""
        return self._ask({"wait": pid})

    def close(self) -> None:
        """End the process and whatever it started."""
        self._process.communicate()

    def _ask(self, request: dict[str, Any]) -> int:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.write(json.dumps(request).encode() + b"\n")
        stdin.flush()
        return int(stdout.readline())


@functools.cache
def nursery() -> Nursery:
    """The one of this run of tests; it ends when its stdin does."""
    return Nursery()


_CPU_SECONDS = 120


def _end_with_parent() -> None:
    """No job outlives the run of tests, whatever it hangs in."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def _serve() -> None:
    """Fork a child for each request; kill those that are left at the end."""
    _end_with_parent()
    living: set[int] = set()
    for line in sys.stdin.buffer:
        request = json.loads(line)
        if "wait" in request:
            status = os.waitstatus_to_exitcode(os.waitpid(request["wait"], 0)[1])
            living.discard(request["wait"])
            _reply(status)
            continue
        _import_module_of(request["start"])
        pid = os.fork()
        if not pid:
            _work(request)
        living.add(pid)
        _reply(pid)
    for pid in living:
        os.kill(pid, signal.SIGKILL)


def _import_module_of(job: str) -> None:
    """Import the module of a job before the fork: a test module with all that it imports costs a second."""
    # What fails here fails again in the child, whose status the test looks at.
    with contextlib.suppress(Exception):
        importlib.import_module(job.partition(":")[0])


def _reply(number: int) -> None:
    os.write(1, b"%d\n" % number)


def _work(request: dict[str, Any]) -> None:
    _end_with_parent()
    resource.setrlimit(resource.RLIMIT_CPU, (_CPU_SECONDS, _CPU_SECONDS))
    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    os.dup2(2, 1)
    try:
        module, _, name = request["start"].partition(":")
        getattr(importlib.import_module(module), name)(*request["arguments"])
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


# ---- jobs that several tests use


def write_for_ever(directory: str, name: str, acks: str, sizes: list[int], wait: float) -> None:
    """Append records of these sizes one after the other, saying which are kept."""
    broker = Broker(store_location_at(Path(directory)), wait=wait)
    number = 0
    while True:
        delivery = f"{name}.{number:06d}"
        filling = f"{number} " * (sizes[number % len(sizes)] // 7)
        if is_acknowledged(broker.append([draft(delivery, filling, keys=KEYS)])[0]):
            acknowledge(acks, [delivery])
        number += 1


def write_many(directory: str, name: str, acks: str, count: int, batch: int, wait: float) -> None:
    """Append `count` records in batches, saying which are kept, and how long the longest took."""
    broker = Broker(store_location_at(Path(directory)), wait=wait)
    longest = 0.0
    for first in range(0, count, batch):
        drafts = [draft(f"{name}.{n:06d}", f"text {n}") for n in range(first, first + batch)]
        started = time.monotonic()
        receipts = broker.append(drafts)
        longest = max(longest, time.monotonic() - started)
        kept = [
            str(d.record.delivery_id)
            for d, r in zip(drafts, receipts, strict=True)
            if r.status in ("stored", "spooled")
        ]
        acknowledge(acks, kept)
    acknowledge(acks.replace(".acks", ".longest"), [f"{longest:.6f}"])
    broker.close()


if __name__ == "__main__":
    _serve()
