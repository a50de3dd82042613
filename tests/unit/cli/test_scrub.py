"""`hooklore scrub` previews without the value, asks a person, and masks the value in every file."""

import io
import json
from pathlib import Path

import pytest

from hooklore.config import StoreLocation
from tests.support.store_files import holding
from tests.unit.cli.conftest import Memory, Run, Terminal, statement

NAMED = "kobayashi-" + "maru"


@pytest.fixture
def place(memory: Memory) -> StoreLocation:
    """Return the store, in which the literal stands."""
    memory.append(statement(f"we call it {NAMED}"), statement("the blue paint"))
    memory.broker.index()
    return memory.broker.place


def test_a_named_text_leaves_the_store_and_its_record_stays(
    memory: Memory, place: StoreLocation, hooklore: Run
) -> None:
    id_ = next(r["id"] for r in memory.of("decision") if NAMED in r["body"]["content_md"])

    printed = hooklore("scrub", "--literal", NAMED, "--yes")

    assert (printed.rc, printed.out) == (0, "1 literal: masked in 1 record in 1 segment\n")
    assert NAMED not in printed.err
    assert holding(place, NAMED) == []
    assert "[REDACTED:literal]" in hooklore("show", id_).out
    assert hooklore("search", NAMED).out == ""
    assert id_ in hooklore("search", "we call").out


def test_it_says_first_how_many_records_and_which_rules(
    place: StoreLocation, hooklore: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", Terminal("n\n"))

    printed = hooklore("scrub", "--literal", NAMED)

    assert printed.rc == 1
    assert "1 record in 1 segment: 1 literal\n" in printed.err
    assert "Mask it? [y/N]" in printed.err
    assert "nothing was changed" in printed.err
    assert NAMED not in printed.out + printed.err
    assert holding(place, NAMED)


def test_a_dry_run_asks_nothing_and_changes_nothing(
    memory: Memory, place: StoreLocation, hooklore: Run
) -> None:
    before = memory.records()

    printed = hooklore("scrub", "--literal", NAMED, "--dry-run", "--json")

    (report,) = printed.records
    assert printed.rc == 0
    assert (report["records"], report["rules"], report["written"]) == (1, {"literal": 1}, False)
    assert memory.records() == before


def test_without_a_terminal_and_without_yes_nothing_is_changed(
    place: StoreLocation, hooklore: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())

    printed = hooklore("scrub", "--literal", NAMED)

    assert printed.rc == 1
    assert "error: could not scrub it: only a person decides it" in printed.err
    assert printed.err.endswith("hint: run it at a terminal\n")
    assert holding(place, NAMED)


def test_literals_are_read_from_stdin_one_a_line_and_a_program_only_looks(
    place: StoreLocation, hooklore: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = ("--literal", "-", "--literal", "elsewhere")
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{NAMED}\n\nblue paint\n"))
    looked = hooklore("scrub", *options, "--dry-run")
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{NAMED}\n\nblue paint\n"))
    refused = hooklore("scrub", *options, "--yes")

    assert looked.out == "2 literal: would be masked in 2 records in 1 segment\n"
    assert (refused.rc, refused.out) == (1, "")
    assert holding(place, NAMED)


def test_at_a_terminal_a_literal_is_typed_unseen(
    place: StoreLocation, hooklore: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", Terminal("y\n"))
    monkeypatch.setattr("getpass.getpass", lambda _prompt, _stream: NAMED)

    printed = hooklore("scrub", "--literal", "-")

    assert printed.rc == 0
    assert holding(place, NAMED) == []


@pytest.mark.parametrize("typed", ["", "\n\n"])
def test_an_empty_stdin_is_an_error(
    place: StoreLocation, hooklore: Run, monkeypatch: pytest.MonkeyPatch, typed: str
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))

    printed = hooklore("scrub", "--literal", "-", "--yes")

    assert printed.rc == 1
    assert "error: could not scrub: there is no literal on stdin" in printed.err


def test_a_short_literal_is_refused_and_not_echoed(place: StoreLocation, hooklore: Run) -> None:
    printed = hooklore("scrub", "--literal", "zqj", "--yes")

    assert printed.rc == 1
    assert "error: could not scrub: a literal has fewer than 4 characters" in printed.err
    assert "zqj" not in printed.err


def test_a_clean_store_is_said_to_be_clean(place: StoreLocation, hooklore: Run) -> None:
    printed = hooklore("scrub", "--yes")

    assert (printed.rc, printed.err) == (0, "")
    assert printed.out == "nothing to mask in 3 lines of the log\n"


def test_the_users_own_files_are_named(place: StoreLocation, hooklore: Run) -> None:
    config = place.directory / "config.toml"
    config.write_text(f"# {NAMED}\n")

    printed = hooklore("scrub", "--literal", NAMED, "--yes")

    assert printed.rc == 0
    assert f"`{config}` holds a literal too: it is yours to edit" in printed.err
    assert config.exists()


def test_a_store_that_is_not_there_is_clean_and_not_made(home: Path, hooklore: Run) -> None:
    printed = hooklore("scrub", "--literal", NAMED, "--yes")

    assert printed.out == "nothing to mask in 0 lines of the log\n"
    assert not (home / ".config").exists()


@pytest.mark.req("AU-03")
def test_the_audit_has_record_rule_actor_and_time_and_not_the_value(
    place: StoreLocation, hooklore: Run
) -> None:
    hooklore("scrub", "--literal", NAMED, "--yes")

    lines = (place.directory / "audit.jsonl").read_text().splitlines()
    decision, entry = map(json.loads, lines)
    assert set(entry) == {"event_id", "rule", "actor", "ts", "redaction"}
    assert (entry["rule"], entry["actor"]) == ("literal", "person")
    assert (decision["event_id"], decision["confirmed"]) == (entry["event_id"], "terminal")


@pytest.mark.req("AU-03")
def test_an_audit_that_was_deleted_is_made_again_by_a_rebuild(
    place: StoreLocation, hooklore: Run
) -> None:
    hooklore("scrub", "--literal", NAMED, "--yes")
    path = place.directory / "audit.jsonl"
    before = path.read_bytes()
    path.unlink()

    printed = hooklore("rebuild")

    assert printed.rc == 0
    assert path.read_bytes() == before
