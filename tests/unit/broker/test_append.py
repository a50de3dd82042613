"""Drafts on their way into the log: checks, ids, clocks, sizes, projects, and the trace."""

from pathlib import Path
from typing import Any

import pytest

from hooklore.broker import Broker
from hooklore.broker.project_registry import make_slug
from hooklore.config import StoreLocation, store_location_at
from hooklore.errors import NotFound
from hooklore.records.draft import PERSON, Principal, ProjectKeys
from tests.support.writers import KEYS, deliveries, draft, records

_DAY = 86_400 * 10**9
_NOW = 1_800_000_000 * 10**9


class _Clock:
    def __init__(self) -> None:
        self.ns = _NOW

    def __call__(self) -> int:
        return self.ns


def test_each_step_of_a_write_is_told_in_order(store: StoreLocation) -> None:
    steps: list[tuple[str, str]] = []
    broker = Broker(store, trace=lambda step, delivery: steps.append((step, delivery)))

    broker.append([draft("one"), draft("two")])

    for delivery in ("one", "two"):
        of_one = [step for step, name in steps if name == delivery]
        assert [s for s in of_one if s in ("redact", "validate", "append")] == [
            "redact", "validate", "append",
        ]  # fmt: skip
    broker.close()


@pytest.mark.parametrize("step", ["index", "rebuild"])
def test_the_first_record_is_stored_after_an_empty_log_was_indexed(
    store: StoreLocation, step: str
) -> None:
    broker = Broker(store)
    getattr(broker, step)()

    (receipt,) = broker.append([draft("one")])

    assert receipt.status == "stored"
    assert deliveries(store) == ["one"]
    broker.close()


@pytest.mark.req("WF-02")
def test_missing_fields_are_added(store: StoreLocation) -> None:
    broker = Broker(store)

    broker.append([draft("one", keys=KEYS)])

    record = records(store)[-1]
    assert record["scope"] == "project:widgets"
    assert record["project"] == records(store)[0]["project"]
    assert record["ts"].endswith("Z")
    assert 0 <= record["importance"]["score"] <= 1
    assert record["importance"]["factors"]
    broker.close()


@pytest.mark.parametrize(
    "jumps", [[0, -_DAY, 0], [0, 3650 * _DAY, 0], [0, -(10**18), 5], [0, 0, 0], [5, 1, 4, 2, 3]]
)
def test_the_order_of_the_log_is_the_order_of_ids_whatever_the_clock_does(
    store: StoreLocation, jumps: list[int]
) -> None:
    clock = _Clock()
    names = []
    for number, jump in enumerate(jumps * 3):
        clock.ns = _NOW + jump
        broker = Broker(store, now_ns=clock)
        names += [f"d{number}.{n}" for n in range(3)]
        receipts = broker.append([draft(name) for name in names[-3:]])
        assert {r.status for r in receipts} == {"stored"}
        broker.close()

    ids = [record["id"] for record in records(store)]
    assert deliveries(store) == names
    assert ids == sorted(set(ids))


def test_nothing_expires_early_and_a_clock_put_right_brings_it_back(store: StoreLocation) -> None:
    clock = _Clock()
    broker = Broker(store, now_ns=clock)
    ends = "2027-06-01T00:00:00Z"  # some four months after the clock's start
    body = {"content_md": "until June"}
    broker.append([draft("m", stream="memory", kind="fact", expires_at=ends, body=body)])
    found = []

    for ns in (_NOW, _NOW - 30 * _DAY, _NOW + 3650 * _DAY, _NOW + 100 * _DAY):
        clock.ns = ns
        record = broker._view.lookup("event:m", 1)[0]
        found.append(broker.as_reader(PERSON).is_in_force(record))

    assert found == [True, True, False, True]
    broker.close()


