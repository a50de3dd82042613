"""Archive, restore, delete and clean up memories from the command line, with a person's approval."""

import io
import json
import shutil
from typing import Any

import pytest

from hooklore.maintenance import janitor
from tests.support.store_files import holding
from tests.unit.cli.conftest import Memory, Printed, Run, Terminal, said

KEY = "config:db_engine"


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function that makes stdin a terminal at which a person types a text."""

    def sits(typed: str = "") -> None:
        monkeypatch.setattr("sys.stdin", Terminal(typed))

    return sits


@pytest.fixture
def nobody(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function that makes stdin no terminal."""

    def leaves() -> None:
        monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))

    return leaves


def listed(printed: Printed) -> list[str]:
    """Return the texts of the records that `--json` printed."""
    return [record["event"]["body"]["content_md"] for record in printed.records]


# ---- archive and restore


@pytest.mark.req("TT-07")
def test_archive_list_and_restore(hooklore: Run, memory: Memory) -> None:
    id_ = said(hooklore, "We use sqlite\nsince 2026", "--key", KEY)

    archived = hooklore("archive", KEY)
    gone = hooklore("get", KEY)
    shelf = hooklore("archive", "--json")
    restored = hooklore("restore", KEY, "--json")

    assert archived.lines == [f"archived {id_}: `hooklore restore {id_}` undoes it"]
    assert (gone.rc, "error: could not find" in gone.err) == (1, True)
    assert (listed(shelf), shelf.records[0]["reason"]) == (["We use sqlite\nsince 2026"], "by hand")
    assert restored.records[0]["body"]["content_md"] == "We use sqlite\nsince 2026"
    assert hooklore("get", KEY).lines == ["We use sqlite", "since 2026"]
    assert hooklore("archive").err == "the archive is empty\n"


def test_the_command_that_find_names_works(hooklore: Run, memory: Memory) -> None:
    said(hooklore, "We use sqlite", "--key", KEY)
    hooklore("archive", KEY)
    command = hooklore("find", KEY, "--json").records[0]["command"].split()

    printed = hooklore(*command[1:])

    assert (command[1], printed.rc) == ("restore", 0)
    assert hooklore("get", KEY).lines == ["We use sqlite"]


@pytest.mark.req("TT-07")
def test_restoring_onto_an_active_key_is_an_error_that_says_what_to_do(
    hooklore: Run, memory: Memory
) -> None:
    old = said(hooklore, "We use sqlite", "--key", KEY)
    hooklore("archive", KEY)
    new = said(hooklore, "We use postgres", "--key", KEY)

    printed = hooklore("restore", old)

    assert printed.rc == 1
    assert printed.err.splitlines() == [
        f"error: could not restore `{KEY}`: an active entry has this key, `{new}`",
        f"hint: run `hooklore archive {new}` first, or leave it as it is",
    ]
    assert hooklore("get", KEY).lines == ["We use postgres"]


@pytest.mark.req("TT-08")
def test_every_command_about_the_archive_keeps_its_files(
    hooklore: Run, memory: Memory, terminal: Any, ago: Any
) -> None:
    """The store's folder `archive/` has a file for each archived memory after each command."""
    place = memory.broker.place.directory / "archive"

    def texts() -> set[str]:
        return {path.read_text().split("---\n", 2)[2] for path in place.glob("*.md")}

    ago(40)
    ids = {n: said(hooklore, f"text {n}", "--key", f"fact:n{n}") for n in range(4)}
    ago(0)
    hooklore("archive", "fact:n0", "fact:n1", "fact:nowhere")
    archived = texts()
    hooklore("restore", "fact:n0")
    restored = texts()
    terminal()
    hooklore("cleanup", "--older-than=30d", "--yes")
    cleaned = texts()
    hooklore("delete", "fact:n1", "--yes")
    deleted = texts()
    hooklore("forget", ids[2], "--yes")
    forgotten = texts()
    shutil.rmtree(place)
    hooklore("janitor")
    looked = texts()
    shutil.rmtree(place)
    hooklore("rebuild")

    assert archived == {"text 0", "text 1"}
    assert restored == {"text 1"}
    assert cleaned == {"text 1", "text 2", "text 3"}
    assert deleted == {"text 2", "text 3"}
    assert forgotten == looked == texts() == {"text 3"}


