"""Scrub a store: every finding leaves every file, and the audit names it without its text."""

import json
import os
import stat
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from hooklore.broker import Broker, rules_version
from hooklore.config import StoreLocation
from hooklore.errors import HookloreError, LogError
from hooklore.index import words
from hooklore.index.generation import WriterLock
from hooklore.log import files, quarantine, rewrite
from hooklore.log.line import decode_line, encode_line
from hooklore.log.spool import Spool
from hooklore.maintenance import audit
from hooklore.maintenance import scrub as scrubbing
from hooklore.maintenance.indexing import IndexMaintainer
from hooklore.maintenance.janitor import inspect_store
from hooklore.maintenance.scrub import (
    Scrub,
    describe_outdated_scan,
    rescan_store,
    scrub_store,
)
from hooklore.records import keys
from hooklore.records.draft import PERSON, Draft
from hooklore.records.record import Record
from hooklore.redaction import RULES_VERSION
from tests.support.store_files import holding
from tests.support.writers import KEYS, clean_record, deliveries, draft, records

Json = dict[str, Any]

TOKEN = "gh" + "p_" + "k7Qm2ZpX9sLr4TvB" * 2 + "a1B2"
"""A vendor's token, which is no judgement."""

NAMED = "kobayashi-" + "maru"
"""A literal that no rule finds: only a person knows that it must go."""


@pytest.fixture
def broker(store: StoreLocation) -> Iterator[Broker]:
    broker = Broker(store)
    yield broker
    broker.close()


def password() -> str:
    """Return a password that the rules find after `password=`."""
    return "tig" + "er7" + "Zq19"


def behind_its_back(store: StoreLocation, text: str, **fields: Any) -> str:
    """Append a record to the log past the rules, and return its id."""
    fields = records(store)[-1] | {"body": {"text": text}} | fields
    fields.pop("hash")
    head, _, tail = fields["id"].rpartition("-")
    fields["id"] = f"{head}-{int(tail, 16) + 1:012x}"
    fields["delivery_id"] = f"behind-{fields['id']}"
    with store.log.open("ab") as log:
        log.write(encode_line(Record(fields)))
    return str(fields["id"])


def audited(store: StoreLocation) -> list[Json]:
    path = audit.audit_path(store)
    return [json.loads(line) for line in path.read_bytes().splitlines()] if path.exists() else []


@pytest.mark.req("AU-03")
def test_a_secret_put_behind_the_brokers_back_is_found_and_leaves_every_file(
    store: StoreLocation, broker: Broker
) -> None:
    broker.append([draft("one", "the blue press"), draft("two")])
    id_ = behind_its_back(store, f"the deploy used password={password()} twice")
    broker.index()
    assert holding(store, password())

    report = scrub_store(broker)

    assert holding(store, password()) == []
    assert (report.records, report.rules, report.ids) == (1, {"assigned": 1}, (id_,))
    (line,) = audited(store)
    assert (line["event_id"], line["rule"], line["actor"]) == (id_, "assigned", "person")
    assert line["ts"].endswith("Z")
    assert stat.S_IMODE(audit.audit_path(store).stat().st_mode) == 0o600
    assert rules_version.read_rules_version(store) == RULES_VERSION


def test_a_changed_record_keeps_id_envelope_and_place_and_is_whole(
    store: StoreLocation, broker: Broker
) -> None:
    broker.append(
        [draft(n, f"{n} {NAMED if n == 'two' else ''}", keys=KEYS) for n in ("one", "two", "three")]
    )
    before = {r["id"]: r for r in records(store)}
    raw = {orjson.loads(line)["id"]: line for line in store.log.read_bytes().splitlines()}

    scrub_store(broker, [NAMED])

    after = records(store)
    assert [r["id"] for r in after[: len(before)]] == list(before)
    for line in store.log.read_bytes().splitlines()[: len(before)]:
        record = orjson.loads(line)
        if record.get("delivery_id") != "two":
            assert line == raw[record["id"]]
            continue
        assert record["body"]["text"] == "two [REDACTED:literal]"
        assert record["body"]["redacted"] == ["literal"]
        assert record["hash"] != before[record["id"]]["hash"]
        assert decode_line(line) is not None
        assert {k: v for k, v in record.items() if k not in ("body", "hash")} == {
            k: v for k, v in before[record["id"]].items() if k not in ("body", "hash")
        }


