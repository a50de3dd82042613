"""The one way to write: a payload is normalised, redacted, checked, enriched, scored, appended, indexed."""

import io
import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from hooklore.broker import Broker
from hooklore.records.draft import Receipt
from hooklore.redaction.clean import CleanRecord
from tests.support.store_files import holding
from tests.unit.cli.conftest import Json, Memory, Printed, Run, Terminal

Handed = Callable[..., Printed]


@pytest.fixture
def hand_in(hooks: Run, memory: Memory, monkeypatch: pytest.MonkeyPatch) -> Handed:
    """`hooks run` with a payload on stdin."""

    def run(event: str, **fields: Any) -> Printed:
        given = {"session_id": "s-1", "cwd": str(memory.folder), "hook_event_name": event} | fields
        raw = io.TextIOWrapper(io.BytesIO(json.dumps(given).encode()))
        monkeypatch.setattr("sys.stdin", raw)
        return hooks("run", event)

    return run


def call_with(secret: str) -> Json:
    """The payload of a command that ran, with a secret in its output."""
    return {
        "tool_name": "Bash", "tool_use_id": "tool-1", "duration_ms": 19, "prompt_id": "task-1",
        "tool_input": {"command": "make test"}, "agent_id": "a-1", "agent_type": "Explore",
        "tool_response": {"stdout": f"password={secret}\n3 passed", "stderr": "", "interrupted": False},
    }  # fmt: skip


def steps(printed: Printed) -> list[str]:
    """The steps of a write that `hooks run` tells, in order."""
    found = (re.match(r"(\S.*?) {2,}[\d.]+ ms$", line) for line in printed.err.splitlines())
    return [each[1] for each in found if each]


@pytest.mark.req("WF-01")
def test_one_write_takes_each_step_in_order_and_the_line_shows_what_each_did(
    hand_in: Handed, hooks: Run, hooklore: Run, memory: Memory
) -> None:
    secret = "tig" + "er7" + "Zq19"

    printed = hand_in("PostToolUse", **call_with(secret))
    before = json.loads(hooks("status", "--json").out)
    hooklore("search", "passed")
    after = json.loads(hooks("status", "--json").out)

    (record,) = memory.of("tool_result")
    assert steps(printed)[2:] == ["normalise", "redact", "validate", "append", "recall"]
    # normalised: names of ours, whatever the client calls them
    assert (record["session_id"], record["task_id"], record["subagent_id"]) == (
        "s-1", "task-1", "a-1",
    )  # fmt: skip
    # redacted before it touched the disk
    assert holding(memory.broker.place, secret) == []
    assert "3 passed" in record["body"]["text"]
    # enriched, then scored
    assert (record["agent_id"], record["role"], record["scope"], record["body"]["outcome"]) == (
        "claude", "researcher", "project:widgets", "success",
    )  # fmt: skip
    assert set(record["importance"]) == {"score", "factors"}
    # indexed after it was appended
    assert (before["store"]["unindexed"], after["store"]["unindexed"]) == (2, 0)


@pytest.mark.req("WF-01")
def test_nothing_is_written_but_by_the_broker(
    hand_in: Handed, hooklore: Run, memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With its append taken away no payload and no command leaves a byte of what it brought."""
    kept = hooklore("remember", "The press is in room 4", "--json").records[0]["id"]
    word = "ultramarine"
    offered: list[str] = []

    def refuse(_: Broker, records: list[CleanRecord]) -> list[Receipt]:
        offered.extend(each.record.kind for each in records)
        return [Receipt("lost", None, "the append is taken away") for _ in records]

    log = memory.broker.place.log.read_bytes()
    monkeypatch.setattr(Broker, "append_clean", refuse)
    for event in ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse",
                  "PostToolUseFailure", "Stop", "SubagentStop", "TaskCreated", "PostCompact",
                  "SessionEnd"):  # fmt: skip
        hand_in(
            event, source="startup", prompt=f"use {word} always", tool_name="Bash",
            tool_use_id="tool-1", tool_input={"command": f"make {word}"}, error=word,
            tool_response={"stdout": word}, last_assistant_message=word, task_subject=word,
            task_id=word, compact_summary=word,
        )  # fmt: skip
    monkeypatch.setattr("sys.stdin", Terminal())
    commands = [
        hooklore("remember", f"The door is {word}"),
        hooklore("pin", kept),
        hooklore("archive", kept),
        hooklore("promote", kept, "--scope", "global"),
    ]

    assert {"session_start", "prompt", "tool_intent", "tool_result", "error", "answer",
            "subagent_stop", "task", "compaction", "session_end", "fact",
            "approval"} <= set(offered)  # fmt: skip
    assert [printed.rc for printed in commands] == [1] * len(commands)
    assert memory.broker.place.log.read_bytes() == log
    assert holding(memory.broker.place, word) == []