def test_a_scrub_leaves_no_file_with_the_word_in_its_name(hooklore: Run, memory: Memory) -> None:
    said(hooklore, "it nests here", "--key", "config:kestrel_nest")
    hooklore("archive", "config:kestrel_nest")
    place = memory.broker.place.directory / "archive"
    before = [path.name for path in place.iterdir()]

    printed = hooklore("scrub", "--literal", "kestrel", "--yes")

    assert printed.rc == 0
    assert len(before) == len(list(place.iterdir())) == 1
    assert "kestrel" in before[0]
    assert holding(memory.broker.place, "kestrel") == []


def test_an_archive_whose_files_cannot_be_written_says_so(hooklore: Run, memory: Memory) -> None:
    said(hooklore, "We use sqlite", "--key", KEY)
    (memory.broker.place.directory / "archive").write_text("in the way")

    printed = hooklore("archive", KEY)

    assert printed.rc == 1
    assert printed.out.startswith("archived ")
    assert "archive`: it is not a directory" in printed.err
    assert listed(hooklore("archive", "--json")) == ["We use sqlite"]


@pytest.mark.parametrize("verb", ["archive", "restore"])
def test_an_agent_is_sent_to_the_user(hooklore: Run, memory: Memory, verb: str) -> None:
    said(hooklore, "We use sqlite", "--key", KEY)

    printed = hooklore(verb, KEY, "--agent", "claude")

    assert (printed.rc, "a person decides it" in printed.err) == (1, True)
    assert hooklore("get", KEY).lines == ["We use sqlite"]


def test_a_scope_says_which_entry_is_meant(hooklore: Run, memory: Memory) -> None:
    said(hooklore, "for all", "--key", KEY, "--scope", "global")
    said(hooklore, "for this project", "--key", KEY)

    hooklore("archive", KEY, "--scope", "global")

    assert listed(hooklore("archive", "--json")) == ["for all"]
    assert listed(hooklore("archive", "--json", "--scope", "project")) == []
    assert hooklore("get", KEY).lines == ["for this project"]


# ---- delete


@pytest.mark.req("TT-06", "TT-11")
@pytest.mark.parametrize(("typed", "rc", "left"), [("y\n", 0, 1), ("n\n", 1, 0), ("", 1, 0)])
def test_delete_asks_a_person(
    hooklore: Run, memory: Memory, terminal: Any, typed: str, rc: int, left: int
) -> None:
    said(hooklore, "We use sqlite", "--key", KEY)
    terminal(typed)

    printed = hooklore("delete", KEY)

    assert (printed.rc, hooklore("get", KEY).rc) == (rc, left)
    assert "We use sqlite" in printed.err
    assert hooklore("archive").out == ""
    assert len(memory.of("tombstone")) == left


@pytest.mark.req("TT-11")
@pytest.mark.parametrize("options", [(), ("--yes",), ("--token",), ("--approve", "feed")])
def test_nothing_is_deleted_where_no_person_is(
    hooklore: Run, memory: Memory, nobody: Any, options: tuple[str, ...]
) -> None:
    said(hooklore, "We use sqlite", "--key", KEY)
    nobody()

    printed = hooklore("delete", KEY, *options)

    assert printed.rc == 1
    assert printed.err.splitlines()[-2].startswith("error: could not delete it: ")
    assert "--token` at a terminal" in printed.err.splitlines()[-1]
    assert hooklore("get", KEY).lines == ["We use sqlite"]


@pytest.mark.req("TT-11")
def test_a_token_from_a_terminal_approves_one_deletion_elsewhere(
    hooklore: Run, memory: Memory, terminal: Any, nobody: Any
) -> None:
    said(hooklore, "We use sqlite", "--key", KEY)
    said(hooklore, "We listen on 1", "--key", "config:port")
    terminal()
    (token,) = hooklore("delete", KEY, "--token").lines
    nobody()

    other = hooklore("delete", "config:port", "--approve", token)
    printed = hooklore("delete", KEY, "--approve", token, "--json")

    assert (other.rc, "for other records" in other.err) == (1, True)
    assert (printed.rc, len(printed.records[0]["deleted"])) == (0, 1)
    assert hooklore("get", KEY).rc == 1
    assert hooklore("get", "config:port").rc == 0


# ---- cleanup


@pytest.fixture
def old(hooklore: Run, memory: Memory, ago: Any) -> None:
    """Append memories of an agent and of the project, 40 days old."""
    ago(40)
    for text in ("loud", "うるさい"):
        said(hooklore, f"the press is {text}", "--agent", "codex", "--scope", "agent:codex",
             "--basis", "tool", "--run", f"r-{text}")  # fmt: skip
    said(hooklore, "the mill is old")
    ago(0)


