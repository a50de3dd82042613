"""A session in a submodule is told the rules and decisions of its superproject, and writes to its own project."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from tests.claude.api import say, use
from tests.claude.session import Claude, hook_text
from tests.conftest import end_residents
from tests.support.installed import install
from tests.support.launcher import Launcher
from tests.support.prepared_command import run_command
from tests.support.submodules import add_submodule, committed_repository, git
from tests.support.terminal import run_at_terminal

COMMAND = str(Path(sys.executable).parent / "hooklore")
AGENT = {"CLAUDECODE": "1", "CLAUDE_CODE_ENTRYPOINT": "cli"}

RULE = "Use pnpm in this repository, never npm."
DECISION = "We decided to keep the frames little-endian, for the old meters read them."
FACT = "The meters are read on the first of the month."
HEADING = "Rules and decisions of the superproject (project:outer"


class Meters:
    """A home with the launcher, a superproject, its submodule, and the ways to work in a folder."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.outer = committed_repository(home / "outer")
        self.inner = add_submodule(self.outer, "libs/core")
        self.hooks = Launcher(home).lay_out(is_patient=True)
        self.env = {"HOME": str(home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}

    def person(self, folder: Path, *words: str) -> str:
        done = run_at_terminal([COMMAND, *words], self.env, folder)
        assert done.returncode == 0, done
        return done.stdout

    def agent(self, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
        return run_command([COMMAND, *words], self.env | AGENT, folder)

    def keeps(self, folder: Path, text: str, kind: str, *words: str) -> str:
        kept = self.person(folder, "remember", text, "--kind", kind, "--json", *words)
        return str(json.loads(kept)["id"])

    def starts(self, folder: Path) -> str:
        """What the hook at the start of a new session there puts before the model."""
        return self._told(folder, "SessionStart", {"source": "startup"})

    def about_to(self, folder: Path, command: str) -> str:
        """What the hook before a command of a new session there puts before the model."""
        step = {"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "t-1"}
        return self._told(folder, "PreToolUse", step)

    def asks(self, folder: Path, text: str) -> str:
        """What the hook at a prompt of a new session there puts before the model."""
        return self._told(folder, "UserPromptSubmit", {"prompt": text})

    def _told(self, folder: Path, event: str, more: Mapping[str, object]) -> str:
        session = os.urandom(8).hex()
        payload = {"session_id": session, "cwd": str(folder), "hook_event_name": event, **more}
        return self.hooks.run(event, payload, variables={"CLAUDE_CODE_ENTRYPOINT": "cli"}).context

    def records(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in self.hooks.place.log.read_bytes().splitlines()]


@pytest.fixture
def meters(home: Path) -> Iterator[Meters]:
    found = Meters(home)
    found.keeps(found.outer, RULE, "constraint")
    found.keeps(found.outer, DECISION, "decision", "--title", "Frames are little-endian")
    found.keeps(found.outer, FACT, "fact")
    yield found
    end_residents(home)


@pytest.mark.req("AC-18")
def test_a_session_in_a_submodule_is_told_its_superprojects_rules_and_decisions_as_such(
    meters: Meters,
) -> None:
    own = "Core is tested with pytest."
    meters.keeps(meters.inner, own, "constraint")

    brief = meters.starts(meters.inner)

    own_part, _, outer_part = brief.partition(HEADING)
    assert own in own_part
    assert RULE in outer_part
    assert DECISION in outer_part
    assert RULE not in own_part
    assert FACT not in brief
    assert own not in meters.starts(meters.outer)


@pytest.mark.req("AC-18")
def test_a_step_a_prompt_and_a_search_in_a_submodule_find_them(meters: Meters) -> None:
    step = meters.about_to(meters.inner, "npm install left-pad")
    prompt = meters.asks(meters.inner, "Are the frames little-endian, or do the old meters differ?")
    recalled = meters.agent(meters.inner, "recall", "are frames little-endian for old meters")
    opened = meters.agent(meters.inner, "get", "Frames are little-endian")

    assert RULE in step
    assert DECISION in prompt
    assert DECISION in recalled.stdout
    assert DECISION in opened.stdout
    assert FACT not in meters.agent(meters.inner, "recall", "when are the meters read").stdout


@pytest.mark.req("AC-18")
def test_what_is_kept_in_a_submodule_stays_there_and_replaces_nothing_around_it(
    meters: Meters,
) -> None:
    meters.keeps(meters.outer, "Two spaces.", "preference", "--key", "preference:indent")
    meters.keeps(meters.inner, "Four spaces.", "preference", "--key", "preference:indent")

    inside, outside = meters.starts(meters.inner), meters.starts(meters.outer)

    assert "Four spaces." in inside.partition(HEADING)[0]
    assert "Two spaces." in inside.partition(HEADING)[2]
    assert "Two spaces." in outside
    assert "Four spaces." not in outside
    assert not [r for r in meters.records() if r["kind"] in ("supersede", "conflict_resolution")]


def by_a_git_file(meters: Meters, folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / ".git").write_text(f"gitdir: {meters.outer}/.git/modules/libs/core\n")


def by_an_entry_without_a_git_directory(meters: Meters, folder: Path) -> None:
    committed_repository(folder)
    path = folder.relative_to(meters.outer)
    with (meters.outer / ".gitmodules").open("a") as modules:
        modules.write(f'[submodule "core2"]\n\tpath = {path}\n\turl = ../core\n')


def by_a_copy_of_the_submodule(meters: Meters, folder: Path) -> None:
    subprocess.run(["cp", "-a", str(meters.inner), str(folder)], check=True)


def by_a_git_directory_without_an_entry(meters: Meters, folder: Path) -> None:
    add_submodule(meters.outer, str(folder.relative_to(meters.outer)))
    git(meters.outer, "checkout", "-q", "HEAD~1", "--", ".gitmodules")


LIES = (
    by_a_git_file, by_an_entry_without_a_git_directory, by_a_copy_of_the_submodule,
    by_a_git_directory_without_an_entry,
)  # fmt: skip


@pytest.mark.req("AC-18", "AC-20")
@pytest.mark.parametrize("lie", LIES)
def test_a_session_in_a_folder_that_only_claims_to_be_a_submodule_is_told_nothing(
    meters: Meters, lie: Callable[[Meters, Path], None]
) -> None:
    folder = meters.outer / "libs" / "unpacked"
    lie(meters, folder)

    told = [
        meters.starts(folder),
        meters.about_to(folder, "npm install left-pad"),
        meters.asks(folder, "Are the frames little-endian, or do the old meters differ?"),
        meters.agent(folder, "recall", "are frames little-endian for old meters").stdout,
        meters.agent(folder, "get", "Frames are little-endian").stdout,
    ]

    assert not [text for text in told if RULE in text or DECISION in text]
    assert RULE in meters.starts(meters.inner)


def test_the_explanation_of_a_folder_names_its_superproject_and_why_another_is_none(
    meters: Meters,
) -> None:
    git(meters.outer, "config", "-f", ".gitmodules", "--rename-section", "submodule.libs/core",
        "submodule.other")  # fmt: skip
    unlisted = meters.person(meters.inner, "project", "explain")
    git(meters.outer, "checkout", "-q", "--", ".gitmodules")

    listed = meters.person(meters.inner, "project", "explain")
    found = json.loads(meters.person(meters.inner, "project", "explain", "--json"))

    assert (
        f"{meters.outer}: its superproject, whose rules and decisions are read here too" in listed
    )
    assert f"{meters.outer}: around it, and its `.gitmodules` does not list it" in unlisted
    assert found["around"] == ["outer"]


@pytest.mark.client
def test_the_model_of_the_real_client_is_told_them_in_a_submodule(
    claude_binary: Path, tmp_path: Path
) -> None:
    outer = committed_repository(tmp_path / "outer")
    inner = add_submodule(outer, "libs/core")
    machine = install(Claude(claude_binary, tmp_path / "home", inner))
    command = [COMMAND, "remember", "--kind", "constraint", RULE]
    assert run_at_terminal(command, machine.claude.environment, outer).returncode == 0

    session = machine.claude.run(
        "hello", (use("Bash", command="npm --version", description="look"), say("done"))
    )

    first, second = session.turns()[:2]
    assert HEADING in hook_text(first, "SessionStart")
    assert RULE in hook_text(first, "SessionStart")
    assert RULE in hook_text(second, "PreToolUse", fresh=True)
