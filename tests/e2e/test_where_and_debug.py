"""What the resident logs, where the store lies."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import orjson
import pytest

from hooklore.config import StoreLocation, locate_store, read_environment, runtime_directory
from tests.claude.session import Claude
from tests.conftest import wait_until
from tests.replay.play import install as install_in
from tests.support.installed import Machine, install
from tests.support.launcher import Launcher

SCRIPTS = Path(sys.executable).parent


def hand_in(home: Path, event: str, **payload: object) -> str:
    """One hook call through the registered command line."""
    settings = json.loads((home / ".claude" / "settings.json").read_text())
    command = settings["hooks"][event][0]["hooks"][0]["command"]
    full = {"session_id": "s1", "cwd": str(home), "hook_event_name": event, **payload}
    done = subprocess.run(
        ["/bin/sh", "-c", command], input=json.dumps(full), text=True, capture_output=True,
        env={"HOME": str(home), "PATH": "/usr/bin:/bin", "CLAUDE_CODE_ENTRYPOINT": "cli"}, check=True,
    )  # fmt: skip
    return done.stdout


@pytest.fixture
def debugged(home: Path) -> StoreLocation:
    """Return the store of an installation whose setting `debug` is on, and whose hooks wait as long as it takes.

    A hook that leaves early hands its delivery in twice, and the log has a line more.
    """
    install_in(home)
    Launcher(home).lay_out(is_patient=True)
    here = locate_store(read_environment())
    here.directory.mkdir(parents=True)
    here.config.write_text("debug = true\n")
    return here


def records(here: StoreLocation) -> list[dict[str, Any]]:
    """The records of the log."""
    found = here.log.read_bytes().splitlines() if here.log.is_file() else []
    return [orjson.loads(line) for line in found]


def appends(here: StoreLocation) -> list[list[str]]:
    """Delivery, status and id of each line about an append, in the order of the lines."""
    log = here.socket.with_suffix(".log")
    lines = log.read_text().splitlines() if log.exists() else []
    return [line.split()[1:4] for line in lines if line.startswith("append ")]


def wait_for(here: StoreLocation, *kinds: str) -> None:
    """Wait until the log has a record for each of `kinds`, and a line for each of its records.

    A kind that stands there twice is waited for twice.
    """
    wait_until(
        lambda: (
            Counter(kinds) <= Counter(r["kind"] for r in records(here))
            and {r["id"] for r in records(here)} <= {id_ for _, _, id_ in appends(here)}
        ),
        f"records of {kinds} and their lines",
    )


def tool(event: str, number: int, command: str, **more: object) -> dict[str, Any]:
    """The payload of a command that ran."""
    return {
        "event": event, "tool_name": "Bash", "tool_input": {"command": command},
        "tool_use_id": f"toolu_{number}", **more,
    }  # fmt: skip


PRINTED = {"stdout": "ok", "stderr": "", "interrupted": False}


@pytest.mark.req("WF-13")
def test_id_and_status_of_every_append_are_logged_without_its_content(
    home: Path, debugged: StoreLocation
) -> None:
    project = home / "widgets"
    (project / ".git").mkdir(parents=True)
    (project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    passed = tool("PostToolUse", 2, "make very-particular", tool_response=PRINTED)

    for event in (
        {"event": "SessionStart", "source": "startup"},
        {"event": "UserPromptSubmit", "prompt": "From now on, always use very particular commas."},
        tool("PostToolUseFailure", 1, "make very-particular", error="Exit code 1\nNo commas"),
        passed,
        passed,
        {"event": "Stop", "last_assistant_message": "It is very particular now."},
    ):
        hand_in(home, cwd=str(project), **event)
    wait_for(debugged, "answer", "fix", "project_alias", "preference")
    hand_in(home, "SessionStart", cwd=str(project), session_id="s2", source="startup")
    wait_for(debugged, "access", "access")

    found = records(debugged)
    lines = appends(debugged)
    stored = [[str(r.get("delivery_id") or "-"), "stored", r["id"]] for r in found]
    assert sorted(line for line in lines if line[1] == "stored") == sorted(stored)
    (result,) = [r["id"] for r in found if r["kind"] == "tool_result"]
    assert [line[2] for line in lines if line[1] == "duplicate"] == [result]
    assert "particular" not in debugged.socket.with_suffix(".log").read_text().lower()


@pytest.mark.req("WF-13")
def test_the_status_of_what_could_not_be_appended_is_logged_and_its_id_when_it_is(
    home: Path, debugged: StoreLocation
) -> None:
    debugged.log.mkdir()
    hand_in(home, "UserPromptSubmit", prompt="a very particular sentence")
    wait_until(lambda: bool(appends(debugged)), "a line about the first prompt")
    ((delivery, status, id_),) = appends(debugged)
    debugged.log.rmdir()

    hand_in(home, "UserPromptSubmit", prompt="another particular sentence")
    wait_for(debugged, "prompt")

    (spooled, *_) = [r for r in records(debugged) if r["kind"] == "prompt"]
    assert (status, id_) == ("spooled", "None")
    assert [delivery, "stored", spooled["id"]] in appends(debugged)
    assert spooled["body"]["text"] == "a very particular sentence"


@pytest.mark.req("WF-13")
def test_without_a_resident_the_same_is_logged(home: Path, debugged: StoreLocation) -> None:
    debugged.socket.parent.mkdir(0o700, exist_ok=True)
    debugged.socket.mkdir()  # no resident can bind a socket here
    try:
        hand_in(home, "UserPromptSubmit", prompt="a very particular sentence")
        wait_for(debugged, "prompt")
    finally:
        debugged.socket.rmdir()

    assert ["stored"] * len(records(debugged)) == [status for _, status, _ in appends(debugged)]


def test_nothing_is_logged_of_an_append_unless_it_is_asked_for(
    home: Path, debugged: StoreLocation
) -> None:
    debugged.config.write_text("debug = false\n")

    hand_in(home, "UserPromptSubmit", prompt="a very particular sentence")
    wait_until(lambda: bool(records(debugged)), "the prompt")

    assert appends(debugged) == []


@pytest.mark.req("WF-06")
def test_the_store_lies_where_the_seed_says_and_moves_with_the_environment(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    default = locate_store(read_environment())
    monkeypatch.setenv("AI_MEMORY_PATH", str(home / "notes" / "log.jsonl"))
    named = locate_store(read_environment())
    monkeypatch.setenv("HOOKLORE_HOME", str(home / "elsewhere"))
    moved = locate_store(read_environment())

    assert default.log == home / ".config" / "ai" / "memory" / "events.jsonl"
    assert named.log == home / "notes" / "log.jsonl"
    assert named.directory == home / "notes" / "log.jsonl.d"
    assert moved.log == home / "elsewhere" / "events.jsonl"
    assert len({p.socket for p in (default, named, moved)}) == 3
    assert default.socket.parent == runtime_directory()


@pytest.mark.req("WF-06")
def test_another_programs_log_is_never_touched(home: Path) -> None:
    foreign = home / ".config" / "ai" / "memory" / "events.jsonl"
    foreign.parent.mkdir(parents=True)
    foreign.write_text('{"id": "1", "content": "theirs"}\n')
    before = (foreign.read_bytes(), foreign.stat().st_mode, foreign.stat().st_ino)
    install_in(home)

    hand_in(home, "UserPromptSubmit", prompt="hello")

    ours = foreign.parent / "hooklore" / "events.jsonl"
    wait_until(ours.exists, "our log beside it")
    assert (foreign.read_bytes(), foreign.stat().st_mode, foreign.stat().st_ino) == before
    where = subprocess.run(
        [str(SCRIPTS / "hooklore"), "where"], env={"HOME": str(home)}, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    assert str(ours) in where.stdout


@pytest.mark.client
@pytest.mark.req("WF-14")
def test_what_cannot_be_written_is_said_and_kept_for_the_next_writer(
    claude_binary: Path, tmp_path: Path
) -> None:
    from tests.claude.api import say

    machine: Machine = install(Claude(claude_binary, tmp_path / "home", tmp_path / "project"))
    machine.place.directory.mkdir(parents=True)
    machine.place.log.mkdir()
    session = machine.claude.run(["hello", "again"], [say("a"), say("b")])
    machine.end_resident()

    machine.place.log.rmdir()
    machine.claude.run("later", [say("c")])

    said = " ".join(str(run.get("stdout")) for run in session.hook_runs)
    assert "could not write to memory" in said
    assert "hooks doctor" in said
    wait_until(lambda: machine.kinds().count("prompt") == 3, "the prompts of both sessions")
