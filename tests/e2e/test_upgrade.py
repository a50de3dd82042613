"""Read a store of an older version, and run the launcher of that version, with the code under test."""

import itertools
import json
import re
import shutil
import sys
import threading
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import hooklore
from hooklore.config import store_location_at
from hooklore.errors import IndexUnusable
from hooklore.index import generation
from hooklore.index.catalog import Catalog
from hooklore.records.ids import short_id
from tests.conftest import wait_until
from tests.e2e.older_store import (
    FIXTURE,
    Machine,
    Session,
    ask_commands,
    ask_hooks,
    context,
    records,
)

pytestmark = pytest.mark.timeout(300)

_ID = re.compile(r"\[([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) · ")
_CONFLICT = re.compile(
    r"Two memories about `[^`]+` contradict each other\. A: (?P<older>“.+”.+)\. B \(newer, in force\): "
    r"(?P<newer>“.+”.+)\. Ask the user, then `hooklore resolve (?P<id>[0-9a-f-]+) --keep A\|B\|both`"
)
_NOT_IN_A_BRIEF = (" · fix · ", " · session_end · ")
"""A brief tells a fix by an edit when the failure comes back, and of an end what it left open: here nothing."""


def _recorded() -> dict[str, Any]:
    """Return the answers of the older version. A note names its record by the short id, today."""
    text = (FIXTURE / "answers.json").read_text("utf-8")
    found: dict[str, Any] = json.loads(_ID.sub(lambda id_: f"[{short_id(id_[1])} · ", text))
    return found


def _brief(recorded: list[str]) -> list[str]:
    """Return the notes of an older brief that one of today has, which does not say what kind each is."""
    told = [note for note in recorded if not any(kind in note for kind in _NOT_IN_A_BRIEF)]
    told = [_CONFLICT.sub(_ask_today, note) for note in told]
    return [re.sub(r"(\[\w{8}) · \w+ · ", r"\1 · ", note) for note in told]


def _ask_today(found: re.Match[str]) -> str:
    return (
        f"Two memories contradict each other: {found['older']}. Newer: {found['newer']}. Ask the user "
        f"which holds, then `hooklore resolve {short_id(found['id'])} --keep newer|older|both`"
    )


def _as_read(recorded: list[Any]) -> list[Any]:
    """Return an older list of records in the order of today: memories, what happened, prompts and starts.

    The record of a conflict is found by no words any more: its two sides are, and are marked.
    """
    return sorted(recorded, key=lambda each: _place(_LOGGED[_id_of(each)]))


def _place(record: dict[str, Any]) -> int:
    return 2 if record["kind"] in ("prompt", "session_start") else int(record["stream"] != "memory")


def _id_of(listed: Any) -> str:
    return str(listed["record"] if isinstance(listed, dict) else listed)


def _found_today(listed: Any) -> bool:
    """Return whether words find a record today: not that of a conflict, whose two sides are found and marked."""
    return bool(_LOGGED[_id_of(listed)]["kind"] != "conflict_resolution")


_LOGGED = {
    each["id"]: each
    for each in map(json.loads, (FIXTURE / "memory" / "events.jsonl").read_bytes().splitlines())
}
ANSWERS = _recorded()
COMMAND_ANSWERS = ANSWERS["commands"] | {
    "every record": _as_read(ANSWERS["commands"]["every record"]),
    "a search": _as_read(list(filter(_found_today, ANSWERS["commands"]["a search"]))),
}
HOOK_ANSWERS = ANSWERS["hooks"] | {
    "a session starts": sorted(_brief(ANSWERS["hooks"]["a session starts"])),
}


@pytest.fixture
def machine(home: Path) -> Machine:
    """Return a home with the project and the store of the older version, and the commands of today."""
    found = Machine(home, Path(sys.executable).parent)
    found.make_project()
    found.restore_store()
    # The store comes from another home, where the project lay in another folder.
    found.run_at_terminal("hooklore", "project", "trust", typed=b"y\n")
    return found


def answers_of_commands(machine: Machine) -> dict[str, Any]:
    """Return the answers without the two newest control records: a decision, and the trust in the folder."""
    found = ask_commands(machine)
    return _without_figures(found) | {
        "the pins and tombstones": found["the pins and tombstones"][2:]
    }


def _without_figures(answers: dict[str, Any]) -> dict[str, Any]:
    """Return answers in which `why` tells what it compared and what is shown, not how sure its bar is.

    What a search finds has no score: the score depends on all that words find.
    """
    told = {
        name: list(map(_compared, each)) for name, each in answers.items() if name[:4] == "why "
    }
    found = [{**each, "score": None} for each in answers["a search"]]
    return answers | told | {"a search": found}


