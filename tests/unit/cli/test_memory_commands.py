"""Commands keep, read and settle memories that somebody writes on purpose."""

import re

import pytest

from tests.unit.cli.conftest import Memory, Run, answered

KEY = "config:db_engine"
ID = r"[0-9a-f-]{36}"


@pytest.mark.req("WF-18", "CO-07")
def test_remember_then_get_then_update(hooklore: Run, memory: Memory) -> None:
    first = hooklore("remember", "We use sqlite", "--key", KEY, "--tag", "db")
    second = hooklore("remember", "We use postgres\nsince 2026", "--key", KEY)

    got = hooklore("get", KEY)
    versions = hooklore("get", KEY, "--versions")

    assert first.out.startswith("stored ")
    assert f"under {KEY} in project:widgets" in first.out
    assert second.out.startswith("updated ")
    assert got.lines == ["We use postgres", "since 2026"]
    assert "We use sqlite" in versions.lines[-1]


@pytest.mark.req("RF-23")
def test_get_prints_the_lines_that_are_asked_for(hooklore: Run, memory: Memory) -> None:
    hooklore("remember", "one\ntwo\nthree", "--key", KEY)

    assert hooklore("get", KEY, "--offset", "1", "--limit", "1").lines == ["two"]


def test_a_memory_belongs_to_the_project_unless_it_is_said_otherwise(
    hooklore: Run, memory: Memory
) -> None:
    scopes = [
        answered(hooklore, "one rule")["scope"],
        answered(hooklore, "another rule", "--scope", "global")["scope"],
        answered(hooklore, "a third rule", "--scope", "project")["scope"],
        answered(hooklore, "a fourth rule", "--scope", "project:forge")["scope"],
        answered(hooklore, "between us", "--private")["scope"],
    ]

    assert scopes == [
        "project:widgets", "global", "project:widgets", "project:forge", "agent:person",
    ]  # fmt: skip


@pytest.mark.req("CO-16")
def test_show_of_an_old_version_names_the_new_one(hooklore: Run, memory: Memory) -> None:
    old = answered(hooklore, "We use sqlite", "--key", KEY)["id"]
    new = answered(hooklore, "We use postgres", "--key", KEY)["id"]

    assert f"superseded_by: {new}" in hooklore("show", old).lines


@pytest.mark.req("CL-07")
def test_pending_approve_and_reject(hooklore: Run, memory: Memory) -> None:
    guess = answered(
        hooklore, "We use sqlite", "--key", KEY, "--agent", "codex", "--confidence", "low"
    )
    high = answered(hooklore, "Drop the table", "--kind", "decision", "--stake", "high")

    waiting = hooklore("pending")
    approved = hooklore("approve", guess["id"])
    rejected = hooklore("reject", high["id"])

    assert {guess["status"], high["status"]} == {"pending"}
    assert "(unconfirmed)" in waiting.out or "(inferred)" in waiting.out
    assert "(high_stake)" in waiting.out
    assert re.search(rf"approved {guess['id']}: it is in force as {ID}", approved.out)
    assert rejected.rc == 0
    assert hooklore("pending").err == "nothing waits\n"
    assert hooklore("get", KEY, "--agent", "claude").lines == ["We use sqlite"]


@pytest.mark.req("CL-07")
def test_an_agent_is_told_how_many_memories_wait_that_it_may_know_of(
    hooklore: Run, memory: Memory
) -> None:
    guess = ("--agent", "codex", "--confidence", "low")
    ids = [answered(hooklore, f"We use {name}", *guess)["id"] for name in ("sqlite", "make")]
    answered(hooklore, "The codex sandbox is slow", *guess, "--scope", "agent:codex")
    answered(hooklore, "Ask nobody about the raise", *guess, "--private")

    asked = hooklore("pending", "--agent", "claude")
    as_json = hooklore("pending", "--json", "--agent", "claude")
    hooklore("reject", ids[0])
    one = hooklore("pending", "--agent", "claude")
    hooklore("reject", ids[1])
    none = hooklore("pending", "--agent", "claude")

    assert asked.err == (
        "2 memories wait for the user, who alone reads and decides: `hooklore pending`\n"
    )
    assert (as_json.out, as_json.err) == ("", asked.err)
    assert one.err.startswith("1 memory waits for the user")
    assert none.err == "nothing waits that an agent may know of\n"
    assert [each.out + str(each.rc) for each in (asked, one, none)] == ["0"] * 3
    assert len(hooklore("pending", "--json").records) == 2