@pytest.mark.req("CL-03", "CL-05")
def test_a_cleanup_is_a_dry_run_first(hooklore: Run, memory: Memory, old: None) -> None:
    before = len(memory.records())

    listing = hooklore("cleanup", "--older-than=30d", "--scope=agent:*")
    as_json = hooklore("cleanup", "--older-than=30d", "--scope=agent:*", "--json")

    assert listing.rc == 0
    assert len(listing.lines) == 2
    assert all("(unused since " in line for line in listing.lines)
    assert "2 would be archived, nothing was" in listing.err
    assert set(listed(as_json)) == {"the press is loud", "the press is うるさい"}
    assert len(memory.records()) == before


@pytest.mark.req("CL-05")
@pytest.mark.parametrize(
    ("older", "count"), [("30d", 3), ("12h", 3), ("2w", 3), ("41d", 0), ("6w", 0)]
)
def test_an_age_is_said_in_days_hours_or_weeks(
    hooklore: Run, memory: Memory, terminal: Any, old: None, older: str, count: int
) -> None:
    terminal()

    printed = hooklore("cleanup", f"--older-than={older}", "--yes")

    assert printed.out == f"archived {count} memories: `hooklore archive` lists them\n"


@pytest.mark.req("CL-05")
@pytest.mark.parametrize("options", [("--yes",), ("--approve", "feed"), ("--token",)])
def test_nothing_is_cleaned_up_where_no_person_is(
    hooklore: Run, memory: Memory, nobody: Any, old: None, options: tuple[str, ...]
) -> None:
    nobody()

    printed = hooklore("cleanup", "--older-than=30d", *options)

    assert printed.rc == 1
    assert printed.err.startswith("error: could not clean up: ")
    assert memory.of("archive") == []


@pytest.mark.req("CL-05", "TT-03")
def test_a_token_approves_exactly_what_was_listed(
    hooklore: Run, memory: Memory, terminal: Any, nobody: Any, old: None
) -> None:
    command = ("cleanup", "--older-than=30d", "--scope=agent:*")
    terminal()
    (token,) = hooklore(*command, "--token").lines
    nobody()

    wider = hooklore("cleanup", "--older-than=30d", "--approve", token)
    done = hooklore(*command, "--approve", token, "--json")
    again = hooklore(*command, "--approve", token, "--json")

    assert (wider.rc, "for other records" in wider.err) == (1, True)
    assert len(done.records[0]["archived"]) == 2
    assert again.records == [{"archived": []}]
    assert set(listed(hooklore("archive", "--json"))) == {
        "the press is loud", "the press is うるさい",
    }  # fmt: skip


@pytest.mark.parametrize(
    "options",
    [("--older-than", "soon"), ("--older-than", "-1d"), ("--scope", "everything"), ("--scope", "")],
)
def test_a_cleanup_that_makes_no_sense_is_a_usage_error(
    hooklore: Run, memory: Memory, old: None, options: tuple[str, ...]
) -> None:
    printed = hooklore("cleanup", *options, "--yes")

    assert (printed.rc, printed.out) == (2, "")
    assert printed.err.startswith("error: could not understand the command: ")


@pytest.mark.req("CL-05")
def test_what_was_got_by_its_key_is_not_unused(hooklore: Run, memory: Memory, ago: Any) -> None:
    ago(60)
    said(hooklore, "the press is loud", "--key", "fact:press")
    said(hooklore, "the mill is old", "--key", "fact:mill")
    ago(20)
    hooklore("get", "fact:press")
    ago(0)

    assert listed(hooklore("cleanup", "--older-than=30d", "--json")) == ["the mill is old"]


# ---- janitor and consolidate


@pytest.mark.req("CO-03", "CO-10")
def test_the_janitor_says_what_there_is_and_ends_nothing(
    hooklore: Run, memory: Memory, old: None
) -> None:
    said(hooklore, "We use sqlite", "--key", KEY, "--agent", "codex", "--basis", "tool")
    said(hooklore, "We use postgres", "--key", KEY, "--agent", "claude", "--basis", "tool")
    before = len(memory.records())

    printed = hooklore("janitor")
    fields = hooklore("janitor", "--json").records[0]
    kept = hooklore("janitor", "--last", "--json").records[0]

    heads = [line.partition(":")[0] for line in printed.lines if not line.startswith(" ")]
    assert heads == ["pins", "to clean up", "conflicts", "secrets"]
    assert len(fields["pins"]) == len(fields["conflicts"]) == 1
    assert fields["counts"] == {"pins": 1, "candidates": 0, "conflicts": 1}
    assert fields["secrets"] == []
    assert kept == fields
    assert len(memory.records()) == before


