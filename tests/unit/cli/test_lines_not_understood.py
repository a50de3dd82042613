"""A log with lines that this version does not understand: nothing else stops, and the lines stay."""

import json
from pathlib import Path
from typing import Any

import pytest

from hooklore.config import StoreLocation
from hooklore.hooks.delivery import Delivery
from hooklore.hooks.runner import Runner
from tests.support.agent import Agent
from tests.support.odd_lines import OddLines
from tests.unit.cli.conftest import Run
from tests.unit.cli.test_newer_log import COMMANDS, live, place, told

__all__ = ["place"]

_READS = (*(words for words in COMMANDS if words[0] != "project"), ("project", "explain"))
KINDS_OF_LINE = ("newer", "lacking", "mistyped")


@pytest.fixture
def lived(
    place: StoreLocation,
    project: Path,
    home: Path,
    hooklore: Run,
) -> StoreLocation:
    """A store with a session and memories in every state."""
    live(place, project, home, hooklore)
    return place


def add(at: StoreLocation, how: str) -> list[bytes]:
    """Append odd lines to the log as another version would, and return them."""
    lines: list[bytes] = getattr(OddLines(at.log.read_bytes().splitlines()), how)()
    with at.log.open("ab") as log:
        log.write(b"".join(lines))
    return lines


def left_of(at: StoreLocation) -> set[bytes]:
    return set(at.log.read_bytes().splitlines(keepends=True))


@pytest.mark.req("MV-02")
@pytest.mark.parametrize("how", KINDS_OF_LINE)
def test_every_command_answers_beside_lines_that_are_not_understood(
    hooklore: Run, lived: StoreLocation, how: str
) -> None:
    lines = add(lived, how)

    listed = [json.loads(line)["id"] for line in hooklore("list", "-n", "9999", "--json").lines]
    shown = [("show", id_) for id_ in listed[:: len(listed) // 30 + 1]]
    for words in (*_READS, *shown, ("rebuild",), *_READS, ("janitor",), ("consolidate",)):
        printed = hooklore(*words)
        # Two hundred memories more do not fit into a profile, and the command says so.
        assert printed.rc <= (words[0] == "profile" and how != "newer"), (words, printed.err)
    assert hooklore("remember", "We use tabs", "--key", "config:tabs").rc == 0
    assert "tabs" in hooklore("get", "config:tabs").out
    assert set(lines) <= left_of(lived)


@pytest.mark.req("MV-02")
@pytest.mark.parametrize("how", KINDS_OF_LINE)
@pytest.mark.parametrize("is_indexed", [False, True])
def test_every_hook_keeps_its_event_beside_lines_that_are_not_understood(
    hooklore: Run, lived: StoreLocation, project: Path, home: Path, how: str, is_indexed: bool
) -> None:
    lines = add(lived, how)
    if is_indexed:
        assert hooklore("rebuild").rc == 0

    texts = told(Agent(lived, project, home))
    agent = Agent(lived, project, home)
    runner = Runner(agent.broker, str(home), lambda: 1_900_000_000 * 10**9)
    payload = {"session_id": "s-9", "cwd": str(project), "prompt": "Which press is loud?"}
    answer = runner.run(Delivery("claude", "UserPromptSubmit", "d-9", json.dumps(payload).encode()))
    agent.broker.close()

    # Two hundred copies of one memory make its words common, and recall at a prompt silent.
    assert all(texts if how == "newer" else texts[:1])
    assert (answer.status, answer.stdout) == ("stored", b"")
    assert b"Which press is loud?" in lived.log.read_bytes()
    assert set(lines) <= left_of(lived)


@pytest.mark.parametrize("how", KINDS_OF_LINE)
def test_a_scrub_leaves_lines_that_are_not_understood_byte_for_byte(
    hooklore: Run, lived: StoreLocation, how: str
) -> None:
    lines = add(lived, how)

    printed = hooklore("scrub", "--literal", "alembic", "--yes")

    assert printed.rc == 0, printed.err
    held = [line for line in lines if b"alembic" in line]
    assert {line for line in lines if b"alembic" not in line} <= left_of(lived)
    assert held
    assert b"alembic" not in lived.log.read_bytes()


def test_a_scrubbed_line_of_a_newer_version_stays_a_whole_line(
    hooklore: Run, lived: StoreLocation
) -> None:
    add(lived, "newer")
    before = [json.loads(line) for line in left_of(lived)]

    assert hooklore("scrub", "--literal", "alembic", "--yes").rc == 0

    after = {each["id"]: each for each in map(json.loads, left_of(lived))}
    for each in before:
        assert set(each) == set(after[each["id"]])
    assert hooklore("rebuild").rc == 0
    assert not list((lived.directory / "quarantine").glob("*"))


def test_doctor_counts_lines_that_are_not_understood(
    hooks: Run, hooklore: Run, lived: StoreLocation
) -> None:
    assert told_by_doctor(hooks)["ok"] is True

    lines = add(lived, "newer")

    found = told_by_doctor(hooks)
    assert found["ok"] is None
    count = sum(is_of_no_known_form(json.loads(line)) for line in lines)
    assert found["detail"].startswith(f"{count} lines of the log")
    assert hooklore("rebuild").rc == 0
    assert told_by_doctor(hooks) == found


def is_of_no_known_form(fields: dict[str, Any]) -> bool:
    """Return whether a newer line has a new kind or stream, or a body without what it says."""
    is_new = "x_future" in (fields["stream"], fields["kind"])
    return is_new or ("x_future" in fields["body"] and fields["stream"] in ("memory", "synthesis"))


def told_by_doctor(hooks: Run) -> dict[str, Any]:
    report = json.loads(hooks("doctor", "--json").out)
    (found,) = [each for each in report["checks"] if each["name"] == "newer lines"]
    return dict(found)
