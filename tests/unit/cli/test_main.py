"""The boundary words every problem and gives it an exit status."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hooklore.cli import where
from hooklore.errors import StoreUnreadable
from tests.unit.cli.conftest import Memory, Run, statement

HOOKLORE = "import sys; from hooklore.cli.main import hooklore_main; sys.exit(hooklore_main())"


def raising(error: BaseException) -> Callable[[], None]:
    def fail() -> None:
        raise error

    return fail


def test_a_problem_is_one_error_line_and_one_hint_on_stderr(
    hooklore: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(where, "here", raising(StoreUnreadable("/store", "no rights")))

    printed = hooklore("where")

    assert printed.rc == 1
    assert printed.out == ""
    assert printed.err == "error: could not read `/store`: no rights\nhint: run `hooks doctor`\n"


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("nonsense",), "hint: run `hooklore --help`"),
        (("list", "--nonsense"), "hint: run `hooklore list --help`"),
        (("list", "--limit", "many"), "hint: run `hooklore list --help`"),
        (("list", "--kind", "rumour"), "hint: run `hooklore list --help`"),
        (("list", "--since", "yesteryear"), "hint: run `hooklore list --help`"),
        (("forget",), "hint: run `hooklore forget --help`"),
        (("show",), "hint: run `hooklore show --help`"),
    ],
)
def test_wrong_usage_is_status_2_and_names_the_help(
    hooklore: Run, words: tuple[str, ...], hint: str
) -> None:
    printed = hooklore(*words)

    error, named = printed.err.splitlines()
    assert printed.rc == 2
    assert printed.out == ""
    assert error.startswith("error: could not understand the command: ")
    assert named == hint


def test_a_bug_of_ours_is_status_3_and_a_report_that_can_be_pasted(
    hooklore: Run, monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    secret = "gh" + "p_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    monkeypatch.setattr(where, "here", raising(ZeroDivisionError(f"{home}/x with {secret}")))

    printed = hooklore("where")

    assert printed.rc == 3
    assert printed.err.startswith(
        "error: could not finish `hooklore where`: a bug in hooklore\nhint: "
    )
    assert "pydantic " in printed.err
    assert "ZeroDivisionError: [REDACTED_PRIVATE_FIELD] (" in printed.err
    assert secret not in printed.err


def test_an_interrupted_command_is_status_130(
    hooklore: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(where, "here", raising(KeyboardInterrupt()))

    assert hooklore("where").rc == 130


def test_an_unreadable_store_is_an_error_that_names_it(hooklore: Run, home: Path) -> None:
    log = home / ".config" / "ai" / "memory" / "events.jsonl"
    log.mkdir(parents=True)

    printed = hooklore("list")

    assert printed.rc == 1
    assert str(log.parent) in printed.err
    assert printed.err.count("hint: ") == 1


def test_a_reader_that_leaves_is_nobodys_problem(memory: Memory) -> None:
    memory.append(*(statement(f"number {n} of many", dedupe_key=f"k{n}") for n in range(2000)))
    command = [sys.executable, "-c", HOOKLORE, "list", "--limit", "2000"]

    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(os.environ)
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        err = process.stderr.read()

    assert process.returncode == 0
    assert err == b""


@pytest.mark.parametrize("command", ["where", "schema"])
def test_a_command_that_needs_no_index_does_not_load_it(command: str, home: Path) -> None:
    code = (
        "import sys; from hooklore.cli.main import hooklore_main; "
        f"rc = hooklore_main(['{command}']); sys.exit(rc or ('tantivy' in sys.modules) * 9)"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, env=dict(os.environ))

    assert done.returncode == 0, done.stderr


def test_hooklore_takes_the_verbs_of_hooks_too(hooklore: Run, hooks: Run, home: Path) -> None:
    one, other = hooklore("status"), hooks("status")

    assert one.rc == 0
    assert one.out == other.out
    assert hooks("list").rc == 2


def test_both_say_their_version(hooklore: Run, hooks: Run) -> None:
    assert hooklore("--version").out == hooks("--version").out
    assert hooklore("--version").out.startswith("hooklore ")


def test_a_terminal_without_the_letters_shows_their_numbers(memory: Memory) -> None:
    memory.append(statement("設定はここ"))

    done = subprocess.run(
        [sys.executable, "-c", HOOKLORE, "list"],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )

    assert done.returncode == 0
    assert b"\\u8a2d" in done.stdout


_LOADED = """
import sys
from hooklore.cli.main import hooklore_main
hooklore_main(["remember", "--help"])
loaded = {name for name in sys.modules if name.startswith("hooklore.cli.")}
sys.stderr.write(" ".join(sorted(loaded)))
"""


def test_a_command_loads_its_own_module_and_no_other_command() -> None:
    run = subprocess.run(
        [sys.executable, "-c", _LOADED], capture_output=True, text=True, check=True
    )

    loaded = run.stderr.split()
    assert "hooklore.cli.memory.remember" in loaded
    assert not {
        "hooklore.cli.eval_adapter",
        "hooklore.cli.forget",
        "hooklore.cli.memory.recall",
    } & {*loaded}
    assert "--when" in run.stdout
