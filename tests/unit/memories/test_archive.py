"""Archive, restore, delete and clean up memories, each by a person's decision."""

import json
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from hooklore.broker import Broker
from hooklore.config import CuratedSettings, Settings, StoreLocation, load_settings
from hooklore.errors import HookloreError, NotFound
from hooklore.log.line import encode_line
from hooklore.maintenance import janitor
from hooklore.maintenance.cleanup import clean_up, find_cleanup_candidates
from hooklore.maintenance.consolidation import MIN_USEFUL_SESSIONS, consolidate
from hooklore.memories import archive, deletion, entries, pins
from hooklore.memories.decisions import approval_queue, approval_token
from hooklore.memories.decisions.conflict_resolution import resolve_conflict
from hooklore.memories.pins import list_memories, select_pins
from hooklore.memories.usage import record_use
from hooklore.records import keys
from hooklore.records.draft import Draft
from hooklore.records.record import Body, Record
from tests.support.desk import Desk

KEY = "config:db_engine"
START = datetime(2026, 2, 1, tzinfo=UTC)


class Clock:
    """A clock that only a test moves."""

    def __init__(self) -> None:
        self.days = 0.0

    def __call__(self) -> int:
        return int((START + timedelta(days=self.days)).timestamp() * 10**9)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def desk(store: StoreLocation, clock: Clock) -> Iterator[Desk]:
    found = Desk(store)
    found.broker.close()
    found.broker = Broker(store, now_ns=clock)
    yield found
    found.broker.close()


def shown(desk: Desk, id_: str | None, session: str, trigger: str = "prompt") -> None:
    """Append the access record of a recall that showed a memory to a model."""
    body = Body({"targets": [id_], "tokens": 9, "trigger": trigger, "context": ""})
    access = Draft.of(stream="control", kind="access", agent_id="claude", scope="global",
                      visibility="session", session_id=session, body=body)  # fmt: skip
    assert desk.broker.append([access])[0].status == "stored"


def found(desk: Desk, **asked: Any) -> dict[str, str]:
    """Return the texts and reasons of the cleanup candidates."""
    every = find_cleanup_candidates(desk.broker, desk.who(), **asked)
    return {each.record.body.content_md: each.reason for each in every}


def aside(desk: Desk) -> list[str]:
    """Return the ids of the archived memories."""
    return [each.record.id for each in archive.list_archived(desk.broker, desk.who())]


# ---- archive and restore


@pytest.mark.req("TT-03", "TT-07")
@pytest.mark.parametrize(
    "text", ["We use sqlite\n\n- it is one file", "データベースは sqlite です 🦀"]
)
def test_what_is_restored_says_every_byte_again(desk: Desk, clock: Clock, text: str) -> None:
    said = desk.says(text, KEY, tags=["db", "記憶"], paths=["src/**"], run_id="run-1")
    before = desk.get(str(said.id))
    archive.archive_memory(desk.broker, KEY, desk.who())
    gone = desk.texts()
    clock.days = 3

    made = archive.restore_memory(desk.broker, KEY, desk.who())

    entry = entries.get_entry(desk.reader(), KEY)
    own = ("id", "ts", "hash", "delivery_id", "restores", "supersedes", "created_at")
    assert gone == []
    assert made.without(*own) == before.without(*own)
    assert (entry.record.id, entry.created_at) == (made.id, before.ts)
    assert entry.updated_at.startswith("2026-02-04")
    assert aside(desk) == []
    assert [list(r.body.targets) for r in desk.records("restore")] == [[said.id]]


@pytest.mark.req("TT-07")
def test_nothing_is_restored_in_the_place_of_an_active_entry(desk: Desk) -> None:
    old = desk.says("We use sqlite", KEY)
    archive.archive_memory(desk.broker, KEY, desk.who())
    new = desk.says("We use postgres", KEY)

    with pytest.raises(HookloreError, match=f"an active entry has this key, `{new.id}`"):
        archive.restore_memory(desk.broker, KEY, desk.who())

    assert desk.texts() == ["We use postgres"]
    assert aside(desk) == [old.id]
    assert desk.records("restore") == []


