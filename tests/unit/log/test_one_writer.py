import ast
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import hooklore
from hooklore.cli.main import hooklore_main, hooks_main
from hooklore.config import store_location_at

SOURCES = Path(hooklore.__file__).parent
THE_LOG = {"log/writer.py", "log/files.py"}
"""What opens the log, when the broker asks for it."""

_WRITES = set("wax+")
_ARGUMENT = {"open": 1, "fdopen": 1}


def importers(name: str) -> set[str]:
    """Return the modules of the package that import `name`."""
    found = set()
    for path in SOURCES.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and name in {each.name for each in node.names}:
                found.add(str(path.relative_to(SOURCES)))
    return found


def writing_modes(tree: ast.AST) -> list[str]:
    """Return the modes with which a module opens files through `open`, to append or to write."""
    found = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        called = (
            node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        )
        if called not in ("open", "fdopen"):
            continue
        given = [*node.args[:2], *(each.value for each in node.keywords if each.arg == "mode")]
        modes = [each.value for each in given if isinstance(each, ast.Constant)]
        found += [m for m in modes if isinstance(m, str) and len(m) < 4 and set(m) & _WRITES]
    return found


@pytest.mark.req("AC-12")
def test_only_the_broker_opens_the_log_for_append() -> None:
    assert importers("LogWriter") == {"broker/broker.py"}


@pytest.mark.req("AC-12")
def test_no_other_module_opens_a_file_for_append_except_our_own_logs() -> None:
    sources = {
        str(path.relative_to(SOURCES)): path.read_text("utf-8") for path in SOURCES.rglob("*.py")
    }

    flagged = {name for name, text in sources.items() if "O_APPEND" in text}
    opened = {
        name: modes for name, text in sources.items() if (modes := writing_modes(ast.parse(text)))
    }

    assert flagged == {"log/writer.py", "maintenance/audit.py", "hooks/journal.py"}
    assert opened == {
        "cli/install/files.py": ["wb"],
        "gateway/presence.py": ["wb"],  # the mark of a running gateway, beside the socket
        "requests/private_file.py": ["wb"],  # the tokens' file, outside of the store
        "memories/decisions/confirmation.py": ["w"],
        "agents/codex/registering.py": ["a"],  # the transcript of a rehearsal's own session
    }


class Watch:
    """Notes who opens a store's log to write it: for each time the files of our code on the way there."""

    def __init__(self) -> None:
        self.log: str | None = None
        self.ways: list[list[str]] = []

    def __call__(self, event: str, arguments: tuple[object, ...]) -> None:
        if self.log is None:
            return
        if event == "open":
            path, _, flags = arguments
            is_written = isinstance(flags, int) and flags & os.O_ACCMODE != os.O_RDONLY
            if is_written and isinstance(path, (str, bytes)) and os.fsdecode(path) == self.log:
                self.ways.append(_way_here())


def _way_here() -> list[str]:
    frame, found = sys._getframe(2), []
    while frame is not None:
        path = Path(frame.f_code.co_filename)
        if path.is_relative_to(SOURCES):
            found.append(str(path.relative_to(SOURCES)))
        frame = frame.f_back  # type: ignore[assignment]
    return found


_watch = Watch()
sys.addaudithook(_watch)  # stays for good, so that it looks only while it is told a log


@pytest.fixture
def watch(home: Path) -> Iterator[Watch]:
    place = store_location_at(home / ".config" / "ai" / "memory")
    _watch.log, _watch.ways = str(place.log), []
    yield _watch
    _watch.log = None


@pytest.mark.req("AC-12")
def test_every_opening_of_the_log_to_write_it_is_the_brokers(
    home: Path, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Commands that write, of the person and of agents, and those that read or rebuild."""
    monkeypatch.chdir(home)
    key = ("--key", "config:db", "--scope", "global")
    for main, *words in (
        (hooklore_main, "remember", "We use sqlite", *key),
        (hooklore_main, "remember", "We use postgres", *key, "--agent", "codex", "--basis", "tool"),
        (hooklore_main, "pending"),
        (hooklore_main, "list"),
        (hooklore_main, "search", "sqlite"),
        (hooklore_main, "recall", "sqlite"),
        (hooklore_main, "snapshot"),
        (hooklore_main, "janitor"),
        (hooklore_main, "consolidate"),
        (hooklore_main, "rebuild"),
        (hooks_main, "status"),
        (hooks_main, "doctor"),
    ):
        main(tuple(words))

    assert len(watch.ways) >= 2
    for way in watch.ways:
        assert set(way[:2]) <= THE_LOG
        assert next(each for each in way if each not in THE_LOG) == "broker/broker.py"
