"""What a run reads first, which snapshot says so, and what it is told to mend before it relies on memory."""

import fcntl
import json
import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from hooklore.broker import Broker
from hooklore.config import load_settings
from hooklore.records.draft import Draft
from hooklore.records.ids import short_id
from tests.support.agent import Agent
from tests.support.notes import ids_of_notes
from tests.unit.cli.conftest import Memory, Run, said

KEY = "config:db_engine"
OFFER = "remember(private=true)"
PRIVATE = f'[wake_up]\nline = "What is hard to say yet can be kept with {OFFER}."\n'
_ID = r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}"

Json = dict[str, Any]


# ---- pins, then recents


@pytest.mark.req("RF-11")
def test_a_snapshot_has_its_pins_before_its_recents_however_old_they_are(
    hooklore: Run, memory: Memory
) -> None:
    by_key = said(hooklore, "We use sqlite", "--key", KEY)
    by_hand = said(hooklore, "The press is in room 4")
    hooklore("pin", by_hand)
    recents = [said(hooklore, f"Fact {n} of the mill") for n in range(4)]

    printed = hooklore("snapshot", "--limit-recent", "3")
    (made,) = hooklore("snapshot", "--limit-recent", "3", "--json").records
    replayed = hooklore("snapshot", made["snapshot_id"])
    (again,) = hooklore("snapshot", made["snapshot_id"], "--json").records

    newest = recents[:0:-1]
    assert printed.lines[1:3] == ["- The press is in room 4", "- We use sqlite"]
    assert [line.split()[0] for line in printed.lines[3:]] == newest
    assert [r["id"] for r in made["pins"]] == [by_hand, by_key]
    assert [r["id"] for r in made["recent_events"]] == newest
    assert made["pinned_md"] == "- The press is in room 4\n- We use sqlite"
    assert again["ids"] == [by_hand, by_key, *newest]
    assert replayed.out.index("We use sqlite") < replayed.out.index("Fact 3 of the mill")


@pytest.mark.req("RF-11")
def test_a_brief_has_its_pins_before_everything_else(hooklore: Run, agent: Agent) -> None:
    by_key = said(hooklore, "We use sqlite", "--key", KEY)
    by_hand = said(hooklore, "The press is in room 4")
    hooklore("pin", by_hand)
    rule = said(hooklore, "Never touch the legacy folder", "--kind", "constraint")
    fact = said(hooklore, "The mill turns left")
    agent.fails("make test", "KeyError: 'colour' in widgets.ini")
    agent.hook("SessionEnd", reason="other")

    told = agent.starts("s-2")

    end = agent.records("session_end")[-1]["id"]
    assert ids_of_notes(told) == [short_id(id_) for id_ in (by_hand, by_key, rule, end, fact)]
    parts = (
        "Pinned (",
        "The press is in room 4",
        "Rules (",
        "Where the work was left (",
        "Known (",
        "mill turns left",
    )
    assert sorted(parts, key=told.index) == list(parts)


# ---- whose snapshot it is


def test_another_agent_is_told_nothing_of_a_snapshot_that_is_not_its_own(
    hooklore: Run, agent: Agent
) -> None:
    said(hooklore, "We use sqlite", "--key", KEY)
    agent.starts("s-1")
    of_session = agent.records("access")[-1]["body"]["snapshot_id"]
    (of_person,) = hooklore("snapshot", "--json").records
    (of_claude,) = hooklore("snapshot", "--agent", "claude", "--json").records
    made = [of_session, of_person["snapshot_id"], of_claude["snapshot_id"]]

    by_codex = [hooklore("snapshot", sid, "--agent", "codex") for sid in made]
    by_person = [hooklore("snapshot", sid) for sid in made]

    assert [(answer.rc, answer.out) for answer in by_codex] == [(1, "")] * 3
    assert ["We use sqlite" in answer.out for answer in by_person] == [True] * 3


# ---- missing, stale, contradictory


@pytest.mark.req("RF-12")
def test_a_contradiction_is_told_wherever_a_run_begins_with_the_command_that_settles_it(
    hooklore: Run, agent: Agent
) -> None:
    said(hooklore, "We use sqlite", "--key", KEY, "--agent", "claude")
    said(hooklore, "We use postgres", "--key", KEY, "--agent", "codex")

    brief = agent.starts("s-1")
    printed = hooklore("snapshot")
    (made,) = hooklore("snapshot", "--json").records

    mends = set()
    for told in (brief, printed.out, made["checks"][0]):
        assert "“We use sqlite”" in told
        assert "“We use postgres”" in told
        mends |= set(
            re.findall(r"`hooklore (resolve [0-9a-z]{8} --keep) newer\|older\|both`", told)
        )
    (mend,) = mends
    assert "Contradictory or out of date (check before you rely on it) (" in brief
    assert hooklore(*mend.split(), "B").rc == 0
    assert hooklore("snapshot", "--json").records[0]["checks"] == []
    assert "Contradictory" not in agent.starts("s-2")


@pytest.mark.req("RF-12")
def test_a_stale_memory_is_told_wherever_a_run_begins_with_the_command_that_renews_it(
    hooklore: Run, agent: Agent, memory: Memory
) -> None:
    said(hooklore, "We use sqlite", "--key", KEY, "--ttl-days", "1")
    lines = memory.broker.place.log.read_text("utf-8").splitlines(keepends=True)
    old = [re.sub(r'"expires_at":"[^"]*"', '"expires_at":"2026-01-01T00:00:00.000Z"',
                  re.sub(r',"hash":"[^"]*"', "", line)) for line in lines]  # fmt: skip
    memory.broker.place.log.write_text("".join(old), "utf-8")

    brief = agent.starts("s-1")
    (made,) = hooklore("snapshot", "--json").records

    for told in (brief, made["checks"][0]):
        assert "Out of date since 2026-01-01: “We use sqlite”" in told
        assert f"`hooklore remember --key {KEY} …`" in told
    said(hooklore, "We use sqlite 4", "--key", KEY)
    assert hooklore("snapshot", "--json").records[0]["checks"] == []


