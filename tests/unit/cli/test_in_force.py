"""What no longer holds - overwritten, expired, archived, forgotten - and who is still told of it."""

import itertools

import pytest

from hooklore.records.ids import short_id
from tests.support.agent import Agent
from tests.unit.cli.conftest import Ago, Memory, Run, Terminal, said

KEY = "config:db_engine"
ASKED = "Which database engine holds the orders of the quartermaster?"
_numbers = itertools.count(1)


def in_a_new_session(agent: Agent) -> Agent:
    """The agent in a session that was told nothing yet."""
    agent.session = f"session-{next(_numbers)}"
    return agent


def told(hooklore: Run, agent: Agent, word: str) -> set[str]:
    """By which ways of reading a word of a memory is found."""
    agent.broker.refresh()
    ways = {
        "list": hooklore("list", "-n", "100").out,
        "search": hooklore("search", word).out,
        "memory list": hooklore("memory", "list").out,
        "memory search": hooklore("memory", "search", word).out,
        "recall": hooklore("recall", ASKED).out,
        "recall as codex": hooklore("recall", ASKED, "--agent", "codex").out,
        "get": hooklore("get", KEY).out,
        "get as codex": hooklore("get", KEY, "--agent", "codex").out,
        "profile": hooklore("profile").out,
        "snapshot": "\n".join(x for x in hooklore("snapshot").lines if not x.startswith("! ")),
        "prompt": in_a_new_session(agent).asks(ASKED),
        "command": in_a_new_session(agent).about_to("quartermaster orders --engine"),
    }
    return {way for way, text in ways.items() if word in text}


EVERY = {"list", "search", "memory list", "memory search", "recall", "recall as codex", "get",
         "get as codex", "profile", "snapshot", "prompt", "command"}  # fmt: skip
KESTREL = "The quartermaster orders live in the kestrel database engine since spring"
OSPREY = "The quartermaster orders live in the osprey database engine since spring"


# ---- overwritten


@pytest.mark.req("CO-07")
def test_an_overwritten_version_is_found_by_no_way_and_shown_on_demand(
    hooklore: Run, agent: Agent
) -> None:
    old = said(hooklore, KESTREL, "--key", KEY)
    before = told(hooklore, agent, "kestrel database")

    new = said(hooklore, OSPREY, "--key", KEY)

    assert before == EVERY
    assert told(hooklore, agent, "osprey database") == EVERY
    assert told(hooklore, agent, "kestrel database") == set()
    assert "kestrel" not in agent.starts("s-4")
    assert f"superseded_by: {new}" in hooklore("show", old).lines
    assert KESTREL in hooklore("get", KEY, "--versions").out
    assert hooklore("get", old, "--agent", "codex").rc == 1


@pytest.mark.req("CO-07")
def test_of_two_agents_versions_the_older_is_found_by_no_way(hooklore: Run, agent: Agent) -> None:
    """Nobody named what it replaces: the newer one stands by its id alone."""
    old = said(hooklore, KESTREL, "--key", KEY, "--agent", "claude")
    new = said(hooklore, OSPREY, "--key", KEY, "--agent", "codex")
    hooklore("search", "osprey")
    agent.broker.refresh()

    ways = {
        name: hooklore(*words, "--json").records
        for name, words in {
            "list": ("list", "-n", "100"), "search": ("search", "quartermaster"),
            "memory list": ("memory", "list"), "memory search": ("memory", "search", "orders"),
            "recall": ("recall", ASKED), "recall as codex": ("recall", ASKED, "--agent", "codex"),
        }.items()
    }  # fmt: skip
    (made,) = hooklore("snapshot", "--json").records
    ways["snapshot"] = [*made["pins"], *made["recent_events"]]
    told_by_id = [
        in_a_new_session(agent).asks(ASKED),
        in_a_new_session(agent).about_to("quartermaster orders --engine"),
    ]

    for name, found in ways.items():
        ids = [record["id"] for record in found if record["stream"] == "memory"]
        assert ids == [new], name
    assert [f"[{short_id(new)} " in text for text in told_by_id] == [True, True]
    assert [f"[{short_id(old)} " in text for text in told_by_id] == [False, False]
    assert hooklore("get", old, "--agent", "codex").rc == 1


# ---- expired


