"""Run the command line: one program with two names, and one boundary that words every problem.

`hooks` is the suite's command, `hooklore` the memory's. `hooklore` takes the verbs of `hooks` too.
Exit status: 0 fine, 1 an expected problem, 2 usage, 3 a bug of ours, 130 ^C. Stdout is data only.
"""

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from typing import Annotated, Any

import typer

from hooklore import __version__
from hooklore.cli.speaking import begin_command
from hooklore.errors import ArgumentInvalid, HookloreError
from hooklore.requests import verb_table

_Build = Callable[[str], typer.Typer]
"""Make an application whose commands are those that the first word of a command line may mean."""

_HOOKS: dict[str, str] = {
    "install": "installing:install",
    "uninstall": "installing:uninstall",
    "doctor": "doctor:doctor",
    "status": "status:status",
    "pause": "pausing:pause",
    "resume": "pausing:resume",
    "stop": "installing:stop",
    "run": "running:run",
    "demo": "demo:demo",
}
_MEMORY: dict[str, str] = {
    "list": "listing:list_",
    "search": "listing:search",
    "show": "listing:show",
    "last": "listing:last",
    "remember": "memory.remember:remember",
    "get": "memory.get:get",
    "find": "memory.inventory:find",
    "tags": "memory.inventory:tags",
    "stats": "memory.inventory:stats",
    "agents": "memory.inventory:agents",
    "pending": "memory.queue:pending",
    "approve": "memory.queue:approve",
    "reject": "memory.queue:reject",
    "conflicts": "memory.conflicts:conflicts",
    "resolve": "memory.conflicts:resolve",
    "pin": "memory.pins:pin",
    "unpin": "memory.pins:unpin",
    "snapshot": "memory.runs:snapshot",
    "promote": "memory.pins:promote",
    "why": "memory.recall:why",
    "recall": "memory.recall:recall",
    "explain-query": "memory.explain_query:explain_query",
    "profile": "memory.runs:profile",
    "run": "memory.runs:run",
    "archive": "memory.archive:archive",
    "restore": "memory.archive:restore",
    "delete": "forget:delete",
    "cleanup": "memory.cleanup:cleanup",
    "consolidate": "memory.cleanup:consolidate",
    "janitor": "memory.cleanup:janitor",
    "forget": "forget:forget",
    "scrub": "scrub:scrub",
    "redact": "redacting:redact",
    "where": "where:where",
    "rebuild": "rebuild:rebuild",
    "schema": "where:schema",
    "protocol": "protocol.page:protocol",
    "eval-adapter": "eval_adapter:eval_adapter",
    "import": "importing:import_",
    "mcp": "mcp:mcp",
}
_GROUPS = ("project", "token", "gateway")
"""Verbs of `hooklore` with verbs of their own, each the `app` of its module."""

_ALIASES_BELOW_MEMORY = (
    "cleanup", "consolidate", "janitor", "archive", "restore", "pending", "approve", "reject",
)  # fmt: skip
"""Verbs of `_MEMORY` that `hooklore memory` takes too, where the slash command `/memory` finds them."""


def _print_version(is_requested: bool) -> None:
    if is_requested:
        sys.stdout.write(f"hooklore {__version__}\n")
        raise typer.Exit


def _start(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="say which it is"),
    ] = False,
) -> None:
    del version


def _application(help_text: str, epilog: str) -> typer.Typer:
    app = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)
    app.callback(help=help_text, epilog=epilog)(_start)
    return app


def hooks_application(word: str = "") -> typer.Typer:
    """Return the application behind `hooks`: the suite's verbs, or the one that `word` is.

    One command loads one module: all of them cost four times as long as a short command takes.
    """
    app = _application(
        "The hook suite of hooklore: register it, watch it, pause it.",
        "Memory itself is read with `hooklore`.",
    )
    for name in [word] if word in _HOOKS else _HOOKS:
        app.command(name)(_load(_HOOKS[name]))
    return app