def _compared(why: dict[str, Any]) -> dict[str, Any]:
    ids = [(each["id"], each["shown"]) for each in why["candidates"]]
    return {"query": why["query"], "compared": sorted(ids)}


def answers_of_hooks(machine: Machine) -> dict[str, Any]:
    """Return the answers of the hooks. The order of a brief is today's.

    The resident makes an index of an older form anew. Until then every word is a rare one.
    """
    found = ask_hooks(
        machine, lambda: wait_until(lambda: _is_indexed(machine), "an index of today")
    )
    return found | {"a session starts": sorted(found["a session starts"])}


def _is_indexed(machine: Machine) -> bool:
    folder = generation.current_generation(store_location_at(machine.store))
    try:
        return folder is not None and Catalog(folder / "catalog.sqlite").watermark().pos > 0
    except IndexUnusable:
        return False


# ---- the store


def test_a_store_of_an_older_version_answers_commands_as_that_version_did(machine: Machine) -> None:
    assert answers_of_commands(machine) == _without_figures(COMMAND_ANSWERS)


def test_a_store_of_an_older_version_answers_commands_the_same_after_a_rebuild(
    machine: Machine,
) -> None:
    machine.run("hooklore", "rebuild")

    assert answers_of_commands(machine) == _without_figures(COMMAND_ANSWERS)


@pytest.mark.parametrize("first", ["read", "rebuild"])
def test_a_store_of_an_older_version_is_recalled_by_the_hooks_of_today(
    machine: Machine, first: str
) -> None:
    if first == "rebuild":
        machine.run("hooklore", "rebuild")
    machine.run("hooks", "install", "--user")

    assert answers_of_hooks(machine) == HOOK_ANSWERS


def test_no_line_of_an_older_log_changes_when_the_store_is_used(machine: Machine) -> None:
    log = machine.store / "events.jsonl"
    before = log.read_bytes()
    machine.run("hooks", "install", "--user")

    ask_hooks(machine)
    machine.run("hooklore", "remember", "A new memory.", "--key", "config:db_engine")
    machine.run("hooklore", "rebuild")

    assert log.read_bytes().startswith(before)
    assert len(log.read_bytes()) > len(before)


# ---- the launcher


def test_the_launcher_of_an_older_version_stores_and_recalls_without_a_new_install(
    machine: Machine,
) -> None:
    machine.restore_launcher(Path(sys.executable))

    assert answers_of_hooks(machine) == HOOK_ANSWERS
    assert _prompts(machine)[-2:] == [
        "Which database are the widgets stored in?",
        "在庫の締め日はいつですか",
    ]


def test_a_first_session_through_the_launcher_of_an_older_version_is_told_in_the_next(
    home: Path,
) -> None:
    machine = Machine(home, Path(sys.executable).parent)
    machine.make_project()
    machine.restore_launcher(Path(sys.executable))
    first, second = Session(machine, "first"), Session(machine, "second")

    machine.hook(first.start())
    machine.hook(first.prompt("Count the cogs in the crate."))
    machine.hook(first.answer("Counted.\n\nNext steps:\n- Weigh the 4711 cogs in the crate.\n"))
    machine.hook(first.end())

    assert "4711 cogs" in context(machine.hook(second.start()))


def test_the_launcher_of_an_older_version_stores_an_event_where_no_resident_comes_up(
    machine: Machine,
) -> None:
    machine.restore_launcher(Path(sys.executable))
    socket = machine.socket
    socket.parent.mkdir(0o700, exist_ok=True)
    socket.mkdir()  # no resident can bind a socket here
    try:
        machine.hook(Session(machine, "alone").prompt("A prompt without a resident."))

        wait_until(lambda: _prompts(machine)[-1] == "A prompt without a resident.", "the prompt")
        assert not machine.residents()
    finally:
        socket.rmdir()


# ---- the package, replaced under a live session


@pytest.fixture
def environment(tmp_path: Path) -> "Environment":
    """Return an environment with a copy of the package and with the dependencies of this one."""
    return Environment(tmp_path / "environment").make()


