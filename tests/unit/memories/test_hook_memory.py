"""One `MemoryEvent` of seed 003's program as a draft of ours, field by field."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from hooklore.memories.hook_memory import DamagedLine, ImportedEvent, import_line

NOW = datetime(2026, 11, 21, 5, 33, 1, 250_000, tzinfo=UTC)
STAMP = "2026-11-21T05:33:01.250Z"


def event(**fields: Any) -> dict[str, Any]:
    return {
        "id": "3f0e8b0a-41a5-4f63-9d0d-3b1f5f9a2f11",
        "content": "テストは必ず cargo nextest で実行する",
        "memory_type": "preference",
        "scope": "user",
        "source_agent": "claude",
        "context": "corrected by the user",
        "confidence": 0.9,
        "ttl_days": 30,
        "tags": ["test", "rust"],
        "metadata": {"session_id": "abc", "trigger": "必ず"},
        "created_at": "2026-10-01T12:00:00Z",
    } | fields


def read_fields(**fields: Any) -> dict[str, Any]:
    return read(**fields).draft.record.to_json()


def read(**fields: Any) -> ImportedEvent:
    return import_line(json.dumps(event(**fields)).encode(), NOW)


@pytest.mark.req("EV-24")
def test_every_field_has_a_place_of_its_own_and_the_whole_is_kept() -> None:
    given = event(unknown_field={"kept": True})

    fields = read_fields(unknown_field={"kept": True})

    assert fields == {
        "v": 1,
        "ts": "2026-10-01T12:00:00.000Z",
        "stream": "memory",
        "kind": "preference",
        "basis": "inferred",
        "delivery_id": "import:hook-memory:3f0e8b0a-41a5-4f63-9d0d-3b1f5f9a2f11",
        "agent_id": "claude",
        "session_id": "abc",
        "scope": "agent:claude",
        "confidence": "high",
        "expires_at": "2026-10-31T12:00:00.000Z",
        "is_private": False,
        "source": {"system": "other", "detail": "import:hook-memory"},
        "body": {
            "content_md": given["content"],
            "tags": ["test", "rust"],
            "intent": "corrected by the user",
            "imported": given,
        },
    }


@pytest.mark.parametrize(
    ("memory_type", "stream", "kind"),
    [
        ("observation", "observation", "tool_result"),
        ("error", "observation", "error"),
        ("decision", "memory", "decision"),
        ("plan", "memory", "todo"),
        ("artifact", "memory", "fact"),
        ("preference", "memory", "preference"),
        ("workflow", "memory", "workflow"),
        ("research", "memory", "fact"),
        ("Decision", "memory", "decision"),
        ("prophecy", "memory", "fact"),
        (None, "memory", "fact"),
    ],
)
def test_its_types_have_kinds_of_ours(memory_type: object, stream: str, kind: str) -> None:
    fields = read_fields(memory_type=memory_type)

    assert (fields["stream"], fields["kind"]) == (stream, kind)
    assert fields["body"]["imported"]["memory_type"] == memory_type


@pytest.mark.parametrize(
    ("scope", "ours", "visibility"),
    [
        ("user", "agent:codex", None),
        ("public", "agent:codex", None),
        ("agent", "agent:codex", None),
        ("session", "agent:codex", "session"),
        ("galaxy", "agent:codex", "session"),
        (None, "agent:codex", "session"),
        ("project", None, None),
    ],
)
def test_a_scope_never_grows_wider(scope: object, ours: str | None, visibility: str | None) -> None:
    fields = read_fields(scope=scope, source_agent="codex")

    assert (fields.get("scope"), fields.get("visibility")) == (ours, visibility)


@pytest.mark.parametrize(
    ("fields", "project"),
    [
        ({"metadata": {"project": "widgets"}}, "widgets"),
        ({"context": {"cwd": "/home/u/widgets"}}, "/home/u/widgets"),
        ({"project_id": "p1"}, "p1"),
        ({"metadata": None, "context": None}, None),
    ],
)
def test_a_project_is_found_wherever_it_was_written(
    fields: dict[str, Any], project: str | None
) -> None:
    assert read(scope="project", **fields).project == project


@pytest.mark.req("MV-07")
@pytest.mark.parametrize(
    "created_at",
    [
        "2026-13-04T10:00:00Z",
        "2026-02-30T10:00:00Z",
        "2026-00-00T00:00:00Z",
        "2027-01-05T10:00:00Z",
        "9999-12-31T23:59:59-12:00",
        "yesterday",
        "",
        None,
        1_790_000_000,
        {"secs": 1},
    ],
)
def test_a_moment_that_never_was_is_kept_as_it_stands_and_the_import_dates_the_record(
    created_at: object,
) -> None:
    fields = read_fields(created_at=created_at, ttl_days=None)

    assert fields["ts"] == STAMP
    assert fields["body"]["imported"]["created_at"] == created_at


@pytest.mark.parametrize(
    ("created_at", "ts"),
    [
        ("2026-10-01T12:00:00+09:00", "2026-10-01T03:00:00.000Z"),
        ("2026-10-01T12:00:00.123456", "2026-10-01T12:00:00.123Z"),
        ("2026-10-01", "2026-10-01T00:00:00.000Z"),
        ("0900-10-01T00:00:00Z", "0900-10-01T00:00:00.000Z"),
    ],
)
def test_a_moment_that_was_dates_the_record(created_at: str, ts: str) -> None:
    assert read_fields(created_at=created_at)["ts"] == ts


@pytest.mark.parametrize("days", [None, 0, -3, True, "7", 1e300])
def test_a_life_that_is_no_number_of_days_is_for_ever(days: object) -> None:
    assert "expires_at" not in read_fields(ttl_days=days)


@pytest.mark.parametrize(
    ("confidence", "ours"),
    [
        (1, "high"),
        (0.8, "high"),
        (0.79, "med"),
        (0.5, "med"),
        (0, "low"),
        ("x", "med"),
        (None, "med"),
    ],
)
def test_a_confidence_is_one_of_three(confidence: object, ours: str) -> None:
    assert read_fields(confidence=confidence)["confidence"] == ours


@pytest.mark.parametrize(
    ("source_agent", "ours"),
    [("conductor", "claude"), ("Gemini", "gemini"), ("HAL 9000", "unknown"), (None, "unknown")],
)
def test_an_agent_that_nobody_knows_is_unknown(source_agent: object, ours: str) -> None:
    assert read_fields(source_agent=source_agent)["agent_id"] == ours


def test_an_error_is_a_failure_with_its_text() -> None:
    body = read_fields(memory_type="error")["body"]

    assert body["outcome"] == "failure"
    assert body["errors"] == [body["text"]] == [event()["content"]]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"{", "not JSON"),
        (b'{"id": "1", "content": "cut', "not JSON"),
        (b"\xff\xfe", "not JSON"),
        (b"\0\0", "not JSON"),
        (b"[1]", "not an object"),
        (b'{"content": "x"}', "no id"),
        (b'{"id": "", "content": "x"}', "no id"),
        (b'{"id": true, "content": "x"}', "no id"),
        (b'{"id": "1"}', "no content"),
        (b'{"id": "1", "content": 7}', "no content"),
    ],
)
def test_a_line_that_is_no_event_says_why(line: bytes, reason: str) -> None:
    with pytest.raises(DamagedLine, match=reason):
        import_line(line, NOW)


def test_an_event_nested_too_deeply_to_write_is_kept_as_text() -> None:
    line = b'{"id": 1, "content": "x", "metadata": ' + b'{"a":' * 400 + b"1" + b"}" * 401

    assert import_line(line, NOW).draft.record.body.extra("imported") == line.decode()
