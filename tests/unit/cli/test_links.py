"""`hooklore get [[key]]` follows a link to one memory, and reports a link that leads nowhere."""

import pytest

from tests.unit.cli.conftest import Memory, Run

pytestmark = pytest.mark.req("RF-18")

KEY = "config:db_engine"


def test_get_follows_a_link(hooklore: Run, memory: Memory) -> None:
    hooklore("remember", "We use sqlite", "--key", KEY)

    assert hooklore("get", f"[[{KEY}]]").out == "We use sqlite\n"
    assert hooklore("get", "[[db_engine]]").out == "We use sqlite\n"
    assert hooklore("get", "[[db_engine#why|the engine]]").out == "We use sqlite\n"
    assert memory.of("access")


def test_a_broken_link_is_reported_with_keys_like_it(hooklore: Run, memory: Memory) -> None:
    hooklore("remember", "We use sqlite", "--key", KEY)

    broken = hooklore("get", "[[db_engin]]")
    unlike = hooklore("get", "[[zeppelin]]")

    assert broken.rc == unlike.rc == 1
    assert broken.err.splitlines() == [
        f"error: could not follow `[[db_engin]]`: no memory here has this key; near: `{KEY}`",
        f"hint: run `hooklore get {KEY}`",
    ]
    assert "hint: run `hooklore find zeppelin`" in unlike.err


def test_recall_follows_a_link_to_the_one_memory_that_it_names(
    hooklore: Run, memory: Memory
) -> None:
    hooklore("remember", "We use sqlite", "--key", KEY)
    hooklore("remember", "The engine room is loud", "--key", "fact:engine_room")
    (kept,) = (r["id"] for r in memory.of("config"))

    for question in (f"[[{KEY}]]", "[[db_engine]]", "why [[db_engine|the engine]]?", kept):
        found = [each["id"] for each in hooklore("recall", question, "--json").records]
        assert found == [kept], question
    assert hooklore("recall", "[[zeppelin]]").err == "nothing found\n"


def test_why_names_the_memory_that_a_link_brings_as_an_exact_one(
    hooklore: Run, memory: Memory
) -> None:
    hooklore("remember", "We use sqlite", "--key", KEY)

    (found,) = hooklore("recall", f"[[{KEY}]]", "--explain", "--json").records

    assert found["found"] == found["shown"] != []
    assert [each["list"] for each in found["candidates"]] == ["exact"]


def test_recall_follows_no_link_to_what_an_agent_may_not_see(hooklore: Run, memory: Memory) -> None:
    hooklore("remember", "Not for agents", "--key", "fact:hidden", "--private")

    assert hooklore("recall", "[[fact:hidden]]", "--agent", "codex").err == "nothing found\n"


def test_broken_links_within_an_entry_are_reported(hooklore: Run, memory: Memory) -> None:
    hooklore("remember", "We use sqlite", "--key", KEY)
    hooklore("remember", "See [[db_engine]], not [[db_engines]]", "--key", "fact:page")

    read = hooklore("get", "fact:page")

    assert read.out == "See [[db_engine]], not [[db_engines]]\n"
    assert read.err == f"warning: `[[db_engines]]` leads nowhere; near: `{KEY}`\n"
