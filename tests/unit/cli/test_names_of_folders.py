"""A secret in the name of a folder, a remote or a branch: the project is told apart, the name is not kept."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.agent import Agent
from tests.support.store_files import holding
from tests.unit.cli.conftest import Memory, Run


def _secret() -> str:
    letters = "".join(chr(97 + n * 11 % 26) + str(n * 7 % 10) for n in range(18))
    return f"ghp_{letters}"


SECRET = _secret()
ADDRESS = "mori.aoi@" + "maple-river.co.jp"


def _repository(folder: Path, head: str = "refs/heads/main", config: str = "") -> Path:
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text(f"ref: {head}\n")
    (folder / ".git" / "config").write_text(config)
    return folder


def _folder(home: Path) -> Path:
    return _repository(home / f"backup-{SECRET}")


def _plain_folder(home: Path) -> Path:
    (home / f"backup-{SECRET}" / "src").mkdir(parents=True)
    return home / f"backup-{SECRET}" / "src"


def _of_a_person(home: Path) -> Path:
    return _repository(home / ADDRESS)


def _remote(home: Path) -> Path:
    url = f"https://robot:{SECRET}@git.example.org/mill/widgets.git"
    return _repository(home / "widgets-1", config=f'[remote "origin"]\n\turl = {url}\n')


def _branch(home: Path) -> Path:
    return _repository(home / "widgets-2", head=f"refs/heads/try-{SECRET}")


@pytest.mark.parametrize("folder_of", [_folder, _plain_folder, _of_a_person, _remote, _branch])
def test_a_secret_in_a_folders_name_is_in_no_file_and_nothing_that_is_printed(
    hooklore: Run, hooks: Run, memory: Memory, monkeypatch: pytest.MonkeyPatch,
    folder_of: Callable[[Path], Path],
) -> None:  # fmt: skip
    folder = folder_of(memory.home)
    value = ADDRESS if ADDRESS in str(folder) else SECRET
    monkeypatch.chdir(folder)
    agent = Agent(memory.broker.place, folder, memory.home)

    agent.starts("s-1")
    agent.asks("Make the tests of the press pass, please")
    agent.fails(f"cd {folder} && make test", f"KeyError: 'colour' in {folder}/widgets.ini")
    agent.edits("widgets.ini", "colour = red")
    agent.passes(f"cd {folder} && make test")
    agent.hook("Stop", last_assistant_message=f"The tests in {folder} pass again.")
    agent.hook("SessionEnd", reason="other")
    hooklore("remember", "The press is in room 4")
    hooklore("search", "press")
    told = agent.starts("s-2")
    agent.broker.close()
    printed = [
        hooklore("list", "-n", "100"), hooklore("list", "-n", "100", "--json"), hooklore("project", "list"),
        hooklore("snapshot"), hooks("status"), hooklore("last"),
    ]  # fmt: skip

    assert "press is in room 4" in told
    assert holding(memory.broker.place, value) == []
    assert value not in told
    assert [each for each in printed if value in each.out + each.err] == []


def test_two_folders_with_other_secrets_in_their_names_are_two_projects(
    hooklore: Run, memory: Memory
) -> None:
    folders = [_repository(memory.home / f"backup-{SECRET}{end}") for end in ("aa", "bb")]
    agents = [Agent(memory.broker.place, folder, memory.home) for folder in folders]
    for number, agent in enumerate(agents):
        agent.remembers(f"Only in folder {number}")

    told = [agent.starts(f"s-{number}") for number, agent in enumerate(agents)]
    for agent in agents:
        agent.broker.close()

    assert ["Only in folder 0" in text for text in told] == [True, False]
    assert ["Only in folder 1" in text for text in told] == [False, True]
