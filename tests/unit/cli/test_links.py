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


def test_broken_links_within_an_entry_are_reported(hooklore: Run, memory: Memory) -> None:
    hooklore("remember", "We use sqlite", "--key", KEY)
    hooklore("remember", "See [[db_engine]], not [[db_engines]]", "--key", "fact:page")

    read = hooklore("get", "fact:page")

    assert read.out == "See [[db_engine]], not [[db_engines]]\n"
    assert read.err == f"warning: `[[db_engines]]` leads nowhere; near: `{KEY}`\n"
