"""`python -m tests.house.routes [--json]`: how many modules and functions one event passes through.

Five routes in one process: a `PostToolUse` payload to the log line, a failing command to the fix
shown, a prompt recalled, `hooklore remember`, and the brief after it. Only doors whose paths stay
are used: the runner for a hook, the command line for a command. Random ids wake one redaction rule
or another, so each figure is the median of `--runs` processes.
"""

import argparse
import contextlib
import io
import itertools
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median_low
from typing import Any, Final, NamedTuple

import hooklore
from hooklore import config
from hooklore.broker import Broker
from hooklore.cli.main import hooklore_main
from hooklore.hooks.delivery import Delivery
from hooklore.hooks.runner import Runner
from tests.house.calls import CallRecord

_PACKAGE: Final = Path(hooklore.__file__).parent
_OURS: Final = ("HOOKLORE_", "CLAUDE", "AI_MEMORY_PATH")
_LOCATE: Final = ("store_location_at", "place_at")
"""Names of one function, the newest first: the same program measures trees before and after."""

_LOG: Final = "PostToolUse to the log line"
_FIX: Final = "a failing command to the fix shown"
_RECALL: Final = "a prompt recalled"
_REMEMBER: Final = "hooklore remember"
_BRIEF: Final = "the brief after it"
_ROUTES: Final = (_LOG, _FIX, _RECALL, _REMEMBER, _BRIEF)

_TEST: Final = "pytest tests/test_press.py"
_REPAIR: Final = "pip install pyyaml"
_ERROR: Final = "Exit code 1\nE   ModuleNotFoundError: No module named yaml"
_WARMING: Final = "Where do the drawings of the lathe lie?"
_RULE: Final = "Press 7 is oiled with linseed oil on Mondays, by the apprentice."
_PROMPT: Final = (
    "The press stands still again. When is press 7 oiled with linseed oil, and by whom?"
)
_KEY: Final = "decision:deployment"
_DECISION: Final = "We deploy the shop with blue green deployments, never in place."


class RouteLostError(Exception):
    """A route did not end where it should: the text that it must bring is missing."""

    def __init__(self, route: str, expected: str, got: str) -> None:
        super().__init__(f"{route}: {expected!r} is not in {got!r}")


class Route(NamedTuple):
    """The figures of one route."""

    modules: int
    functions: int
    re_entries: int
    upward_calls: int


class Session:
    """An agent that works in a project and calls hooks in process."""

    def __init__(self, store: Path, project: Path, home: Path) -> None:
        at = _location(store)
        self._log: Path = at.log
        self._broker = Broker(at)
        self._runner = Runner(self._broker, str(home), time.time_ns)
        self._project = project
        self._numbers = itertools.count(1)
        self.name = "first"

    def hook(self, event: str, **payload: object) -> str:
        """Return what one hook call prints."""
        number = next(self._numbers)
        full = {"session_id": self.name, "cwd": str(self._project), "hook_event_name": event}
        raw = json.dumps(full | payload).encode()
        answer = self._runner.run(Delivery("claude", event, f"delivery-{number}", raw))
        return answer.stdout.decode()

    def starts(self, name: str) -> str:
        """Begin the session `name` and return its brief."""
        self.name = name
        return self.hook("SessionStart", source="startup")

    def passes(self, command: str) -> str:
        """Run a command that succeeds."""
        return self._tool("PostToolUse", command, tool_response=_response())

    def passes_to_log(self, command: str) -> str:
        """Run a command that succeeds and return the last line of the log."""
        self.passes(command)
        return self._log.read_text("utf-8").splitlines()[-1]

    def fails(self, command: str) -> str:
        """Run a command that fails and return what is shown for it."""
        return self._tool("PostToolUseFailure", command, error=_ERROR, is_interrupt=False)

    def asks(self, prompt: str) -> str:
        """Send a prompt of the user and return what is recalled for it."""
        return self.hook("UserPromptSubmit", prompt=prompt)

    def close(self) -> None:
        """Close the store's files."""
        self._broker.close()

    def _tool(self, event: str, command: str, **more: object) -> str:
        identity = f"tool-{next(self._numbers)}"
        given = {"command": command}
        return self.hook(event, tool_name="Bash", tool_input=given, tool_use_id=identity, **more)


def main(arguments: Sequence[str]) -> int:
    """Print the figures of the five routes. Return 0."""
    parser = argparse.ArgumentParser(prog="python -m tests.house.routes")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--runs", type=int, default=5, help="how many processes; 1 for this one")
    options = parser.parse_args(arguments)
    found = routes() if options.runs == 1 else median_routes(options.runs)
    text = json.dumps({name: route._asdict() for name, route in found.items()}, indent=1)
    sys.stdout.write((text if options.json else table(found)) + "\n")
    return 0


def median_routes(runs: int) -> dict[str, Route]:
    """Take the routes in `runs` processes and return the median of each figure."""
    each = [_in_a_process() for _ in range(runs)]
    return {
        name: Route(
            *(median_low(figures) for figures in zip(*(run[name] for run in each), strict=True))
        )
        for name in _ROUTES
    }


