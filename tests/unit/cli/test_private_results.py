"""Every result says whether it is private (seed 001 FR-4)."""

import pytest

from hooklore.log.line import encode_line
from hooklore.records.record import Record
from tests.unit.cli.conftest import Memory, Run, statement


@pytest.fixture
def mixed(memory: Memory) -> Memory:
    memory.append(statement("the open kestrel"))
    memory.append(statement("the hidden kestrel", is_private=True), in_project=False)
    return memory


@pytest.mark.req("AC-13", "AC-16")
def test_results_as_json_always_say_whether_they_are_private(mixed: Memory, hooklore: Run) -> None:
    listed = hooklore("list", "--json").records
    found = hooklore("search", "kestrel", "--json").records
    shown = hooklore("show", found[0]["id"], "--json").out

    for records in (listed, found):
        flags = {r["body"]["content_md"]: r["private"] for r in records}
        assert flags == {"the open kestrel": False, "the hidden kestrel": True}
    assert '"private": ' in shown


@pytest.mark.req("AC-16")
def test_results_as_text_mark_what_is_private(mixed: Memory, hooklore: Run) -> None:
    hidden, shown = sorted(hooklore("list").lines, key=lambda line: "open" in line)

    assert "  private " in hidden
    assert "private" not in shown


@pytest.mark.req("EV-27", "MV-04")
def test_an_old_record_without_the_field_is_said_to_be_open(mixed: Memory, hooklore: Run) -> None:
    log = mixed.broker.place.log
    (old,) = [
        r for r in mixed.records() if r.get("body", {}).get("content_md") == "the open kestrel"
    ]
    del old["is_private"], old["hash"]
    log.write_bytes(encode_line(Record(old)))

    (listed,) = hooklore("list", "--json").records

    assert "is_private" not in listed
    assert listed["private"] is False
