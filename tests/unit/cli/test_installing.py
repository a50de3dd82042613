"""`hooks install` and `uninstall` at the command line; what they do to files is tested below it."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.untried import needs_mcp
from tests.unit.cli.conftest import Memory, Run, Terminal, statement


def settings(home: Path) -> Path:
    return home / ".claude" / "settings.json"


def test_an_install_registers_and_says_what_to_do_next(
    hooks: Run, home: Path, project: Path
) -> None:
    printed, again = hooks("install"), hooks("install", "--user")

    assert printed.rc == 0
    assert f"registered the hooks in `{settings(home)}`" in printed.lines
    assert "hooks doctor" in printed.err
    assert "SessionStart" in json.loads(settings(home).read_text())["hooks"]
    assert f"`{settings(home)}` has them already" in again.lines


@needs_mcp
def test_an_install_says_what_runs_without_a_question_and_an_option_leaves_it_out(
    hooks: Run, home: Path, project: Path
) -> None:
    would, printed = hooks("install", "--dry-run"), hooks("install")
    with_rules = json.loads(settings(home).read_text())
    without = hooks("install", "--no-permissions")

    assert "would allow without a question: `Bash(hooklore get:*)`" in would.out
    assert "allowed without a question: `Bash(hooklore get:*)`" in printed.out
    assert "`Bash(hooklore remember:*)`" in printed.out
    assert "`mcp__hooklore__wake_up` (`--no-permissions` leaves them out)" in printed.out
    assert len(with_rules["permissions"]["allow"]) == 8
    assert "permissions" not in json.loads(settings(home).read_text())
    assert "without a question" not in without.out


@pytest.mark.parametrize(
    ("scope", "name"), [("--project", "settings.json"), ("--local", "settings.local.json")]
)
def test_a_scope_chooses_the_file(
    hooks: Run, home: Path, project: Path, scope: str, name: str
) -> None:
    hooks("install", scope)

    assert (project / ".claude" / name).exists()
    assert not settings(home).exists()


@pytest.mark.parametrize("options", [(), ("--dry-run",), ("--user",)])
def test_an_uninstall_where_nothing_is_says_that_it_removed_nothing(
    hooks: Run, home: Path, options: tuple[str, ...]
) -> None:
    printed = hooks("uninstall", *options)

    assert printed.rc == 0
    assert "no settings file has the hooks" in printed.out
    assert "remove" not in printed.out


def test_a_dry_run_shows_the_change_and_makes_none(hooks: Run, home: Path, project: Path) -> None:
    printed = hooks("install", "--dry-run")

    assert "would register" in printed.out
    assert '+    "SessionStart": [' in printed.out
    assert not settings(home).exists()
    assert not (home / ".local").exists()


def test_the_plugin_gets_the_launcher_and_no_settings(
    hooks: Run, home: Path, project: Path
) -> None:
    hooks("install", "--plugin")

    assert (home / ".local/share/hooklore/client.py").exists()
    assert not settings(home).exists()


def test_settings_that_cannot_be_edited_are_an_error_with_line_and_hint(
    hooks: Run, home: Path, project: Path
) -> None:
    settings(home).parent.mkdir()
    settings(home).write_text('{\n  "a": 1, // mine\n}\n')

    printed = hooks("install")

    assert printed.rc == 1
    assert printed.err.startswith(f"error: could not edit `{settings(home)}`: line 2 ")
    assert not (home / ".local/share/hooklore/python").exists()


def test_an_uninstall_gives_the_file_back_and_leaves_memory(
    hooks: Run, home: Path, memory: Memory
) -> None:
    memory.append(statement("kept"))
    settings(home).parent.mkdir()
    settings(home).write_text('{"theme":   "dark"}')
    hooks("install")

    printed = hooks("uninstall")

    assert printed.rc == 0
    assert settings(home).read_text() == '{"theme":   "dark"}'
    assert f"memory stays in `{memory.broker.place.directory}`" in printed.lines
    assert memory.broker.place.log.exists()
    assert not (home / ".local/share/hooklore").exists()
    assert hooks("uninstall").lines[0] == "no settings file has the hooks"


@pytest.mark.parametrize(("typed", "rc"), [("delete\n", 0), ("y\n", 1), ("", 1)])
def test_a_purge_wants_the_word_typed(
    hooks: Run, home: Path, memory: Memory, monkeypatch: pytest.MonkeyPatch, typed: str, rc: int
) -> None:
    memory.append(statement("gone"))
    hooks("install")
    monkeypatch.setattr("sys.stdin", Terminal(typed))

    printed = hooks("uninstall", "--purge")

    assert printed.rc == rc
    assert memory.broker.place.directory.exists() is bool(rc)
    assert settings(home).exists() is bool(rc)


@pytest.mark.parametrize("words", [("--purge",), ("--purge", "--yes")])
def test_without_a_terminal_nobody_purges(
    hooks: Run,
    home: Path,
    memory: Memory,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
) -> None:
    memory.append(statement("kept"))
    hooks("install")
    monkeypatch.setattr("sys.stdin", io.StringIO("delete\n"))

    refused = hooks("uninstall", *words)

    assert refused.rc == 1
    assert "only a person decides it, and this was run by a program" in refused.err
    assert memory.broker.place.log.exists()
    assert settings(home).exists()


def test_a_person_who_said_yes_is_asked_no_more(hooks: Run, memory: Memory) -> None:
    memory.append(statement("gone"))
    hooks("install")

    assert hooks("uninstall", "--purge", "--yes").rc == 0
    assert not memory.broker.place.directory.exists()


def test_a_purge_leaves_what_is_not_ours(hooks: Run, home: Path, memory: Memory) -> None:
    memory.append(statement("gone"))
    memory.broker.index()
    hooks("pause")
    notes = memory.broker.place.directory / "my-notes.txt"
    notes.write_text("mine")

    printed = hooks("uninstall", "--purge", "--yes")

    assert list(memory.broker.place.directory.iterdir()) == [notes]
    assert f"left `{notes}`: it is not hooklore's" in printed.lines


def test_a_purge_is_refused_while_another_place_registers_the_hooks(
    hooks: Run, home: Path, memory: Memory
) -> None:
    memory.append(statement("kept"))
    hooks("install")
    hooks("install", "--project")

    printed = hooks("uninstall", "--user", "--purge", "--yes")

    assert printed.rc == 1
    assert "registered elsewhere" in printed.err
    assert memory.broker.place.log.exists()
    assert settings(home).exists()


def test_a_damaged_list_of_what_is_installed_forgets_no_project(
    hooks: Run, home: Path, memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = home / "elsewhere"
    (other / ".git").mkdir(parents=True)
    (other / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    memory.append(statement("kept"))
    hooks("install")
    with monkeypatch.context() as there:
        there.chdir(other)
        assert hooks("install", "--project").rc == 0
    manifest = home / ".local" / "share" / "hooklore" / "manifest.json"
    manifest.write_bytes(manifest.read_bytes()[:50])

    refused = hooks("uninstall", "--purge", "--yes")

    assert refused.rc == 1
    assert f"run `hooks uninstall` in `{other}` first" in refused.err
    assert memory.broker.place.log.exists()
    assert f"`{other}` may still register the hooks" in hooks("uninstall").err


def test_two_scopes_at_once_are_wrong_usage(hooks: Run) -> None:
    assert hooks("install", "--user", "--local").rc == 2


def test_hooks_are_taken_out_where_a_library_of_the_index_cannot_be_loaded(
    hooks: Run, home: Path, project: Path
) -> None:
    hooks("install")
    script = """
import sys
sys.modules.update(dict.fromkeys(("tantivy", "re2"), None))
from hooklore.cli.main import hooks_main
sys.exit(hooks_main(sys.argv[1:]))
"""
    for verb in ("install", "stop", "uninstall"):
        done = subprocess.run(
            [sys.executable, "-c", script, verb], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, (verb, done.stderr)

    assert not settings(home).exists()
