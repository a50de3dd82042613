import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from hooklore.agents.claude_code import AGENT as CLAUDE_CODE
from hooklore.agents.claude_code import MAX_OUTPUT_UNITS
from hooklore.agents.render import render_hook_output
from hooklore.capture.capture import capture_event
from hooklore.config import CaptureSettings, Settings
from hooklore.hooks.parse import parse_event
from hooklore.records.record import Record
from hooklore.records.schema import validate_record

EVENTS = st.sampled_from([*CLAUDE_CODE.events, "BrandNew", ""])
NAMES = st.sampled_from(
    ["session_id", "cwd", "prompt", "tool_name", "tool_input", "tool_response", "tool_use_id",
     "error", "is_interrupt", "duration_ms", "agent_id", "agent_type", "last_assistant_message",
     "source", "reason", "trigger", "compact_summary", "hook_event_name", "task_id", "task_subject"]
)  # fmt: skip
TOOLS = st.sampled_from(
    ["Bash", "Edit", "Write", "Read", "Grep", "Agent", "WebFetch", "mcp__a__b", "X"]
)
INNER = st.sampled_from(
    ["command", "file_path", "stdout", "stderr", "content", "edits", "structuredPatch", "lines",
     "file", "code", "exitCode", "interrupted", "type", "text", "totalTokens", "description"]
)  # fmt: skip
SCALARS: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(),
    st.sampled_from(["/a/.env", "a | b"]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.one_of(INNER, st.text(max_size=5)), inner, max_size=4),
    ),
    max_leaves=12,
)
PAYLOADS = st.builds(
    lambda fields, tool: json.dumps(fields | ({"tool_name": tool} if tool else {})).encode(),
    st.dictionaries(NAMES, VALUES, max_size=8),
    st.one_of(st.none(), TOOLS),
)
EVERYTHING = Settings(capture=CaptureSettings(reads=True))
FEW = settings(max_examples=150)


def is_sound(wire: str, payload: bytes, facts: dict[str, str]) -> None:
    """What every delivery must stand: parsed, drafted as a valid record, answered within bounds."""
    event = parse_event("claude", wire, "d1", facts, payload)
    found = capture_event(event, EVERYTHING, "2026-01-02T03:04:05.678Z")
    if found is not None:
        fields = json.loads(json.dumps(found.record.to_json(), ensure_ascii=False).encode())
        stored = {"id": "0190a0a0-0000-7000-8000-000000000000", "scope": "global"}
        validate_record(Record(fields | stored))
        assert len(json.dumps(fields["body"])) < 120_000
    assert len(render_hook_output(event, event.text, event.text, None)) < MAX_OUTPUT_UNITS * 3


@FEW
@given(
    EVENTS,
    st.binary(max_size=400),
    st.dictionaries(st.text(max_size=9), st.text(max_size=9), max_size=2),
)
def test_any_bytes_are_an_event(wire: str, payload: bytes, facts: dict[str, str]) -> None:
    is_sound(wire, payload, facts)


@FEW
@given(EVENTS, PAYLOADS)
def test_any_fields_of_any_type_are_an_event(wire: str, payload: bytes) -> None:
    is_sound(wire, payload, {})


@FEW
@given(EVENTS, PAYLOADS, st.data())
def test_a_payload_cut_anywhere_is_an_event(wire: str, payload: bytes, data: st.DataObject) -> None:
    end = data.draw(st.integers(0, len(payload)))

    is_sound(wire, payload[:end], {"TRUE_SIZE": str(len(payload))})


@FEW
@given(EVENTS, PAYLOADS, st.data())
def test_a_payload_with_a_changed_byte_is_an_event(
    wire: str, payload: bytes, data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(payload) - 1))
    changed = data.draw(st.binary(max_size=3))

    is_sound(wire, payload[:at] + changed + payload[at + 1 :], {})
