"""In the real Claude Code: the commonest cures are told at the next session's failure, and evasions never are."""

import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from tests.claude.api import bash, say
from tests.claude.session import Session, hook_text
from tests.support.installed import Machine, client_at, install

pytestmark = [pytest.mark.client, pytest.mark.timeout(300)]

BUILD: Final = """\
case "$*" in
  "--target zeppelin-v2") echo "built zeppelin-v2" ;;
  "--target "*) echo "error: unknown target $2" >&2; exit 2 ;;
  "--color") echo "built" ;;
  *) echo "build: unrecognized option '$1'. Did you mean '--color'?" >&2; exit 2 ;;
esac
"""
EVADED: Final[Mapping[str, tuple[str, str, str]]] = {
    "helm": (
        "install web ./chart",
        "install web ./chart --disable-openapi-validation",
        "Error: INSTALLATION FAILED: error validating data: unknown object type in Deployment.spec.replicas",
    ),
    "dvc": (
        "push",
        "push --no-lock",
        "ERROR: Unable to acquire lock. Most likely another DVC process is running or was terminated abruptly.",
    ),
    "gradle": (
        "build",
        "build -x lint",
        "FAILURE: Build failed with an exception.\nExecution failed for task ':app:lint'.\n> Lint found errors",
    ),
    "alembic": (
        "upgrade head",
        "upgrade head --sql",
        "sqlalchemy.exc.ProgrammingError: (psycopg2.errors.DuplicateTable) relation press already exists",
    ),
}


@pytest.fixture
def machine(claude_binary: Path, tmp_path: Path) -> Machine:
    return install(client_at(claude_binary, tmp_path))


def script(file: Path, text: str) -> None:
    """Write a shell script that can be run."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\n{text}")
    file.chmod(0o755)


def play(machine: Machine, *commands: str) -> Session:
    """Let the model run commands, one a turn."""
    return machine.claude.run("go on", (*map(bash, commands), say("done")))


def at_next_failure(machine: Machine, failed: str, *between: str) -> tuple[str, str]:
    """Let one session run `failed` and what cures it, and the next one `failed`.

    Return what the second session began with, and what it was told at the failure.
    """
    play(machine, failed, *between)
    machine.wait_for("session_end")
    session = play(machine, failed)
    told = (hook_text(turn, "PostToolUseFailure", fresh=True) for turn in session.turns())
    return hook_text(session.turns()[0], "SessionStart"), "\n".join(filter(None, told))


def ended(machine: Machine) -> str:
    """Return the open actions of the first session's end."""
    end = next(each for each in machine.records() if each["kind"] == "session_end")
    return str(end["body"])


def assert_cured(machine: Machine, failed: str, *between: str, cure: str) -> None:
    """Assert that the next session is told the cure at its failure, and that nothing is left open."""
    brief, told = at_next_failure(machine, failed, *between)
    assert cure in told
    assert "must pass" not in ended(machine)
    assert failed not in brief


def test_a_target_that_was_said_wrongly_is_told_as_it_passed(machine: Machine) -> None:
    script(machine.claude.project / "build.sh", BUILD)
    right = "./build.sh --target zeppelin-v2"
    assert_cured(machine, "./build.sh --target zeppelin", right, cure=right)


def test_an_option_that_the_program_suggests_is_told(machine: Machine) -> None:
    script(machine.claude.project / "build.sh", BUILD)
    assert_cured(machine, "./build.sh --colour", "./build.sh --color", cure="./build.sh --color")


def test_another_runner_is_told_where_a_program_is_missing(machine: Machine) -> None:
    (machine.claude.project / "press.py").write_text("print('pressed')\n")
    right = "python3 press.py"
    assert_cured(machine, "python2 press.py", right, cure=right)


def test_the_folder_is_told_where_a_file_was_missing(machine: Machine) -> None:
    script(machine.claude.project / "tools" / "press" / "check.sh", "echo checked\n")
    right = "cd tools/press && sh check.sh"
    _, told = at_next_failure(machine, "sh check.sh", right)
    assert "tools/press" in told
    assert "must pass" not in ended(machine)


def test_the_pull_before_a_rejected_push_is_told(machine: Machine, tmp_path: Path) -> None:
    project, home = machine.claude.project, machine.claude.home
    (project / ".git" / "HEAD").unlink()
    (project / ".git").rmdir()
    git(home, "config", "--global", "user.name", "tester")
    git(home, "config", "--global", "user.email", "tester@localhost")
    git(home, "init", "-q", "--bare", "-b", "main", str(tmp_path / "origin"))
    git(home, "clone", "-q", str(tmp_path / "origin"), str(project))
    commit(home, project, "press")
    git(home, "-C", str(project), "push", "-q", "-u", "origin", "main")
    git(home, "clone", "-q", str(tmp_path / "origin"), str(tmp_path / "other"))

    diverge(home, project, tmp_path / "other")
    play(machine, "git push", "git pull --rebase", "git push")
    machine.wait_for("session_end")
    diverge(home, project, tmp_path / "other")
    session = play(machine, "git push")

    told = (hook_text(turn, "PostToolUseFailure", fresh=True) for turn in session.turns())
    assert "git pull --rebase" in "\n".join(filter(None, told))
    assert "must pass" not in ended(machine)


def git(home: Path, *words: str) -> None:
    """Run git as the machine's user."""
    env = {"HOME": str(home), "PATH": "/usr/bin:/bin", "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(["git", *words], env=env, check=True, capture_output=True)


def commit(home: Path, project: Path, name: str) -> None:
    (project / f"{name}.txt").write_text(name)
    git(home, "-C", str(project), "add", f"{name}.txt")
    git(home, "-C", str(project), "commit", "-qm", name)


def diverge(home: Path, project: Path, other: Path) -> None:
    """Commit in both clones, and push the other's."""
    git(home, "-C", str(other), "pull", "-q", "--rebase")
    number = len(list(other.iterdir()))
    commit(home, other, f"theirs-{number}")
    git(home, "-C", str(other), "push", "-q")
    commit(home, project, f"ours-{number}")


def test_another_test_file_that_passes_is_no_cure(machine: Machine) -> None:
    for name, holds in (("a", "False"), ("b", "True")):
        (machine.claude.project / f"test_{name}.py").write_text(
            f"import unittest\n\nclass Press(unittest.TestCase):\n"
            f"    def test_{name}(self):\n        self.assertTrue({holds})\n"
        )
    failed, other = (f"python3 -m unittest test_{name}.py" for name in "ab")
    _, told = at_next_failure(machine, failed, other)
    assert "test_b" not in told
    assert f"`{failed}` must pass" in ended(machine)


@pytest.mark.parametrize("program", EVADED)
def test_what_evades_is_never_told(machine: Machine, program: str) -> None:
    failed, evading, error = EVADED[program]
    (machine.claude.home / "error.txt").write_text(error + "\n")
    script(
        machine.claude.home / "bin" / program,
        f'if [ "$*" = "{failed}" ]; then cat "$HOME/error.txt" >&2; exit 1; fi\necho done\n',
    )
    brief, told = at_next_failure(machine, f"{program} {failed}", f"{program} {evading}")
    assert evading not in told + brief
