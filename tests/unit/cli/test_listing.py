"""`hooklore list`, `search`, `show` and `last` print records."""

import os
from datetime import UTC, datetime, timedelta

import pytest

from hooklore.agents.own_program import BY_PATH, quoted_program
from hooklore.agents.registration import LAUNCHER_PATH
from hooklore.records.draft import Draft
from hooklore.records.record import Body
from hooklore.retrieval.topic_index import INDEX_HEADING
from tests.unit.cli.conftest import Memory, Run, statement


def test_records_are_listed_newest_first_one_a_line(memory: Memory, hooklore: Run) -> None:
    ids = memory.append(statement("first of all"), statement("second\nin two lines"))

    printed = hooklore("list")

    assert printed.rc == 0
    assert [line.split()[0] for line in printed.lines] == ids[::-1]
    assert printed.lines[0].endswith("second in two lines")
    assert "project:widgets" in printed.lines[0]


def test_a_list_is_cut_to_its_limit(memory: Memory, hooklore: Run) -> None:
    memory.append(*(statement(f"number {n}") for n in range(5)))

    assert len(hooklore("list", "--limit", "2").lines) == 2


def test_an_empty_store_lists_nothing_and_makes_no_files(hooklore: Run, home: object) -> None:
    printed = hooklore("list")

    assert (printed.rc, printed.out) == (0, "")
    assert printed.err == "nothing is recorded that fits\n"
    assert not os.path.exists(f"{home}/.config")


def test_filters_leave_out_what_does_not_fit(memory: Memory, hooklore: Run) -> None:
    old = (datetime.now(UTC) - timedelta(days=9)).strftime("%Y-%m-%dT%H:%M:%S.000Z")
    decided, said, elsewhere, early = (
        memory.append(statement("decided", session_id="abc-1"))
        + memory.append(statement("said", kind="preference"))
        + memory.append(statement("elsewhere", scope="global"), in_project=False)
        + memory.append(statement("early", ts=old))
    )

    def listed(*words: str) -> set[str]:
        return {record["id"] for record in hooklore("list", "--json", *words).records}

    assert listed("--kind", "preference") == {said}
    assert listed("--kind", "preference", "--kind", "decision") == {decided, said, elsewhere, early}
    assert listed("--session", "abc") == listed("--session", "abc-1") == {decided}
    assert listed("--project", "widgets") == {decided, said, early}
    assert listed("--since", "2d") == {decided, said, elsewhere}
    assert listed("--stream", "observation") == set()
    assert {r["kind"] for r in hooklore("list", "--json", "--stream", "control").records} == {
        "project_alias"
    }


def test_an_unknown_project_is_an_error(memory: Memory, hooklore: Run) -> None:
    printed = hooklore("list", "--project", "nowhere")

    assert printed.rc == 1
    assert printed.err.startswith("error: could not find project `nowhere`: ")


def test_private_records_are_listed_for_their_owner(memory: Memory, hooklore: Run) -> None:
    memory.append(statement("for my eyes", is_private=True))

    assert "private" in hooklore("list").lines[0]


def test_a_listed_text_cannot_command_the_terminal(memory: Memory, hooklore: Run) -> None:
    ids = memory.append(statement("red \x1b[31m\x07\u202e and back"))

    for printed in (hooklore("list"), hooklore("show", ids[0])):
        assert not {"\x1b", "\x07", "\u202e"} & set(printed.out)


@pytest.mark.parametrize("indexed", [True, False])
def test_a_search_finds_what_was_said_in_two_scripts(
    memory: Memory, hooklore: Run, indexed: bool
) -> None:
    match, _, stray = (
        *memory.append(statement("The deployment uses blue green switching")),
        *memory.append(statement("明日の会議は午後三時から")),
        *memory.append(
            Draft.of(
                stream="observation",
                kind="prompt",
                agent_id="codex",
                session_id="s",
                delivery_id="d",
                body=Body.of(text="blue paint for a stray"),
            ),
            in_project=False,
        ),
    )
    if indexed:
        memory.broker.index()

    english = hooklore("search", "green deployment", "--json")
    japanese = hooklore("search", "会議")
    strays = hooklore("search", "stray paint", "--json")

    assert [r["id"] for r in english.records] == [match]
    assert english.records[0]["score"] > 0
    assert "午後三時" in japanese.out
    assert [r["id"] for r in strays.records] == [stray]


def test_a_search_that_finds_nothing_says_so(memory: Memory, hooklore: Run) -> None:
    memory.append(statement("something else"))

    printed = hooklore("search", "zebra crossing")

    assert (printed.rc, printed.out, printed.err) == (0, "", "nothing found\n")


def test_a_search_goes_on_until_enough_of_the_hits_fit(memory: Memory, hooklore: Run) -> None:
    memory.append(*(statement(f"zebra zebra number {n}") for n in range(60)))
    (match,) = memory.append(
        statement("one zebra among so many other words that it comes last", kind="preference")
    )

    found = hooklore("search", "zebra", "--kind", "preference", "--limit", "1", "--json")

    assert [r["id"] for r in found.records] == [match]


def test_a_record_is_shown_whole_by_its_id(memory: Memory, hooklore: Run) -> None:
    (id_,) = memory.append(statement("two\nlines", tags_of_mine=["kept"]))

    printed, as_json = hooklore("show", id_), hooklore("show", id_, "--json")

    assert f"id: {id_}" in printed.lines
    assert "    lines" in printed.lines
    assert '"content_md": "two\\nlines"' in as_json.out
    assert '"tags_of_mine"' in as_json.out