def test_the_log_says_which_records_and_rules_and_never_the_value(
    store: StoreLocation, broker: Broker
) -> None:
    broker.append([draft("one", NAMED), draft("two", f"again {NAMED}")])
    targets = [r["id"] for r in records(store)]

    scrub_store(broker, [NAMED])

    redaction = records(store)[-1]
    assert (redaction["stream"], redaction["kind"]) == ("control", "redaction")
    assert redaction["body"] == {"targets": targets, "rules": ["literal"], "actor": "person"}


def test_many_records_are_said_in_several(
    store: StoreLocation, broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scrubbing, "MAX_REDACTION_TARGETS", 2)
    broker.append([draft(f"n{n}", NAMED) for n in range(5)])

    scrub_store(broker, [NAMED])

    said = [r["body"]["targets"] for r in records(store) if r["kind"] == "redaction"]
    assert [len(targets) for targets in said] == [2, 2, 1]
    assert len(audited(store)) == 5


@pytest.mark.parametrize(
    "text",
    [
        'quote"and\\slash/' + "end",
        "ひみつの合図は" + "山桜",
        "line one\nline" + " two",
        "naïve-" + "café",
        "p@ss w%rd" + "&x",
        "tab\tand\x07" + "bell",
        "emoji 😀 " + "door",
    ],
)
def test_a_literal_goes_in_every_form_in_which_json_and_urls_write_it(
    store: StoreLocation, broker: Broker, text: str
) -> None:
    once = json.dumps({"said": text})
    spelled = "".join(f"\\u{ord(c):04x}" if ord(c) < 0x10000 else c for c in text)
    broker.append(
        [
            draft("plain", f"before {text} after"),
            draft("decomposed", unicodedata.normalize("NFD", text)),
            draft("json", once),
            draft("nested", json.dumps({"log": once})),
            draft("thrice", json.dumps([json.dumps({"log": once}, ensure_ascii=False)])),
            draft("key", body={"text": "", "detail": {text: {"deep": [text]}}}),
            draft("branch", branch=f"fix/{text}", session_id=f"s {text}"),
        ]
    )
    broker.append([draft("last")])
    with store.log.open("ab") as log:
        line = records(store)[0] | {"id": "01990000-0000-7000-8000-000000000001", "hash": None}
        raw = orjson.dumps({k: v for k, v in line.items() if v is not None})
        log.write(raw.replace(b"before", spelled.encode()) + b"\n")
    broker.index()

    report = scrub_store(broker, [text])

    assert report.records == 8
    assert holding(store, text) == []
    assert holding(store, unicodedata.normalize("NFD", text)) == []
    assert spelled not in store.log.read_text("utf-8", "replace")


def test_upper_and_lower_case_are_different_texts(store: StoreLocation, broker: Broker) -> None:
    broker.append([draft("one", NAMED.upper()), draft("two", NAMED)])

    scrub_store(broker, [NAMED])

    assert [r["body"].get("text") for r in records(store)[:2]] == [
        NAMED.upper(),
        "[REDACTED:literal]",
    ]


@pytest.mark.parametrize(
    ("literal", "why"),
    [
        ("abc", "fewer than 4 characters"),
        ("   a  ", "fewer than 4 characters"),
        ("", "fewer than 4 characters"),
        ("prompt", "the log's own format"),
        ("observ", "the log's own format"),
        ("REDACTED", "the log's own format"),
        ("al][RE", "the log's own format"),
    ],
)
def test_a_literal_that_no_store_could_be_free_of_is_refused_unechoed(
    broker: Broker, literal: str, why: str
) -> None:
    with pytest.raises(HookloreError, match=why) as refused:
        Scrub(broker, [literal])

    assert f"`{literal}`" not in str(refused.value)


def test_a_literal_of_digits_leaves_times_ids_and_counts_alone(
    store: StoreLocation, broker: Broker
) -> None:
    broker.append([draft("one")])
    year = str(records(store)[0]["ts"][:4])
    broker.append(
        [
            draft(
                "two",
                f"born {year}",
                body={
                    "text": f"since {year}",
                    "cost": {"tokens": int(year)},
                    "detail": {"since": int(year)},
                },
            )
        ]
    )

    scrub_store(broker, [year])

    record = records(store)[1]
    assert record["ts"].startswith(year)
    assert record["body"]["cost"] == {"tokens": int(year)}
    assert record["body"]["text"] == "since [REDACTED:literal]"
    assert record["body"]["detail"] == {"since": "[REDACTED:literal]"}


