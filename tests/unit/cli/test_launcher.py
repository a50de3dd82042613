import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from hooklore.agents.claude_code.registering import GROUPS
from hooklore.cli.install import launcher
from hooklore.errors import InstallError

CLIENT = """
import sys
TOLD = "{told}"
def main(event, arguments):
    print(event, arguments, TOLD, sys.flags.isolated, sys.flags.no_site)
"""


@pytest.fixture
def client(tmp_path: Path) -> Path:
    path = tmp_path / "stand_in.py"
    path.write_text(CLIENT.format(told="first"))
    return path


def run(home: Path, event: str, *, plugin: bool = False) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["/bin/sh", "-c", GROUPS.command(event, plugin=plugin)],
        env={"HOME": str(home), "PATH": "/usr/bin:/bin", "CLAUDE_PROJECT_DIR": "/some/project"},
        input="{}\n",
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def files(folder: Path) -> list[Path]:
    return sorted(each for each in folder.rglob("*") if not each.is_dir())


@pytest.mark.parametrize("event", GROUPS.events)
def test_every_command_reaches_the_client_with_its_event(
    tmp_path: Path, client: Path, event: str
) -> None:
    home = tmp_path / "ho me's $x"
    launcher.lay_out(home, client=client)

    plain, plugin = run(home, event), run(home, event, plugin=True)

    assert (plain.returncode, plain.stdout) == (0, f"{event} [] first 1 1\n")
    assert (plugin.returncode, plugin.stdout) == (0, f"{event} ['plugin'] first 1 1\n")
    assert plain.stderr == plugin.stderr == ""


def test_a_hook_compiles_nothing(home: Path, client: Path) -> None:
    launcher.lay_out(home, client=client)
    folder = launcher.launcher_directory(home)
    before = {path: path.stat().st_mtime_ns for path in files(folder)}
    (folder / "client.py").write_text("raise SystemExit('compiled from source')")
    os.utime(folder / "client.py", ns=(0, before[folder / "client.py"]))

    done = run(home, "Stop")

    assert done.stdout == "Stop [] first 1 1\n"
    assert {path: path.stat().st_mtime_ns for path in files(folder)} == before


def test_only_the_owner_can_look_in(home: Path, client: Path) -> None:
    mask = os.umask(0)
    try:
        launcher.lay_out(home, client=client)
        launcher.write_places(home, ["user"])
    finally:
        os.umask(mask)

    folder = launcher.launcher_directory(home)
    directories = [folder, *(each for each in folder.rglob("*") if each.is_dir())]
    assert {stat.S_IMODE(each.stat().st_mode) for each in directories} == {0o700}
    regular = [each for each in files(folder) if not each.is_symlink()]
    modes = {each.name: stat.S_IMODE(each.stat().st_mode) for each in regular}
    assert modes.pop("hooklore") == 0o700
    assert set(modes.values()) == {0o600}


def test_the_interpreter_is_linked_as_it_is_named(tmp_path: Path, home: Path, client: Path) -> None:
    named = tmp_path / "venv-python"
    named.symlink_to(sys.executable)

    launcher.lay_out(home, interpreter=str(named), client=client)

    assert os.readlink(launcher.launcher_directory(home) / "python") == str(named)


def test_the_last_layout_wins_and_leaves_nothing_of_the_one_before(
    home: Path, client: Path
) -> None:
    launcher.lay_out(home, client=client)
    folder = launcher.launcher_directory(home)
    stale = folder / "__pycache__" / "client.cpython-999.pyc"
    stale.write_bytes(b"compiled by another interpreter")
    client.write_text(CLIENT.format(told="second"))

    launcher.lay_out(home, client=client)

    assert run(home, "Stop").stdout == "Stop [] second 1 1\n"
    assert not stale.exists()
    assert not [each for each in files(folder) if each.name.startswith(".")]


def test_twice_leaves_the_link_alone(home: Path, client: Path) -> None:
    launcher.lay_out(home, client=client)
    link = launcher.launcher_directory(home) / "python"
    before = link.lstat().st_ino

    launcher.lay_out(home, client=client)

    assert link.lstat().st_ino == before