def test_a_beginning_that_several_ids_share_is_refused(memory: Memory, hooklore: Run) -> None:
    ids = memory.append(statement("one"), statement("two"))

    printed = hooklore("show", ids[0][:4])

    assert printed.rc == 1
    assert "several" in printed.err


@pytest.mark.parametrize("id_", ["ffff", "", "not an id", "../../etc/passwd"])
def test_an_id_that_nothing_has_is_not_found(memory: Memory, hooklore: Run, id_: str) -> None:
    memory.append(statement("one"))

    printed = hooklore("show", id_)

    assert printed.rc == 1
    assert printed.err.startswith("error: could not find ")


@pytest.mark.usefixtures("at_terminal")
def test_what_ended_a_record_is_shown_with_it(memory: Memory, hooklore: Run) -> None:
    (id_,) = memory.append(statement("to be forgotten"))

    hooklore("forget", id_, "--yes")

    assert any(line.startswith("ended: by tombstone ") for line in hooklore("show", id_).lines)


def test_last_names_the_program_as_the_session_was_told_it(memory: Memory, hooklore: Run) -> None:
    mark = memory.home / LAUNCHER_PATH / BY_PATH
    mark.parent.mkdir(parents=True)
    mark.touch()
    told = memory.hook("SessionStart", "s-2", source="startup")
    mark.unlink()

    assert f"{quoted_program(str(memory.home))} remember" in told
    assert told in hooklore("last").out


def test_last_shows_word_for_word_what_the_session_was_shown(memory: Memory, hooklore: Run) -> None:
    memory.append(statement("Never push on Fridays", kind="constraint"))
    memory.append(statement("The press is called kestrel", kind="fact"))
    memory.append(statement("The mill is loud", kind="fact", basis="agent"))
    memory.fails_and_solves()
    at_start = memory.hook("SessionStart", "s-2", source="startup")
    at_failure = memory.fails("s-2")

    printed = hooklore("last")

    index = at_start[at_start.index(INDEX_HEADING) : at_start.index("Keep what lasts")]
    assert index.splitlines()[1:] == [
        "fact: The mill is loud (claude); The press is called kestrel"
    ]
    told = at_start.replace(index, "(and an index of 2 titles)\n")
    assert "Never push on Fridays" in told
    assert "torque = 47" in at_failure
    assert told in printed.out
    assert at_failure in printed.out
    assert printed.out.index(told) < printed.out.index(at_failure)
    assert "session s-2, at its start: " in printed.lines[0]


def test_last_shows_what_was_open_then_and_from_where(memory: Memory, hooklore: Run) -> None:
    """Checks are told wherever they failed; steps that another branch left are not."""

    def leaves(session: str, step: str) -> None:
        said = f"Done.\n\nNext steps:\n- {step}\n"
        memory.hook("Stop", session, last_assistant_message=said)
        memory.hook("SessionEnd", session, reason="other")

    memory.fails("s-1")
    leaves("s-1", "Oil the press")
    leaves("s-2", "Turn the mill")
    (memory.folder / ".git" / "HEAD").write_text("ref: refs/heads/mill\n")
    at_start = memory.hook("SessionStart", "s-3", source="startup")
    memory.fails_and_solves("s-3")

    printed = hooklore("last", "--session", "s-3")

    assert "`make test` fails" in at_start
    assert "on branch main" in at_start
    assert ("Turn the mill" in at_start, "Oil the press" in at_start) == (False, False)
    assert at_start in printed.out


def test_an_error_is_listed_as_it_was_printed(memory: Memory, hooklore: Run) -> None:
    printed = "app.py:1:8: F401 [*] 'os' imported but unused"
    memory.hook(
        "PostToolUseFailure", "s-1", tool_name="Bash", tool_use_id="u-1",
        tool_input={"command": "ruff check app.py"}, error=f"Exit code 1\n{printed}",
    )  # fmt: skip

    listed = hooklore("list", "--kind", "error")

    assert listed.out.strip().endswith(f"ruff check app.py · {printed}")


def test_last_is_about_the_newest_session_unless_told_otherwise(
    memory: Memory, hooklore: Run
) -> None:
    memory.append(statement("Never push on Fridays", kind="constraint"))
    memory.hook("SessionStart", "older-1", source="startup")
    memory.hook("UserPromptSubmit", "newer-1", prompt="something else altogether")

    newest, older = hooklore("last"), hooklore("last", "--session", "older")

    assert newest.out == ""
    assert "session newer-1 was shown nothing" in newest.err
    assert "hooklore last --session older-1" in newest.err
    assert "Never push on Fridays" in older.out
    assert hooklore("last", "--session", "none").rc == 1


@pytest.mark.usefixtures("at_terminal")
def test_last_says_what_has_been_forgotten_since(memory: Memory, hooklore: Run) -> None:
    (id_,) = memory.append(statement("Never push on Fridays", kind="constraint"))
    memory.hook("SessionStart", "s-1", source="startup")
    hooklore("forget", id_, "--yes")

    printed = hooklore("last")

    assert "Never push on Fridays" in printed.out
    assert f"(forgotten or replaced since: {id_})" in printed.lines
    assert hooklore("last", "--json").records[0]["ended"] == [id_]