def test_an_edge_that_makes_the_literal_again_is_masked_too(
    store: StoreLocation, broker: Broker
) -> None:
    literal = "x[REDA"
    broker.append([draft("one", "x" + literal + "CTED:literal]"), draft("two", literal * 30)])

    scrub_store(broker, [literal])

    assert holding(store, literal) == []
    assert scrub_store(broker, [literal]).is_clean


def test_a_scope_with_the_literal_in_it_stays_a_scope(store: StoreLocation, broker: Broker) -> None:
    broker.append([draft("one", keys=KEYS)])

    scrub_store(broker, ["widgets"])

    assert holding(store, "widgets") == []
    assert {r["scope"] for r in records(store) if r.get("project")} == {"project:redacted"}
    assert broker.append([draft("two", keys=KEYS)])[0].status == "stored"


def test_a_second_scrub_finds_nothing_and_changes_no_byte(
    store: StoreLocation, broker: Broker
) -> None:
    broker.append([draft("one", NAMED)])
    behind_its_back(store, f"password={password()}")
    scrub_store(broker, [NAMED])
    before = store.log.read_bytes()

    report = scrub_store(broker, [NAMED])

    assert report.is_clean
    assert store.log.read_bytes() == before
    assert len(audited(store)) == 2


def test_closed_segments_are_rewritten_and_the_others_keep_their_file(
    store: StoreLocation, broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "SEGMENT_BYTES", 600)
    for number in range(12):
        broker.append([draft(f"n{number}", NAMED if number == 3 else "plain")])
    closed = files.closed_segments(store)
    hit = next(n for n in closed if NAMED.encode() in files.closed_path(store, n).read_bytes())
    before = {n: files.closed_path(store, n) for n in closed if n != hit}
    inodes = {n: path.stat().st_ino for n, path in before.items()}

    report = scrub_store(broker, [NAMED])

    assert report.segments == 1
    assert holding(store, NAMED) == []
    assert {n: path.stat().st_ino for n, path in before.items()} == inodes
    assert deliveries(store)[:12] == [f"n{n}" for n in range(12)]


def test_after_a_scrub_known_events_are_known_and_words_are_found(
    store: StoreLocation, broker: Broker
) -> None:
    names = [f"n{number}" for number in range(20)]
    broker.append([draft(n, f"turbine {n} {NAMED if n == 'n4' else ''}", keys=KEYS) for n in names])
    broker.index()
    other = Broker(store)
    other.refresh()

    scrub_store(broker, [NAMED])

    for each in (broker, other, Broker(store)):
        receipts = each.append([draft(n, keys=KEYS) for n in names])
        assert {receipt.status for receipt in receipts} == {"duplicate"}
        reader = each.as_reader(PERSON)
        found = reader.search(reader.terms("turbine n7"), _bins(store), 50)
        assert len(found) == 20
        assert reader.terms(NAMED)
        assert not reader.search(reader.terms(NAMED), _bins(store), 50)
        each.close()


def _bins(store: StoreLocation) -> list[str]:
    found = map(Record, records(store))
    return sorted({words.bin_name(r) for r in found if words.search_group(r) is not None})


def test_a_reader_that_held_the_records_in_memory_reads_them_anew(
    store: StoreLocation, broker: Broker
) -> None:
    other = Broker(store)
    broker.append([draft("one", NAMED), draft("two", f"end {NAMED}")])
    other.refresh()
    reader = other.as_reader(PERSON)
    assert NAMED in repr(reader.history(keys.of_event("one")))

    scrub_store(broker, [NAMED])
    other.refresh()

    (held,) = reader.history(keys.of_event("one"))
    assert NAMED not in repr([held, *reader.unindexed_at()])
    assert other.append([draft("three")])[0].status == "stored"
    broker.refresh()
    assert broker.append([draft("three")])[0].status == "duplicate"
    other.close()


def test_a_search_that_found_a_memory_before_a_scrub_finds_its_masked_text_behind_it(
    store: StoreLocation, broker: Broker
) -> None:
    kept = {"stream": "memory", "kind": "fact", "agent_id": "claude", "scope": "global"}
    body = {"content_md": f"the turbine of {NAMED} is loud"}
    broker.append([Draft(Record({**kept, "body": body}))])
    broker.index()
    other = Broker(store)

    def found() -> str:
        other.refresh()
        reader = other.as_reader(PERSON)
        return repr(reader.search(reader.terms("turbine"), _bins(store), 5))

    assert NAMED in found()
    scrub_store(broker, [NAMED])

    assert "turbine" in found()
    assert NAMED not in found()
    other.close()


