"""`hooks run EVENT`: one payload, its answer on stdout, its timing on stderr."""

import io
import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.unit.cli.conftest import Memory, Printed, Run, statement

Handed = Callable[..., Printed]


@pytest.fixture
def hand_in(hooks: Run, memory: Memory, monkeypatch: pytest.MonkeyPatch) -> Handed:
    """`hooks run` with this payload on stdin."""

    def run(event: str, payload: bytes | None = None, **fields: Any) -> Printed:
        given = {"session_id": "s-1", "cwd": str(memory.folder), "hook_event_name": event} | fields
        raw = json.dumps(given).encode() if payload is None else payload
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(raw)))
        return hooks("run", event)

    return run


def test_a_payload_is_recorded_and_answered_like_a_hooks(memory: Memory, hand_in: Handed) -> None:
    memory.append(statement("Never push on Fridays", kind="constraint"))

    printed = hand_in("SessionStart", source="startup")

    shown = json.loads(printed.out)["hookSpecificOutput"]["additionalContext"]
    assert printed.rc == 0
    assert "Never push on Fridays" in shown
    assert len(memory.of("session_start")) == len(memory.of("access")) == 1


def test_each_step_has_its_time(hand_in: Handed) -> None:
    printed = hand_in("UserPromptSubmit", prompt="do it")

    steps = [line.rsplit(None, 2)[0].split("  ")[0] for line in printed.err.splitlines()[:-1]]
    assert steps == ["read", "open", "normalise", "redact", "validate", "append", "recall"]
    assert printed.err.splitlines()[-1].startswith("in all ")
    assert printed.err.endswith(" ms: stored\n")


@pytest.mark.req("HK-01")
@pytest.mark.parametrize("event", ["Unheard", "preToolUse", "../x", ""])
def test_an_unknown_event_is_silent(memory: Memory, hand_in: Handed, event: str) -> None:
    printed = hand_in(event)

    assert (printed.rc, printed.out, printed.err) == (0, "", "")
    assert memory.records() == []


@pytest.mark.parametrize(
    "payload", [b"", b"{", b"[]", b"\0\0", b"\xff\xfe", b'{"prompt": "\\ud800"}', b"[" * 100_000]
)
def test_garbage_is_no_bug(hand_in: Handed, payload: bytes) -> None:
    printed = hand_in("UserPromptSubmit", payload)

    assert printed.rc == 0
    assert "Traceback" not in printed.err


def test_of_a_huge_payload_the_head_and_the_true_size_are_kept(
    memory: Memory, hand_in: Handed
) -> None:
    payload = json.dumps({"session_id": "s-1", "prompt": "x" * (17 * 1024 * 1024)}).encode()

    printed = hand_in("UserPromptSubmit", payload)

    assert printed.rc == 0
    (record,) = memory.of("prompt")
    assert f"of {len(payload)} bytes" in record["body"]["detail"]["problem"]


def test_switched_off_nothing_is_recorded(
    memory: Memory, hand_in: Handed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOOKLORE_OFF", "1")

    printed = hand_in("UserPromptSubmit", prompt="do it")

    assert (printed.rc, printed.out) == (0, "")
    assert memory.records() == []