class Environment:
    """An environment of its own, in which the package can be replaced as an upgrade does."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def python(self) -> Path:
        """Return the interpreter that the launcher links to."""
        return self.folder / "bin" / "python"

    @property
    def packages(self) -> Path:
        """Return the folder of the packages."""
        (found,) = self.folder.glob("lib/python3*/site-packages")
        return found

    def make(self) -> "Environment":
        """Make the environment, with version 0.1.0 of the package."""
        venv.create(self.folder, symlinks=True)
        others = [path for path in sys.path if path.endswith("-packages")]
        (self.packages / "others.pth").write_text("".join(f"{path}\n" for path in others))
        self._put("0.1.0")
        return self

    def upgrade(self) -> None:
        """Replace the package as pip does: move the old files aside, then lay out the new ones."""
        (old,) = self.packages.glob("hooklore-*.dist-info")
        for path in (self.packages / "hooklore", old):
            path.rename(path.with_name(f"~{path.name}"))
        self._put("0.2.0")

    def touch(self) -> None:
        """Write the metadata anew, as an install of the same version over itself does."""
        (found,) = self.packages.glob("hooklore-*.dist-info/METADATA")
        text = found.read_text()
        found.unlink()
        found.write_text(text)

    def touch_while_a_resident_starts(self) -> None:
        """Write the metadata anew in the middle of the imports of every resident."""
        run = self.packages / "hooklore" / "resident" / "run.py"
        text = run.read_text()
        (found,) = self.packages.glob("hooklore-*.dist-info/METADATA")
        run.write_text(f"{text}\nopen({str(found)!r}, 'a').write(' ')\n")

    def _put(self, version: str) -> None:
        source = Path(hooklore.__file__).parent
        left_out = shutil.ignore_patterns("__pycache__")
        shutil.copytree(source, self.packages / "hooklore", ignore=left_out, dirs_exist_ok=True)
        package = self.packages / "hooklore" / "__init__.py"
        package.write_text(package.read_text().replace(hooklore.__version__, version))
        information = self.packages / f"hooklore-{version}.dist-info"
        information.mkdir()
        (information / "METADATA").write_text(f"Name: hooklore\nVersion: {version}\n")


@pytest.mark.parametrize("change", ["upgrade", "touch"])
def test_a_live_session_goes_on_while_its_resident_is_replaced_by_another_version(
    machine: Machine, environment: Environment, change: str
) -> None:
    machine.restore_launcher(environment.python)
    session = _session_told_in_time(machine)
    wait_until(lambda: len(machine.residents()) == 1, "one resident alone")
    (old,) = machine.residents()

    with _prompting(machine, session) as sent:
        getattr(environment, change)()
        wait_until(lambda: {*machine.residents()} - {old}, "another resident")
        wait_until(lambda: old not in machine.residents(), "the end of the old resident")

    wait_until(lambda: set(sent) <= set(_prompts(machine)), "every prompt")
    # One that began while the files were copied leaves, too, and where no prompt came after it there is none.
    wait_until(lambda: len(machine.residents()) <= 1, "one resident alone")
    question = "Which database are the widgets stored in?"
    again = context(machine.hook(session.prompt(question)))
    assert "PostgreSQL 16" not in again  # the old resident told it at the start of the session
    others = (Session(machine, f"other {number}") for number in itertools.count())
    wait_until(
        lambda: "PostgreSQL 16" in context(machine.hook(next(others).prompt(question))),
        "an answer in time",
    )
    wait_until(lambda: len(machine.residents()) == 1, "one resident alone")
    assert {_prompts(machine).count(text) for text in sent} == {1}


def _session_told_in_time(machine: Machine) -> Session:
    """Return a session whose start a resident has answered: on a busy machine the first ones may be too early."""
    sessions = (Session(machine, f"live {number}") for number in range(60))
    return next(each for each in sessions if "PostgreSQL 16" in context(machine.hook(each.start())))


def test_a_resident_leaves_when_its_package_is_replaced_while_it_starts(
    machine: Machine, environment: Environment
) -> None:
    machine.restore_launcher(environment.python)
    environment.touch_while_a_resident_starts()

    machine.hook(Session(machine, "live").prompt("a prompt"))

    journal = machine.socket.with_suffix(".log")
    wait_until(journal.exists, "the resident's journal")
    wait_until(lambda: "left: the version" in journal.read_text("utf-8"), "the end of the resident")
    wait_until(lambda: "a prompt" in _prompts(machine), "the prompt")


@contextmanager
def _prompting(machine: Machine, session: Session) -> Iterator[list[str]]:
    """Play prompts of a session, one after the other, until the block ends. Yield the sent texts."""
    sent: list[str] = []
    stopping = threading.Event()

    def play() -> None:
        while not stopping.is_set():
            sent.append(f"prompt {len(sent)} of the session")
            machine.hook(session.prompt(sent[-1]))

    thread = threading.Thread(target=play)
    thread.start()
    try:
        yield sent
    finally:
        stopping.set()
        thread.join()


def _prompts(machine: Machine) -> list[str]:
    """Return the prompts in the log, in order."""
    return [r["body"]["text"] for r in records(machine).values() if r["kind"] == "prompt"]
