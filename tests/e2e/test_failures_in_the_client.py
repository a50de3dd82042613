"""The real client: failures that are failures, and what the next session is told at them."""

import subprocess
from pathlib import Path

import pytest

from hooklore.records.record import Record
from tests.claude.api import bash, say, use
from tests.claude.session import Claude, Session, hook_text
from tests.claude.terminal import ESCAPE, Terminal
from tests.support.installed import SCRIPTS, Machine, install
from tests.support.mill import Mill, make_mill

pytestmark = pytest.mark.client

QUESTION = "Do you want to proceed?"
WARNING = "shell: error: alias zz is defined twice, the second definition is used"


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """Return a folder on the PATH of the client's commands, with `hooklore` in it."""
    folder = tmp_path / "home" / "bin"
    folder.mkdir(parents=True)
    (folder / "hooklore").symlink_to(SCRIPTS / "hooklore")
    return folder


@pytest.fixture
def mill(tmp_path: Path, programs: Path) -> Mill:
    return make_mill(tmp_path / "mill", programs)


@pytest.fixture
def claude(claude_binary: Path, tmp_path: Path, mill: Mill) -> Claude:
    """Return the client in the mill's folder; its shell's `cd`, as the client saves it, prints a warning."""
    (tmp_path / "home" / ".bashrc").write_text(f"alias cd='echo \"{WARNING}\" >&2; cd'\n")
    return Claude(claude_binary, tmp_path / "home", tmp_path / "mill", {"SHELL": "/bin/bash"})


@pytest.fixture
def machine(claude: Claude) -> Machine:
    return install(claude)


def told_at_failures(session: Session) -> str:
    """Return everything that the failures of a session brought up."""
    found = (hook_text(each, "PostToolUseFailure", fresh=True) for each in session.turns())
    return "\n".join(filter(None, found))


def failures_of(machine: Machine) -> list[Record]:
    """Return the records that say that something failed."""
    return [r for r in map(Record, machine.records()) if r.body.outcome == "failure"]


def brief_of(session: Session) -> str:
    """Return what the session began with."""
    return hook_text(session.turns()[0], "SessionStart")


def git(project: Path, *words: str) -> None:
    """Run git as somebody who has a name."""
    who = ("-c", "user.name=tester", "-c", "user.email=tester@localhost")
    subprocess.run(["git", *who, *words], cwd=project, check=True, capture_output=True)


def test_failures_of_three_languages_are_told_with_their_error_and_their_fix(
    machine: Machine, mill: Mill
) -> None:
    turns = [turn for part in mill.parts for turn in part.mend()]
    machine.claude.run("make the tests pass", [*turns, say("done")])
    machine.wait_for("fix", 3)

    for part in mill.parts:
        part.break_again()
        session = machine.claude.run("run the tests", [bash(part.command), say("it fails")])
        told = told_at_failures(session)

        assert part.error in told
        assert part.right in told
        assert part.source.name in told
        assert str(part.source) not in told


def test_a_warning_that_the_shell_prints_before_every_command_identifies_nothing(
    machine: Machine, mill: Mill
) -> None:
    here = "cd . && "
    mended = [bash(here + mill.python.command), *list(mill.python.mend())[1:3]]
    passed = [bash(here + command) for command in (mill.python.command, "ls", "git status; true")]
    machine.claude.run("mend it", [*mended, *passed, say("done")])
    machine.wait_for("fix")
    mill.python.break_again()

    failing = [bash(f"{here}{command}") for command in ("python missing.py", "false")]
    other = machine.claude.run("try them", [*failing, say("both fail")])
    same = machine.claude.run("run them", [bash(here + mill.python.command), say("it fails")])

    assert any(WARNING in str(record.body.text) for record in failures_of(machine))
    assert told_at_failures(other) == ""
    assert mill.python.right in told_at_failures(same)
    assert WARNING not in told_at_failures(same)


def test_a_command_that_the_user_refuses_leaves_no_failure(machine: Machine) -> None:
    turns = [bash("touch one"), say("all done")]
    with Terminal(machine.claude, turns, ("--permission-mode", "default")) as session:
        session.type("touch a file")
        session.send(QUESTION)
        session.answer(ESCAPE, "Interrupted")

    assert "tool_intent" in machine.kinds()
    assert failures_of(machine) == []


def test_what_the_harness_refuses_is_no_failure_and_brings_nothing_up(
    machine: Machine, mill: Mill
) -> None:
    source = str(mill.python.source)
    edit = use("Edit", file_path=source, old_string="no such text", new_string="other")
    turns = [edit, use("Read", file_path=source), edit, say("it cannot be edited")]

    machine.claude.run("edit it", turns)
    again = machine.claude.run("edit it", turns)

    assert failures_of(machine) == []
    assert told_at_failures(again) == ""


def test_a_branch_that_was_deleted_by_force_is_offered_to_nobody(
    machine: Machine, mill: Mill
) -> None:
    project = mill.python.source.parent
    _repository(project)
    _unmerged_branch(project, "belt-speed")
    turns = [bash("git branch -d belt-speed"), bash("git branch -D belt-speed"), say("deleted")]
    machine.claude.run("delete the branch", turns)
    _unmerged_branch(project, "belt-speed")

    session = machine.claude.run(
        "delete it", [bash("git branch -d belt-speed"), say("it is not merged")]
    )
    later = machine.claude.run("hello", [say("hello")])

    assert "branch -D" not in told_at_failures(session)
    assert "branch -D" not in brief_of(session) + brief_of(later)


def test_a_session_on_the_branch_of_yesterday_is_told_where_it_was_left_and_another_is_not(
    machine: Machine, mill: Mill
) -> None:
    project = mill.python.source.parent
    _repository(project)
    git(project, "switch", "-q", "-c", "feature/belt-speed")
    left = "The belt is fixed.\n\nNext steps:\n- Measure the speed with a loaded wheel\n"
    machine.claude.run("make the belt as fast as its wheel", [*mill.javascript.mend(), say(left)])
    machine.wait_for("session_end")

    git(project, "commit", "-qam", "belt")
    git(project, "switch", "-q", "main")
    git(project, "switch", "-q", "-c", "feature/paint")
    other = machine.claude.run("paint the press", [say("painted")])
    git(project, "switch", "-q", "feature/belt-speed")
    same = machine.claude.run("go on", [say("on it")])

    assert "belt.js" in brief_of(same)
    assert "make the belt as fast as its wheel" in brief_of(same)
    assert "belt.js" not in brief_of(other)
    assert "make the belt as fast" not in brief_of(other)


def _repository(project: Path) -> None:
    (project / ".git" / "HEAD").unlink()
    (project / ".git").rmdir()
    git(project, "init", "-q", "-b", "main")
    git(project, "add", "-A")
    git(project, "commit", "-qm", "mill")


def _unmerged_branch(project: Path, name: str) -> None:
    git(project, "switch", "-q", "-c", name)
    git(project, "commit", "-q", "--allow-empty", "-m", "work")
    git(project, "switch", "-q", "main")