def test_damaged_lines_are_masked_and_stay_damaged(store: StoreLocation, broker: Broker) -> None:
    broker.append([draft("one", NAMED), draft("two")])
    raw = store.log.read_bytes()
    flipped = raw.replace(b'"delivery_id":"one"', b'"delivery_id":"onE"')
    store.log.write_bytes(
        flipped.replace(b"\n", b"\n\xff garbage " + NAMED.encode() + b" \x00\n", 1)
    )
    broker.close()
    broker = Broker(store)

    report = scrub_store(broker, [NAMED])

    assert (report.records, report.damaged) == (0, 2)
    assert holding(store, NAMED) == []
    assert deliveries(store) == ["two"]
    assert b"\xff garbage [REDACTED:literal] \x00\n" in store.log.read_bytes()
    assert [line["place"] for line in audited(store)] == ["segment 1"]
    broker.close()


def test_quarantine_archive_tracebacks_and_both_spools_are_masked(
    store: StoreLocation, broker: Broker
) -> None:
    broker.append([draft("one")])
    torn = quarantine.quarantine_bytes(store, 7, b'{"v":1,"body":"' + NAMED.encode() + b" \xff")
    spool = Spool(store)
    spool.put([clean_record("waits", NAMED, keys=KEYS, branch=NAMED)])
    beside = spool.directories[1]
    beside.mkdir(mode=0o700, parents=True)
    (spool.directories[0] / os.listdir(spool.directories[0])[0]).rename(beside / "0-1.jsonl")
    spool.put([clean_record("waits-too", f"password={password()}")])
    (store.directory / "archive").mkdir()
    archived = store.directory / "archive" / "old.jsonl"
    archived.write_bytes(store.log.read_bytes().replace(b"a prompt", NAMED.encode()))
    tracebacks = store.socket.with_suffix(".log")
    tracebacks.write_text(f"ValueError: {NAMED}\n")

    report = scrub_store(broker, [NAMED])
    _remove(beside, tracebacks)

    assert holding(store, NAMED) == []
    assert holding(store, password()) == []
    assert not torn.exists()
    assert report.places == (
        "archive/old.jsonl", f"quarantine/{torn.name}", "tracebacks beside the socket",
    )  # fmt: skip
    assert deliveries(store)[:3] == ["one", "waits", "waits-too"]


def _remove(*paths: Path) -> None:
    for path in paths:
        if path.is_dir():
            path.rmdir()
        else:
            path.unlink()


def test_a_batch_that_comes_to_the_spool_during_the_look_is_masked(
    store: StoreLocation, broker: Broker
) -> None:
    broker.append([draft("one", NAMED)])
    work = Scrub(broker, [NAMED])
    work.look()
    broker.append([draft("two", f"came later {NAMED}")])
    Spool(store).put([clean_record("three", f"came later still {NAMED}")])

    report = scrubbing.apply_scrub(work, store)
    broker.append([draft("four")])

    assert report.records >= 2
    assert holding(store, NAMED) == []
    assert deliveries(store) == ["one", "two", "three", "four"]


def test_what_killed_processes_left_half_written_goes(store: StoreLocation, broker: Broker) -> None:
    broker.append([draft("one", NAMED)])
    spool = Spool(store).directories[0]
    spool.mkdir()
    dead = spool / f"1-{2**22 + 1}.tmp"
    dead.write_text(NAMED)
    living = spool / f"1-{os.getpid()}.tmp"
    living.write_text("being written")
    rewrite.write_segment_copy(store, 1, lambda _: None)

    scrub_store(broker, [NAMED])

    assert holding(store, NAMED) == []
    assert (dead.exists(), living.exists()) == (False, True)


def test_the_users_own_files_are_named_and_left_alone(store: StoreLocation, broker: Broker) -> None:
    broker.append([draft("one")])
    config = store.directory / "config.toml"
    config.write_text(f"# {NAMED}\n")

    report = scrub_store(broker, [NAMED])

    assert report.left == (str(config),)
    assert config.read_text() == f"# {NAMED}\n"


