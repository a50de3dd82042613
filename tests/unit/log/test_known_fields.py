"""The fields of a line that this version understands; a doubt never widens who is told a record."""

from typing import Any

import pytest

from hooklore.log.line import decode_line, is_whole_line
from hooklore.records.access import may_read
from hooklore.records.draft import Principal
from hooklore.records.ids import next_id
from tests.support.odd_lines import WRONG, sealed

_ID = next_id(None, 1_700_000_000_000, 0)
_MEMORY = {
    "v": 1, "id": _ID, "ts": "2023-11-14T22:13:20.000Z", "stream": "memory", "kind": "fact",
    "agent_id": "claude", "role": "executor", "scope": "project:widgets", "project": "p-1",
    "session_id": "s-1", "visibility": "session", "is_private": True, "basis": "user",
    "confidence": "high", "expires_at": None, "body": {"content_md": "The press is loud."},
}  # fmt: skip
_STRANGER = Principal(agent_id="codex", role="general", project="p-1", session_id="s-2")


def decoded(**changes: Any) -> Any:
    return decode_line(sealed({**_MEMORY, **changes})[:-1])


@pytest.mark.parametrize("value", [each for each in (*WRONG, "team") if each is not None])
@pytest.mark.parametrize("name", ["visibility", "scope", "role", "is_private", "privacy"])
def test_a_limit_that_is_not_understood_lets_no_other_agent_read(name: str, value: object) -> None:
    open_to_all = {**_MEMORY, "visibility": "agent-only" if name == "role" else "public"}
    del open_to_all["is_private"]
    if name == "privacy":
        del open_to_all["visibility"]

    record = decode_line(sealed({**open_to_all, name: value})[:-1])

    assert record is None or not may_read(record, _STRANGER)


@pytest.mark.parametrize("name", ["waits", "trust", "expires_at"])
def test_a_record_whose_standing_is_not_understood_is_not_read(name: str) -> None:
    assert decoded(**{name: ["x"]}) is None
    assert decoded(**{name: None}) is not None


def test_an_unknown_basis_or_confidence_counts_least() -> None:
    record = decoded(basis="oracle", confidence=1)

    assert (record.basis, record.confidence) == ("inferred", "low")


def test_a_record_without_a_time_has_that_of_its_id() -> None:
    assert decoded(ts="2023-02-31T00:00:00Z").ts == "2023-11-14T22:13:20.000Z"


def test_a_field_of_another_type_is_read_as_if_it_were_missing() -> None:
    record = decoded(branch=["main"], body={"content_md": "Loud.", "tags": "a", "x_future": {}})

    assert (record.branch, record.body.tags, record.body.extra("x_future")) == (None, (), {})


@pytest.mark.parametrize("name", ["id", "stream", "kind", "scope", "body", "v"])
def test_a_line_without_its_form_is_whole_and_no_record(name: str) -> None:
    line = sealed({n: v for n, v in _MEMORY.items() if n != name})[:-1]

    assert decode_line(line) is None
    assert is_whole_line(line)
