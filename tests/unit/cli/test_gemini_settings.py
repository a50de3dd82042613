"""`hooks install --agent gemini` and back: the settings file is byte for byte what it was."""

import json
from pathlib import Path

import pytest

from hooklore.agents.gemini.registering import REGISTRATION
from hooklore.agents.json_text import blank_comments
from tests.unit.cli.conftest import Run

THEIRS = {"matcher": "write_.*", "hooks": [{"name": "mine", "type": "command", "command": "true"}]}

ODD = {
    "plain": '{\n  "ui": {"theme": "GitHub"}\n}\n',
    "comments": '// my settings\n{\n  /* colours */\n  "ui": {}, // none\n'
    '  "x": "// no comment"\n  // the end\n}\n// done\n',
    "a comment behind the last member": '{\n  "ui": {} // mine\n}\n',
    "a comment in an empty object": "{\n  // nothing yet\n}\n",
    "one line with a comment": '{"ui": {} /* mine */}\n',
    "carriage returns": '{\r\n  // mine\r\n  "ui": {}\r\n}\r\n',
    "tabs": '{\n\t"ui": {},\n\t"hooks": {\n\t\t"AfterTool": []\n\t}\n}\n',
    "byte order mark": '\ufeff{\n  "ui": {}\n}\n',
    "no newline at the end": '{"ui": {}}',
    "empty": "",
    "blank": " \n\n",
    "empty object": "{}",
    "unknown keys": '{"nobody": {"knows": [1, 2.50, 1e9]}, "hooks": {"Later": [7]}}\n',
    "foreign hooks": json.dumps({"hooks": {"BeforeTool": [THEIRS]}}, indent=4),
    "a foreign server": json.dumps({"mcpServers": {"theirs": {"command": "x"}}}, indent=2),
    "Japanese": '{\n  "言語": "日本語" // 設定\n}\n',
    "repeated keys": '{\n  "hooks": {},\n  "hooks": {"AfterTool": []}\n}\n',
}


@pytest.fixture
def settings(home: Path) -> Path:
    path = home / ".gemini" / "settings.json"
    path.parent.mkdir()
    return path


def document(path: Path) -> dict[str, dict[str, object]]:
    """The settings as the client reads them."""
    found: dict[str, dict[str, object]] = json.loads(
        blank_comments(path.read_text("utf-8").removeprefix("\ufeff"))
    )
    return found


@pytest.mark.parametrize("before", ODD.values(), ids=ODD.keys())
def test_install_and_uninstall_give_the_same_bytes(
    hooks: Run, project: Path, settings: Path, before: str
) -> None:
    settings.write_bytes(before.encode())

    installed = hooks("install", "--agent", "gemini")
    registered = document(settings)
    again = hooks("install", "--agent", "gemini")
    gone = hooks("uninstall", "--agent", "gemini")

    assert (installed.rc, again.rc, gone.rc) == (0, 0, 0)
    assert set(REGISTRATION.entry_files) <= set(registered["hooks"])
    assert "has them already" in again.out
    assert settings.read_bytes() == before.encode()


@pytest.mark.parametrize("before", ODD.values(), ids=ODD.keys())
def test_what_the_user_changed_meanwhile_stays_and_only_ours_goes(
    hooks: Run, project: Path, settings: Path, before: str
) -> None:
    settings.write_bytes(before.encode())
    hooks("install", "--agent", "gemini")
    settings.write_bytes(settings.read_bytes() + b"\n// and this is mine\n")

    hooks("uninstall", "--agent", "gemini")

    left = settings.read_bytes()
    assert b"hooklore" not in left
    assert left.endswith(b"\n// and this is mine\n")
    comments = ("// my settings", "/* colours */", "// the end", "/* mine */")
    assert [c for c in comments if c in before] == [c for c in comments if c.encode() in left]
    if before.strip():
        was = json.loads(blank_comments(before.removeprefix("\ufeff")))
        assert document(settings) == was


def test_without_a_settings_file_none_is_left_nor_a_folder(
    hooks: Run, home: Path, project: Path
) -> None:
    hooks("install", "--agent", "gemini")
    assert (home / ".gemini" / "settings.json").exists()

    hooks("uninstall")

    assert not (home / ".gemini").exists()
    assert not (home / ".local" / "share" / "hooklore").exists()


def test_a_project_and_a_moved_home_have_files_of_their_own(
    hooks: Run, home: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GEMINI_CLI_HOME", str(home / "elsewhere"))

    hooks("install", "--agent", "gemini", "--project")
    hooks("install", "--agent", "gemini")

    assert (project / ".gemini" / "settings.json").exists()
    assert (home / "elsewhere" / ".gemini" / "settings.json").exists()
    assert not (home / ".gemini").exists()


def test_settings_that_the_client_does_not_read_are_an_error_with_the_place(
    hooks: Run, project: Path, settings: Path
) -> None:
    settings.write_text('{\n  // fine\n  "ui": {},\n}\n')

    printed = hooks("install", "--agent", "gemini")

    assert printed.rc == 1
    assert "line 3" in printed.err or "line 4" in printed.err
    assert settings.read_text() == '{\n  // fine\n  "ui": {},\n}\n'
