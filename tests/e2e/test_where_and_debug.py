"""What the resident logs, where the store lies."""

import json
import subprocess
import sys
from pathlib import Path

import orjson
import pytest

from hooklore.config import locate_store, read_environment, runtime_directory
from tests.claude.session import Claude
from tests.conftest import wait_until
from tests.replay import install as install_in
from tests.support.installed import Machine, install

SCRIPTS = Path(sys.executable).parent


def hand_in(home: Path, event: str, **payload: object) -> str:
    """One hook call through the registered command line."""
    settings = json.loads((home / ".claude" / "settings.json").read_text())
    command = settings["hooks"][event][0]["hooks"][0]["command"]
    full = {"session_id": "s1", "cwd": str(home), "hook_event_name": event, **payload}
    done = subprocess.run(
        ["/bin/sh", "-c", command], input=json.dumps(full), text=True, capture_output=True,
        env={"HOME": str(home), "PATH": "/usr/bin:/bin"}, check=True,
    )  # fmt: skip
    return done.stdout


def test_id_and_status_of_every_append_are_logged_without_its_content(home: Path) -> None:
    install_in(home)
    here = locate_store(read_environment())
    here.directory.mkdir(parents=True)
    here.config.write_text("debug = true\n")

    hand_in(home, "UserPromptSubmit", prompt="a very particular sentence")

    log = here.socket.with_suffix(".log")
    wait_until(lambda: log.exists() and "append " in log.read_text(), "a line about the append")
    record = orjson.loads(here.log.read_bytes().splitlines()[-1])
    assert f"append {record['delivery_id']} stored {record['id']}" in log.read_text()
    assert "particular" not in log.read_text()


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