def check(hooks: Run, name: str) -> Json:
    """One check of `hooks doctor`."""
    found: list[Json] = json.loads(hooks("doctor", "--json").out)["checks"]
    return next(each for each in found if each["name"] == name)


@pytest.mark.req("RF-12")
def test_an_index_far_behind_the_log_is_degraded_until_it_is_made_again(
    hooks: Run, hooklore: Run, memory: Memory
) -> None:
    said(hooklore, "The kestrel gateway wants integer cents")
    hooklore("rebuild")
    whole = check(hooks, "index")
    broker = Broker(memory.broker.place)
    broker.append([
        Draft.of(stream="observation", kind="prompt", agent_id="claude", scope="global",
                 delivery_id=f"d{n}", body={"text": f"prompt {n}"}) for n in range(6_000)
    ])  # fmt: skip
    broker.close()

    behind = check(hooks, "index")
    status = json.loads(hooks("status", "--json").out)["store"]
    rebuilt = hooklore(*behind["fix"].split()[1:])

    assert whole["ok"] is True
    assert (behind["ok"], behind["fix"]) == (False, "hooklore rebuild")
    assert "records behind the log" in behind["detail"]
    assert status["unindexed"] >= 6_000
    assert rebuilt.rc == 0
    assert check(hooks, "index")["ok"] is True


@pytest.mark.req("RF-12")
def test_a_damaged_index_is_named_and_what_it_lacks_is_said_of_every_search(
    hooks: Run, hooklore: Run, memory: Memory
) -> None:
    """Another process holds the index, so no command can mend it by itself."""
    said(hooklore, "The kestrel gateway wants integer cents")
    hooklore("rebuild")
    (path,) = (memory.broker.place.directory / "index").glob("g*/catalog.sqlite")
    _damage(path)

    damaged = check(hooks, "index")
    with (path.parents[1] / "writer.lock").open("r+b") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        searched = hooklore("search", "kestrel")
    rebuilt = hooklore("rebuild")

    assert re.search(
        r"^warning: .+; only the newest records were searched\nhint: run `hooklore rebuild`\n",
        searched.err,
    ), searched
    assert (damaged["ok"], damaged["fix"]) == (False, "hooklore rebuild")
    assert rebuilt.rc == 0
    assert check(hooks, "index")["ok"] is True
    assert "integer cents" in hooklore("search", "kestrel").out


def _damage(catalog: Path) -> None:
    sqlite3.connect(catalog).close()
    catalog.write_bytes(catalog.read_bytes()[:5_000])


@pytest.mark.req("RF-12")
@pytest.mark.parametrize("strict", [False, True])
def test_a_log_that_cannot_be_read_stops_every_reader_with_what_to_do(
    hooklore: Run, memory: Memory, strict: bool
) -> None:
    said(hooklore, "We use sqlite", "--key", KEY)
    memory.broker.close()
    place = memory.broker.place
    place.config.write_text(f"strict = {str(strict).lower()}\n")
    place.log.rename(place.log.with_suffix(".away"))
    place.log.mkdir()
    agent = Agent(place, memory.folder, memory.home, load_settings(place.config))

    answer = agent.hook("SessionStart", source="startup")
    commands = [hooklore(*words) for words in
                (("list",), ("search", "sqlite"), ("recall", "sqlite"), ("get", KEY), ("snapshot",),
                 ("memory", "list"), ("profile",), ("remember", "We use make"))]  # fmt: skip

    said_to_model = json.dumps(answer, ensure_ascii=False)
    assert "shared memory unreadable: " in said_to_model
    assert "run `hooks doctor`" in said_to_model
    assert "do not answer from memory" in said_to_model
    assert (answer.get("continue") is False) is strict
    assert [(printed.rc, printed.out) for printed in commands] == [(1, "")] * len(commands)
    for printed in commands:
        assert re.search(r"^error: .+\nhint: .+", printed.err), printed


# ---- the offer of private memory


def brief(
    memory: Memory, settings: str = "", *, known: bool = True, source: str = "startup"
) -> str:
    """The brief of a session, under these settings."""
    place = memory.broker.place
    place.directory.mkdir(parents=True, exist_ok=True)
    place.config.write_text(settings)
    agent = Agent(place, memory.folder, memory.home, load_settings(place.config))
    if known:
        agent.remembers("Never touch the legacy folder")
    told = agent.starts("s-1", source)
    agent.broker.close()
    return told


@pytest.mark.req("HK-22")
@pytest.mark.parametrize("source", ["startup", "clear", "compact"])
def test_every_brief_offers_private_memory_before_its_end(memory: Memory, source: str) -> None:
    told = brief(memory, PRIVATE, source=source).splitlines()

    (line,) = [each for each in told if OFFER in each]
    assert told.index(line) > told.index(next(x for x in told if "legacy folder" in x))
    assert told[told.index(line) + 1] == "</hooklore-notes>"


@pytest.mark.req("HK-22")
@pytest.mark.parametrize(
    ("settings", "offered"),
    [
        (PRIVATE, True),
        (f"{PRIVATE}verbose = true\n", True),
        ("", False),
        ('[wake_up]\nline = "Some things can stay between us."\n', False),
    ],
)
def test_the_offer_is_made_where_it_is_enabled(
    memory: Memory, settings: str, offered: bool
) -> None:
    told = brief(memory, settings)

    assert (OFFER in told) is offered
    assert ("between us" in told) is ("between us" in settings)
    assert "Never touch the legacy folder" in told