@pytest.mark.req("CL-07")
def test_memory_pending_approve_and_reject_do_what_they_say(hooklore: Run, memory: Memory) -> None:
    """What is rejected is in force nowhere, waits no more, and does not come back by itself."""
    options = ("--agent", "codex", "--confidence", "low")
    yes = answered(hooklore, "We use sqlite", "--key", KEY, *options)["id"]
    no = answered(hooklore, "We use make", "--key", "config:build", *options)["id"]

    waiting = hooklore("memory", "pending", "--json").records
    approved, rejected = hooklore("memory", "approve", yes), hooklore("memory", "reject", no)

    assert {each["id"] for each in waiting} == {yes, no}
    assert (approved.rc, rejected.rc) == (0, 0)
    assert hooklore("memory", "pending").err == "nothing waits\n"
    assert hooklore("get", KEY).lines == ["We use sqlite"]
    assert hooklore("get", "config:build").rc == 1
    assert [r["body"]["content_md"] for r in hooklore("memory", "list", "--json").records] == [
        "We use sqlite"
    ]
    again = answered(hooklore, "We use make", "--key", "config:build", *options)
    assert (again["status"], again["id"], again["warnings"]) == (
        "duplicate",
        no,
        ["rejected_before"],
    )
    assert (hooklore("approve", "0" * 8).rc, hooklore("reject", "0" * 8).rc) == (1, 1)


def test_an_agent_approves_nothing(hooklore: Run, memory: Memory) -> None:
    guess = answered(hooklore, "We use sqlite", "--agent", "codex", "--confidence", "low")

    answer = hooklore("approve", guess["id"], "--agent", "codex")

    assert answer.rc == 1
    assert answer.err.startswith("error: could not approve")
    assert "\nhint: " in answer.err


@pytest.mark.req("CO-08")
def test_conflicts_and_resolve(hooklore: Run, memory: Memory) -> None:
    answered(hooklore, "We use sqlite", "--key", KEY, "--agent", "claude")
    clash = answered(hooklore, "We use postgres", "--key", KEY, "--agent", "codex")
    (listed,) = hooklore("conflicts", "--json").records

    done = hooklore("resolve", listed["id"], "--keep", "A")

    assert clash["status"] == "conflict"
    assert listed["id"] == clash["conflict"]
    assert (listed["a"]["agent_id"], listed["b"]["agent_id"]) == ("claude", "codex")
    assert done.lines[-1] == "resolved: kept A"
    assert hooklore("get", KEY).lines == ["We use sqlite"]
    assert hooklore("conflicts").err == "no conflicts\n"
    assert hooklore("resolve", listed["id"], "--keep", "C").rc == 2


def test_pin_and_unpin(hooklore: Run, memory: Memory) -> None:
    fact = answered(hooklore, "The press is in room 4")["id"]

    pinned = hooklore("pin", fact)
    shown = hooklore("snapshot")
    hooklore("unpin", fact)

    assert pinned.lines == [f"pinned {fact}"]
    assert "- The press is in room 4" in shown.lines
    assert "- The press is in room 4" not in hooklore("snapshot").lines


@pytest.mark.req("AU-04", "RF-10")
def test_a_snapshot_is_listed_again_by_its_id(hooklore: Run, memory: Memory) -> None:
    answered(hooklore, "We use sqlite", "--key", KEY)
    (made,) = hooklore("snapshot", "--json").records
    answered(hooklore, "We use make", "--key", "config:build")

    again = hooklore("snapshot", made["snapshot_id"])

    assert made["ruleset_stamp"]
    assert "We use sqlite" in again.out
    assert "We use make" not in again.out
    assert hooklore("snapshot", "no-such").rc == 1


@pytest.mark.req("AU-04", "HK-18")
def test_the_snapshot_of_a_session_is_listed_by_its_id(hooklore: Run, memory: Memory) -> None:
    answered(hooklore, "We use sqlite", "--key", KEY)
    memory.broker.refresh()
    brief = memory.hook("SessionStart", "s-9", source="startup")
    sid = memory.of("access")[-1]["body"]["snapshot_id"]

    listed = hooklore("snapshot", sid)

    assert sid not in brief
    assert brief in listed.out


@pytest.mark.req("AU-08")
def test_find_explains_where_a_key_is(hooklore: Run, memory: Memory) -> None:
    answered(hooklore, "We use sqlite", "--key", KEY, "--scope", "project:forge")

    missing, found = hooklore("get", KEY), hooklore("find", KEY)
    near, none = hooklore("find", "db_engine"), hooklore("find", "zzzz")

    assert missing.rc == 1
    assert f"hint: run `hooklore find {KEY}`" in missing.err
    assert "in another scope" in found.out
    assert f"`hooklore get {KEY} --scope project:forge`" in found.out
    assert KEY in near.out
    assert none.rc == 1