def hooklore_application(word: str = "") -> typer.Typer:
    """Return the application behind `hooklore`: the memory's verbs, and those of `hooks` hidden.

    A name that both have is the memory's here: `hooklore run` lists a run, `hooks run` hands in an event.
    With a `word` that is one of the names it has no other.
    """
    others = [name for name in _HOOKS if name not in _MEMORY]
    verbs = {n.replace("_", "-"): n for n in verb_table.COMMANDS if n not in _MEMORY}
    names = [*_MEMORY, *verbs, *_GROUPS, "memory", *others]
    app = _application(
        "One memory shared by your coding agents: read it, search it, forget.",
        f"The verbs of `hooks` work here too: {', '.join(others)}.",
    )
    for name in [word] if word in names else names:
        if name in _GROUPS:
            app.add_typer(_load(f"{name}:app"), name=name)
        elif name == "memory":
            aliases = {each: _load(_MEMORY[each]) for each in _ALIASES_BELOW_MEMORY}
            app.add_typer(_load("memory.slash:application")(aliases), name=name)
        elif name in verbs:
            app.command(name)(_load("verb_command:command_of")(verbs[name]))
        else:
            command = _load(_MEMORY.get(name) or _HOOKS[name])
            app.command(name, hidden=name in others)(command)
    return app


def _load(place: str) -> Any:
    module, _, name = place.partition(":")
    return getattr(import_module(f"hooklore.cli.{module}"), name)


def hooks_main(arguments: Sequence[str] | None = None) -> int:
    """Run `hooks` with `arguments`, by default those of the process, and return the exit status."""
    return _run(hooks_application, "hooks", arguments)


def hooklore_main(arguments: Sequence[str] | None = None) -> int:
    """Run `hooklore` with `arguments`, by default those of the process, and return the exit status."""
    return _run(hooklore_application, "hooklore", arguments)


def _run(build: _Build, name: str, arguments: Sequence[str] | None) -> int:
    """Run a command, and print every problem here, once, as an error and a hint."""
    given = begin_command(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    for stream in (sys.stdout, sys.stderr):  # a character that the terminal lacks, by its number
        with suppress(AttributeError, ValueError):
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        command = typer.main.get_command(build(given[0]))
        result = command.main(given, prog_name=name, standalone_mode=False)
        sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except ArgumentInvalid as error:
        option = f" for --{error.name}" if error.name else ""
        return _usage(f"invalid value{option}: {error.cause}", f"{name} {given[0]}")
    except HookloreError as error:
        return _problem(str(error), error.fix)
    except (KeyboardInterrupt, typer.Abort):
        sys.stderr.write("\n")
        return 130
    except BrokenPipeError:
        return _reader_left()
    except SystemExit as end:
        # Typer ends the process itself when the reader of its output has left.
        return _reader_left() if isinstance(end.__context__, BrokenPipeError) else 1
    except OSError as error:
        where = f"`{error.filename}`" if error.filename else "the disk"
        return _problem(f"could not use {where}: {error.strerror}", "run `hooks doctor`")
    except Exception as error:
        return _wrong_usage_or_bug(error, name, given)


def _wrong_usage_or_bug(error: Any, name: str, given: list[str]) -> int:
    """Print what click (typer's copy, or click's own) says of a wrong command line, else the report of a bug."""
    if any(base.__name__ == "ClickException" for base in type(error).__mro__):
        is_verb = not given[0].startswith("-") and error.ctx and error.ctx.parent
        return _usage(error.format_message(), f"{name} {given[0]}" if is_verb else name)
    sys.stderr.write(_load("bug:report")(f"{name} {given[0]}", error))
    return 3


def _problem(message: str, fix: str, status: int = 1) -> int:
    from hooklore.cli.output import one_line, say

    say(f"error: {one_line(message)}")
    say(f"hint: {one_line(fix)}")
    return status


def _usage(problem: str, command: str) -> int:
    from hooklore.cli.output import one_line

    text = one_line(problem).rstrip(".")
    cause = f"{text[:1].lower()}{text[1:]}"
    return _problem(f"could not understand the command: {cause}", f"run `{command} --help`", 2)


def _reader_left() -> int:
    """Return success once the reader of stdout has left, and keep Python silent about that at its end."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0
