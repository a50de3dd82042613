"""Failures that count, and errors that do not, whatever version wrote them."""

from typing import Any

import pytest

from hooklore.failures.project_failure import is_project_failure
from hooklore.index.record_keys import record_keys
from hooklore.index.words import search_group
from hooklore.records.record import Record

ERROR = "PressError: no torque"


def error(kind: str = "error", **body: Any) -> Record:
    """Return an error as a version wrote it that knew no `stopped_by`."""
    given = {
        "tool": "Bash", "command": "make press", "key": "make press", "outcome": "failure",
        "text": f"Exit code 2\n{ERROR}", "errors": [ERROR], "signature": ERROR.lower(),
    }  # fmt: skip
    known = {name: value for name, value in (given | body).items() if value is not None}
    return Record.of(
        stream="observation", kind=kind, agent_id="claude", project="p1", session_id="s1",
        delivery_id="d1", body=known,
    )  # fmt: skip


@pytest.mark.parametrize(
    "record",
    [
        error(),
        error(text=f"Cancelled: the reel\n{ERROR}", cut={"stderr": 4000}),
        error(tool=None),
        error(text=None),
        error().with_fields(agent_id="nobody-knows"),
    ],
    ids=["whole", "the end of a long output", "an import", "no text", "another agent"],
)
def test_a_command_that_failed_counts(record: Record) -> None:
    keys = {key.partition(":")[0] for key in record_keys(record)}

    assert is_project_failure(record)
    assert {"error", "failing", "erred", "ran"} <= keys
    assert search_group(record) == "failure"


@pytest.mark.parametrize(
    "record",
    [
        error(outcome="partial"),
        error(outcome="partial", stopped_by="refused"),
        error(stopped_by="harness"),
        error(text="The user doesn't want to take this action right now."),
        error(text="Permission to use Bash with command make press has been denied."),
        error(text="Sibling tool call errored", signature="sibling tool call errored"),
        error(tool="Edit", command=None, text="File has not been read yet.", key="edit src/a.py"),
        error(tool="WebFetch", command=None, text="Request failed with status code 404"),
        error(tool=None, command=None, text="API Error: 400"),
        error(kind="tool_result"),
    ],
)
def test_anything_else_is_kept_and_found_by_no_key_of_failures(record: Record) -> None:
    keys = {key.partition(":")[0] for key in record_keys(record)}

    assert not is_project_failure(record)
    assert keys.isdisjoint({"error", "failing", "stem", "erred"})
    assert keys >= {"event", "session"}
    assert search_group(record) == "work"