@pytest.mark.parametrize("size", [1 << 20, 8 << 20])
def test_a_large_text_is_one_line_and_found_again(store: StoreLocation, size: int) -> None:
    text = "x" * size
    broker = Broker(store)

    receipts = broker.append([draft("large", body={"intent": text}), draft("small")])
    broker.close()

    assert [r.status for r in receipts] == ["stored", "stored"]
    again = Broker(store)
    again.index()
    assert again.append([draft("large"), draft("small")])[0].status == "duplicate"
    assert len(again.as_reader(PERSON).get(str(receipts[0].id)).body.intent or "") == size
    again.close()


def _nested(depth: int) -> list[Any]:
    found: list[Any] = []
    for _ in range(depth):
        found = [found]
    return found


@pytest.mark.parametrize(
    ("odd", "status"),
    [
        pytest.param(_nested(100), "stored", id="a hundred deep"),
        pytest.param(_nested(100_000), "refused", id="100,000 deep"),
        pytest.param(10**4000, "refused", id="4,000 digits"),
        pytest.param(2**64, "refused", id="beyond 64 bits"),
        pytest.param("half a \ud800 pair", "refused", id="a lone surrogate"),
        pytest.param({"\udfff": 1}, "refused", id="a lone surrogate as a key"),
        pytest.param(float("nan"), "stored", id="NaN"),
        pytest.param(float("inf"), "stored", id="infinity"),
        pytest.param({n: n for n in range(5)}, "stored", id="numbers as keys"),
        pytest.param({f"k{n}": n for n in range(100_000)}, "stored", id="100,000 keys"),
        pytest.param(object(), "refused", id="no JSON at all"),
        pytest.param(b"bytes", "refused", id="bytes"),
    ],
)
def test_a_value_outside_json_is_refused_and_harms_no_other_record(
    store: StoreLocation, odd: Any, status: str
) -> None:
    broker = Broker(store)

    receipts = broker.append([draft("a"), draft("odd", body={"x_odd": odd}), draft("b")])

    assert [r.status for r in receipts] == ["stored", status, "stored"]
    assert broker.append([draft("c")])[0].status == "stored"
    assert [n for n in deliveries(store) if n != "odd"] == ["a", "b", "c"]
    broker.close()


@pytest.mark.req("EV-29")
def test_unknown_fields_are_stored_and_read(store: StoreLocation) -> None:
    broker = Broker(store)

    broker.append([draft("one", x_future={"deep": [1]}, body={"text": "t", "x_body": 1.5})])

    found = next(iter(broker.as_reader(PERSON).newest()))
    assert (found.extra("x_future"), found.body.extra("x_body")) == ({"deep": [1]}, 1.5)
    broker.close()


@pytest.mark.req("WF-08")
def test_a_statement_is_recognised_by_scope_key_and_content(store: StoreLocation) -> None:
    def said(content: str, key: str | None = "tabs", **fields: Any) -> Any:
        fields = {"dedupe_key": key, "scope": "global"} | fields
        body = {"content_md": content}
        return draft("", delivery_id=None, stream="memory", kind="preference", body=body, **fields)

    broker = Broker(store)
    batch = [said("use tabs"), said("use tabs"), said("use spaces"), said("use tabs", "other")]
    batch += [said("use tabs", scope="agent:claude"), said("use tabs", None)]

    first = broker.append(batch)
    again = broker.append([said("use tabs"), said("use tabs", None)])

    assert [r.status for r in first] == [
        "stored", "duplicate", "stored", "stored", "stored", "stored",
    ]  # fmt: skip
    assert [r.status for r in again] == ["duplicate", "stored"]
    assert again[0].id == first[0].id == first[1].id
    broker.close()


# ---- projects


def test_two_projects_of_one_name_get_two_slugs_and_keys_lead_to_one(store: StoreLocation) -> None:
    first = ProjectKeys(("remote:h/a/api", "dir:/a/.git"), "api", "/a")
    second = ProjectKeys(("remote:h/b/api",), "api", "/b")
    clone = ProjectKeys(("remote:h/a/api", "dir:/elsewhere/.git"), "renamed", "/elsewhere")
    broker = Broker(store)

    for number, keys in enumerate((first, second, clone, first)):
        broker.append([draft(f"d{number}", keys=keys)])
    broker.trust_claim(clone)
    broker.append([draft("d4", keys=clone)])

    scopes = [r["scope"] for r in records(store) if r.get("delivery_id")]
    assert scopes == [
        "project:api", "project:api-2", "project:renamed", "project:api", "project:api",
    ]  # fmt: skip
    aliases = [r["body"]["key"] for r in records(store) if r["kind"] == "project_alias"]
    of_clone = "dir:/elsewhere/.git"
    assert aliases == ["remote:h/a/api", "dir:/a/.git", "remote:h/b/api", of_clone, of_clone]
    broker.close()


