"""Where a person switched memory off, nobody gets it: no hook, no tool by MCP, no command of an agent's."""

import json
import subprocess
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import pytest

from hooklore.config import SessionSettings, load_settings, store_location_at
from tests.conftest import end_residents
from tests.support.agent import Agent, repository
from tests.support.installed import SCRIPTS
from tests.support.prepared_command import run_command

FACT = "The merger with Acme closes in May."


class Person:
    """A person with a project that is to be left alone, and the settings that say so."""

    def __init__(self, home: Path, folder: Path) -> None:
        self.home, self.folder = home, folder
        self.place = store_location_at(home / ".config" / "ai" / "memory")
        self.place.directory.mkdir(parents=True, mode=0o700)

    def excludes(self, *entries: str) -> None:
        self.place.config.write_text(f"[capture]\nexclude_projects = {json.dumps(entries)}\n")

    def runs(self, *words: str) -> None:
        """Run `hooks` in the project."""
        env = {"HOME": str(self.home), "PATH": "/usr/bin:/bin"}
        hooks = str(SCRIPTS / "hooks")
        subprocess.run([hooks, *words], env=env, cwd=self.folder, timeout=60, check=True)

    def log_after_a_prompt(self, cwd: str) -> str:
        """What the log holds after a prompt that an agent got in `cwd`."""
        agent = Agent(self.place, Path(cwd), self.home, load_settings(self.place.config))
        agent.hook("UserPromptSubmit", prompt=FACT, cwd=cwd)
        agent.broker.close()
        return self.log()

    def log(self) -> str:
        return self.place.log.read_text() if self.place.log.exists() else ""


@pytest.fixture
def person(home: Path) -> Iterator[Person]:
    yield Person(home, repository(home / "secret"))
    end_residents(home)


SPELLED: dict[str, Callable[[Path], str]] = {
    "in full": str,
    "with ~": lambda home: "~/secret",
    "with $HOME": lambda home: "$HOME/secret",
    "with two slashes": lambda home: f"{home}//secret/",
    "with ..": lambda home: f"{home}/other/../secret",
    "with blanks": lambda home: f" {home}/secret ",
    "as an address": lambda home: f"file://{home}/secret",
    "from here": lambda home: "./secret",
    "all below": lambda home: "~/secret/**",
    "by its name": lambda home: "secret",
}


@pytest.mark.parametrize("way", SPELLED)
def test_an_excluded_folder_is_excluded_however_it_is_spelled(person: Person, way: str) -> None:
    entry = SPELLED[way](person.home / "secret" if way == "in full" else person.home)
    person.excludes(entry)

    assert person.log_after_a_prompt(str(person.folder)) == ""
    assert person.log_after_a_prompt(f"{person.folder}/src") == ""


def test_a_folder_is_excluded_by_a_link_and_from_a_link(person: Person) -> None:
    link = person.home / "shortcut"
    link.symlink_to(person.folder)

    person.excludes(str(link))
    assert person.log_after_a_prompt(str(person.folder)) == ""
    person.excludes(str(person.folder))
    assert person.log_after_a_prompt(str(link)) == ""


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_folder_with_a_japanese_name_or_brackets_is_excluded(
    person: Person, form: Literal["NFC", "NFD"]
) -> None:
    named = person.home / unicodedata.normalize(form, "ガジェット [社外秘]")
    repository(named)
    person.excludes(unicodedata.normalize("NFC", str(named)))

    assert person.log_after_a_prompt(str(named)) == ""


def test_a_worktree_of_an_excluded_repository_is_excluded(person: Person) -> None:
    tree = person.home / "elsewhere"
    git = ["git", "-C", str(person.folder), "-c", "user.name=m", "-c", "user.email=m@localhost"]
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "first"], check=True)
    subprocess.run([*git, "worktree", "add", "-q", str(tree)], check=True)
    person.excludes(str(person.folder))

    assert person.log_after_a_prompt(str(tree)) == ""


def test_another_folder_of_a_similar_name_is_recorded(person: Person) -> None:
    other = repository(person.home / "secretary")
    person.excludes(str(person.folder))

    assert FACT in person.log_after_a_prompt(str(other))


def test_of_a_file_in_an_excluded_folder_only_the_path_is_kept(person: Person) -> None:
    other = repository(person.home / "widgets")
    person.excludes("~/secret")
    agent = Agent(person.place, other, person.home, load_settings(person.place.config))
    path = str(person.folder / "plan.md")
    agent.hook(
        "PostToolUse", tool_name="Write", tool_use_id="t1", tool_response={"filePath": path},
        tool_input={"file_path": path, "content": FACT},
    )  # fmt: skip
    agent.hook(
        "PostToolUse", tool_name="Bash", tool_use_id="t2", tool_input={"command": f"cat {path}"},
        tool_response={"stdout": FACT, "stderr": ""},
    )  # fmt: skip
    agent.broker.close()

    assert "plan.md" in person.log()
    assert FACT not in person.log()


SWITCHED_OFF = ("excluded", "paused", "unreadable settings", "no session", "HOOKLORE_OFF")


