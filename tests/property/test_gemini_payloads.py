"""Any payload of Gemini CLI is an event, a valid record, and an answer in JSON or none."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from hooklore.agents.gemini import AGENT
from hooklore.agents.render import render_hook_output
from hooklore.capture.capture import capture_event
from hooklore.config import CaptureSettings, Settings
from hooklore.hooks.parse import parse_event
from hooklore.records.record import Record
from hooklore.records.schema import validate_record

EVENTS = st.sampled_from([*AGENT.events, "BeforeModel", ""])
NAMES = st.sampled_from(
    ["session_id", "cwd", "prompt", "prompt_response", "tool_input", "tool_response", "source",
     "reason", "trigger", "hook_event_name", "timestamp", "mcp_context", "stop_hook_active"]
)  # fmt: skip
INNER = st.sampled_from(
    ["command", "description", "instruction", "file_path", "old_string", "new_string", "content",
     "llmContent", "returnDisplay", "error", "message", "type", "text", "fileDiff", "filePath"]
)  # fmt: skip
TEXTS = st.sampled_from(
    ["<untrusted_context>\nOutput: x\nExit Code: 1\n</untrusted_context>", "Output: ", "Exit Code: 2",
     "<hook_context>", "--- Content from referenced files ---", "/memory show", "Signal: 9", "/a/.env"]
)  # fmt: skip
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | TEXTS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(INNER | st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=12,
)
TOOLS = st.sampled_from([*AGENT.tools, "mcp_a_b", "update_topic", ""])
EVERYTHING = Settings(capture=CaptureSettings(reads=True))
FEW = settings(max_examples=200)


def is_sound(wire: str, payload: bytes) -> None:
    """Assert that a delivery is parsed, drafted as a valid record, and answered in JSON."""
    event = parse_event("gemini", wire, "d1", {}, payload)
    found = capture_event(event, EVERYTHING, "2026-01-02T03:04:05.678Z")
    if found is not None:
        fields: dict[str, Any] = json.loads(json.dumps(found.record.to_json()).encode())
        stored = {"id": "0190a0a0-0000-7000-8000-000000000000", "scope": "global"}
        validate_record(Record(fields | stored))
        assert len(json.dumps(fields["body"])) < 120_000
    printed = render_hook_output(event, event.text, event.text, None)
    assert not printed or isinstance(json.loads(printed), dict)


@FEW
@given(EVENTS, st.binary(max_size=400))
def test_any_bytes_are_an_event(wire: str, payload: bytes) -> None:
    is_sound(wire, payload)


@FEW
@given(EVENTS, st.dictionaries(NAMES, VALUES, max_size=8), TOOLS)
def test_any_fields_of_any_type_are_an_event(wire: str, fields: dict[str, Any], tool: str) -> None:
    is_sound(wire, json.dumps(fields | {"tool_name": tool}).encode())
