"""A log that a newer hooklore wrote, read by this one: every command and every hook answers as before."""

import hashlib
import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from hooklore.config import StoreLocation, store_location_at
from tests.support.agent import Agent
from tests.unit.cli.conftest import Printed, Run

KEY = "config:db_engine"
ERROR = "KeyError: 'colour' in widgets.ini"
UNKNOWN = "x_future"
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_SHORT_ID = re.compile(r"\[[0-9a-z]{8}(?= · |\])")

Json = dict[str, Any]


@pytest.fixture
def place(home: Path, monkeypatch: pytest.MonkeyPatch) -> StoreLocation:
    """The store that commands read."""
    found = store_location_at(home / "store")
    monkeypatch.setenv("HOOKLORE_HOME", found.root)
    return found


def live(place: StoreLocation, project: Path, home: Path, hooklore: Run) -> None:
    """A session that fails and solves, and memories in every state."""
    agent = Agent(place, project, home)
    agent.starts("s-1")
    agent.asks("From now on always run the colour linter before a commit.")
    agent.fails("make test", ERROR)
    agent.edits("widgets.ini", "colour = red")
    agent.passes("make test")
    agent.hook("Stop", last_assistant_message="I decided to keep the colour in widgets.ini.")
    agent.hook("SessionEnd", reason="other")
    agent.broker.close()
    for words in (
        ("We use sqlite", "--key", KEY),
        ("We use postgres", "--key", KEY, "--tag", "db"),
        (
            "The payment gateway Kestrel rejects amounts in float; send integer cents",
            "--scope",
            "global",
        ),
        ("Run alembic only against a copy of the database", "--kind", "constraint"),
        ("We use make", "--key", "config:build", "--agent", "claude"),
        ("We use just", "--key", "config:build", "--agent", "codex"),
        ("We use ninja", "--key", "config:other", "--agent", "codex", "--confidence", "low"),
        ("The press is in room 4", "--key", "fact:room"),
        ("Between us", "--private"),
    ):
        assert hooklore("remember", *words).rc == 0, words
    assert hooklore("archive", "fact:room").rc == 0


def with_new_fields(value: Any) -> Any:
    """The same JSON, with a field more in each of its objects."""
    if isinstance(value, dict):
        return {name: with_new_fields(each) for name, each in value.items()} | {UNKNOWN: 0.5}
    return [with_new_fields(each) for each in value] if isinstance(value, list) else value


def written_by_a_newer_one(line: bytes, version: int) -> bytes:
    """A line as a writer of that version makes it: new fields everywhere, and its own hash."""
    fields = with_new_fields(json.loads(line)) | {"v": version}
    del fields["hash"]
    body = json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode()[:-1]
    digest = hashlib.blake2b(body, digest_size=16).hexdigest()
    return body + b',"hash":"' + digest.encode() + b'"}\n'


def without_new_fields(value: Any) -> Any:
    """The same JSON without them, and without what a writer's version decides."""
    if isinstance(value, dict):
        left_out = {UNKNOWN, "v", "hash", "snapshot_id", "created_at"}
        return {n: without_new_fields(v) for n, v in value.items() if n not in left_out}
    return [without_new_fields(each) for each in value] if isinstance(value, list) else value


COMMANDS = (
    ("list", "-n", "100"), ("list", "-n", "100", "--json"), ("list", "--stream", "control"),
    ("search", "colour"), ("search", "sqlite postgres", "--json"), ("memory", "list", "--json"),
    ("memory", "search", "gateway"), ("recall", "Why does the Kestrel payment gateway reject our float amounts?"),
    ("recall", "Which gateway wants cents?", "--explain"), ("why", "What does the Kestrel gateway reject?"),
    ("get", KEY, "--versions"), ("get", KEY, "--json"), ("find", KEY), ("find", "fact:room", "--json"),
    ("tags",), ("tags", "db"), ("pending", "--json"), ("conflicts", "--json"), ("snapshot",),
    ("profile", "--json"), ("run", "s-1"), ("run", "s-1", "--totals"), ("archive", "--json"),
    ("last", "--session", "s-1"), ("cleanup",), ("project", "list"),
)  # fmt: skip


def answers(hooklore: Run) -> dict[tuple[str, ...], tuple[int, Any, str]]:
    """What every reading command does: exit status, output as far as a reader's version decides it, errors."""
    found: dict[tuple[str, ...], tuple[int, Any, str]] = {}
    for words in COMMANDS:
        printed = hooklore(*words)
        found[words] = (printed.rc, _told(printed, words), printed.err)
    ids = [json.loads(line)["id"] for line in hooklore("list", "-n", "100", "--json").lines]
    for id_ in ids:
        shown = hooklore("show", id_, "--json")
        found["show", id_] = (shown.rc, without_new_fields(json.loads(shown.out)), shown.err)
    return found


def _told(printed: Printed, words: tuple[str, ...]) -> Any:
    if "--json" in words:
        return [without_new_fields(each) for each in printed.records]
    lines = printed.lines
    return [_ID.sub("ID", lines[0]), *lines[1:]] if words == ("snapshot",) else lines


def told(agent: Agent) -> list[str]:
    """What sessions are told at each trigger: two from their start on, one without a brief."""
    found = [agent.starts("s-2")]
    agent.session = "s-3"
    found += [
        agent.asks("Why does the Kestrel payment gateway reject our float amounts?"),
        agent.about_to("alembic upgrade head"),
        agent.fails("make test", ERROR),
        agent.told("SubagentStart", agent_id="a-1", agent_type="Explore"),
    ]
    agent.hook("SessionEnd", reason="other")
    found.append(agent.starts("s-4"))
    agent.broker.close()
    return [_SHORT_ID.sub("[ID", _ID.sub("ID", text)) for text in found]


@pytest.mark.req("MV-02")
@pytest.mark.parametrize("version", [1, 2])
def test_a_log_with_fields_of_a_newer_version_is_read_as_if_they_were_not_there(
    hooklore: Run, place: StoreLocation, project: Path, home: Path, tmp_path: Path, version: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    live(place, project, home, hooklore)
    newer = store_location_at(tmp_path / "newer")
    shutil.copytree(place.directory, newer.directory)
    shutil.rmtree(newer.directory / "index", ignore_errors=True)
    lines = newer.log.read_bytes().splitlines(keepends=True)
    newer.log.write_bytes(b"".join(written_by_a_newer_one(line, version) for line in lines))

    old = answers(hooklore), told(Agent(place, project, home))
    monkeypatch.setenv("HOOKLORE_HOME", newer.root)
    new = answers(hooklore), told(Agent(newer, project, home))

    for words, answer in old[0].items():
        assert new[0][words] == answer, words
    assert new[1] == old[1]
    assert all(old[1])


@pytest.mark.req("EV-29", "MV-02")
def test_what_commands_make_of_a_newer_record_keeps_its_new_fields(
    hooklore: Run, place: StoreLocation, project: Path
) -> None:
    id_ = hooklore("remember", "The press is in room 4", "--json").records[0]["id"]
    (line,) = [raw for raw in place.log.read_bytes().splitlines() if id_.encode() in raw]
    others = place.log.read_bytes().replace(line + b"\n", b"")
    place.log.write_bytes(others + written_by_a_newer_one(line, 1))
    shutil.rmtree(place.directory / "index", ignore_errors=True)

    shown = json.loads(hooklore("show", id_, "--json").out)
    hooklore("archive", id_)
    (restored,) = hooklore("restore", id_, "--json").records

    for record in (shown, restored):
        assert record[UNKNOWN] == record["body"][UNKNOWN] == record["source"][UNKNOWN] == 0.5
