import json
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from hooklore.cli.install import (
    InstallReport,
    Scope,
    UninstallReport,
    install,
    settings_path,
    uninstall,
)
from hooklore.cli.install.launcher import launcher_directory, read_places
from hooklore.cli.install.manifest import read_manifest
from hooklore.errors import InstallError, SettingsError
from tests.support.untried import needs_mcp
from tests.support.written_settings import settings_example


@dataclass
class User:
    home: Path
    project: Path
    client: Path

    def install(
        self, scope: Scope = "user", *, capture_reads: bool = False, dry_run: bool = False
    ) -> InstallReport:
        return install(
            scope,
            home=self.home,
            project_dir=self.project,
            client=self.client,
            capture_reads=capture_reads,
            dry_run=dry_run,
        )

    def uninstall(self, scope: Scope | None = None, *, dry_run: bool = False) -> UninstallReport:
        return uninstall(scope, home=self.home, project_dir=self.project, dry_run=dry_run)

    def settings(self, scope: Scope = "user") -> Path:
        return settings_path(scope, home=self.home, project_dir=self.project)

    def write(self, text: str, scope: Scope = "user") -> Path:
        path = self.settings(scope)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def tree(self) -> dict[str, bytes | str | None]:
        found: dict[str, bytes | str | None] = {}
        for top in (self.home, self.project):
            for each in sorted(top.rglob("*")):
                if each.is_symlink():
                    found[str(each)] = os.readlink(each)
                else:
                    found[str(each)] = each.read_bytes() if each.is_file() else None
        return found


@pytest.fixture
def user(home: Path, tmp_path: Path, with_server: None) -> User:
    project = tmp_path / "project"
    project.mkdir()
    client = tmp_path / "stand_in.py"
    client.write_text("def main(event, arguments): print(event)\n")
    (home / ".local" / "share").mkdir(parents=True)
    return User(home, project, client)


SCOPES: tuple[Scope, ...] = ("user", "project", "local")


@pytest.mark.parametrize("scope", SCOPES)
def test_install_then_uninstall_leaves_the_home_and_the_project_as_they_were(
    user: User, scope: Scope
) -> None:
    user.write('{\n\t"model": "opus"\n}')
    before = user.tree()

    report = user.install(scope)
    between = user.tree()
    gone = user.uninstall(scope)

    assert report.edit is not None
    assert report.edit.changed
    assert between != before
    assert gone.launcher_removed
    assert user.tree() == before


def test_a_missing_file_becomes_the_example_and_goes_again(user: User) -> None:
    user.install("project")
    text = user.settings("project").read_text()
    user.uninstall("project")

    assert text == settings_example()
    assert os.listdir(user.project) == []


def test_twice_is_once(user: User) -> None:
    user.install()
    before = user.tree()

    again = user.install()

    assert again.edit is not None
    assert not again.edit.changed
    assert again.edit.diff == ""
    assert user.tree() == before


@pytest.mark.parametrize("scope", [*SCOPES, "plugin"])
def test_a_dry_run_writes_nothing(user: User, scope: Scope) -> None:
    user.write('{"a": 1}')
    before = user.tree()

    report = user.install(scope, dry_run=True)

    assert user.tree() == before
    assert bool(report.edit and report.edit.diff) == (scope != "plugin")


def test_a_dry_run_of_an_uninstall_writes_nothing(user: User) -> None:
    user.install()
    before = user.tree()

    report = user.uninstall(dry_run=True)

    assert user.tree() == before
    assert report.launcher_removed
    assert [each.path for each in report.edits if each.changed] == [
        user.settings(),
        user.home / ".claude.json",
    ]


def test_a_file_that_cannot_be_parsed_stops_the_install_before_anything(user: User) -> None:
    user.write("{ // mine\n}")
    before = user.tree()

    with pytest.raises(SettingsError, match="line 1 column 3: a comment"):
        user.install()

    assert user.tree() == before


def test_every_place_is_one_line_in_settings_and_the_launcher_goes_with_the_last(
    user: User,
) -> None:
    user.install("user")
    user.install("project")
    user.install("local")
    both = read_places(user.home)
    user.uninstall("user")
    one = read_places(user.home)
    left = user.uninstall("local")
    last = user.uninstall("project")

    assert both == [str(user.project), "user"]
    assert one == [str(user.project)]
    assert not left.launcher_removed
    assert last.launcher_removed
    assert not launcher_directory(user.home).exists()


