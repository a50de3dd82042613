"""`hooklore forget` previews and counts records, asks a person, and ends the records in every view."""

import io

import pytest

from tests.unit.cli.conftest import Memory, Run, Terminal, statement

pytestmark = pytest.mark.usefixtures("at_terminal")


def test_a_forgotten_record_is_in_no_view_and_its_line_stays(memory: Memory, hooklore: Run) -> None:
    (id_,) = memory.append(statement("the blue paint"))

    printed = hooklore("forget", id_, "--yes")

    assert (printed.rc, printed.out) == (0, "forgot 1 record\n")
    assert "the blue paint" in printed.err
    assert hooklore("list").out == hooklore("search", "blue paint").out == ""
    assert "blue paint" not in memory.hook("SessionStart", "s-9", source="startup")
    assert id_ in [record["id"] for record in memory.records()]


@pytest.mark.parametrize(("typed", "rc", "kept"), [("y\n", 0, 0), ("n\n", 1, 1), ("", 1, 1)])
def test_a_person_at_a_terminal_is_asked(
    memory: Memory,
    hooklore: Run,
    monkeypatch: pytest.MonkeyPatch,
    typed: str,
    rc: int,
    kept: int,
) -> None:
    (id_,) = memory.append(statement("the blue paint"))
    monkeypatch.setattr("sys.stdin", Terminal(typed))

    printed = hooklore("forget", id_)

    assert printed.rc == rc
    assert "Forget them? [y/N]" in printed.err
    assert len(hooklore("list").lines) == kept


@pytest.mark.req("CL-07")
def test_what_would_be_forgotten_is_shown_before_anything_is(
    memory: Memory,
    hooklore: Run,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """At the question the text has been shown, and every record still stands."""
    ids = memory.append(statement("the blue paint"), statement("the red paint"))
    seen: list[str] = []

    class Asked(Terminal):
        def readline(self, _size: int | None = -1, /) -> str:  # type: ignore[override]  # of text
            seen.append(capfd.readouterr().err)
            seen.append(str(len(memory.of("tombstone"))))
            return "y\n"

    monkeypatch.setattr("sys.stdin", Asked())
    printed = hooklore("forget", *ids)

    assert printed.rc == 0
    assert "the blue paint" in seen[0]
    assert "the red paint" in seen[0]
    assert seen[1] == "0"
    assert len(memory.of("tombstone")) == 1
    assert hooklore("memory", "list").out == ""


@pytest.mark.req("CL-07", "TT-11")
@pytest.mark.parametrize("options", [(), ("--yes",), ("--token",), ("--approve", "feed")])
def test_nothing_is_forgotten_where_no_person_is(
    memory: Memory, hooklore: Run, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...]
) -> None:
    """An agent that runs the command cannot approve the command for the user, as with `hooklore delete`."""
    (id_,) = memory.append(statement("the blue paint"))
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))

    printed = hooklore("forget", id_, *options)

    assert printed.rc == 1
    assert printed.err.splitlines()[-2].startswith("error: could not forget them: ")
    assert "--token` at a terminal" in printed.err.splitlines()[-1]
    assert len(hooklore("list").lines) == 1


