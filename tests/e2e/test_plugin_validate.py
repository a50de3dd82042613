"""The real client takes the plugin and the example, and honours the matchers."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from hooklore.agents.claude_code.registering import GROUPS
from hooklore.cli.install import install
from hooklore.errors import SettingsError
from tests.claude.api import Turn, bash, say, use
from tests.claude.session import Claude
from tests.support.settings_edit import plan_install

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.client

SPEAKER = """
import posix, sys
def main(event, arguments):
    name = posix.environ[b"HOME"] + b"/calls"
    fd = posix.open(name, posix.O_WRONLY | posix.O_APPEND | posix.O_CREAT, 0o600)
    payload = b""
    while part := posix.read(0, 65536):
        payload += part
    said = " ".join([event, *arguments]).encode()
    tool = payload.partition(b'"tool_name":"')[2].partition(b'"')[0]
    posix.write(fd, said + b" " + tool + b"\\n")
"""


@pytest.fixture
def claude(claude_binary: Path, tmp_path: Path) -> Claude:
    project = tmp_path / "project"
    project.mkdir()
    return Claude(claude_binary, tmp_path / "home", project)


@pytest.fixture
def speaker(tmp_path: Path) -> Path:
    path = tmp_path / "speaker.py"
    path.write_text(SPEAKER)
    return path


def calls(claude: Claude) -> list[str]:
    return sorted((claude.home / "calls").read_text().splitlines())


def tools(project: Path) -> list[Turn]:
    (project / "a.txt").write_text("hello\n")
    return [
        use("Read", file_path=str(project / "a.txt")),
        use("Glob", pattern="*.txt"),
        bash("true"),
        bash("exit 3"),
        use("Write", file_path=str(project / "b.txt"), content="x"),
        say("done"),
    ]


EXPECTED = sorted(
    [
        "SessionStart ", "UserPromptSubmit ", "Stop ", "SessionEnd ",
        "PreToolUse Bash", "PreToolUse Bash", "PreToolUse Write",
        "PostToolUse Bash", "PostToolUseFailure Bash", "PostToolUse Write",
    ]
)  # fmt: skip


def test_the_plugin_validates_offline(claude_binary: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [str(claude_binary), "plugin", "validate", str(ROOT)],
        env={
            "HOME": str(tmp_path),
            "PATH": os.defpath,
            "DISABLE_AUTOUPDATER": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "ANTHROPIC_BASE_URL": "http://127.0.0.1:9",
        },
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert "Validation passed" in done.stdout


def test_installed_settings_reach_the_client_for_these_tools_only(
    claude: Claude, speaker: Path
) -> None:
    install("project", home=claude.home, project_dir=claude.project, client=speaker)

    session = claude.run("use the tools", tools(claude.project))

    assert session.rc == 0
    assert calls(claude) == EXPECTED


def test_the_plugin_reaches_the_client_for_the_same_tools(claude: Claude, speaker: Path) -> None:
    install("plugin", home=claude.home, project_dir=claude.project, client=speaker)

    session = claude.run("use the tools", tools(claude.project), args=("--plugin-dir", str(ROOT)))

    assert session.rc == 0
    assert calls(claude) == sorted(each.replace(" ", " plugin ", 1) for each in EXPECTED)


@pytest.mark.parametrize(
    ("start", "end", "read"),
    [
        ("", "", True),
        ("\ufeff\r\n", "\t", True),
        ('{"hooks": {}, ', "", True),
        ("// mine\n", "", False),
        ("/* mine */", "", False),
        ("", ",}", False),
        ('{"a": NaN, ', "", False),
        ('{"a": "\t", ', "", False),
    ],
)
def test_the_client_reads_the_files_that_we_edit_and_ignores_those_that_we_refuse(
    claude: Claude, start: str, end: str, *, read: bool
) -> None:
    mark = claude.project / "ran"
    hook = {"type": "command", "command": f"echo > '{mark}'"}
    inside = json.dumps({"hooks": {"SessionStart": [{"hooks": [hook]}]}})[1:-1]
    text = (start if "{" in start else start + "{") + inside + (end if "}" in end else "}" + end)
    settings = claude.project / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_bytes(text.encode())

    claude.run("hello", [say("hello")])

    assert mark.exists() == read
    assert edits(settings) == read


def edits(path: Path) -> bool:
    """Whether we would edit this file."""
    try:
        plan_install("project", path, "", None, GROUPS.entries())
    except SettingsError:
        return False
    return True
