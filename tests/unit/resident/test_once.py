"""A process that handles one hook without a resident knows what the session did before."""

import io
import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from hooklore.config import locate_store, read_environment
from hooklore.hooks.delivery import Delivery
from hooklore.resident.once import run_once
from hooklore.resident.program import Program
from hooklore.resident.wire import encode_frame

_numbers = itertools.count(1)


def hand_in(home: Path, event: str, **payload: Any) -> None:
    """Handle one hook call of a session as a process of its own does."""
    full = {"session_id": "s1", "cwd": str(home), "hook_event_name": event, **payload}
    sent = Delivery("claude", event, f"once-{next(_numbers)}", json.dumps(full).encode())
    assert run_once(io.BytesIO(encode_frame(sent)), Program()) == 0


@pytest.mark.req("HK-05", "HK-06", "HK-27")
def test_without_a_resident_a_session_has_one_goal_one_compaction_and_a_summary(home: Path) -> None:
    hand_in(home, "SessionStart", source="startup")
    hand_in(home, "UserPromptSubmit", prompt="Make the widget tests pass.")
    hand_in(home, "UserPromptSubmit", prompt="Then write the docs of the press.")
    hand_in(home, "Stop", last_assistant_message="It runs.\n\nNext steps:\n- Tag the release\n")
    hand_in(home, "PreCompact", trigger="auto", custom_instructions="")
    hand_in(home, "PreCompact", trigger="auto", custom_instructions="")
    hand_in(home, "SessionEnd", reason="other")

    lines = locate_store(read_environment()).log.read_bytes().splitlines()
    found = [json.loads(line) for line in lines]
    goals = [r["body"]["goal"] for r in found if r["kind"] == "prompt" and "goal" in r["body"]]
    saved = [r["body"] for r in found if r["kind"] in ("compaction", "session_end")]
    assert goals == ["Make the widget tests pass"]
    assert [body["goal"] for body in saved] == goals * 2
    assert [body["agent_said"]["next_actions"] for body in saved] == [["Tag the release"]] * 2