@pytest.mark.req("CO-09")
def test_what_has_expired_is_told_to_nobody_as_if_it_held_and_stays_readable(
    hooklore: Run, memory: Memory, agent: Agent, ago: Ago, monkeypatch: pytest.MonkeyPatch
) -> None:
    ago(3)
    id_ = said(hooklore, KESTREL, "--key", KEY, "--ttl-days", "2")
    ago(0)
    lines = len(memory.records())

    found = told(hooklore, agent, "kestrel database")
    brief = agent.starts("s-2")
    listed = hooklore("cleanup", "--json")
    monkeypatch.setattr("sys.stdin", Terminal("n\n"))
    kept = hooklore("show", id_)

    assert found == set()
    assert brief.count("kestrel database") == 1
    assert "Out of date since " in brief
    assert f"hooklore remember --key {KEY} …" in brief
    assert [(r["event"]["id"], r["reason"]) for r in listed.records] == [(id_, "expired")]
    assert KESTREL in kept.out
    assert "its time is over" in hooklore("find", KEY).out
    assert [r["kind"] for r in memory.records()[lines:] if r["stream"] != "observation"
            and r["kind"] != "access"] == []  # fmt: skip


def test_what_has_not_expired_yet_holds(hooklore: Run, agent: Agent, ago: Ago) -> None:
    ago(1.9)
    said(hooklore, KESTREL, "--key", KEY, "--ttl-days", "2")
    ago(0)

    assert told(hooklore, agent, "kestrel database") == EVERY


# ---- what an agent reads by id


@pytest.mark.parametrize("how", ["overwritten", "superseded", "archived", "forgotten", "expired"])
def test_an_agent_reads_nothing_that_has_ended_by_its_id(
    hooklore: Run, memory: Memory, ago: Ago, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    ago(3)
    id_ = said(hooklore, KESTREL, "--key", KEY, *(["--ttl-days", "2"] if how == "expired" else []))
    read = hooklore("get", id_, "--agent", "codex")
    ago(0)
    if how == "overwritten":
        said(hooklore, OSPREY, "--key", KEY)
    elif how == "superseded":
        said(hooklore, OSPREY, "--supersedes", id_)
    elif how == "archived":
        hooklore("archive", id_)
    elif how == "forgotten":
        monkeypatch.setattr("sys.stdin", Terminal())
        assert hooklore("forget", id_, "--yes").rc == 0

    by_agent = [hooklore("get", name, "--agent", "codex", *more) for name in (id_, id_[:18])
                for more in ((), ("--versions",), ("--json",))]  # fmt: skip
    by_person = hooklore("show", id_)

    assert read.lines == [KESTREL]
    assert [(answer.rc, answer.out) for answer in by_agent] == [(1, "")] * 6
    assert KESTREL in by_person.out


# ---- where a key is


@pytest.mark.req("AU-08")
@pytest.mark.parametrize(
    ("how", "said_of_it", "command"),
    [
        ("current", "here", "show"), ("elsewhere", "in another scope", "get"),
        ("waits", "not approved yet", "approve"), ("expired", "its time is over", "show"),
        ("archived", "archived", "restore"), ("forgotten", "forgotten", "show"),
        ("replaced", "replaced", "show"),
    ],
)  # fmt: skip
def test_find_says_where_an_entry_is_and_its_command_leads_there(
    hooklore: Run, memory: Memory, ago: Ago, monkeypatch: pytest.MonkeyPatch,
    how: str, said_of_it: str, command: str,
) -> None:  # fmt: skip
    monkeypatch.setattr("sys.stdin", Terminal())
    options: dict[str, list[str]] = {
        "elsewhere": ["--scope", "project:forge"], "expired": ["--ttl-days", "2"],
        "waits": ["--agent", "codex", "--confidence", "low"],
    }  # fmt: skip
    ago(3)
    id_ = said(hooklore, KESTREL, "--key", KEY, *options.get(how, []))
    ago(0)
    if how == "archived":
        hooklore("archive", KEY)
    elif how == "forgotten":
        hooklore("forget", id_, "--yes")
    elif how == "replaced":
        said(hooklore, OSPREY, "--key", "config:orders", "--supersedes", id_)

    (first, *_) = hooklore("find", KEY).lines
    words = first.partition("`")[2].rstrip("`").split()
    led = hooklore(*words[1:])

    assert f": {said_of_it}: `hooklore {command} " in first
    assert led.rc == 0
    assert "kestrel" in led.out or hooklore("get", KEY).lines == [KESTREL]


@pytest.mark.req("AU-08")
def test_find_names_keys_that_are_spelt_much_the_same(hooklore: Run, memory: Memory) -> None:
    said(hooklore, KESTREL, "--key", KEY)

    near, archived = hooklore("find", "config:db_engin"), hooklore("archive", KEY)
    gone = hooklore("find", "config:db_engin")

    assert f"{KEY} in project:widgets: a key much like it: `hooklore get {KEY}`" in near.lines
    assert archived.rc == 0
    assert ": archived: `hooklore restore " in gone.out
