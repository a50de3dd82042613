"""`hooks install` and the slash command among the user's own: laid out, kept up to date, taken away."""

from pathlib import Path

import pytest

from hooklore.cli.install import InstallReport, Scope, UninstallReport, install, uninstall
from hooklore.cli.install.launcher import launcher_directory
from hooklore.cli.install.manifest import read_manifest
from hooklore.cli.install.slash_command import command_source
from hooklore.errors import InstallError
from tests.unit.cli.conftest import Run


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project's folder."""
    found = tmp_path / "project"
    found.mkdir()
    return found


def installed(home: Path, folder: Path, scope: Scope = "user") -> InstallReport:
    return install(scope, home=home, project_dir=folder)


def uninstalled(home: Path, folder: Path, scope: Scope | None = None) -> UninstallReport:
    return uninstall(scope, home=home, project_dir=folder)


def command(home: Path) -> Path:
    """Where the client looks for `/hooklore:memory`."""
    return home / ".claude" / "commands" / "hooklore" / "memory.md"


def test_an_install_for_the_user_lays_the_command_out_and_says_so(hooks: Run, home: Path) -> None:
    printed = hooks("install", "--user")
    told = hooks("uninstall", "--dry-run")
    gone = hooks("uninstall")

    assert f"laid out `{command(home)}`: `/hooklore:memory list` in Claude Code" in printed.lines
    assert f"would remove `{command(home)}`" in told.lines
    assert f"removed `{command(home)}`" in gone.lines
    assert not (home / ".claude").exists()


def test_the_file_is_the_plugin_s_and_is_the_user_s_alone(home: Path, folder: Path) -> None:
    report = installed(home, folder)

    path = command(home)
    assert report.command == path
    assert path.read_bytes() == command_source().read_bytes()
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("scope", ["project", "local", "plugin"])
def test_only_an_install_for_the_user_has_it(home: Path, folder: Path, scope: Scope) -> None:
    report = installed(home, folder, scope)

    assert report.command is None
    assert not command(home).exists()


@pytest.mark.parametrize("there", [[], ["commands"], ["commands", "commands/hooklore"]])
def test_folders_that_the_user_had_stay_and_ours_go(
    home: Path, folder: Path, there: list[str]
) -> None:
    for name in ["", *there]:
        (home / ".claude" / name).mkdir(parents=True, exist_ok=True)
    before = sorted(home.joinpath(".claude").rglob("*"))

    installed(home, folder)
    installed(home, folder)
    uninstalled(home, folder)

    assert sorted(home.joinpath(".claude").rglob("*")) == before


def test_a_command_of_the_user_s_own_with_this_name_stays(home: Path, folder: Path) -> None:
    path = command(home)
    path.parent.mkdir(parents=True)
    path.write_text("mine")

    report = installed(home, folder)
    gone = uninstalled(home, folder)

    assert (report.command, gone.command) == (None, None)
    assert path.read_text() == "mine"


def test_what_the_user_made_of_ours_stays(home: Path, folder: Path) -> None:
    installed(home, folder)
    path = command(home)
    path.write_text("mine now")

    again = installed(home, folder)
    gone = uninstalled(home, folder)

    assert (again.command, gone.command) == (None, None)
    assert path.read_text() == "mine now"


def test_an_older_version_of_ours_is_replaced(
    home: Path, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    older = tmp_path / "older.md"
    older.write_text("of an older version")
    with monkeypatch.context() as before:
        before.setattr("hooklore.cli.install.slash_command.command_source", lambda _named: older)
        installed(home, folder)

    installed(home, folder)

    assert command(home).read_bytes() == command_source().read_bytes()
    uninstalled(home, folder)
    assert not (home / ".claude").exists()


def test_it_goes_with_the_user_s_registration_and_not_with_a_project_s(
    home: Path, folder: Path
) -> None:
    installed(home, folder)
    installed(home, folder, "project")

    other = uninstalled(home, folder, "project")
    kept = command(home).is_file()
    installed(home, folder, "project")
    own = uninstalled(home, folder, "user")

    assert (other.command, kept) == (None, True)
    assert own.command == command(home)
    assert not command(home).exists()
    assert read_manifest(home).command is None


def test_without_a_manifest_ours_is_known_by_its_bytes(home: Path, folder: Path) -> None:
    installed(home, folder)
    (launcher_directory(home) / "manifest.json").unlink()

    assert uninstalled(home, folder).command == command(home)
    assert not command(home).exists()


def test_a_folder_that_cannot_be_made_is_an_error_and_can_be_undone(
    home: Path, folder: Path
) -> None:
    (home / ".claude").mkdir()
    (home / ".claude" / "commands").symlink_to(home / "nowhere")

    with pytest.raises(InstallError, match="slash command"):
        installed(home, folder)
    uninstalled(home, folder)

    assert [path.name for path in (home / ".claude").iterdir()] == ["commands"]
    assert (home / ".claude" / "commands").is_symlink()


def test_what_is_in_the_way_is_told_and_the_hooks_are_registered(hooks: Run, home: Path) -> None:
    (home / ".claude").mkdir()
    (home / ".claude" / "commands").write_text("in the way")

    printed = hooks("install", "--user")

    assert printed.rc == 0
    assert "left out `/hooklore:memory`: what lies there is not hooklore's" in printed.err
    assert (home / ".claude" / "settings.json").is_file()
    assert (home / ".claude" / "commands").read_text() == "in the way"
