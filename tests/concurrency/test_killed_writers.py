"""C01, C02, C22: writers that are killed at any moment (numbers: 200 kills; `HOOKLORE_KILLS` for more)."""

import os
import random
import signal
from pathlib import Path

import pytest

from hooklore.broker import Broker
from hooklore.config import StoreLocation
from hooklore.log import quarantine
from tests.conftest import wait_until
from tests.support.writers import (
    Child,
    acknowledged,
    deliveries,
    draft,
    nursery,
    records,
    write_for_ever,
)

_SIZES = {1: [100, 700, 5_000, 2 << 20], 4: [100, 300_000, 650, 2_000], 16: [100, 650, 9_000]}
_SMALL_SEGMENT = 8 * 1024 * 1024


def _kill_at_random(store: StoreLocation, folder: Path, writers: int, kills: int) -> None:
    """Keep so many writers running, and kill one after the other."""
    chance = random.Random(f"{writers}.{kills}")
    living: list[Child] = []
    for number in range(kills + writers):
        if len(living) == writers:
            victim = living.pop(chance.randrange(writers))
            # At any instant of its life: every other time after an append, however slow the machine is.
            if number % 2:
                _wait_for_an_append(folder)
            signal.sigtimedwait([], chance.random() * 0.04)
            assert victim.kill() == -signal.SIGKILL
        name = f"w-{number:04d}"
        acks = str(folder / f"{name}.acks")
        start = nursery().start
        child = start(write_for_ever, str(store.directory), name, acks, _SIZES[writers], 5.0)
        living.append(child)
    for child in living:
        child.kill()


def _wait_for_an_append(acks: Path) -> None:
    """Return when a writer has said that something is kept, which was not kept before."""
    before = acknowledged(acks)
    wait_until(lambda: len(acknowledged(acks)) > len(before), "an append")


def _check(store: StoreLocation, folder: Path) -> None:
    kept = acknowledged(folder)
    before = (store.directory / "events.jsonl").read_bytes()
    broker = Broker(store)
    assert broker.append([draft("the-next-one")])[0].status == "stored"
    broker.close()
    found = deliveries(store)

    assert kept
    assert set(kept) <= set(found), "acknowledged and lost"
    assert len(found) == len(set(found)), "written twice"
    assert quarantine.count_quarantined(store) <= len(list(folder.glob("*.acks"))) + 1
    assert before.rpartition(b"\n")[0] in (store.directory / "events.jsonl").read_bytes()
    ids = [record["id"] for record in records(store)]
    assert ids == sorted(set(ids))


@pytest.mark.req("WF-22", "WF-04")
@pytest.mark.parametrize(("writers", "kills"), [(1, 60), (4, 70), (16, 70)])
def test_what_killed_writers_were_told_is_kept_is_in_the_log_once(
    store: StoreLocation, tmp_path: Path, writers: int, kills: int
) -> None:
    acks = tmp_path / "acks"
    acks.mkdir()

    _kill_at_random(store, acks, writers, kills)

    _check(store, acks)


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("writers", [1, 4, 16])
def test_thousands_of_kills_lose_nothing(
    store: StoreLocation, tmp_path: Path, writers: int
) -> None:
    kills = int(os.environ.get("HOOKLORE_KILLS", "5000")) // 3
    for turn in range(max(1, kills // 250)):
        acks = tmp_path / f"acks{turn}"
        acks.mkdir()
        place = StoreLocation(
            f"{store.root}{turn}",
            Path(f"{store.directory}{turn}") / "events.jsonl",
            Path(f"{store.directory}{turn}"),
        )

        _kill_at_random(place, acks, writers, min(kills, 250))

        _check(place, acks)
