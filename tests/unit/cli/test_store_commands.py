"""Commands about the store: `hooklore where`, `schema`, `rebuild`, `project explain`, `hooks status`, `stop`."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from hooklore.cli.purge import forget_socket
from hooklore.config import store_location_at
from hooklore.records.schema import json_schema
from hooklore.resident import call
from tests.conftest import wait_until
from tests.support.member import Member
from tests.unit.cli.conftest import Memory, Run, Terminal, statement


@pytest.fixture
def resident(memory: Memory) -> Iterator[int]:
    """Yield the pid of a resident of the user's store."""
    at = memory.broker.place
    command = [sys.executable, "-I", "-m", "hooklore.resident", "--root", at.root]
    with subprocess.Popen(command, env=dict(os.environ), stderr=subprocess.DEVNULL) as process:
        threading.Thread(target=process.wait, daemon=True).start()  # the resident leaves no zombie
        wait_until(lambda: call.request_status(at), "the resident")
        yield process.pid
        process.kill()
    forget_socket(at)


def test_where_names_the_store_and_what_decided_it(
    hooklore: Run, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    default = hooklore("where", "--json").records[0]
    monkeypatch.setenv("AI_MEMORY_PATH", str(tmp_path / "my.jsonl"))
    named = hooklore("where", "--json").records[0]
    monkeypatch.setenv("HOOKLORE_HOME", "~/elsewhere")
    moved = hooklore("where", "--json").records[0]

    assert (default["store"], default["decided_by"]) == (f"{home}/.config/ai/memory", "default")
    assert (named["log"], named["store"]) == (f"{tmp_path}/my.jsonl", f"{tmp_path}/my.jsonl.d")
    assert (moved["store"], moved["decided_by"]) == (f"{home}/elsewhere", "HOOKLORE_HOME")
    assert f"{home}/elsewhere" in hooklore("where").lines[0]


def test_where_finds_the_foreign_log_that_a_variable_names(
    hooklore: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "my.jsonl"
    log.write_text('{"id": "1"}\n')
    monkeypatch.setenv("AI_MEMORY_PATH", str(log))

    assert hooklore("where", "--json").records[0]["foreign"] == str(log)


def test_a_machine_without_a_home_is_told_what_to_set(
    hooklore: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HOME")

    printed = hooklore("where")

    assert printed.rc == 1
    assert "`HOME`" in printed.err


@pytest.mark.req("EV-23")
def test_the_schema_that_is_printed_is_the_one_that_is_checked(hooklore: Run) -> None:
    assert json.loads(hooklore("schema").out) == json_schema()


def test_a_rebuild_stops_the_resident_and_makes_the_index_again(
    memory: Memory, hooklore: Run, resident: int
) -> None:
    memory.append(statement("the blue paint"))

    printed = hooklore("rebuild")

    assert printed.rc == 0
    assert printed.out == "rebuilt the index from 2 lines of the log\n"
    assert printed.err == ""
    assert call.request_status(memory.broker.place) is None
    assert len(hooklore("search", "blue paint").lines) == 1


def test_a_rebuild_shows_its_progress_at_a_terminal(
    memory: Memory, hooklore: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.append(statement("the blue paint"))
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")  # a dumb one shows no bar

    printed = hooklore("rebuild")

    assert printed.out == "rebuilt the index from 2 lines of the log\n"
    assert "rebuilding" in terminal.getvalue()


def test_a_damaged_index_is_said_or_mended_never_hidden(memory: Memory, hooklore: Run) -> None:
    memory.append(statement("the blue paint"))
    hooklore("rebuild")
    (catalog,) = memory.broker.place.directory.glob("index/g*/catalog.sqlite")
    catalog.write_bytes(b"not a database" * 100)

    searched = hooklore("search", "blue paint")

    assert len(searched.lines) == 1
    assert len(hooklore("search", "blue paint").lines) == 1


def test_stop_ends_the_resident_and_waits_until_it_has(
    memory: Memory, hooks: Run, resident: int
) -> None:
    printed, again = hooks("stop"), hooks("stop")

    assert printed.out == "stopped the resident broker\n"
    assert again.out == "no resident broker runs\n"
    assert (printed.rc, again.rc) == (0, 0)


def test_status_tells_of_resident_store_days_and_hooks(
    memory: Memory, hooks: Run, hooklore: Run, resident: int
) -> None:
    memory.append(statement("Never push on Fridays", kind="constraint"))
    memory.hook("SessionStart", "s-1", source="startup")
    memory.hook("UserPromptSubmit", "s-1", prompt="do it")
    (access,) = memory.of("access")
    hooks("pause")

    (found,) = hooks("status", "--json").records
    text = hooks("status").out

    assert found["resident"]["pid"] == resident
    assert found["store"]["bytes"] == memory.broker.place.log.stat().st_size
    assert found["events"] == len(memory.records())
    assert sum(day["tokens"] for day in found["days"]) == access["body"]["tokens"] > 0
    assert sum(day["bytes"] for day in found["days"]) == found["store"]["bytes"]
    assert set(found["hooks"]) == {"SessionStart", "UserPromptSubmit"}
    assert found["paused"]["projects"] == ["widgets"]
    assert f"pid {resident}, version " in text
    assert "project widgets" in text
    assert "UserPromptSubmit" in text


def test_status_tells_the_hooks_of_each_agent_apart(memory: Memory, hooks: Run, home: Path) -> None:
    memory.hook("SessionStart", "s-1", source="startup")
    codex = Member("codex", memory.broker.place, memory.folder, home)
    codex.told("session_start")
    codex.broker.close()

    found = hooks("status", "--json").records[0]["hooks"]

    assert set(found) == {"SessionStart", "codex SessionStart"}


def test_status_counts_the_same_before_and_after_indexing(memory: Memory, hooks: Run) -> None:
    memory.append(statement("Never push on Fridays", kind="constraint"))
    memory.hook("SessionStart", "s-1", source="startup")

    before = hooks("status", "--json").records[0]
    memory.broker.index()
    after = hooks("status", "--json").records[0]

    assert before["store"]["unindexed"] == len(memory.records())
    assert after["store"]["unindexed"] == 0
    assert (before["days"], before["hooks"]) == (after["days"], after["hooks"])


def test_status_of_an_empty_store_is_no_error(hooks: Run, home: Path) -> None:
    printed = hooks("status")

    assert printed.rc == 0
    assert "none runs" in printed.out
    assert not (home / ".config").exists()


def test_a_project_is_explained_before_and_after_it_is_known(memory: Memory, hooklore: Run) -> None:
    before = hooklore("project", "explain")
    memory.append(statement("something"))
    after = hooklore("project", "explain", str(memory.folder))
    (record,) = memory.of("decision")

    assert before.lines[-1].startswith("nothing is recorded of it yet; it will be project:widgets")
    assert after.lines[-1] == f"memory knows it as project:widgets (id {record['project']})"
    assert before.lines[-1].split("(")[1] == after.lines[-1].split("(")[1]


def test_a_folder_that_is_no_project_says_why(hooklore: Run, home: Path) -> None:
    printed = hooklore("project", "explain", str(home))

    assert printed.rc == 0
    assert "home directory" in printed.lines[0]
    assert printed.lines[-1].startswith("it is no project")


def test_a_vanished_working_directory_is_an_error(
    hooklore: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()

    printed = hooklore("project", "explain")

    monkeypatch.chdir(tmp_path)
    assert printed.rc == 1
    assert printed.err.startswith("error: could not find this folder: ")


def test_reading_leaves_the_store_as_it_is(memory: Memory, hooklore: Run, hooks: Run) -> None:
    memory.fails_and_solves()
    before = memory.broker.place.log.read_bytes()

    for words in (("list",), ("search", "widget"), ("last",), ("where",), ("project", "explain")):
        assert hooklore(*words).rc == 0
    hooks("status")

    assert memory.broker.place.log.read_bytes() == before
    assert store_location_at(memory.broker.place.directory).log.stat().st_mode & 0o777 == 0o600
