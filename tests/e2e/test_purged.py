"""A purge ends the resident, whatever lies beside our launcher: one that outlived its store would make it again."""

import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import end_residents, wait_until
from tests.support.agent import repository
from tests.support.installed import SCRIPTS
from tests.support.launcher import Launcher
from tests.support.terminal import run_at_terminal


@pytest.fixture
def hooks(home: Path) -> Iterator[Launcher]:
    yield Launcher(home)
    end_residents(home)


def test_a_purge_with_a_foreign_file_in_the_launcher_leaves_no_resident_and_no_store(
    hooks: Launcher,
) -> None:
    command = str(SCRIPTS / "hooks")
    env = {"HOME": str(hooks.home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
    project = repository(hooks.home / "widgets")
    subprocess.run(
        [command, "install", "--user", "--no-server"], env=env, cwd=project, check=True, timeout=60
    )
    payload = {"session_id": "s1", "cwd": str(project), "hook_event_name": "UserPromptSubmit"}
    hooks.run("UserPromptSubmit", {**payload, "prompt": "The press is loud"})
    hooks.wait_for_resident()
    foreign = [hooks.folder / ".DS_Store", hooks.folder / "hooks" / "mine.py"]
    for path in foreign:
        path.write_text("mine")

    done = run_at_terminal([command, "uninstall", "--purge", "--yes"], env, project)

    assert done.returncode == 0, done.stdout
    wait_until(lambda: not hooks.residents(), "the end of the resident")
    time.sleep(1.0)
    assert not hooks.place.directory.exists()
    assert all(path.exists() for path in foreign)
    assert not list(hooks.folder.rglob("post_tool_use.py"))
