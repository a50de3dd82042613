"""A reader's cached look-ups are never older than the log."""

import os
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from hooklore.broker import Broker
from hooklore.config import StoreLocation
from hooklore.index.lookup_cache import LookupCache
from hooklore.log import files
from hooklore.records.draft import PERSON, Draft
from hooklore.records.record import Record


def memory(text: str, **more: Any) -> Draft:
    fields = {"stream": "memory", "kind": "fact", "agent_id": "claude", "scope": "global"}
    return Draft(Record({**fields, **more, "body": {"content_md": text}}))


def tombstone(*targets: str) -> Draft:
    fields = {"stream": "control", "kind": "tombstone", "agent_id": "claude", "scope": "global"}
    return Draft(Record({**fields, "body": {"targets": list(targets)}}))


def texts(broker: Broker) -> list[str]:
    broker.refresh()
    return [r.body.content_md for r in broker.as_reader(PERSON).lookup("memory:global")]


def texts_of(broker: Broker, limit: int) -> list[str]:
    broker.refresh()
    found = broker.as_reader(PERSON).lookup("memory:global", limit)
    return [record.body.content_md for record in found]


@pytest.fixture
def broker(store: StoreLocation) -> Iterator[Broker]:
    opened = Broker(store)
    yield opened
    opened.close()


@pytest.fixture
def other(store: StoreLocation) -> Iterator[Broker]:
    opened = Broker(store)
    yield opened
    opened.close()


def test_a_new_record_is_seen_after_its_key_was_looked_up(broker: Broker) -> None:
    broker.append([memory("one")])
    before = texts(broker)

    broker.append([memory("two")])

    assert before == ["one"]
    assert texts(broker) == ["two", "one"]


def test_a_forgotten_record_is_gone_although_it_was_cached(broker: Broker) -> None:
    (receipt,) = broker.append([memory("one")])
    before = texts(broker)

    broker.append([tombstone(receipt.id or "")])

    assert before == ["one"]
    assert texts(broker) == []


@pytest.mark.parametrize("indexed", [False, True])
def test_records_of_another_process_are_seen(
    broker: Broker, other: Broker, *, indexed: bool
) -> None:
    (receipt,) = broker.append([memory("one")])
    broker.index()
    before = texts(broker)

    other.append([memory("two"), tombstone(receipt.id or "")])
    if indexed:
        other.index()

    assert before == ["one"]
    assert texts(broker) == ["two"]


def test_a_segment_that_was_replaced_is_read_again(
    broker: Broker, store: StoreLocation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "SEGMENT_BYTES", 1)
    broker.append([memory("one")])
    broker.append([memory("two")])
    broker.index()
    before = texts(broker)
    segment = files.closed_path(store, 1)
    scrubbed = segment.with_suffix(".tmp")

    scrubbed.write_bytes(
        segment.read_bytes().replace(b'"one"', b'"***"').split(b',"hash"')[0] + b"}\n"
    )
    os.replace(scrubbed, segment)

    assert before == ["two", "one"]
    assert texts(broker) == ["two", "***"]


def test_a_rebuilt_index_is_queried_again(broker: Broker, other: Broker) -> None:
    broker.append([memory("one")])
    before = texts(broker)

    other.rebuild()

    assert texts(broker) == before == ["one"]


def test_a_smaller_limit_returns_the_newest() -> None:
    kept, found = LookupCache(), [Record({"id": "b"}), Record({"id": "a"})]

    kept.lookup("memory:global", 10, lambda: found)

    assert kept.lookup("memory:global", 1, list) == found[:1]


@pytest.mark.parametrize("indexed", [0, 600, 1_200])
def test_of_many_memories_those_that_ended_are_left_out(broker: Broker, indexed: int) -> None:
    """More than one query takes, some of the ends in the index and some behind it."""
    receipts = broker.append([memory(f"number {n}", visibility="public") for n in range(1_200)])
    ends = [tombstone(receipt.id or "") for receipt in receipts[::3]]
    broker.append(ends[: len(ends) // 2])
    if indexed:
        broker.index()
    before = texts_of(broker, 2_000)
    broker.append(ends[len(ends) // 2 :])

    after = texts_of(broker, 2_000)

    assert len(before) == 1_000
    assert sorted(after) == sorted(f"number {n}" for n in range(1_200) if n % 3)


def test_one_query_says_which_keys_are_held_and_is_asked_once() -> None:
    kept, asked = LookupCache(), []

    def find(keys: list[str]) -> set[str]:
        asked.append(keys)
        return {key for key in keys if key.endswith("1")}

    first = kept.held(["gone:1", "gone:2", "id:1"], find)
    kept.invalidate(["gone:2"])
    second = kept.held(["gone:1", "gone:2", "id:1"], find)

    assert first == second == {"gone:1", "id:1"}
    assert asked == [["gone:1", "gone:2", "id:1"], ["gone:2", "id:1"]]


def test_what_is_asked_of_more_keys_than_the_cache_holds_is_true(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("hooklore.index.lookup_cache._MAX_ENTRIES", 10)
    kept = LookupCache()
    ended = {f"gone:{number}" for number in range(0, 50, 7)}
    keys = [f"gone:{number}" for number in range(50)]

    found = [
        kept.held(some, lambda missing: ended & set(missing)) for some in (keys[:8], keys, keys)
    ]

    assert found == [ended & set(keys[:8]), ended, ended]


def test_a_larger_limit_is_looked_up_again() -> None:
    kept, asked = LookupCache(), []

    def find(limit: int) -> list[Record]:
        asked.append(limit)
        return [Record({"id": str(n)}) for n in range(limit)]

    for limit in (1, 3, 2):
        kept.lookup("memory:global", limit, partial(find, limit))

    assert asked == [1, 3]


def test_the_cache_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hooklore.index.lookup_cache._MAX_ENTRIES", 10)
    monkeypatch.setattr("hooklore.index.lookup_cache._MAX_EVENTS", 5)
    kept = LookupCache()
    memory, event = Record({"stream": "memory"}), Record({"stream": "observation"})

    def words(_: Record) -> list[str]:
        return ["word"]

    for number in range(100):
        kept.held([f"gone:{number}.{n}" for n in range(20)], set)
        kept.terms(Record({"id": str(number)}), words)
        kept.lookup(f"memory:{number}", 1, list)
        kept.record(number, lambda pos: event if pos % 2 else memory)

    assert (len(kept._memories), len(kept._events)) == (10, 5)
    assert max(len(kept._known), len(kept._terms), len(kept._found)) <= 10


def test_the_keys_of_a_record_are_computed_once_until_records_may_have_moved() -> None:
    cache, computed = LookupCache(), list[int]()

    def find() -> list[str]:
        computed.append(1)
        return ["error:p|x"]

    found = [cache.keys(7, find), cache.keys(7, find)]
    cache.clear()
    found.append(cache.keys(7, find))

    assert found == [frozenset({"error:p|x"})] * 3
    assert len(computed) == 2
