"""Every verb and every option of the command line has help."""

from collections.abc import Iterator
from typing import Any

import pytest
import typer

from hooklore.cli.main import hooklore_application, hooklore_main, hooks_application, hooks_main

HOOKS = ("install", "uninstall", "doctor", "status", "pause", "resume", "stop", "run", "demo")
MEMORY = (
    "list", "search", "show", "last", "forget", "scrub", "redact", "where", "rebuild", "schema", "protocol",
    "import", "project", "eval-adapter", "remember", "get", "find", "tags", "pending", "approve",
    "reject", "conflicts", "resolve", "pin", "unpin", "snapshot",
    "promote", "why", "recall", "explain-query", "profile",
    "archive", "restore", "delete", "cleanup", "consolidate", "janitor", "memory", "agents", "stats",
    "mcp", "gateway", "token",
)  # fmt: skip


def commands() -> Iterator[tuple[str, Any]]:
    for app in (hooks_application(), hooklore_application()):
        yield from walk(app.info.help or "", typer.main.get_command(app))


def walk(name: str, command: Any) -> Iterator[tuple[str, Any]]:
    for verb, inner in getattr(command, "commands", {}).items():
        yield f"{name} {verb}", inner
        yield from walk(f"{name} {verb}", inner)


def verbs(app: typer.Typer) -> list[str]:
    command: Any = typer.main.get_command(app)
    return list(command.commands)


def test_each_name_has_its_verbs() -> None:
    assert verbs(hooks_application()) == list(HOOKS)
    assert set(verbs(hooklore_application())) == {*HOOKS, *MEMORY}


@pytest.mark.parametrize(("name", "command"), list(commands()))
def test_every_verb_has_help_and_every_option_says_what_it_does(name: str, command: Any) -> None:
    silent = [p.name for p in command.params if not getattr(p, "help", None)]

    assert command.help
    assert not [p for p in silent if p != "help"], name


@pytest.mark.parametrize("main", [hooks_main, hooklore_main])
def test_without_a_verb_the_help_is_shown(main: Any, capsys: pytest.CaptureFixture[str]) -> None:
    rc = main([])

    printed = capsys.readouterr()
    assert (rc, printed.err) == (0, "")
    assert "Commands:" in printed.out
    assert "\x1b" not in printed.out