def test_uninstall_without_a_scope_finds_projects_far_away(user: User, tmp_path: Path) -> None:
    far = tmp_path / "far"
    far.mkdir()
    install("project", home=user.home, project_dir=far, client=user.client)
    user.install("user")

    report = user.uninstall()

    assert {each.path for each in report.edits if each.changed} == {
        user.settings(),
        user.home / ".claude.json",
        far / ".claude" / "settings.json",
        far / ".mcp.json",
    }
    assert report.launcher_removed
    assert os.listdir(far) == []


def test_a_project_that_is_gone_does_not_stop_an_uninstall(user: User) -> None:
    user.install("project")
    user.project.rename(user.project.with_name("moved"))

    report = user.uninstall()

    assert report.launcher_removed


def test_without_the_launcher_ours_is_still_found_and_taken_out(user: User) -> None:
    path = user.write('{\n  "model": "opus"\n}\n')
    user.install()
    subprocess.run(["rm", "-r", str(user.home / ".local")], check=True)

    user.uninstall()

    assert path.read_text() == '{\n  "model": "opus"\n}\n'
    assert not launcher_directory(user.home).exists()


def test_a_damaged_manifest_does_not_stop_anything(user: User) -> None:
    path = user.write('{"model": "opus"}')
    user.install()
    (launcher_directory(user.home) / "manifest.json").write_bytes(b"\0{")

    user.install()
    user.uninstall()

    assert path.read_text() == '{"model": "opus"}'


def test_lines_that_a_team_mate_committed_are_taken_as_they_are(user: User) -> None:
    path = user.write(settings_example(), "project")

    report = user.install("project")

    assert report.edit is not None
    assert not report.edit.changed
    assert read_places(user.home) == [str(user.project)]
    assert path.read_text() == settings_example()


def test_after_an_upgrade_the_user_s_own_bytes_come_back(user: User) -> None:
    before = '{"hooks":{"Stop":[ ]}}'
    path = user.write(before)
    user.install()
    user.install(capture_reads=True)
    changed = path.read_text()

    user.uninstall()

    assert "Glob" not in changed
    assert path.read_text() == before


def test_the_manifest_keeps_nothing_of_the_user_s_text(user: User) -> None:
    word = "pass" + "phrase-of-theirs"
    user.write(json.dumps({"env": {"X": word}, "hooks": {"Stop": []}}))

    user.install()

    folder = launcher_directory(user.home)
    kept = [each.read_bytes() for each in folder.rglob("*") if each.is_file()]
    assert not [raw for raw in kept if word.encode() in raw]


def test_a_link_stays_a_link_and_the_mode_stays(user: User, tmp_path: Path) -> None:
    dotfiles = tmp_path / "dotfiles.json"
    dotfiles.write_text("{}")
    dotfiles.chmod(0o640)
    user.settings().parent.mkdir()
    user.settings().symlink_to(dotfiles)

    user.install()
    installed = dotfiles.read_text()
    user.uninstall()

    assert "hooklore" in installed
    assert user.settings().is_symlink()
    assert dotfiles.read_text() == "{}"
    assert stat.S_IMODE(dotfiles.stat().st_mode) == 0o640


def test_the_home_as_a_project_is_the_user_s_place(user: User) -> None:
    install("project", home=user.home, project_dir=user.home, client=user.client)

    assert read_places(user.home) == ["user"]


def test_the_config_directory_is_used(user: User, tmp_path: Path) -> None:
    elsewhere = tmp_path / "config"

    report = install(
        "user", home=user.home, project_dir=user.project, config_dir=elsewhere, client=user.client
    )

    assert report.edit is not None
    assert report.edit.path == elsewhere / "settings.json"
    assert (elsewhere / "settings.json").is_file()
    assert not (user.home / ".claude").exists()