def found(hooklore: Run, key: str) -> list[tuple[str, str, str]]:
    """Return what `hooklore find` says of a key: reason, text and command of each place."""
    return [
        (each["reason"], each["event"]["body"]["content_md"], each["command"])
        for each in hooklore("find", key, "--json").records
    ]


@pytest.mark.req("AU-08")
def test_find_names_the_command_that_helps_and_the_command_does(
    hooklore: Run, memory: Memory, at_terminal: None
) -> None:
    """In another project, spelled otherwise, archived, waiting, forgotten and replaced."""
    answered(hooklore, "We use sqlite", "--key", KEY, "--scope", "project:forge")
    aside = answered(hooklore, "The old way", "--key", "config:old_way")["id"]
    assert hooklore("archive", aside).rc == 0
    gone = answered(hooklore, "The gone way", "--key", "config:gone_way")["id"]
    assert hooklore("forget", gone, "--yes").rc == 0
    guess = answered(hooklore, "A guess", "--key", "config:guess", "--agent", "codex",
                 "--confidence", "low")["id"]  # fmt: skip

    assert found(hooklore, KEY)[0] == (
        "elsewhere", "We use sqlite", f"hooklore get {KEY} --scope project:forge",
    )  # fmt: skip
    assert hooklore("get", KEY, "--scope", "project:forge").lines == ["We use sqlite"]
    assert found(hooklore, "config:old_way")[0] == (
        "archived", "The old way", f"hooklore restore {aside}",
    )  # fmt: skip
    assert "archived: `hooklore restore" in hooklore("find", "config:old_way").lines[0]
    assert hooklore("get", "config:old_way").rc == 1
    assert hooklore("restore", aside).rc == 0
    assert hooklore("get", "config:old_way").lines == ["The old way"]
    assert found(hooklore, "config:old_way")[0][0] == "current"
    near = ("similar", "The old way", "hooklore get config:old_way")
    assert near in found(hooklore, "config:old_wya")
    assert near in found(hooklore, "old_way")
    assert found(hooklore, "config:guess")[0][::2] == ("waits", f"hooklore approve {guess}")
    assert found(hooklore, "config:gone_way")[0][::2] == ("forgotten", f"hooklore show {gone}")
    assert found(hooklore, "zzzz") == []


@pytest.mark.req("RF-25")
def test_tags_are_counted_and_listed(hooklore: Run, memory: Memory) -> None:
    answered(hooklore, "We use sqlite", "--tag", "db", "--tag", "test")

    assert hooklore("tags").lines == ["db    1", "test  1"]
    assert "We use sqlite" in hooklore("tags", "db").out
    assert hooklore("tags", "--json").records == [{"db": 1, "test": 1}]


def test_a_secret_is_refused_and_not_printed(hooklore: Run, memory: Memory) -> None:
    secret = "_".join(["ghp", "".join(f"{chr(65 + n * 7 % 26)}{n * 3 % 10}" for n in range(18))])

    answer = hooklore("remember", f"The token is {secret}")

    assert answer.rc == 1
    assert answer.err.startswith("error: could not keep it: ")
    assert secret not in answer.err + answer.out


@pytest.mark.parametrize(
    ("options", "field"),
    [
        (("--kind", "idea"), "kind"),
        (("--confidence", "0.9"), "confidence"), (("--ttl-days", "-1"), "ttl_days"),
        (("--scope", "shared"), "scope"), (("--supersedes", "x"), "supersedes"),
        (("--basis", "gossip"), "basis"),
    ],
)  # fmt: skip
def test_a_wrong_option_is_named_with_what_it_can_be(
    hooklore: Run, memory: Memory, options: tuple[str, ...], field: str
) -> None:
    answer = hooklore("remember", "We use sqlite", *options)

    assert answer.rc == 1
    assert f"{field}: " in answer.err
    assert "\nhint: " in answer.err
    assert memory.records() == []


@pytest.mark.req("EV-02")
def test_an_unknown_agent_is_told_where_agents_are_registered(
    hooklore: Run, memory: Memory
) -> None:
    answer = hooklore("remember", "We use sqlite", "--agent", "grok")

    assert answer.rc == 1
    assert "config.toml" in answer.err
    assert "chatgpt" in answer.err


def test_a_failed_write_prints_the_line_that_repeats_it(
    hooklore: Run, memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.broker.place.directory.mkdir(parents=True, exist_ok=True)
    memory.broker.place.log.mkdir()
    monkeypatch.setattr("sys.argv", ["hooklore", "remember", "We use sqlite", "--key", KEY])

    answer = hooklore("remember", "We use sqlite", "--key", KEY)

    assert answer.rc == 1
    assert f"hint: run it again: hooklore remember 'We use sqlite' --key {KEY}" in answer.err
