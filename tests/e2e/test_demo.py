"""`hooks demo`: the main job on a machine with no account, model or network."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from hooklore.cli import demo
from hooklore.cli.install import install, settings_path
from hooklore.cli.main import hooks_main
from hooklore.config import locate_store, runtime_directory
from hooklore.retrieval.brief_text import KEEP_REQUEST
from tests import processes

HOOKS = "import sys; from hooklore.cli.main import hooks_main; sys.exit(hooks_main())"


def beside_socket(home: str) -> list[Path]:
    """What a home's resident has left beside its socket."""
    return list(runtime_directory().glob(f"{locate_store({'HOME': home}).socket.stem}.*"))


def test_the_next_session_begins_with_a_brief_and_is_told_the_lesson_at_the_failure(
    home: Path, tmp_path: Path
) -> None:
    env = {"HOME": str(home), "PATH": "/usr/bin:/bin", "TMPDIR": str(tmp_path)}

    done = subprocess.run(
        [sys.executable, "-c", HOOKS, "demo"], capture_output=True, text=True, env=env, timeout=120
    )

    first, second = done.stdout.split("The next session in that project:")
    at_start, at_failure = re.split(r"PostToolUseFailure .*", second)
    assert done.returncode == 0, done.stderr
    assert demo.LESSON not in first
    assert at_start.count(demo.LESSON) == 0
    assert at_start.count(KEEP_REQUEST) == 1
    assert at_failure.count(demo.LESSON) == 1
    assert done.stderr == ""
    assert os.listdir(tmp_path) == ["home"]
    assert os.listdir(home) == []


@pytest.mark.parametrize("broken", ["no hooks", "the launcher is gone"])
def test_a_lesson_that_is_not_told_is_status_1_and_everything_is_cleaned_up(
    home: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    broken: str,
) -> None:
    homes: list[str] = []
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    def without_hooks(*args: object, **kwargs: object) -> None:
        homes.append(str(kwargs["home"]))
        install("user", home=Path(str(kwargs["home"])), project_dir=tmp_path)
        if broken == "no hooks":
            settings = settings_path("user", home=Path(str(kwargs["home"])), project_dir=tmp_path)
            settings.write_text('{"hooks": {}}')
        else:
            (Path(str(kwargs["home"])) / ".local/share/hooklore/client.py").unlink()

    monkeypatch.setattr("hooklore.cli.demo.install", without_hooks)

    rc = hooks_main(["demo"])

    err = capfd.readouterr().err
    assert rc == 1
    assert err.startswith("error: could not show the lesson again: the next session was not told")
    assert err.endswith("hint: run `hooks doctor`\n")
    assert [beside_socket(used) for used in homes] == [[]]
    assert processes.naming(homes[0]) == []
    assert not list(tmp_path.glob("hooklore-demo-*"))


def test_the_recording_is_the_clients_own_and_names_nobody() -> None:
    first, second = demo.recorded_sessions()

    assert {p["cwd"] for p in first + second} == {"/home/u/widgets"}
    assert [p["hook_event_name"] for p in first][:: len(first) - 1] == [
        "SessionStart",
        "SessionEnd",
    ]
    assert any(demo.LESSON in str(p) for p in first)
    assert not any("torque_limit" in str(p) for p in second)
