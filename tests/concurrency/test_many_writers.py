"""C06, C07: many processes at once: nothing lost, nothing twice, the order of each kept."""

import os
from pathlib import Path
from statistics import median

import pytest

from hooklore.broker import Broker
from hooklore.config import StoreLocation, store_location_at
from tests.support.writers import (
    KEYS,
    acknowledge,
    acknowledged,
    deliveries,
    draft,
    nursery,
    records,
    write_many,
)

_SCOPES = ("global", "agent:claude", "project:widgets")
_LONGEST_SECONDS = 2.0
_WAIT = 1.0
"""The lock is not a queue: who has waited so long spools, and whoever appends next appends it too."""


@pytest.mark.req("WF-22", "WF-08")
@pytest.mark.parametrize(("writers", "count"), [(16, 100), (32, 50), (64, 20)])
def test_every_writer_finds_all_of_its_own_in_its_order(
    store: StoreLocation, tmp_path: Path, writers: int, count: int
) -> None:
    _write_at_once(store, tmp_path, writers, count)

    _check_all(store, writers, count)


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("writers", [16, 32, 64])
def test_a_thousand_of_each_writer(store: StoreLocation, tmp_path: Path, writers: int) -> None:
    longest = _write_at_once(store, tmp_path, writers, count=1000)

    _check_all(store, writers, count=1000)
    assert max(longest) < max(_LONGEST_SECONDS, 4 * median(longest)), "a writer starved"


def _write_at_once(store: StoreLocation, folder: Path, writers: int, count: int) -> list[float]:
    names = [f"w{n:02d}" for n in range(writers)]
    children = [
        nursery().start(
            write_many, str(store.directory), name, str(folder / f"{name}.acks"), count, 1, _WAIT
        )
        for name in names
    ]

    assert [child.wait() for child in children] == [0] * writers
    Broker(store).append([draft("last")])
    assert len(acknowledged(folder)) == writers * count
    return [float((folder / f"{name}.longest").read_text()) for name in names]


def _check_all(store: StoreLocation, writers: int, count: int) -> None:
    found = deliveries(store)
    assert len(found) == writers * count + 1
    assert len(set(found)) == len(found)
    for n in range(writers):
        of_writer = [name for name in found if name.startswith(f"w{n:02d}.")]
        assert of_writer == sorted(of_writer)
    ids = [record["id"] for record in records(store)]
    assert ids == sorted(set(ids))


def hand_in(directory: str, acks: str, scope: int) -> None:
    """One event that the agent itself names, from one of many processes."""
    event = draft(
        f"delivery-{os.getpid()}", natural_key="claude|s1|PreToolUse|toolu_1", keys=KEYS,
        visibility="public", scope=_SCOPES[scope % 3],
    )  # fmt: skip
    receipt = Broker(store_location_at(Path(directory)), wait=None).append([event])[0]
    acknowledge(acks, [f"{receipt.status}:{receipt.id}"])


@pytest.mark.req("WF-08")
def test_one_event_from_64_processes_is_one_line_and_63_duplicates(
    store: StoreLocation, tmp_path: Path
) -> None:
    children = [
        nursery().start(hand_in, str(store.directory), str(tmp_path / f"{n}.acks"), n)
        for n in range(64)
    ]

    assert [child.wait() for child in children] == [0] * 64

    answers = [answer.split(":") for answer in acknowledged(tmp_path)]
    events = [r for r in records(store) if r.get("natural_key")]
    assert len(events) == 1
    assert sorted(status for status, _ in answers) == ["duplicate"] * 63 + ["stored"]
    assert {id_ for _, id_ in answers} == {events[0]["id"]}
    assert len([r for r in records(store) if r["kind"] == "project_alias"]) == len(KEYS.keys)


@pytest.mark.req("WF-08")
@pytest.mark.parametrize("is_indexed", [False, True])
def test_a_known_event_is_known_for_ever(store: StoreLocation, is_indexed: bool) -> None:
    first = Broker(store)
    stored = first.append([draft("one", natural_key="k"), draft("two")])
    first.append([draft(f"filling.{n}") for n in range(50)])
    if is_indexed:
        first.index()
    first.close()

    again = Broker(store)
    receipts = again.append([draft("other", natural_key="k"), draft("two")])

    assert [r.status for r in receipts] == ["duplicate", "duplicate"]
    assert [r.id for r in receipts] == [r.id for r in stored]
    assert [r.delivery_id for r in receipts] == ["one", "two"]
    again.close()