def test_hooks_that_run_during_a_layout_see_one_client_or_the_other(
    home: Path, client: Path
) -> None:
    launcher.lay_out(home, client=client)
    seen: set[str] = set()
    done = threading.Event()

    def hooks() -> None:
        while not done.is_set():
            result = run(home, "Stop")
            seen.add(f"{result.returncode} {result.stdout}{result.stderr}")

    watchers = [threading.Thread(target=hooks) for _ in range(3)]
    for each in watchers:
        each.start()
    for n in range(150):
        client.write_text(CLIENT.format(told="first" if n % 2 else "second" + "." * n))
        launcher.lay_out(home, client=client)
    done.set()
    for each in watchers:
        each.join()

    assert all(each.startswith("0 Stop [] ") and each.endswith(" 1 1\n") for each in seen), seen


@pytest.mark.parametrize("gone", ["python", "client.py", "hooks/stop.py", "hooks"])
def test_whatever_is_missing_the_exit_status_is_0(home: Path, client: Path, gone: str) -> None:
    launcher.lay_out(home, client=client)
    target = launcher.launcher_directory(home) / gone
    target.rename(target.with_name("elsewhere"))
    for pyc in launcher.launcher_directory(home).glob("__pycache__/*"):
        pyc.unlink()

    done = run(home, "Stop")

    assert (done.returncode, done.stdout) == (0, "")


def test_a_dead_interpreter_is_said_at_session_start(home: Path, client: Path) -> None:
    launcher.lay_out(home, client=client)
    link = launcher.launcher_directory(home) / "python"
    link.unlink()
    link.symlink_to("/nowhere/python")

    done = run(home, "SessionStart")

    assert done.returncode == 0
    assert '"additionalContext": "shared memory unreadable: ' in done.stdout
    assert run(home, "UserPromptSubmit").stdout == ""


def test_a_team_mate_without_hooklore_hears_nothing(home: Path) -> None:
    for plugin in (False, True):
        done = run(home, "SessionStart", plugin=plugin)

        assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize(
    ("places", "speaks"),
    [([], True), (["/another/project"], True), (["user"], False), (["/some/project"], False)],
)
def test_settings_and_plugin_do_not_both_say_that_the_interpreter_is_dead(
    home: Path, client: Path, places: list[str], speaks: bool
) -> None:
    launcher.lay_out(home, client=client)
    launcher.write_places(home, places)
    (launcher.launcher_directory(home) / "python").unlink()

    done = run(home, "SessionStart", plugin=True)

    assert done.returncode == 0
    assert bool(done.stdout) == speaks


def test_places_are_lines_and_none_is_no_file(home: Path, client: Path) -> None:
    launcher.lay_out(home, client=client)

    launcher.write_places(home, ["user", "/a/プロジェクト", "/a/b\nuser"])

    assert launcher.read_places(home) == ["/a/プロジェクト", "user"]
    launcher.write_places(home, [])
    assert not (launcher.launcher_directory(home) / "in-settings").exists()


def test_what_is_not_ours_in_the_folder_survives_its_removal(home: Path, client: Path) -> None:
    launcher.lay_out(home, client=client)
    folder = launcher.launcher_directory(home)
    (folder / "notes.txt").write_text("mine")
    (folder / ".hooklore-draft-999.py").write_text("left by a killed install")

    removed = launcher.remove(home)

    assert not removed
    assert os.listdir(folder) == ["notes.txt"]


def test_an_interpreter_that_is_none_is_refused(home: Path, client: Path) -> None:
    with pytest.raises(InstallError, match="not an interpreter"):
        launcher.lay_out(home, interpreter="/nowhere/python", client=client)


def test_a_file_in_the_folder_s_place_is_named(home: Path, client: Path) -> None:
    (home / ".local").write_text("a file")

    with pytest.raises(InstallError, match=r"could not install .*\.local"):
        launcher.lay_out(home, client=client)


def test_a_client_that_does_not_compile_is_not_laid_out(home: Path, client: Path) -> None:
    launcher.lay_out(home, client=client)
    client.write_text("def main(")

    with pytest.raises(InstallError, match="could not install the client"):
        launcher.lay_out(home, client=client)

    assert run(home, "Stop").stdout == "Stop [] first 1 1\n"