def test_of_two_entries_with_one_key_both_are_archived_and_both_come_back(desk: Desk) -> None:
    first = desk.says("We use sqlite", KEY)
    archive.archive_memory(desk.broker, KEY, desk.who())
    second = desk.says("We use postgres", KEY)
    archive.archive_memory(desk.broker, KEY, desk.who())

    both = aside(desk)
    with pytest.raises(HookloreError, match="2 archived entries have this key"):
        archive.restore_memory(desk.broker, KEY, desk.who())
    made = archive.restore_memory(desk.broker, str(first.id), desk.who())
    with_first = (desk.texts(), aside(desk))
    archive.archive_memory(desk.broker, made.id, desk.who())
    archive.restore_memory(desk.broker, str(second.id), desk.who())

    assert both == [second.id, first.id]
    assert with_first == (["We use sqlite"], [second.id])
    assert (desk.texts(), aside(desk)) == (["We use postgres"], [made.id])


def test_the_same_words_can_be_said_again_and_archived_again(desk: Desk) -> None:
    for _ in range(3):
        assert desk.says("We use sqlite", KEY).status == "stored"
        archive.archive_memory(desk.broker, KEY, desk.who())

    assert len(set(aside(desk))) == 3


def test_a_restore_is_the_same_after_a_rebuild_and_in_another_process(
    desk: Desk, store: StoreLocation
) -> None:
    desk.says("We use sqlite", KEY)
    archive.archive_memory(desk.broker, KEY, desk.who())
    desk.broker.rebuild()
    archive.restore_memory(desk.broker, KEY, desk.who())
    desk.broker.rebuild()

    other = Broker(store)
    other.refresh()
    texts = [
        r.body.content_md for r in other.as_reader(desk.who()).lookup(keys.memories_at("global"))
    ]
    other.close()

    assert texts == desk.texts() == ["We use sqlite"]
    assert aside(desk) == []