def switch_off(person: Person, how: str) -> dict[str, str]:
    """Switch memory off for the project; return the variables that the agent runs with."""
    if how == "excluded":
        person.excludes("~/secret")
    elif how == "paused":
        person.runs("pause")
    elif how == "unreadable settings":
        person.place.config.write_text("[capture\n")
    elif how == "no session":
        off = "\n".join(f'{kind} = "off"' for kind in SessionSettings.model_fields)
        person.place.config.write_text(f"[sessions]\n{off}\n")
    return {"HOOKLORE_OFF": "1"} if how == "HOOKLORE_OFF" else {}


def _known(person: Person) -> None:
    """Let the project be known, by a prompt that says nothing of the fact."""
    agent = Agent(person.place, person.folder, person.home)
    agent.hook("UserPromptSubmit", prompt="The press in hall seven is loud")
    agent.broker.close()


@pytest.mark.parametrize("how", SWITCHED_OFF)
def test_no_tool_by_mcp_keeps_or_tells_anything(person: Person, how: str) -> None:
    _known(person)
    variables = switch_off(person, how)
    from tests.support.mcp import call, server, text_of  # skips where the extra is not installed

    at = server(person.home, "--agent", "codex", folder=person.folder, **variables)

    kept = call(at, "remember", {"content": FACT, "kind": "todo"})
    told = call(at, "recall", {"query": "which press is loud?"})

    assert (kept.is_error, told.is_error) == (True, True)
    assert "could not use memory" in text_of(kept)
    assert "press" not in text_of(told)
    assert FACT not in person.log()


@pytest.mark.parametrize("how", SWITCHED_OFF)
@pytest.mark.parametrize("words", [("remember", FACT), ("recall", "press"), ("list",)])
def test_no_command_of_an_agent_keeps_or_tells_anything(
    person: Person, how: str, words: tuple[str, ...]
) -> None:
    _known(person)
    variables = switch_off(person, how)
    env = {"HOME": str(person.home), "PATH": "/usr/bin:/bin", "CLAUDECODE": "1", **variables}

    done = run_command([str(SCRIPTS / "hooklore"), *words], env, person.folder)

    assert done.returncode != 0
    assert "could not use memory" in done.stderr
    assert "press" not in done.stdout
    assert FACT not in person.log()


@pytest.mark.parametrize(
    "config",
    [
        '[sessions]\nall = "off"',
        '[capture]\nignore_projects = ["~/secret"]',
        '[capture]\nprivate_projects = ["secret"]',
        "[capture]\nprompts = false",
        '[privacy]\nexclude_projects = ["~/secret"]',
        "paused = true",
        "enabled = false",
    ],
)
def test_a_key_that_no_version_has_keeps_nothing_where_it_may_have_meant_that(
    person: Person, config: str
) -> None:
    person.place.config.write_text(config)

    assert person.log_after_a_prompt(str(person.folder)) == ""


@pytest.mark.parametrize(
    ("entry", "path"),
    [
        ("secrets/", "secrets/a.txt"),
        ("secrets", "deep/secrets/a.txt"),
        ("/secrets/**", "secrets/a.txt"),
        ("~/widgets/k.txt", "k.txt"),
        ("./k.txt", "k.txt"),
        (".env*", "linked.txt"),
    ],
)
def test_of_a_file_that_is_kept_out_only_the_path_is_recorded(
    person: Person, entry: str, path: str
) -> None:
    folder = repository(person.home / "widgets")
    (folder / "linked.txt").symlink_to(folder / ".env")
    person.place.config.write_text(f"[capture]\nexclude = {json.dumps([entry])}\n")
    agent = Agent(person.place, folder, person.home, load_settings(person.place.config))
    agent.hook(
        "PostToolUse", tool_name="Write", tool_use_id="t1",
        tool_input={"file_path": str(folder / path), "content": FACT},
        tool_response={"filePath": str(folder / path)},
    )  # fmt: skip
    agent.broker.close()

    assert path.rpartition("/")[2] in person.log()
    assert FACT not in person.log()


@pytest.mark.parametrize(
    "command",
    ["cat .e*", "cat .en?", "git show HEAD:.env", "source .env && env",
     "docker run --env-file .env alpine env"],
)  # fmt: skip
def test_output_of_a_command_that_may_print_a_kept_out_file_is_not_recorded(
    person: Person, command: str
) -> None:
    agent = Agent(person.place, repository(person.home / "widgets"), person.home)
    agent.hook(
        "PostToolUse", tool_name="Bash", tool_use_id="t1", tool_input={"command": command},
        tool_response={"stdout": FACT, "stderr": ""},
    )  # fmt: skip
    agent.broker.close()

    assert FACT not in person.log()


@pytest.mark.parametrize(
    "written", ['{"everywhere": false, "projects": "secret", "sessions": []}', "[]", "null", "{"]
)
def test_pauses_that_nobody_can_read_pause_everything(person: Person, written: str) -> None:
    (person.place.directory / "paused.json").write_text(written)

    assert person.log_after_a_prompt(str(person.folder)) == ""