def routes() -> dict[str, Route]:
    """Take the five routes in this process and return their figures. Raise RouteLostError.

    The command comes first: it runs in a cold process, hooks in one that has been warmed up.
    """
    with tempfile.TemporaryDirectory() as folder, _at_home(Path(folder)) as home:
        found = dict([*_memory_routes(home), *_tool_routes(home), *_prompt_route(home)])
    return {name: found[name] for name in _ROUTES}


def table(found: Mapping[str, Route]) -> str:
    """Return the figures as one line for each route."""
    width = max(map(len, found))
    head = f"{'':<{width}}  modules / functions / re-entries   upward calls"
    rows = [
        f"{name:<{width}}  {route.modules:>7} / {route.functions:>9} / {route.re_entries:>10}"
        f"   {route.upward_calls:>12}"
        for name, route in found.items()
    ]
    return "\n".join((head, *rows))


def _location(store: Path) -> Any:
    """Return where a store lies, by the name that this tree's `config` has for the function."""
    names = [name for name in _LOCATE if hasattr(config, name)]
    return getattr(config, names[0])(store)


def _in_a_process() -> dict[str, Route]:
    """Take the routes in a process of their own, where sets have the same order each time."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.house.routes", "--json", "--runs", "1"],
        check=True, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONHASHSEED": "0"},
    )  # fmt: skip
    return {name: Route(**figures) for name, figures in json.loads(done.stdout).items()}


def _warm_up(home: Path) -> None:
    """Bring the process where a resident is that has run for a while: imports, compiled rules."""
    with _store(home, "warm") as session:
        session.starts("first")
        session.passes("make clean")
        session.fails(_TEST)
        session.asks(_WARMING)


def _memory_routes(home: Path) -> Iterator[tuple[str, Route]]:
    """Take `hooklore remember` in a cold process, as a command is, then the brief in a warm one."""
    keep = ("--kind", "decision", "--key", _KEY)
    with _store(home, "memory") as session:
        yield _REMEMBER, _measured(_REMEMBER, _KEY, lambda: _remembered(_DECISION, *keep))
        _warm_up(home)
        yield _BRIEF, _measured(_BRIEF, "blue green", lambda: session.starts("first"))


def _tool_routes(home: Path) -> Iterator[tuple[str, Route]]:
    """Take the two routes of a tool: a command that passes, and a test whose repair is known."""
    with _store(home, "tools") as session:
        session.starts("first")
        session.passes("make docs")
        yield _LOG, _measured(_LOG, "make build", lambda: session.passes_to_log("make build"))
        session.fails(_TEST)
        session.passes(_REPAIR)
        session.passes(_TEST)
        session.starts("second")
        yield _FIX, _measured(_FIX, _REPAIR, lambda: session.fails(_TEST))


def _prompt_route(home: Path) -> Iterator[tuple[str, Route]]:
    """Take the route of a prompt that bears on one memory."""
    with _store(home, "prompts") as session:
        session.starts("first")
        _remembered(_RULE, "--kind", "constraint")
        yield _RECALL, _measured(_RECALL, "linseed", lambda: session.asks(_PROMPT))


def _measured(route: str, expected: str, taken: Callable[[], str]) -> Route:
    """Record the calls of a route and check that its result holds the `expected` text."""
    record = CallRecord(_PACKAGE)
    with record.recording():
        result = taken()
    if expected not in result:
        raise RouteLostError(route, expected, result)
    return Route(
        len(record.modules()),
        len(record.functions()),
        record.re_entries(),
        record.upward_calls(),
    )


@contextlib.contextmanager
def _at_a_terminal() -> Iterator[None]:
    """Make stdin and stderr a terminal, at which commands run for a person."""
    mine, its = os.openpty()
    given = sys.stdin, sys.stderr
    sys.stdin, sys.stderr = os.fdopen(os.dup(its)), os.fdopen(its, "w")
    try:
        yield
    finally:
        for stream in (sys.stdin, sys.stderr):
            stream.close()
        sys.stdin, sys.stderr = given
        os.close(mine)


def _remembered(text: str, *options: str) -> str:
    """Run `hooklore remember` and return what it prints."""
    with contextlib.redirect_stdout(io.StringIO()) as out, _at_a_terminal():
        hooklore_main(["remember", text, *options])
    return out.getvalue()


def _response() -> dict[str, object]:
    return {"stdout": "ok", "stderr": "", "interrupted": False}


@contextlib.contextmanager
def _store(home: Path, name: str) -> Iterator[Session]:
    """Open a store of its own, for the session and for the command line."""
    os.environ["HOOKLORE_HOME"] = str(home / name)
    session = Session(home / name, Path.cwd(), home)
    try:
        yield session
    finally:
        session.close()


@contextlib.contextmanager
def _at_home(folder: Path) -> Iterator[Path]:
    """Make `folder` the home, and work in a project below it."""
    kept, was = dict(os.environ), Path.cwd()
    subprocess.run(["git", "init", "-q", "-b", "main", str(folder / "mill")], check=True)
    for name in [each for each in kept if each.startswith(_OURS)]:
        del os.environ[name]
    os.environ["HOME"] = str(folder)
    os.chdir(folder / "mill")
    try:
        yield folder
    finally:
        os.chdir(was)
        os.environ.clear()
        os.environ |= kept


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