def test_of_many_that_restore_one_entry_at_once_one_does(store: StoreLocation) -> None:
    desk = Desk(store)
    desk.says("We use sqlite", KEY)
    archive.archive_memory(desk.broker, KEY, desk.who())
    outcomes: list[str] = []

    def restore() -> None:
        broker = Broker(store)
        try:
            outcomes.append(str(archive.restore_memory(broker, KEY).body.content_md))
        except HookloreError as error:
            outcomes.append(type(error).__name__)
        finally:
            broker.close()

    threads = [threading.Thread(target=restore) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(outcomes) == ["HookloreError"] * 7 + ["We use sqlite"]
    assert desk.texts() == ["We use sqlite"]
    desk.broker.close()


def test_a_restore_that_was_cut_off_is_whole(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.says("We use sqlite", KEY)
    archive.archive_memory(desk.broker, KEY, desk.who())

    def killed(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(archive, "append_or_raise", killed)
    with pytest.raises(KeyboardInterrupt):
        archive.restore_memory(desk.broker, KEY, desk.who())

    assert (desk.texts(), aside(desk)) == (["We use sqlite"], [])


def test_a_restore_never_takes_the_place_of_what_came_meanwhile(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process may write the key between the check and the append."""
    desk.says("We use sqlite", KEY)
    archive.archive_memory(desk.broker, KEY, desk.who())
    real = archive.draft_restored

    def meanwhile(record: Record, now: str) -> Draft:
        desk.says("We use postgres", KEY, "codex")
        return real(record, now)

    monkeypatch.setattr(archive, "draft_restored", meanwhile)
    with pytest.raises(HookloreError, match="an active entry has this key"):
        archive.restore_memory(desk.broker, KEY, desk.who())

    assert desk.texts() == ["We use postgres"]
    assert len(aside(desk)) == 1


def test_what_today_s_rules_refuse_is_not_restored_and_told_why(
    desk: Desk, store: StoreLocation
) -> None:
    said = desk.get(str(desk.says("We use sqlite", KEY).id))
    archive.archive_memory(desk.broker, KEY, desk.who())
    secret = "pass" + "word=" + "Zq8vR2mX7kT4"
    _, mark = store.log.read_bytes().splitlines(keepends=True)
    body = Body.of(content_md=f"it is {secret}")
    line = encode_line(said.without("hash").with_fields(body=body))
    store.log.write_bytes((line if line.endswith(b"\n") else line + b"\n") + mark)
    broker = Broker(store)

    with pytest.raises(HookloreError, match="could not restore") as raised:
        archive.restore_memory(broker, said.id)
    broker.close()

    assert secret not in str(raised.value)


def test_a_life_that_is_over_begins_anew(desk: Desk, clock: Clock) -> None:
    desk.says("We freeze on friday", KEY, ttl_days=10)
    clock.days = 20
    (over,) = find_cleanup_candidates(desk.broker, desk.who())
    clean_up(desk.broker, [over], desk.who())

    made = archive.restore_memory(desk.broker, over.record.id, desk.who())

    assert over.reason == "expired"
    assert str(made.expires_at).startswith("2026-03-03")
    assert desk.texts() == ["We freeze on friday"]


@pytest.mark.parametrize("verb", ["archive", "restore", "delete"])
def test_an_agent_puts_nothing_aside_and_brings_nothing_back(desk: Desk, verb: str) -> None:
    desk.says("We use sqlite", KEY)
    act = {
        "archive": archive.archive_memory,
        "restore": archive.restore_memory,
        "delete": deletion.plan_deletion,
    }[verb]

    with pytest.raises(HookloreError, match="a person decides it"):
        act(desk.broker, KEY, desk.who("claude"))

    assert desk.texts() == ["We use sqlite"]


def test_what_is_no_active_memory_is_not_archived_and_told_why(desk: Desk) -> None:
    old = desk.says("We use sqlite", KEY)
    new = desk.says("We use postgres", KEY)
    waits = desk.says("We use mysql", "config:other", "claude", confidence="low")
    archive.archive_memory(desk.broker, KEY, desk.who())
    (mark,) = desk.records("archive")

    for name, told in (
        (old.id, "it is not active"),
        (new.id, "it is not active"),
        (waits.id, "it waits to be approved"),
        (mark.id, "it is no memory, but of kind archive"),
        ("config:nowhere", "no memory with this key"),
        ("鍵", "no memory with this key"),
    ):
        with pytest.raises(HookloreError, match=told):
            archive.archive_memory(desk.broker, str(name), desk.who())
    with pytest.raises(NotFound):
        archive.archive_memory(desk.broker, "ffff", desk.who())


def test_an_agent_is_told_of_no_archived_memory_that_it_may_not_read(desk: Desk) -> None:
    desk.says("for codex alone", "config:own", "codex", scope="agent:codex")
    desk.says("between us", "config:ours", is_private=True)
    desk.says("for all", KEY)
    for name in ("config:own", "config:ours", KEY):
        of = ["agent:codex"] if name == "config:own" else None
        archive.archive_memory(desk.broker, name, desk.who(), of)

    read = archive.list_archived(desk.broker, desk.who("claude"))

    assert [each.record.body.content_md for each in read] == ["for all"]
    assert len(aside(desk)) == 3


def test_find_leads_to_what_is_archived_until_it_is_back(desk: Desk) -> None:
    said = desk.says("We use sqlite", KEY)
    archive.archive_memory(desk.broker, KEY, desk.who())
    (trace,) = entries.locate_key(desk.broker, KEY, desk.who())
    archive.restore_memory(desk.broker, KEY, desk.who())

    back = entries.locate_key(desk.broker, KEY, desk.who())

    assert (trace.reason, trace.command) == ("archived", f"hooklore restore {said.id}")
    assert [each.reason for each in back] == ["current"]


def test_a_restored_memory_that_is_contradicted_by_now_is_a_conflict(desk: Desk) -> None:
    desk.says("Always run `make test` before a push", "workflow:push", kind="workflow")
    archive.archive_memory(desk.broker, "workflow:push", desk.who())
    desk.says("Never run `make test` before a push", "workflow:speed", kind="workflow")

    archive.restore_memory(desk.broker, "workflow:push", desk.who())

    assert len(desk.records("conflict_resolution")) == 1


# ---- delete


@pytest.mark.req("TT-06")
def test_what_is_deleted_is_in_no_view_and_not_in_the_archive(desk: Desk) -> None:
    said = desk.says("We use sqlite", KEY)

    deletion.delete_memory(
        desk.broker, deletion.plan_deletion(desk.broker, KEY, desk.who()), desk.who()
    )

    assert (desk.texts(), aside(desk)) == ([], [])
    assert [list(r.body.targets) for r in desk.records("tombstone")] == [[said.id]]
    assert desk.records("archive") == []
    with pytest.raises(HookloreError, match="not in the archive"):
        archive.restore_memory(desk.broker, str(said.id), desk.who())


def test_what_is_in_the_archive_can_be_deleted_too(desk: Desk) -> None:
    said = desk.says("We use sqlite", KEY)
    archive.archive_memory(desk.broker, KEY, desk.who())

    deletion.delete_memory(
        desk.broker, deletion.plan_deletion(desk.broker, KEY, desk.who()), desk.who()
    )

    assert aside(desk) == []
    with pytest.raises(HookloreError, match="not in the archive"):
        archive.restore_memory(desk.broker, str(said.id), desk.who())


# ---- clean up


def kept_bytes(store: StoreLocation, id_: str) -> bytes:
    """Return the bytes of a record's body in the log."""
    (line,) = [
        raw for raw in store.log.read_bytes().splitlines() if f'"id":"{id_}"'.encode() in raw
    ]
    text = line.decode()
    start = text.index('"body":') + len('"body":')
    return text[start : json.JSONDecoder().raw_decode(text, start)[1]].encode()


@pytest.mark.req("TT-03", "CL-05")
def test_what_was_cleaned_up_is_restored_byte_for_byte(
    desk: Desk, clock: Clock, store: StoreLocation
) -> None:
    texts = ["the press is loud", "プレスはうるさい", "over soon\r\n\r\n- truly\t\u2028",
             "e\u0301 is not \u00e9 🦀"]  # fmt: skip
    said = [
        str(desk.says(text, agent="codex", kind="fact", scope="agent:codex", tags=["音"]).id)
        for text in texts
    ]
    before = {kept_bytes(store, id_) for id_ in said}
    desk.says("the user says so", kind="fact", scope="global")
    clock.days = 31

    every = find_cleanup_candidates(
        desk.broker, desk.who(), before="2026-03-01T00:00:00.000Z", scope="agent:*"
    )
    clean_up(desk.broker, every, desk.who())
    left = desk.texts(desk.who("codex"), "agent:codex")
    back = [archive.restore_memory(desk.broker, id_, desk.who()) for id_ in aside(desk)]

    assert sorted(each.record.body.content_md for each in every) == sorted(texts)
    assert left == []
    assert len(before) == len(texts)
    assert {kept_bytes(store, record.id) for record in back} == before
    assert {record.body.content_md for record in back} == set(texts)
    assert desk.texts() == ["the user says so"]


@pytest.mark.req("TT-11")
def test_what_is_said_to_be_for_ever_is_kept_however_long_unused(desk: Desk, clock: Clock) -> None:
    desk.says("for ever", kind="fact", ttl_days=0)
    desk.says("for a while", kind="fact", ttl_days=2_000)
    desk.says("for a month", kind="fact", ttl_days=30)
    desk.says("nobody said how long", kind="fact")
    clock.days = 1_000

    assert found(desk) == {"for a month": "expired", "nobody said how long": "unused"}


def test_a_memory_that_was_read_is_used(desk: Desk, clock: Clock) -> None:
    """Seed 004's own code looks at the time of writing, and prunes an entry that was read just now."""
    read = desk.says("read at day 80", kind="fact")
    asked = desk.says("asked for at day 80", kind="fact")
    desk.says("never read", kind="fact")
    clock.days = 80
    shown(desk, read.id, "s-1", "session_start")
    record_use(desk.broker, [str(asked.id)], desk.who(), "get")
    clock.days = 91
    at_91 = found(desk)
    clock.days = 171

    assert at_91 == {"never read": "unused"}
    assert found(desk) == dict.fromkeys(
        ["read at day 80", "asked for at day 80", "never read"], "unused"
    )


@pytest.mark.parametrize("days", [1, 30, 3650])
def test_how_long_unused_is_too_long_can_be_set(
    store: StoreLocation, clock: Clock, days: int
) -> None:
    desk = Desk(store, Settings(curated=CuratedSettings(unused_days=days)))
    desk.broker.close()
    desk.broker = Broker(store, desk.broker.settings, now_ns=clock)
    desk.says("the press is loud", kind="fact")
    clock.days = days - 0.01
    before = found(desk)
    clock.days = days + 0.01

    after = found(desk)
    desk.broker.close()

    assert (before, after) == ({}, {"the press is loud": "unused"})


@pytest.mark.parametrize("days", ["0", "3651", "-1", "1.5", '"soon"'])
def test_a_number_of_days_that_makes_no_sense_is_named(store: StoreLocation, days: str) -> None:
    store.directory.mkdir(parents=True)
    store.config.write_text(f"[curated]\nunused_days = {days}\n")

    found = load_settings(store.config)

    assert [problem.key for problem in found.problems] == ["curated.unused_days"]
    assert found.curated.unused_days == 90


def test_pins_are_not_cleaned_up(desk: Desk, clock: Clock) -> None:
    desk.says("pinned by itself", KEY)
    by_hand = desk.says("pinned by hand", kind="fact")
    pins.pin(desk.broker, str(by_hand.id), desk.who())
    off = desk.says("taken off", "config:port")
    pins.unpin(desk.broker, str(off.id), desk.who())
    clock.days = 400

    assert found(desk) == {"taken off": "unused"}


@pytest.mark.parametrize(
    ("scope", "texts"),
    [
        ("*", {"mine", "ours", "the mill's"}),
        ("agent:*", {"mine"}),
        ("agent:codex", {"mine"}),
        ("agent:c?dex", {"mine"}),
        ("agent:claude", set()),
        ("global", {"ours"}),
        ("project:*", {"the mill's"}),
        ("project:mill", {"the mill's"}),
    ],
)
def test_a_scope_may_have_wildcards(desk: Desk, clock: Clock, scope: str, texts: set[str]) -> None:
    desk.says("mine", agent="codex", kind="fact", scope="agent:codex")
    desk.says("ours", kind="fact")
    desk.says("the mill's", kind="fact", scope="project:mill")
    clock.days = 100

    assert set(found(desk, scope=scope)) == texts


def test_what_waits_or_was_replaced_is_no_candidate(desk: Desk, clock: Clock) -> None:
    desk.says("We use sqlite", "fact:db", kind="fact")
    desk.says("We use postgres", "fact:db", kind="fact")
    desk.says("We may use mysql", "fact:db", "claude", kind="fact", confidence="low")
    clock.days = 100

    assert found(desk) == {"We use postgres": "unused"}
    assert len(approval_queue.list_pending(desk.reader())) == 1


# ---- a person's yes in advance


def test_a_token_holds_for_one_act_on_the_records_it_was_given_for(
    desk: Desk, clock: Clock
) -> None:
    token = approval_token.issue_approval_token(desk.broker, "clean up", ["b", "a"])

    approval_token.verify_approval_token(desk.broker, token, "clean up", ["a", "b"])
    for given, act, ids, told in (
        (token, "delete it", ["a", "b"], "no such approval token"),
        (token, "clean up", ["a"], "for other records"),
        (token, "clean up", ["a", "b", "c"], "for other records"),
        ("", "clean up", ["a", "b"], "no such approval token"),
        ("推測", "clean up", ["a", "b"], "no such approval token"),
    ):
        with pytest.raises(HookloreError, match=told):
            approval_token.verify_approval_token(desk.broker, given, act, ids)
    clock.days = 2
    with pytest.raises(HookloreError, match="older than 24 hours"):
        approval_token.verify_approval_token(desk.broker, token, "clean up", ["a", "b"])


def test_the_log_does_not_hold_the_token(desk: Desk, store: StoreLocation) -> None:
    token = approval_token.issue_approval_token(desk.broker, "clean up", ["a"])

    assert token.encode() not in store.log.read_bytes()


# ---- the janitor


def look_anew(store: StoreLocation) -> janitor.JanitorReport:
    """Run the janitor in a process of its own."""
    broker = Broker(store)
    try:
        return janitor.inspect_store(broker)
    finally:
        broker.close()


def test_the_janitor_names_a_secret_put_behind_the_brokers_back(
    desk: Desk, store: StoreLocation
) -> None:
    secret = "pass" + "word=" + "Zq8vR2mX7kT4"
    said = desk.get(str(desk.says("We use sqlite", KEY).id))
    body = Body.of(content_md=f"it is {secret}")
    line = encode_line(said.without("hash").with_fields(body=body))
    store.log.write_bytes(line if line.endswith(b"\n") else line + b"\n")

    report = look_anew(store)

    assert report.secrets == (said.id,)
    assert report.rules == {"assigned": 1}
    assert secret not in str(report.as_fields())


def test_the_janitor_counts_damaged_lines_that_hold_a_secret(
    desk: Desk, store: StoreLocation
) -> None:
    desk.says("We use sqlite", KEY)
    with store.log.open("ab") as log:
        log.write(b'{"v":1, torn pass' + b"word=Zq8vR2mX7kT4\n")
        log.write(b'{"v":1, torn without anything to hide\n')

    report = look_anew(store)

    assert (report.secrets, report.damaged) == ((), 1)


def test_the_janitor_tells_of_everything_and_ends_nothing(desk: Desk, clock: Clock) -> None:
    desk.says("We use sqlite", KEY, agent="claude")
    desk.says("We use postgres", KEY, agent="codex")
    desk.says("old news", kind="fact")
    clock.days = 100
    before = desk.records()

    report = janitor.inspect_store(desk.broker, desk.who())

    assert [r.body.content_md for r in report.pins.records] == ["We use postgres"]
    assert [each.record.body.content_md for each in report.candidates] == ["old news"]
    assert [c.key for c in report.conflicts] == [KEY]
    assert (report.secrets, report.places) == ((), ())
    assert desk.records() == before


def test_one_janitor_looks_at_a_time(store: StoreLocation) -> None:
    with (
        janitor.hold_janitor_lock(store),
        pytest.raises(HookloreError, match=r"pid \d+ is at it"),
        janitor.hold_janitor_lock(store),
    ):
        pass

    with janitor.hold_janitor_lock(store):
        pass


def test_the_idle_resident_looks_once_a_day_and_keeps_no_text(
    desk: Desk, store: StoreLocation
) -> None:
    desk.says("We use sqlite", KEY)
    looks: list[bool] = []

    def breathe() -> bool:
        looks.append(True)
        return False

    janitor.inspect_store_if_due(store, breathe)
    first = len(looks)
    janitor.inspect_store_if_due(store, breathe)

    kept = janitor.load_janitor_report(store)
    assert first == len(looks) > 0
    assert kept is not None
    assert kept["pins"] == [r.id for r in desk.records("config")]
    assert "sqlite" not in str(kept)


def test_a_look_of_the_resident_ends_when_it_is_told_to(desk: Desk, store: StoreLocation) -> None:
    desk.says("We use sqlite", KEY)

    janitor.inspect_store_if_due(store, lambda: True)

    assert janitor.load_janitor_report(store) is None
    assert janitor.is_inspection_due(desk.broker)


def test_an_empty_store_is_not_looked_through_and_gets_no_files(store: StoreLocation) -> None:
    janitor.inspect_store_if_due(store, lambda: False)

    assert not store.directory.exists()


# ---- consolidate


@pytest.mark.req("CL-04")
def test_what_proved_useful_is_pinned_once(desk: Desk) -> None:
    useful = desk.says("the press needs a torque of 47", kind="fact")
    seen = desk.says("the press is loud", kind="fact")
    for number in range(MIN_USEFUL_SESSIONS):
        shown(desk, useful.id, f"s-{number}", "failure")
        shown(desk, seen.id, f"s-{number}", "session_start")

    done = consolidate(desk.broker, desk.who())
    again = consolidate(desk.broker, desk.who())

    pinned = select_pins(desk.reader(), list_memories(desk.reader(), ["global"])).records
    assert [r.id for r in done.pinned] == [r.id for r in pinned] == [useful.id]
    assert (again.pinned, again.merged, again.conflicts) == ((), (), 0)
    assert len(desk.records("pin")) == 1


def test_what_a_person_took_off_the_pins_stays_off(desk: Desk) -> None:
    useful = desk.says("the press needs a torque of 47", kind="fact")
    pins.unpin(desk.broker, str(useful.id), desk.who())
    for number in range(MIN_USEFUL_SESSIONS):
        shown(desk, useful.id, f"s-{number}")

    assert consolidate(desk.broker, desk.who()).pinned == ()


@pytest.mark.req("CL-04")
def test_what_is_said_twice_becomes_one(desk: Desk) -> None:
    desk.says("The press is loud", agent="codex", kind="fact")
    desk.says("the press is loud.", "fact:press", agent="claude", kind="fact")
    desk.says("the press is loud", "fact:noise", agent="gemini", kind="fact")
    desk.says("プレスはうるさい", kind="fact")

    done = consolidate(desk.broker, desk.who())
    again = consolidate(desk.broker, desk.who())

    assert [lost.body.content_md for lost, _ in done.merged] == ["The press is loud"]
    assert sorted(desk.texts()) == ["the press is loud", "the press is loud.", "プレスはうるさい"]
    assert again.merged == ()


@pytest.mark.parametrize(
    "other",
    [
        {"basis": "user"},
        {"tags": ["noise"]},
        {"visibility": "agent-only"},
        {"is_private": True},
    ],
)
def test_two_memories_are_not_made_one_where_something_would_be_lost(
    desk: Desk, other: dict[str, Any]
) -> None:
    desk.says("the press is loud", kind="fact", agent=None, **{"basis": "tool", **other})
    desk.says("the press is loud", "fact:press", agent="claude", kind="fact")
    desk.says("the mill is old", kind="fact", agent=None, basis="tool")
    desk.says("the mill is old", "fact:mill", agent="claude", kind="fact")

    merged = consolidate(desk.broker, desk.who()).merged

    assert [lost.body.content_md for lost, _ in merged] == ["the mill is old"]


# ---- what a person approved stays approved


@pytest.mark.parametrize("act", ["resolve", "restore"])
def test_what_was_approved_is_still_pinned_when_it_is_said_again(desk: Desk, act: str) -> None:
    guess = desk.says("We use sqlite", KEY, "claude", basis="inferred", confidence="low")
    made = approval_queue.approve(desk.broker, str(guess.id), desk.who())
    if act == "resolve":
        clash = desk.says("We use postgres", KEY, "codex", basis="user")
        resolve_conflict(desk.broker, str(clash.conflict), "A", desk.who())
    else:
        archive.archive_memory(desk.broker, made.id, desk.who())
        archive.restore_memory(desk.broker, KEY, desk.who())

    found = list_memories(desk.reader(), ["global"])

    assert [r.body.content_md for r in select_pins(desk.reader(), found).records] == [
        "We use sqlite"
    ]


def test_a_restored_version_can_be_kept_in_a_conflict(desk: Desk) -> None:
    first = desk.says("Use postgres", KEY, agent="claude", basis="tool")
    archive.archive_memory(desk.broker, str(first.id), desk.who())
    archive.restore_memory(desk.broker, KEY, desk.who())
    made = desk.says("Use sqlite", KEY, agent="codex", basis="tool")

    resolve_conflict(desk.broker, str(made.conflict), "A")

    assert desk.texts(desk.who()) == ["Use postgres"]
