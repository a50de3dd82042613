"""What a person forgets, hides, masks or deletes is found in the writes that wait for a gateway, too."""

import json
import stat
import time
from pathlib import Path
from typing import Any

import pytest

from hooklore import Memory as Client
from tests.unit.cli.conftest import Memory, Run, statement

pytestmark = pytest.mark.usefixtures("at_terminal")

_URL = "http://127.0.0.1:1"
"""A port at which nothing listens."""


@pytest.fixture
def client(memory: Memory) -> Client:
    """A program of an agent whose gateway is away."""
    return Client("chatgpt", url=_URL, token="no-token", folder="/")


def waiting(home: Path) -> list[dict[str, Any]]:
    """Return the arguments of the writes that wait, the oldest first."""
    found = sorted((home / ".config" / "hooklore" / "outbox").glob("*/*.json"))
    return [json.loads(path.read_bytes())["arguments"] for path in found]


@pytest.mark.parametrize("command", ["forget", "delete"])
def test_what_is_forgotten_waits_no_longer(
    command: str, memory: Memory, client: Client, hooklore: Run, home: Path
) -> None:
    event = {"scope": "global", "kind": "fact", "content_md": "the blue paint"}
    client.remember("the blue paint ")
    client.append(event)
    client.remember("the red paint")
    client.ingest(
        [{"author": "Ada", "text": text, "id": text} for text in ("the blue paint", "ok")], "c"
    )
    (id_,) = memory.append(statement("the blue paint"))

    assert hooklore(command, id_, "--yes").rc == 0

    first, second = waiting(home)
    assert first["content"] == "the red paint"
    assert [each["text"] for each in second["messages"]] == ["ok"]


def test_what_is_kept_privately_waits_as_private(client: Client, hooklore: Run, home: Path) -> None:
    event = {"scope": "global", "kind": "fact", "content_md": "お金は戸棚の中"}
    client.remember("お金は戸棚の中")
    client.append(event)
    client.remember("the red paint")

    assert hooklore("remember", "--private", "お金は戸棚の中").rc == 0

    first, second, third = waiting(home)
    assert first["private"] is second["event"]["is_private"] is True
    assert "private" not in third


def test_a_scrub_masks_what_waits_and_what_was_refused(
    memory: Memory, client: Client, hooklore: Run, home: Path
) -> None:
    client.remember("the vault is at 47 Elm Row")
    client.remember("the door of 47 Elm Row is green", key="fact:door")
    first, _ = sorted((home / ".config" / "hooklore" / "outbox").glob("*/*.json"))
    (first.parent / "refused").mkdir(mode=0o700)
    first.rename(first.parent / "refused" / first.name)

    looked = hooklore("scrub", "--literal", "47 Elm Row", "--dry-run")
    done = hooklore("scrub", "--literal", "47 Elm Row", "--yes")

    assert "2 files beside the log" in looked.out
    assert done.rc == 0, done.err
    files = sorted((home / ".config" / "hooklore" / "outbox").rglob("*.json"))
    assert len(files) == 2
    for path in files:
        assert b"Elm" not in path.read_bytes()
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    (left,) = waiting(home)
    assert left["key"] == "fact:door"
    assert left["content"].endswith(" is green")


def test_a_purge_deletes_what_waits(client: Client, hooks: Run, home: Path, memory: Memory) -> None:
    client.remember("the red paint")
    memory.append(statement("the blue paint"))
    memory.broker.close()

    printed = hooks("uninstall", "--purge", "--yes")

    assert "deleted 1 write that waited for a gateway" in printed.out
    assert not (home / ".config" / "hooklore").exists()


def test_doctor_says_what_waits_and_what_was_refused(
    client: Client, hooks: Run, home: Path, memory: Memory
) -> None:
    assert _outbox_line(hooks) == "no write waits for a gateway"

    client.remember("the red paint")
    client.remember("the blue paint")
    first, second = sorted((home / ".config" / "hooklore" / "outbox").glob("*/*.json"))
    since = time.time_ns() - 50 * 3_600 * 10**9
    first = first.rename(first.with_name(f"{since:020d}-{first.name[21:]}"))
    told = _outbox_line(hooks)
    assert told == f"2 writes for {_URL}, the oldest for 50 hours: its program sends them"

    (second.parent / "refused").mkdir(mode=0o700)
    content = json.loads(second.read_bytes()) | {"problem": "could not keep it: no kind"}
    second.write_bytes(json.dumps(content).encode())
    second.rename(second.parent / "refused" / second.name)
    told = _outbox_line(hooks)
    assert told.startswith(
        f"1 write refused by {_URL}, the last: could not keep it: no kind, 1 write"
    )


def _outbox_line(hooks: Run) -> str:
    checks = json.loads(hooks("doctor", "--json").out)["checks"]
    (check,) = (each for each in checks if each["name"] == "outbox")
    return str(check["detail"])