@pytest.mark.req("TT-11")
def test_a_token_from_a_terminal_approves_exactly_what_was_shown(
    memory: Memory, hooklore: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = memory.append(statement("the blue paint"), statement("the red paint"))
    (token,) = hooklore("forget", one, "--token").lines
    monkeypatch.setattr("sys.stdin", io.StringIO())

    wrong = hooklore("forget", other, "--approve", token)
    done = hooklore("forget", one, "--approve", token, "--json")

    assert (wrong.rc, "for other records" in wrong.err) == (1, True)
    assert done.records == [{"forgotten": [one]}]
    assert [r["id"] for r in hooklore("list", "--json").records] == [other]


@pytest.mark.parametrize("how", ["id", "project"])
def test_what_is_in_the_archive_is_forgotten_too(memory: Memory, hooklore: Run, how: str) -> None:
    aside, stands = memory.append(statement("the blue paint"), statement("the red paint"))
    hooklore("archive", aside)

    printed = hooklore("forget", *([aside] if how == "id" else ["--project", "widgets"]), "--yes")

    assert printed.out == f"forgot {'1 record' if how == 'id' else '2 records'}\n"
    assert hooklore("archive").out == ""
    assert hooklore("restore", aside).rc == 1
    assert hooklore("show", stands).rc == 0


def test_a_conflict_that_quotes_what_is_forgotten_goes_with_it(
    memory: Memory, hooklore: Run
) -> None:
    one, _ = memory.append(
        statement("The paint of the crane is blue"), statement("The paint of the crane is red")
    )
    assert "is blue" in hooklore("list", "--kind", "conflict_resolution").out

    hooklore("forget", one, "--yes")

    assert "is blue" not in hooklore("list").out


def test_a_whole_session_is_forgotten_with_what_was_made_from_it(
    memory: Memory, hooklore: Run
) -> None:
    memory.fails_and_solves("s-1")
    memory.append(statement("stays"))
    assert memory.of("fix")

    printed = hooklore("forget", "--session", "s-1", "--yes")

    assert printed.rc == 0
    assert [r["body"]["content_md"] for r in hooklore("list", "--json").records] == ["stays"]
    assert "torque" not in memory.fails("s-3")


def test_a_fix_goes_with_the_failure_that_it_quotes(memory: Memory, hooklore: Run) -> None:
    memory.fails("s-0")
    memory.fails_and_solves("s-1")
    (fix,) = memory.of("fix")

    printed = hooklore("forget", "--session", "s-0", "--yes")

    assert printed.out == "forgot 2 records\n"
    assert "and 1 made from them:" in printed.err
    assert any(line.startswith("ended: ") for line in hooklore("show", fix["id"]).lines)


def test_the_end_of_a_session_goes_with_the_answer_that_it_quotes(
    memory: Memory, hooklore: Run
) -> None:
    memory.fails_and_solves("s-1")
    (answer,), (end,) = memory.of("answer"), memory.of("session_end")

    hooklore("forget", answer["id"], "--yes")

    kinds = {record["id"] for record in hooklore("list", "--json").records}
    assert not {answer["id"], end["id"]} & kinds


def test_a_whole_project_is_forgotten_and_no_other(memory: Memory, hooklore: Run) -> None:
    memory.append(*(statement(f"number {n}") for n in range(1100)))
    (elsewhere,) = memory.append(statement("elsewhere", scope="global"), in_project=False)

    printed = hooklore("forget", "--project", "widgets", "--yes")

    assert printed.out == "forgot 1100 records\n"
    assert "… and 1090 more: 1090 decision" in printed.err
    assert [r["id"] for r in hooklore("list", "--json").records] == [elsewhere]
    assert [len(t["body"]["targets"]) for t in memory.of("tombstone")] == [1000, 100]


@pytest.mark.parametrize(
    "words", [("ffffffff",), ("--session", "nobody"), ("--project", "nowhere")]
)
def test_what_matches_nothing_is_status_1(
    memory: Memory, hooklore: Run, words: tuple[str, ...]
) -> None:
    memory.append(statement("stays"))

    printed = hooklore("forget", *words, "--yes")

    assert printed.rc == 1
    assert printed.err.startswith("error: could not find ")
    assert not memory.of("tombstone")


def test_a_session_must_be_named_in_full(memory: Memory, hooklore: Run) -> None:
    memory.append(statement("stays", session_id="abc-1"))

    assert hooklore("forget", "--session", "abc", "--yes").rc == 1
    assert len(hooklore("list").lines) == 1


def test_what_is_forgotten_already_is_not_found(memory: Memory, hooklore: Run) -> None:
    (id_,) = memory.append(statement("once"))

    assert hooklore("forget", id_, "--yes").rc == 0
    assert hooklore("forget", id_, "--yes").rc == 1
    assert len(memory.of("tombstone")) == 1


def test_a_control_record_cannot_be_forgotten(memory: Memory, hooklore: Run) -> None:
    memory.append(statement("one"))
    (alias,) = memory.of("project_alias")

    printed = hooklore("forget", alias["id"], "--yes")

    assert printed.rc == 1
    assert "project_alias" in printed.err
