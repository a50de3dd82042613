"""C23: the power fails at any moment, and what was not flushed is gone: acknowledged events survive."""

import fcntl
import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from hooklore.broker import Broker
from hooklore.config import StoreLocation, store_location_at
from hooklore.log import files, writer
from tests.support.disk import Disk, Step, record
from tests.support.writers import KEYS, deliveries, draft, is_acknowledged


class _Killed(BaseException):
    """Stands for a kill: nothing in the broker catches it."""


class _Life:
    """A broker's life, told step by step."""

    def __init__(self, place: StoreLocation, steps: list[Step]) -> None:
        self.place, self.steps = place, steps
        self.broker = Broker(place, wait=0.01)

    def append(self, *names: str) -> None:
        for name in names:
            self.steps.append(("try", name))
        receipts = self.broker.append([draft(name, "x" * 150, keys=KEYS) for name in names])
        for name, receipt in zip(names, receipts, strict=True):
            assert is_acknowledged(receipt)
            self.steps.append(("ack", name))


def _plainly(life: _Life, patch: pytest.MonkeyPatch) -> None:
    del patch
    for n in range(6):
        life.append(f"a{n}", f"b{n}")


def _with_segments(life: _Life, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(files, "SEGMENT_BYTES", 900)
    for n in range(8):
        life.append(f"a{n}")


def _through_the_spool(life: _Life, patch: pytest.MonkeyPatch) -> None:
    del patch
    life.append("a")
    fd = os.open(life.place.directory, os.O_RDONLY)
    fcntl.flock(fd, fcntl.LOCK_EX)
    life.append("b", "c")
    life.append("d")
    os.close(fd)
    life.append("e")


def _after_a_kill(life: _Life, patch: pytest.MonkeyPatch) -> None:
    """The line stands, nobody flushed it, and the client tries again elsewhere."""
    patch.setattr(files, "SEGMENT_BYTES", 500)
    for n in range(6):
        with patch.context() as killed:
            killed.setattr(writer, "flush_to_disk", _kill)
            with pytest.raises(_Killed):
                life.append(f"k{n}")
        life.broker = Broker(life.place, wait=0.01)
        if n % 2:
            life.append(f"m{n}")
        life.append(f"k{n}")


def _kill(_fd: int) -> None:
    raise _Killed


def _after_failed_flushes(life: _Life, patch: pytest.MonkeyPatch) -> None:
    for n in range(4):
        life.append(f"a{n}")
        with patch.context() as broken:
            broken.setattr(writer, "flush_to_disk", _fail)
            life.append(f"f{n}", f"g{n}")


def _fail(_fd: int) -> None:
    raise OSError(5, "Input/output error")


@pytest.mark.parametrize(
    "live", [_plainly, _with_segments, _through_the_spool, _after_a_kill, _after_failed_flushes]
)
def test_what_was_acknowledged_survives_a_power_cut_at_any_moment(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    live: Callable[[_Life, pytest.MonkeyPatch], None],
) -> None:
    disk_root = tmp_path / "disk"
    disk_root.mkdir()
    with record(disk_root, monkeypatch) as steps:
        live(_Life(store_location_at(disk_root / "config" / "store"), steps), monkeypatch)
    disk = Disk(disk_root)
    chance = random.Random(live.__name__)
    tried = 0

    for number, step in enumerate(steps):
        if step[0] == "try":
            continue
        disk.apply(step)
        for how in (None, chance, chance):
            left = tmp_path / f"left-{number}-{tried}"
            tried += 1
            disk.after_a_power_cut(left, how)
            found = _found_after(left / "config" / "store")
            assert set(disk.acknowledged) <= set(found), (number, step[:2])
            assert len(found) == len(set(found)), (number, step[:2])

    assert len(disk.acknowledged) >= 5
    assert tried > 60


def _found_after(directory: Path) -> list[str]:
    """What a broker finds when the machine is up again."""
    broker = Broker(store_location_at(directory), wait=0.01)
    assert broker.append([draft("up-again")])[0].status == "stored"
    broker.close()
    return deliveries(store_location_at(directory))
