"""A damaged line in the middle of the log is skipped, quarantined and counted."""

import os

import pytest

from hooklore.broker import Broker
from hooklore.config import StoreLocation
from hooklore.log import quarantine
from hooklore.log.reader import LogReader
from hooklore.records.draft import PERSON
from tests.support.writers import deliveries, draft


def test_the_same_bytes_are_stored_once(store: StoreLocation) -> None:
    first = quarantine.quarantine_bytes(store, 5, b"damaged")
    second = quarantine.quarantine_bytes(store, 5, b"damaged")

    assert first == second
    assert first.read_bytes() == b"damaged"
    assert quarantine.count_quarantined(store) == 1


def test_a_half_written_quarantine_file_is_completed(store: StoreLocation) -> None:
    path = quarantine.quarantine_bytes(store, 5, b"damaged")
    path.write_bytes(b"dam")

    quarantine.quarantine_bytes(store, 5, b"damaged")

    assert path.read_bytes() == b"damaged"


def test_a_short_write_still_stores_all_bytes(
    store: StoreLocation, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda fd, content: real(fd, content[:1]))

    path = quarantine.quarantine_bytes(store, 5, b"damaged")

    assert path.read_bytes() == b"damaged"


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda raw: raw[:40] + b"X" + raw[41:], id="a byte"),
        pytest.param(lambda raw: b"\x00" * (len(raw) - 1) + b"\n", id="zeros"),
        pytest.param(lambda raw: b"not json\n" + raw[:0], id="other text"),
        pytest.param(lambda raw: raw[:-20] + raw[:30] + b"\n", id="two glued"),
        pytest.param(lambda raw: raw[:30] + b"\n" + raw[30:], id="split in two"),
    ],
)
def test_a_damaged_line_is_skipped_quarantined_and_counted(
    store: StoreLocation, damage: object
) -> None:
    broker = Broker(store)
    broker.append([draft(name) for name in ("a", "b", "c")])
    broker.close()
    lines = store.log.read_bytes().splitlines(keepends=True)
    assert callable(damage)
    lines[1] = damage(lines[1])
    store.log.write_bytes(b"".join(lines))

    broker = Broker(store)
    broker.index()
    broker.append([draft("d")])
    broker.refresh()

    assert deliveries(store) == ["a", "c", "d"]
    assert [r.delivery_id for r in broker.as_reader(PERSON).newest()] == ["d", "c", "a"]
    counted = [stat.events for stat in broker.as_reader(PERSON).stats() if stat.name == "damaged"]
    assert counted == [quarantine.count_quarantined(store)]
    assert counted[0] >= 1
    broker.close()


def test_records_are_found_by_id_beside_a_damaged_line(store: StoreLocation) -> None:
    broker = Broker(store)
    broker.append([draft(f"d{n}", "x" * 1000) for n in range(1500)])
    broker.close()
    lines = store.log.read_bytes().splitlines(keepends=True)
    ids = [record.id for record in Broker(store).as_reader(PERSON).newest()][::-1]
    for n in range(3, len(lines), 7):
        lines[n] = b"#" * (len(lines[n]) - 1) + b"\n"
    store.log.write_bytes(b"".join(lines))

    reader = LogReader(store)

    for n in range(0, len(lines), 50):
        found = [record.id for record in reader.find(ids[n])]
        assert found == ([] if n % 7 == 3 else [ids[n]]), n
    reader.close()
