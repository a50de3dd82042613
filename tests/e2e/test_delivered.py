"""Delivered is delivered: only what reached its agent counts as shown, and a brief that did not comes later."""

import fcntl
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson
import pytest

from hooklore.broker import Broker
from hooklore.config import load_settings
from hooklore.hooks import marks
from hooklore.hooks.delivery import Delivery
from hooklore.hooks.project import project_keys
from hooklore.records.draft import Draft
from hooklore.records.record import Record
from hooklore.resident import call
from hooklore.resident.wire import encode_frame
from tests.conftest import wait_until
from tests.support.agent import repository
from tests.support.launcher import Launcher, Ran, stopped
from tests.support.writers import records

RULE = "Never deploy widgets on a Friday."
QUESTION = "Which colour has the gateway's door?"


@pytest.fixture
def project(home: Path) -> Path:
    return repository(home / "widgets")


@pytest.fixture
def hooks(home: Path, project: Path) -> Launcher:
    """A home with the launcher, a rule that each session is told, and a resident that answers."""
    found = Launcher(home).lay_out()
    broker = Broker(found.place, load_settings(found.place.config))
    rule = Record({
        "stream": "memory", "kind": "constraint", "agent_id": "claude", "basis": "user",
        "body": {"content_md": RULE},
    })  # fmt: skip
    broker.append([Draft(rule, project_keys(str(project), None, str(home)))])
    broker.close()
    found.run("PostToolUse", {"session_id": "first", "cwd": str(project), "tool_name": "Bash"})
    found.wait_for_resident()
    return found


def payload(hooks: Launcher, event: str, session: str = "s1", **more: Any) -> dict[str, Any]:
    folder = str(hooks.home / "widgets")
    return {"session_id": session, "cwd": folder, "hook_event_name": event, **more}


def starts(hooks: Launcher, session: str = "s1") -> Ran:
    return hooks.run("SessionStart", payload(hooks, "SessionStart", session, source="startup"))


def asks(hooks: Launcher, session: str = "s1", text: str = QUESTION) -> Ran:
    return hooks.run("UserPromptSubmit", payload(hooks, "UserPromptSubmit", session, prompt=text))


def about_to(hooks: Launcher, command: str, session: str = "s1") -> Ran:
    tool = {"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": command}
    return hooks.run("PreToolUse", payload(hooks, "PreToolUse", session, **tool))


def notice(ran: Ran) -> str:
    return str(orjson.loads(ran.stdout).get("systemMessage", "")) if ran.stdout else ""


def accesses(hooks: Launcher) -> list[Mapping[str, Any]]:
    return [r["body"] for r in records(hooks.place) if r["kind"] == "access"]


def shown(hooks: Launcher) -> list[tuple[str, int]]:
    return [(body["trigger"], len(body["targets"])) for body in accesses(hooks)]


def wait_for_accesses(hooks: Launcher, count: int) -> None:
    wait_until(lambda: len(accesses(hooks)) >= count, f"{count} records of what was shown")


def last(hooks: Launcher) -> str:
    found = subprocess.run(
        [str(Path(sys.executable).parent / "hooklore"), "last"],
        env=hooks.environment({}), capture_output=True, text=True, check=True,
    )  # fmt: skip
    return found.stdout


@pytest.mark.req("HK-13")
def test_a_brief_that_arrived_is_shown_once_and_recorded(hooks: Launcher) -> None:
    brief = starts(hooks)
    wait_for_accesses(hooks, 1)
    prompt = asks(hooks)

    assert RULE in brief.context
    assert RULE not in prompt.context
    assert shown(hooks) == [("session_start", 1)]


def _stop_for_three_seconds(hooks: Launcher) -> Ran:
    (resident,) = hooks.residents()
    stopped(resident)
    ends = time.monotonic() + 3.0
    ran = starts(hooks)
    time.sleep(max(0.0, ends - time.monotonic()))  # the case is a stop of three seconds
    os.kill(resident, signal.SIGCONT)
    return ran


@pytest.mark.req("HK-13")
def test_a_brief_that_was_too_slow_comes_with_the_first_prompt_once(hooks: Launcher) -> None:
    start = _stop_for_three_seconds(hooks)
    first, second = asks(hooks), asks(hooks, text="And which one has the shed?")
    wait_for_accesses(hooks, 2)

    assert "shared memory slow" in start.context
    assert "unreadable" not in start.context
    assert "too slow" in notice(start)
    assert first.context.count(RULE) == 1
    assert notice(first).startswith("late: 1 note,")
    assert RULE not in second.context
    assert shown(hooks) == [("session_start", 0), ("session_start", 1)]
    told = last(hooks)
    assert "at its start: the brief did not arrive in time\n" in told
    assert "at its start, late, with a prompt: 1 note," in told
    assert told.count(RULE) == 1