def test_a_refused_draft_does_not_cost_the_project_its_name(store: StoreLocation) -> None:
    broker = Broker(store)

    receipts = broker.append([draft("bad", kind="nonsense", keys=KEYS), draft("good", keys=KEYS)])

    assert [r.status for r in receipts] == ["refused", "stored"]
    aliases = [r["body"]["key"] for r in records(store) if r["kind"] == "project_alias"]
    assert aliases == list(KEYS.keys)
    broker.close()


def test_a_project_named_while_the_log_could_not_be_written_is_named_later(
    store: StoreLocation,
) -> None:
    store.directory.mkdir()
    store.log.mkdir()
    broker = Broker(store)
    assert broker.append([draft("a", keys=KEYS)])[0].status == "spooled"
    store.log.rmdir()

    broker.append([draft("b", keys=KEYS)])

    found = records(store)
    assert [r["kind"] for r in found] == ["project_alias", "project_alias", "prompt", "prompt"]
    assert {r["scope"] for r in found} == {"project:widgets"}
    broker.close()


@pytest.mark.parametrize(
    ("name", "slug"),
    [("Widgets", "widgets"), ("記憶", "project"), ("../../x", "x"), ("a b/c", "a-b-c"),
     ("", "project"), ("é", "e"), ("-._", "project"), ("x" * 99, "x" * 48)],
)  # fmt: skip
def test_a_slug_is_plain(name: str, slug: str) -> None:
    assert make_slug(name) == slug


# ---- reading


def test_a_record_is_found_by_a_unique_prefix_of_its_id(store: StoreLocation) -> None:
    broker = Broker(store)
    ids = [str(r.id) for r in broker.append([draft(f"d{n}") for n in range(40)])]

    assert [broker.as_reader(PERSON).get(id_).id for id_ in ids] == ids
    for prefix in ("", ids[0][:10], "ffff", "zz", ids[0] + "0", "\x00"):
        with pytest.raises(NotFound):
            broker.as_reader(PERSON).get(prefix)
    broker.close()


def test_a_forgotten_record_is_visible_to_the_person_alone(store: StoreLocation) -> None:
    broker = Broker(store)
    kept, gone = (str(r.id) for r in broker.append([draft("kept"), draft("gone")]))
    body = {"targets": [gone]}
    broker.append([draft("t", stream="control", kind="tombstone", body=body)])

    agent = Principal(agent_id="claude")
    assert [r.id for r in broker.as_reader(PERSON).newest() if r.kind == "prompt"] == [kept]
    assert broker.as_reader(PERSON).get(gone).id == gone
    assert gone in [r.id for r in broker.as_reader(PERSON).newest(ended=True)]
    with pytest.raises(NotFound):
        broker.as_reader(agent).get(gone)
    assert broker.as_reader(agent).lookup("event:gone") == []
    broker.close()


def test_a_log_without_any_index_is_read_and_known_to_its_end(tmp_path: Path) -> None:
    place = store_location_at(tmp_path / "store")
    broker = Broker(place)
    for start in range(0, 6000, 2000):
        broker.append([draft(f"d{n}", "x" * 900) for n in range(start, start + 2000)])
    broker.close()

    again = Broker(place)
    again.refresh()

    assert again.append([draft("d5999")])[0].status == "duplicate"
    assert sum(1 for _ in again.as_reader(PERSON).newest()) == 6000
    assert again.needs_indexing()
    again.index()
    again.refresh()
    assert again.append([draft("d0")])[0].status == "duplicate"
    assert again.unindexed_count == 0
    again.close()
