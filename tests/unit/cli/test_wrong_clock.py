"""A clock that was once ahead makes no command act on another memory than the one that is named."""

import time

import pytest

from hooklore.broker import Broker
from hooklore.records.ids import short_id
from tests.support.writers import draft
from tests.unit.cli.conftest import Memory, Run, Terminal, said

_AHEAD = 40 * 86_400 * 10**9
FACTS = (
    "The gateway refuses fractions of yen",
    "The press kestrel takes 47 Nm",
    "Hall seven closes at nine",
    "Orders are numbered by the day",
)


def test_each_memory_after_a_clock_that_was_ahead_has_a_short_id_of_its_own(
    hooklore: Run, memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    ahead = Broker(memory.broker.place, now_ns=lambda: time.time_ns() + _AHEAD)
    ahead.append([draft("ahead")])
    ahead.close()
    ids = {fact: said(hooklore, fact) for fact in FACTS}
    monkeypatch.setattr("sys.stdin", Terminal("y\n"))

    done = hooklore("forget", short_id(ids[FACTS[1]]), "--yes")

    assert len({short_id(id_) for id_ in ids.values()}) == len(FACTS)
    assert done.rc == 0
    assert FACTS[1] not in hooklore("list").out
    assert all(fact in hooklore("list").out for fact in FACTS if fact != FACTS[1])


def test_a_short_id_that_memories_share_names_none_of_them(
    hooklore: Run, memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a store of before, whose records of weeks have one millisecond."""
    at = time.time_ns()
    given = Broker.__init__.__kwdefaults__
    assert given is not None
    monkeypatch.setitem(given, "now_ns", lambda: at)
    clocks = Broker(memory.broker.place, now_ns=lambda: at)
    clocks.append([draft(f"step {number}") for number in range(5)])
    clocks.close()
    ids = [said(hooklore, fact) for fact in FACTS]
    monkeypatch.setattr("sys.stdin", Terminal("y\n"))

    assert len({short_id(id_) for id_ in ids}) == 1
    done = hooklore("forget", short_id(ids[0]), "--yes")

    assert done.rc != 0
    assert "several" in done.err
    assert all(fact in hooklore("list").out for fact in FACTS)