@pytest.mark.req("CO-10")
def test_the_janitor_counts_each_thing_apart(hooklore: Run, memory: Memory, ago: Any) -> None:
    ago(40)
    said(hooklore, "We freeze on friday", "--ttl-days", "10")
    said(hooklore, "The press is rented", "--ttl-days", "20")
    ago(0)
    for number in range(3):
        said(hooklore, f"We listen on {number}", "--key", f"config:port_{number}")
    for agent, text in (("codex", "We use sqlite"), ("claude", "We use postgres")):
        said(hooklore, text, "--key", KEY, "--agent", agent, "--basis", "tool")

    (fields,) = hooklore("janitor", "--json").records

    assert fields["counts"] == {"pins": 4, "candidates": 2, "conflicts": 1}
    assert {each["reason"] for each in fields["candidates"]} == {"expired"}
    assert len(memory.of("conflict_resolution")) == 1


@pytest.mark.req("CO-09")
def test_what_is_over_is_named_stays_readable_and_is_not_deleted_without_a_person(
    hooklore: Run, memory: Memory, ago: Any, nobody: Any
) -> None:
    ago(40)
    id_ = said(hooklore, "We freeze on friday", "--key", "fact:freeze", "--ttl-days", "10")
    ago(0)
    nobody()
    before = memory.broker.place.log.read_bytes()

    (named,) = hooklore("cleanup", "--json").records
    shown = json.loads(hooklore("show", id_, "--json").out)
    (found,) = hooklore("find", "fact:freeze", "--json").records
    refused = [
        hooklore(*words)
        for words in (("cleanup", "--yes"), ("cleanup", "--approve", "feed"),
                      ("delete", id_), ("delete", id_, "--yes"))
    ]  # fmt: skip

    assert (named["event"]["id"], named["reason"]) == (id_, "expired")
    assert shown["body"]["content_md"] == "We freeze on friday"
    assert found["reason"] == "expired"
    assert [each.rc for each in refused] == [1, 1, 1, 1]
    assert memory.broker.place.log.read_bytes() == before


@pytest.mark.req("CO-09")
def test_with_a_persons_yes_what_is_over_goes_to_the_archive_not_for_good(
    hooklore: Run, memory: Memory, ago: Any, terminal: Any
) -> None:
    ago(40)
    id_ = said(hooklore, "We freeze on friday", "--key", "fact:freeze", "--ttl-days", "10")
    ago(0)
    terminal()

    hooklore("cleanup", "--yes")

    assert [r["body"]["targets"] for r in memory.of("archive")] == [[id_]]
    assert memory.of("tombstone") == []
    assert hooklore("restore", "fact:freeze").rc == 0
    assert hooklore("get", "fact:freeze").lines == ["We freeze on friday"]


@pytest.mark.req("CO-03")
def test_a_second_janitor_is_told_to_wait(hooklore: Run, memory: Memory) -> None:
    said(hooklore, "We use sqlite")

    with janitor.hold_janitor_lock(memory.broker.place):
        printed = hooklore("janitor")

    assert printed.rc == 1
    assert "is at it\nhint: run it again later\n" in printed.err


def test_an_empty_store_has_nothing_to_look_through_and_gets_no_files(
    hooklore: Run, memory: Memory
) -> None:
    printed = [hooklore(verb) for verb in ("janitor", "cleanup", "consolidate", "archive")]

    assert [each.rc for each in printed] == [0, 0, 0, 0]
    assert not memory.broker.place.directory.exists()


@pytest.mark.req("CL-04")
def test_consolidate_says_what_it_did_and_then_finds_nothing(hooklore: Run, memory: Memory) -> None:
    lost = said(hooklore, "the press is loud", "--agent", "codex", "--basis", "tool")
    kept = said(hooklore, "The press is loud", "--key", "fact:press")

    first = hooklore("consolidate")
    second = hooklore("consolidate")
    third = hooklore("consolidate", "--json", "--scope", "project")

    assert first.lines == [f"merged {lost} into {kept}"]
    assert (second.out, second.err) == ("", "nothing to consolidate\n")
    assert third.records == [{"conflicts": 0, "merged": [], "pinned": []}]