def test_a_rule_of_a_brief_that_did_not_arrive_is_shown_before_a_tool(hooks: Launcher) -> None:
    _stop_for_three_seconds(hooks)
    wait_for_accesses(hooks, 1)

    ran = about_to(hooks, "make deploy widgets # on this Friday")

    assert RULE in ran.context


def test_a_brief_that_a_prompt_brought_is_not_owed_again_by_its_late_start(
    hooks: Launcher,
) -> None:
    """The prompt was faster than the process in which the hook of the start went on."""
    marks.owe_brief(hooks.place, "s1")
    first = asks(hooks)
    start = payload(hooks, "SessionStart", source="startup")
    late = Delivery("claude", "SessionStart", "0c" * 16, orjson.dumps(start), {"LATE": "1"})
    _exchange(hooks, late, None)

    second = asks(hooks, text="And which one has the shed?")

    assert first.context.count(RULE) == 1
    assert RULE not in second.context
    assert not marks.owes_brief(hooks.place, "s1")
    assert shown(hooks) == [("session_start", 1)]


def test_a_start_that_reaches_nobody_leaves_the_brief_owed(hooks: Launcher) -> None:
    call.stop_resident(hooks.place)
    lock = os.open(hooks.place.socket.with_suffix(".lock"), os.O_RDWR)
    fcntl.flock(lock, fcntl.LOCK_EX)

    start = starts(hooks)
    is_owed = marks.owes_brief(hooks.place, "s1")
    os.close(lock)

    assert "shared memory slow" in start.context
    assert is_owed


def test_a_prompt_that_is_owed_a_brief_waits_for_it_though_the_resident_hung(
    hooks: Launcher,
) -> None:
    (resident,) = hooks.residents()
    stopped(resident)
    marks.owe_brief(hooks.place, "s1")
    hooks.mark.write_text(f"{time.time() - 15:.3f} {resident}")
    started = time.monotonic()
    ask = payload(hooks, "UserPromptSubmit", prompt=QUESTION)

    hook = hooks.start("UserPromptSubmit", ask)
    wait_until(lambda: time.monotonic() - started > 0.4, "a wait of more than 20 ms")
    os.kill(resident, signal.SIGCONT)

    assert RULE in hook.wait().context


# ---- the word of the client


def _ask_raw(
    hooks: Launcher, event: str, word: bytes | None, facts: str = "ACK", **more: Any
) -> bytes:
    raw = orjson.dumps(payload(hooks, event, **more))
    delivery = Delivery("claude", event, os.urandom(16).hex(), raw, {facts: "1"} if facts else {})
    return _exchange(hooks, delivery, word)


def _exchange(hooks: Launcher, delivery: Delivery, word: bytes | None) -> bytes:
    """Return the answer to a delivery, after which `word` is said."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(hooks.place.socket))
        connection.sendall(encode_frame(delivery))
        received = b""
        while b"\n" not in received or len(received.partition(b"\n")[2]) < _length(received):
            received += connection.recv(65536)
        if word is not None:
            connection.sendall(word)
    return received.partition(b"\n")[2]


def _length(received: bytes) -> int:
    return int(received.partition(b"\n")[0].rpartition(b" ")[2])


@pytest.mark.parametrize("word", [None, b"", b"x", b"\x15"])
def test_an_answer_that_no_client_confirms_does_not_count_as_shown(
    hooks: Launcher, word: bytes | None
) -> None:
    answer = _ask_raw(hooks, "SessionStart", word, source="startup")
    first, second = asks(hooks), asks(hooks, text="And which one has the shed?")

    assert RULE.encode() in answer
    assert first.context.count(RULE) == 1
    assert RULE not in second.context
    wait_for_accesses(hooks, 2)
    assert shown(hooks) == [("session_start", 0), ("session_start", 1)]


def test_an_answer_that_its_client_confirms_counts_as_shown(hooks: Launcher) -> None:
    _ask_raw(hooks, "SessionStart", b"\x06", source="startup")

    assert RULE not in asks(hooks).context
    wait_for_accesses(hooks, 1)
    assert shown(hooks) == [("session_start", 1)]


def test_an_older_client_confirms_by_being_there(hooks: Launcher) -> None:
    _ask_raw(hooks, "SessionStart", None, facts="", source="startup")

    assert RULE not in asks(hooks).context
    wait_for_accesses(hooks, 1)
    assert shown(hooks) == [("session_start", 1)]


def test_a_hook_whose_reader_has_gone_was_not_told(hooks: Launcher) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    raw = orjson.dumps(payload(hooks, "SessionStart", source="startup"))
    subprocess.run(
        hooks.command("SessionStart"), env=hooks.environment({}), input=raw, stdout=writing
    )
    os.close(writing)

    assert RULE in asks(hooks).context
