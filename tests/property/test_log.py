"""Appended equals read; a log cut anywhere reads as a prefix; what is malformed never gets in."""

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from hooklore.broker import Broker
from hooklore.config import StoreLocation, store_location_at
from hooklore.log import files
from hooklore.log.line import decode_line
from hooklore.log.reader import LogReader
from hooklore.records.draft import PERSON, Draft
from hooklore.records.record import Record
from hooklore.records.schema import KINDS
from tests.support.memory_folder import memory_folder
from tests.support.writers import deliveries, draft, records

_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
_LEAVES = st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | _TEXT
_JSON = st.recursive(
    _LEAVES | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_TEXT, inner, max_size=4),
    max_leaves=20,
)
_ANYTHING = st.recursive(
    _LEAVES | st.floats() | st.text(max_size=10) | st.integers(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(max_examples=120)
@given(extra=st.dictionaries(_TEXT, _JSON, max_size=5), field=_JSON)
def test_what_is_appended_is_what_is_read(extra: dict[str, Any], field: Any) -> None:
    """Redaction is another test's: bodies in which it finds nothing come back as they went in."""
    with memory_folder() as folder:
        place = store_location_at(folder / "store")
        broker = Broker(place)
        body = {"intent": "try it", "x_extra": extra}

        receipt = broker.append([draft("one", body=body, x_future=field)])[0]

        assert receipt.status == "stored", receipt
        found = records(place)[0]
        assume("redacted" not in found["body"])
        assert found["body"]["x_extra"] == extra
        assert found.get("x_future") == field
        assert broker.as_reader(PERSON).get(found["id"]) == Record(found)
        broker.close()


@settings(max_examples=60)
@given(st.lists(_TEXT, min_size=1, max_size=6), st.data())
def test_a_log_cut_at_any_byte_reads_as_a_prefix(texts: list[str], data: st.DataObject) -> None:
    with memory_folder() as folder:
        place = store_location_at(folder)
        broker = Broker(place)
        broker.append([draft(f"d{n}", text) for n, text in enumerate(texts)])
        broker.close()
        whole = place.log.read_bytes()
        names = deliveries(place)
        cut = data.draw(st.integers(0, len(whole)))
        place.log.write_bytes(whole[:cut])

        found = deliveries(place)

        assert found == names[: whole[:cut].count(b"\n")]
        again = Broker(place)
        assert again.append([draft("next")])[0].status == "stored"
        again.close()
        assert deliveries(place) == [*found, "next"]


@settings(max_examples=40)
@given(st.lists(st.binary(max_size=60), max_size=8), st.integers(0, 8))
def test_whatever_stands_between_records_the_records_are_read(
    garbage: list[bytes], where: int
) -> None:
    with memory_folder() as folder:
        place = store_location_at(folder)
        broker = Broker(place)
        broker.append([draft(f"d{n}") for n in range(9)])
        broker.close()
        lines = place.log.read_bytes().splitlines(keepends=True)
        lines[where + 1 : where + 1] = [each.replace(b"\n", b"") + b"\n" for each in garbage]
        place.log.write_bytes(b"".join(lines))

        assert deliveries(place) == [f"d{n}" for n in range(9)]
        again = Broker(place)
        assert again.append([draft("d3")])[0].status == "duplicate"
        assert again.append([draft("new")])[0].status == "stored"
        again.index()
        again.refresh()
        assert next(r.delivery_id for r in again.as_reader(PERSON).newest()) == "new"
        again.close()


_ENVELOPE = st.sampled_from(
    ["stream", "kind", "agent_id", "role", "scope", "ts", "visibility", "basis", "importance",
     "expires_at", "source", "is_private", "delivery_id", "session_id", "natural_key", "body",
     "dedupe_key", "supersedes", "confidence", "task_id", "id", "v", "hash"]
)  # fmt: skip


@pytest.mark.req("EV-23")
@settings(max_examples=200)
@given(st.dictionaries(_ENVELOPE, _ANYTHING, min_size=1, max_size=4), st.sampled_from(list(KINDS)))
def test_malformed_events_never_reach_the_log(fields: dict[str, Any], stream: str) -> None:
    """Whatever the fields hold: a receipt comes back, and every line of the log is a valid record."""
    with memory_folder() as folder:
        place = store_location_at(folder)
        broker = Broker(place)
        body = {"content_md": "x", "text": "x"}
        good = {"stream": stream, "kind": KINDS[stream][0], "agent_id": "claude", "body": body}

        receipts = broker.append([Draft(Record(good | fields)), draft("beside it")])

        assert receipts[0].status in ("stored", "refused", "duplicate"), receipts
        assert receipts[1].status == "stored"
        reader = LogReader(place)
        lines = [decode_line(line.raw) for line in reader.lines()]
        assert None not in lines
        assert len(lines) == 1 + (receipts[0].status == "stored")
        reader.close()
        broker.close()


_MALFORMED: list[dict[str, Any]] = [
    {"stream": "rumour"}, {"kind": "nonsense"}, {"kind": ["prompt"]}, {"agent_id": "Claude Code"},
    {"agent_id": ""}, {"agent_id": 7}, {"scope": "everyone"}, {"scope": "project:../x"},
    {"scope": "agent:"}, {"role": "king"}, {"ts": "yesterday"}, {"ts": 5}, {"body": None},
    {"body": []}, {"body": "text"}, {"body": {"text": 5}}, {"body": {"outcome": "won"}},
    {"body": {"cost": {"tokens": -1}}}, {"body": {"artifacts": "a.py"}}, {"basis": "hearsay"},
    {"visibility": "everybody"}, {"confidence": 1}, {"importance": {"score": 2}},
    {"importance": 1}, {"source": "cli"}, {"source": {"system": "fax"}},
    {"supersedes": 5}, {"expires_at": 5}, {"session_id": {}}, {"natural_key": 1},
]  # fmt: skip


@pytest.mark.req("EV-23")
def test_each_malformed_event_is_refused_by_the_name_of_its_field(store: StoreLocation) -> None:
    """Two hundred of them, in one batch with good ones between."""
    broker = Broker(store)
    wrong = [draft(f"bad{n}", **_MALFORMED[n % len(_MALFORMED)]) for n in range(200)]
    batch = [d for n, each in enumerate(wrong) for d in (each, draft(f"good{n}"))]

    receipts = broker.append(batch)

    assert {r.status for r in receipts[1::2]} == {"stored"}
    for receipt, each in zip(receipts[::2], _MALFORMED, strict=False):
        assert receipt.status == "refused", each
        (name, value), reason = next(iter(each.items())), str(receipt.reason)
        assert any(word in reason for word in [name, *(value if isinstance(value, dict) else ())])
        assert "hearsay" not in reason, "a value is echoed"
    assert deliveries(store) == [f"good{n}" for n in range(200)]
    broker.close()


@pytest.mark.req("EV-23")
def test_a_malformed_event_is_not_promised_by_the_spool_either(store: StoreLocation) -> None:
    store.directory.mkdir()
    store.log.mkdir()
    broker = Broker(store)

    receipts = broker.append([draft("bad", kind="nonsense"), draft("good"), draft("x", body=[])])

    assert [r.status for r in receipts] == ["refused", "spooled", "refused"]
    assert broker.waiting_in_spool() == 1
    broker.close()


@settings(max_examples=30)
@given(st.lists(st.sampled_from("abc"), max_size=30), st.integers(200, 2_000))
def test_two_alike_are_two_and_one_delivery_is_one(names: list[str], segment: int) -> None:
    """Payloads with the same content under deliveries of their own are all stored."""
    before, files.SEGMENT_BYTES = files.SEGMENT_BYTES, segment
    try:
        with memory_folder() as folder:
            place = store_location_at(folder)
            broker = Broker(place)

            receipts = [broker.append([draft(name, "the same words")])[0] for name in names]

            assert deliveries(place) == list(dict.fromkeys(names))
            stored = [r.status for r in receipts].count("stored")
            assert stored == len(set(names))
            broker.close()
    finally:
        files.SEGMENT_BYTES = before
