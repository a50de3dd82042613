"""The way of an event through the installed launcher and its resident, step by step."""

import json
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import wait_until
from tests.support.launcher import ENTRIES, Launcher, prompt, tool
from tests.support.terminal import run_at_terminal
from tests.support.writers import records

pytestmark = pytest.mark.timeout(300)

FIXTURES = Path(__file__).parents[1] / "fixtures" / "claude_code"
SCRIPTS = Path(sys.executable).parent
OF_A_WRITE = ("id", "ts", "delivery_id", "hash", "session_id", "run_id", "natural_key")
"""What differs between two writes of the same event in two sessions."""

Json = dict[str, Any]


@pytest.fixture
def hooks(home: Path) -> Launcher:
    """A home with the launcher in it, and a project."""
    (home / "widgets" / ".git").mkdir(parents=True)
    (home / "widgets" / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    return Launcher(home).lay_out(is_patient=True)


def command(hooks: Launcher, *words: str, stdin: str = "") -> str:
    """What a command of ours prints, in the project: at a terminal, unless it reads `stdin`."""
    full, env = [str(SCRIPTS / words[0]), *words[1:]], hooks.environment({})
    folder = hooks.home / "widgets"
    if not stdin:
        done = run_at_terminal(full, env, folder)
        assert done.returncode == 0, done.stderr
        return done.stdout
    return subprocess.run(
        full, input=stdin, capture_output=True, text=True, env=env, cwd=folder, check=True
    ).stdout


def observations(hooks: Launcher) -> list[Json]:
    """What hooks recorded, oldest first."""
    return [r for r in records(hooks.place) if r["stream"] == "observation"]


# ---- one way for every door


def recorded() -> list[tuple[str, Json]]:
    """(event, payload) of the real client: the plainest of every event that is registered, and an edit."""
    paths = sorted(FIXTURES.glob("*.json"), key=lambda path: (len(path.stem), path.stem))
    plainest = {path.stem.split("-")[0]: path for path in reversed(paths)}
    found = [(event, plainest[event]) for event in ENTRIES]
    found.append(("PostToolUse", FIXTURES / "PostToolUse-Edit.json"))
    return [(event, json.loads(path.read_text("utf-8"))) for event, path in found]


def of_sessions(hooks: Launcher, door: str) -> dict[str, Json]:
    """The record of each session that began with this word, without what differs between writes."""
    found = {str(r["session_id"]).partition("-"): r for r in observations(hooks)}
    return {
        number: {name: value for name, value in record.items() if name not in OF_A_WRITE}
        for (prefix, _, number), record in found.items()
        if prefix == door
    }


@pytest.mark.req("WF-01")
def test_the_resident_and_the_command_line_make_the_same_records_of_the_same_payloads(
    hooks: Launcher,
) -> None:
    payloads = recorded()

    def moved(number: int, payload: Json, door: str) -> Json:
        """The payload in this project and in a session of its own."""
        here = {"cwd": str(hooks.home / "widgets"), "transcript_path": None}
        return payload | here | {"session_id": f"{door}-{number}"}

    for number, (event, payload) in enumerate(payloads):
        ran = hooks.run(event, moved(number, payload, "hook"))
        assert (ran.status, ran.stderr) == (0, b""), event
    for number, (event, payload) in enumerate(payloads):
        command(hooks, "hooks", "run", event, stdin=json.dumps(moved(number, payload, "command")))

    by_command = of_sessions(hooks, "command")
    wait_until(lambda: len(of_sessions(hooks, "hook")) >= len(by_command), "what hooks handed in")
    assert of_sessions(hooks, "hook") == by_command
    assert {record["kind"] for record in by_command.values()} == {
        "session_start", "prompt", "tool_intent", "tool_result", "error", "answer",
        "subagent_start", "subagent_stop", "task", "compaction", "session_end",
    }  # fmt: skip


# ---- what the log of the resident says


def debug_lines(hooks: Launcher, first: str) -> list[list[str]]:
    """The words of each line of the resident's log that begins with this one."""
    path = hooks.place.socket.with_suffix(".log")
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    return [line.split() for line in lines if line.startswith(f"{first} ")]


def a_session(hooks: Launcher) -> None:
    """A session that teaches, fails, solves and repeats itself, and the brief after it."""
    here = {"cwd": str(hooks.home / "widgets")}
    failed = tool("t2", "make lint", "s-1") | {
        "hook_event_name": "PostToolUseFailure", "error": "Exit code 1\nE501 line too long",
    }  # fmt: skip
    del failed["tool_response"]
    start = {"hook_event_name": "SessionStart", "source": "startup"} | here
    for event, payload in (
        ("SessionStart", start | {"session_id": "s-1"}),
        ("UserPromptSubmit", prompt("From now on always run the colour linter first.", "s-1")),
        ("PostToolUse", tool("t1", "make test", "s-1")),
        ("PostToolUse", tool("t1", "make test", "s-1")),
        ("PostToolUseFailure", failed),
        ("PostToolUse", tool("t3", "make lint", "s-1")),
        ("SessionStart", start | {"session_id": "s-2"}),
    ):
        typed = {"CLAUDE_CODE_ENTRYPOINT": "cli"}
        assert hooks.run(event, payload | here, variables=typed).status == 0
    shown = ("access", "s-2")
    wait_until(
        lambda: shown in {(r["kind"], r.get("session_id")) for r in records(hooks.place)},
        "what was shown",
    )


def debugging(hooks: Launcher, *, on: bool = True) -> None:
    """Set `debug` in the store's settings."""
    hooks.place.directory.mkdir(parents=True, exist_ok=True)
    hooks.place.config.write_text(f"debug = {str(on).lower()}\n")


@pytest.mark.req("WF-13")
def test_every_append_of_a_hook_is_logged_with_the_id_and_status_it_got(hooks: Launcher) -> None:
    debugging(hooks)

    a_session(hooks)
    wait_until(lambda: "memory" in {r["stream"] for r in records(hooks.place)}, "what it taught")

    found = records(hooks.place)
    wait_until(lambda: found[-1]["id"] in str(debug_lines(hooks, "append")), "its line")
    logged = debug_lines(hooks, "append")
    written = [(r.get("delivery_id") or "-", r["id"]) for r in found]
    assert [(words[1], words[3]) for words in logged if words[2] == "stored"] == written
    assert {"project_alias", "access", "fix"} <= {r["kind"] for r in found}
    assert {r["stream"] for r in found} == {"observation", "memory", "synthesis", "control"}
    (repeated,) = [words for words in logged if words[2] == "duplicate"]
    (first,) = [r["id"] for r in observations(hooks) if r.get("natural_key", "").endswith("|t1")]
    assert repeated[3] == first
    assert len(logged) == len(found) + 1
    stored = [(r["delivery_id"], r["id"]) for r in observations(hooks)]
    for delivery, _ in stored:
        assert [w[2] for w in debug_lines(hooks, "trace") if w[1] == delivery] == [
            "redact", "validate", "append",
        ]  # fmt: skip


def test_nothing_is_logged_of_an_append_unless_it_is_asked_for(hooks: Launcher) -> None:
    debugging(hooks, on=False)

    a_session(hooks)

    assert debug_lines(hooks, "append") == debug_lines(hooks, "trace") == []


# ---- the index follows when it can


@contextmanager
def locked_index(hooks: Launcher) -> Iterator[None]:
    """Another process writes to the index's catalog, and does not end."""
    (path,) = (hooks.place.directory / "index").glob("g*/catalog.sqlite")
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("BEGIN EXCLUSIVE")
    yield
    db.execute("ROLLBACK")
    db.close()


def unindexed(hooks: Launcher) -> int:
    """How many records of the log the index lacks."""
    found: Json = json.loads(command(hooks, "hooks", "status", "--json"))
    return int(found["store"]["unindexed"])


def commands(hooks: Launcher) -> list[str]:
    """The commands in the log, in order."""
    found = (r["body"].get("command") for r in observations(hooks))
    return [name for name in found if name]


@pytest.mark.req("HK-17")
def test_hooks_record_and_recall_while_the_index_is_locked_and_it_follows_later(
    hooks: Launcher,
) -> None:
    here = {"cwd": str(hooks.home / "widgets")}
    command(hooks, "hooklore", "remember", "The payment gateway Kestrel rejects amounts in float; "
            "send integer cents", "--kind", "fact")  # fmt: skip
    hooks.run("UserPromptSubmit", prompt("first of all", "s-0") | here)
    wait_until(lambda: unindexed(hooks) == 0, "the index")

    names = [f"make part-{n}" for n in range(20)]
    asked = "Why does the Kestrel payment gateway reject our float amounts?"
    with locked_index(hooks):
        ran = [hooks.run("PostToolUse", tool(f"t{n}", name, "s-1") | here)
               for n, name in enumerate(names)]  # fmt: skip
        wait_until(lambda: commands(hooks) == names, "the commands in the log")
        told = hooks.run("UserPromptSubmit", prompt(asked, "asking") | here).context
        lacking = unindexed(hooks)

    assert [(each.status, each.stderr) for each in ran] == [(0, b"")] * len(names)
    assert "integer cents" in told
    assert lacking > len(names)
    wait_until(lambda: unindexed(hooks) == 0, "the index")
    assert "make part-7" in command(hooks, "hooklore", "search", "part-7", "--limit", "1")


# ---- exact names, while meaning cannot be searched


@pytest.mark.req("RF-05")
def test_a_key_is_told_by_a_resident_that_cannot_search_by_meaning(hooks: Launcher) -> None:
    here = {"cwd": str(hooks.home / "widgets")}
    hooks.place.directory.mkdir(parents=True)
    hooks.place.config.write_text('[recall]\nsemantic = "mem0"\n')
    (hooks.place.directory / "index").mkdir()
    for name in ("vectors", "mem0"):
        (hooks.place.directory / "index" / name).write_text("no index\n")
    command(hooks, "hooklore", "remember", "We use sqlite", "--key", "config:db_engine")

    ran = hooks.run(
        "UserPromptSubmit", prompt("Look at [[config:db_engine]], please", "s-1") | here
    )

    assert "We use sqlite" in ran.context