def test_a_look_changes_nothing(store: StoreLocation, broker: Broker) -> None:
    broker.append([draft("one", NAMED)])
    broker.index()
    before = {p: p.read_bytes() for p in store.directory.rglob("*") if p.is_file()}

    found = Scrub(broker, [NAMED]).look()

    assert (found.records, found.written) == (1, False)
    assert {p: p.read_bytes() for p in store.directory.rglob("*") if p.is_file()} == before


def test_an_empty_store_is_clean_and_stays_empty(store: StoreLocation, broker: Broker) -> None:
    found = Scrub(broker, [NAMED]).look()

    assert found.is_clean
    assert not store.directory.exists()


def test_nothing_is_written_while_another_process_indexes(
    store: StoreLocation, broker: Broker
) -> None:
    broker.append([draft("one", NAMED)])
    lock = WriterLock(store)
    assert lock.take()
    before = store.log.read_bytes()

    with pytest.raises(LogError, match="indexes it"):
        scrub_store(broker, [NAMED])

    assert store.log.read_bytes() == before
    lock.give_back()


def test_the_audit_is_made_again_from_the_log(store: StoreLocation, broker: Broker) -> None:
    broker.append([draft("one", NAMED)])
    scrub_store(broker, [NAMED])
    before = audit.audit_path(store).read_bytes()
    audit.audit_path(store).unlink()

    scrub_store(broker)

    assert audit.audit_path(store).read_bytes() == before


# ---- when the rules change


@pytest.mark.req("AU-03")
def test_the_process_that_indexes_scans_again_when_the_rules_changed(
    store: StoreLocation, broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    broker.append([draft("one", "turbine")])
    id_ = behind_its_back(store, f"turbine {TOKEN}")
    rules_version.rules_version_path(store).write_text("0\n")
    assert (
        describe_outdated_scan(store)
        == f"what is kept was last scanned with rules 0, today's are {RULES_VERSION}"
    )

    indexing = IndexMaintainer(store)
    assert indexing.advance()
    indexing.rescan(lambda: False)

    assert describe_outdated_scan(store) is None
    assert holding(store, TOKEN) == []
    assert [(line["event_id"], line["actor"]) for line in audited(store)] == [(id_, "resident")]
    broker.refresh()
    assert broker.unindexed_count <= 1
    reader = broker.as_reader(PERSON)
    assert len(reader.search(reader.terms("turbine"), _bins(store), 9)) == 2
    indexing.close()


@pytest.mark.req("RD-10")
def test_what_is_no_key_of_a_vendor_stays_until_a_person_scrubs_and_is_reported(
    store: StoreLocation, broker: Broker
) -> None:
    broker.append([draft("one", "turbine")])
    judged = behind_its_back(store, f"turbine password={password()}")
    certain = behind_its_back(store, f"turbine {TOKEN}")

    report = inspect_store(broker, remove_certain=lambda: rescan_store(store, lambda: False))

    assert report.secrets == (judged,)
    assert holding(store, TOKEN) == []
    assert holding(store, password()) != []
    assert [line["event_id"] for line in audited(store)] == [certain]
    scrub_store(broker)
    assert holding(store, password()) == []


def test_a_store_of_unknown_rules_is_open_and_an_empty_or_new_one_is_not(
    store: StoreLocation, broker: Broker
) -> None:
    assert describe_outdated_scan(store) is None

    broker.append([draft("one")])
    assert describe_outdated_scan(store) is None

    rules_version.rules_version_path(store).unlink()
    assert (
        describe_outdated_scan(store)
        == f"what is kept was last scanned with unknown rules, today's are {RULES_VERSION}"
    )


def test_a_scan_that_is_told_to_end_stays_open(store: StoreLocation, broker: Broker) -> None:
    broker.append([draft(f"n{n}") for n in range(60)])
    rules_version.rules_version_path(store).unlink()

    assert not rescan_store(store, lambda: True)

    assert describe_outdated_scan(store) is not None


def test_what_the_hooks_captured_is_not_found_again(store: StoreLocation, broker: Broker) -> None:
    texts = [
        f"password={password()}",
        f"https://bob:{password()}@git.corp.example.org/r.git",
        "write to a.b@" + "example.co.jp",
        f'{{"password": "{password()}"}}',
        f"パスワードは{password()}です",
    ]
    broker.append([draft(f"n{n}", text, keys=KEYS) for n, text in enumerate(texts)])
    body = {"text": "", "detail": {"password": password(), "name": "TOKEN", "value": password()}}
    broker.append([draft("deep", body=body)])

    assert Scrub(broker).look().is_clean