def test_a_project_reached_by_a_link_is_its_real_path(user: User, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(user.project)

    install("project", home=user.home, project_dir=link, client=user.client)

    assert read_places(user.home) == [str(user.project)]


def test_the_plugin_gets_a_launcher_and_no_settings(user: User) -> None:
    report = user.install("plugin")
    user.install("user")
    kept = user.uninstall("user")
    gone = user.uninstall("plugin")

    assert report.edit is None
    assert not kept.launcher_removed
    assert gone.launcher_removed
    assert not user.settings().exists()


def as_directory(path: Path) -> None:
    path.mkdir()


def as_fifo(path: Path) -> None:
    os.mkfifo(path)


def as_loop(path: Path) -> None:
    path.symlink_to(path)


@pytest.mark.parametrize("make", [as_directory, as_fifo, as_loop])
def test_what_is_no_file_is_refused_and_not_registered(
    user: User, make: Callable[[Path], None]
) -> None:
    user.settings().parent.mkdir()
    make(user.settings())

    with pytest.raises(SettingsError, match="could not edit"):
        user.install()

    assert read_places(user.home) == []


def test_a_folder_that_cannot_be_made_is_an_error_and_no_place(user: User) -> None:
    (user.project / ".claude").write_text("a file")

    with pytest.raises((SettingsError, InstallError)):
        user.install("project")

    assert read_places(user.home) == []
    assert read_manifest(user.home).places == []


def test_an_install_that_fails_to_write_takes_back_its_place(
    user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = user.write("{}")
    real = os.replace

    def full(source: str, target: str) -> None:
        if Path(target) == path:
            raise OSError(28, "No space left on device")
        real(source, target)

    monkeypatch.setattr(os, "replace", full)

    with pytest.raises(SettingsError, match="No space left"):
        user.install()

    assert path.read_text() == "{}"
    assert os.listdir(path.parent) == ["settings.json"]
    assert read_places(user.home) == []
    assert read_manifest(user.home).places == []


INSTALLER = """
import os, sys
from pathlib import Path
from hooklore.cli.install import install
home, project, client, scope, steps = sys.argv[1:]
left, replace = int(steps), os.replace
def counted(source, target):
    global left
    left -= 1
    if left < 0:
        os.kill(os.getpid(), 9)
    replace(source, target)
os.replace = counted
install(scope, home=Path(home), project_dir=Path(project), client=Path(client))
"""


def installer(
    user: User, project: Path, scope: Scope, steps: int = 1_000
) -> subprocess.Popen[bytes]:
    """An install in a process of its own, killed before the file after so many is replaced."""
    words = [str(user.home), str(project), str(user.client), scope, str(steps)]
    return subprocess.Popen([sys.executable, "-c", INSTALLER, *words])


@needs_mcp
def test_installs_at_once_are_all_registered_once(user: User, tmp_path: Path) -> None:
    projects = [tmp_path / f"p{n}" for n in range(4)]
    for each in projects:
        each.mkdir()

    running = [installer(user, each, s) for each in projects for s in ("project", "user")]
    codes = [each.wait(timeout=120) for each in running]

    assert codes == [0] * 8
    assert read_places(user.home) == sorted([*map(str, projects), "user"])
    assert user.settings().read_text() == settings_example()
    report = user.uninstall()
    assert report.launcher_removed
    assert [os.listdir(each) for each in projects] == [[]] * 4


def test_an_install_killed_at_any_step_is_undone_or_finished(user: User) -> None:
    before = '{"hooks":{"Stop":[ ]}}'
    path = user.write(before)
    untouched = user.tree()
    ends: list[tuple[int, bool]] = []

    for steps in [0, 1, 2, *range(18, 34)]:
        ends.append(
            (installer(user, user.project, "user", steps).wait(120), path.read_text() == before)
        )
        user.uninstall()
        assert user.tree() == untouched
        installer(user, user.project, "user", steps).wait(120)
        user.install()
        assert read_places(user.home) == ["user"]
        user.uninstall()
        assert user.tree() == untouched

    assert {(-9, True), (-9, False), (0, False)} == set(ends)


def test_somebody_who_writes_meanwhile_loses_nothing(
    user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = user.write("{}")
    lay_out = "hooklore.cli.install.launcher.lay_out"

    def slow(*_args: object, **_more: object) -> None:
        launcher_directory(user.home).mkdir()
        path.write_text('{"model": "changed meanwhile"}')

    monkeypatch.setattr(lay_out, slow)

    user.install()

    assert json.loads(path.read_text())["model"] == "changed meanwhile"
    assert "hooks" in json.loads(path.read_text())


def test_a_reader_never_sees_half_a_file(user: User) -> None:
    path = user.write(json.dumps({"x": "y" * 200_000}))
    stop = threading.Event()
    sizes: set[int] = set()

    def read() -> None:
        while not stop.is_set():
            sizes.add(len(json.loads(path.read_bytes())))

    reader = threading.Thread(target=read)
    reader.start()
    for _ in range(10):
        user.install()
        user.uninstall()
    stop.set()
    reader.join()

    assert sizes <= {1, 3}
