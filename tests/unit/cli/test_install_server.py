"""`hooks install` registers the MCP server, too, and `hooks uninstall` leaves every byte as it was."""

import json
import os
import threading
import time
from pathlib import Path

import pytest

from hooklore.agents.claude_code.registering import SERVER
from hooklore.agents.registration import Places
from hooklore.agents.registry import get_agent
from hooklore.agents.server_marks import find_servers, server_marks_path
from hooklore.cli.install.edit import apply_insertions
from hooklore.cli.install.launcher import launcher_directory
from tests.unit.cli.conftest import Run

SHAPES = {
    "missing": None,
    "empty": b"",
    "blank": b" \n\n",
    "no settings": b"{}",
    "compact": b'{"numStartups":3,"mcpServers":{"other":{"command":"x","args":[]}}}',
    "tabs": b'{\n\t"mcpServers": {\n\t\t"other": {\n\t\t\t"command": "x"\n\t\t}\n\t},\n\t"z": 1\n}\n',
    "no servers": b'{\n  "mcpServers": {},\n  "projects": {"/p": {"mcpServers": {}}}\n}',
    "line ends": b'{\r\n    "a": 1,\r\n    "mcpServers": { }\r\n}\r\n',
    "mark": b'\xef\xbb\xbf{\n  "a": 10000000000000000000000001\n}\n',
    "odd bytes": b'{"a": "\xff\xfe", "a": 2}',
    "a key twice": b'{"mcpServers": {"x": {}}, "mcpServers": {"y": {"command": "y"}}}',
}


@pytest.fixture(autouse=True)
def _serves(with_server: None) -> None:
    """This environment has the server."""


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("scope", ["user", "project"])
def test_the_servers_of_an_agent_are_byte_for_byte_what_they_were(
    hooks: Run, home: Path, project: Path, shape: str, scope: str
) -> None:
    path = home / ".claude.json" if scope == "user" else project / ".mcp.json"
    before = SHAPES[shape]
    if before is not None:
        path.write_bytes(before)

    hooks("install", f"--{scope}")
    document = json.loads(path.read_bytes().decode("utf-8-sig", "surrogateescape"))
    again = hooks("install", f"--{scope}")
    hooks("uninstall")

    assert document["mcpServers"]["hooklore"] == SERVER.entry(Path("/home/u"))
    assert f"`{path}` has it already" in again.out
    assert (path.read_bytes() if path.exists() else None) == before
    assert not launcher_directory(home).exists()


def test_after_the_client_rewrote_its_file_only_our_server_goes(hooks: Run, home: Path) -> None:
    path = home / ".claude.json"
    path.write_text('{\n  "numStartups": 1\n}')
    hooks("install")
    document = json.loads(path.read_text())
    document |= {"numStartups": 2, "userID": "u"}
    path.write_text(json.dumps(document, indent=2))

    hooks("uninstall")

    assert path.read_text() == json.dumps({"numStartups": 2, "userID": "u"}, indent=2)


def test_the_server_of_a_project_leaves_a_step_to_the_user(
    hooks: Run, home: Path, project: Path
) -> None:
    asked = [hooks("install", *words).err for words in (
        ("--project",), ("--project", "--no-server"), ("--project", "--dry-run"), ("--user",),
    )]  # fmt: skip

    assert ["choose `Use this MCP server`" in each for each in asked] == [True, False, False, False]


def test_a_mark_says_for_whom_and_where_the_server_is_registered(
    hooks: Run, home: Path, project: Path
) -> None:
    hooks("install", "--project")
    here = find_servers(home, "claude", str(project))
    elsewhere = find_servers(home, "claude", "/elsewhere")
    hooks("install")
    everywhere = find_servers(home, "claude", None)
    hooks("uninstall", "--user")
    hooks("uninstall", "--project")

    assert (here, elsewhere, everywhere) == (("project",), (), ("user",))
    assert not find_servers(home, "claude", str(project))
    assert not server_marks_path(home).exists()


def test_without_the_extra_one_line_says_how_to_get_it(
    hooks: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hooklore.cli.install.server.find_spec", lambda _name: None)

    printed = hooks("install")

    assert "left out the MCP server: `pip install 'hooklore[mcp]'` brings it" in printed.out
    assert not (home / ".claude.json").exists()
    assert not find_servers(home, "claude", None)


def test_no_server_leaves_it_out_and_takes_an_earlier_one_away(hooks: Run, home: Path) -> None:
    hooks("install")
    printed = hooks("install", "--no-server")

    assert f"took the MCP server out of `{home}/.claude.json`" in printed.out
    assert not (home / ".claude.json").exists()
    assert (home / ".claude" / "settings.json").exists()
    assert "left out" not in printed.out


@pytest.mark.parametrize("is_edited", [False, True])
def test_the_servers_tools_are_allowed_only_with_the_server(
    hooks: Run, home: Path, monkeypatch: pytest.MonkeyPatch, *, is_edited: bool
) -> None:
    path = home / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text('{"permissions": {"allow": ["Bash(make:*)", "mcp__hooklore__get"]}}')

    def allowed(*options: str) -> list[str]:
        hooks("install", *options)
        document = json.loads(path.read_text())
        if is_edited:
            path.write_text(json.dumps({**document, "model": "opus"}))
        return [r for r in document["permissions"]["allow"] if r.startswith("mcp__")]

    own = ["mcp__hooklore__get"]
    assert allowed("--no-server") == own
    assert len(allowed()) == 5
    assert allowed("--no-server") == own
    assert len(allowed()) == 5
    monkeypatch.setattr("hooklore.cli.install.server.find_spec", lambda _name: None)
    assert allowed() == own
    assert "Bash(hooklore get:*)" in path.read_text()
    hooks("uninstall")
    assert json.loads(path.read_text())["permissions"] == {
        "allow": ["Bash(make:*)", "mcp__hooklore__get"]
    }


@pytest.mark.parametrize(
    ("name", "theirs"),
    [
        ("codex", '[mcp_servers.hooklore]\ncommand = "mine"\n'),
        ("gemini", '{"mcpServers": {"hooklore": {"command": "mine"}}}'),
    ],
)
def test_the_way_around_a_server_with_that_name_is_for_the_same_agent(
    hooks: Run, home: Path, name: str, theirs: str
) -> None:
    server = get_agent(name).registration().server
    path = server.settings_path("user", Places(home, home)) if server else None
    assert path is not None
    path.parent.mkdir()
    path.write_text(theirs)

    printed = hooks("install", "--agent", name)

    assert (printed.rc, path.read_text()) == (1, theirs)
    assert f"`hooks install --agent {name} --no-server`" in printed.err


def test_a_broken_settings_file_that_keeps_gemini_from_starting_is_said_to_do_so(
    hooks: Run, home: Path
) -> None:
    path = home / ".gemini" / "settings.json"
    path.parent.mkdir()
    path.write_text('{"model": ')

    printed = hooks("install", "--agent", "gemini")

    assert (printed.rc, path.read_text()) == (1, '{"model": ')
    assert "Gemini CLI does not start with it" in printed.err


def test_a_server_of_the_users_own_with_that_name_is_left_alone(hooks: Run, home: Path) -> None:
    path = home / ".claude.json"
    theirs = '{"mcpServers": {"hooklore": {"command": "mine"}}}'
    path.write_text(theirs)

    printed = hooks("install")

    assert printed.rc == 1
    assert "a server of another program is named `hooklore`" in printed.err
    assert "`hooks install --no-server`" in printed.err
    assert path.read_text() == theirs
    assert not (home / ".claude").exists()


def test_an_install_waits_for_the_clients_own_lock(hooks: Run, home: Path) -> None:
    lock = home / ".claude.json.lock"
    lock.mkdir()
    timer = threading.Timer(0.4, lock.rmdir)
    timer.start()
    started = time.monotonic()

    hooks("install")

    timer.join()
    assert time.monotonic() - started >= 0.4
    assert (home / ".claude.json").exists()
    assert not lock.exists()


def test_a_lock_that_nobody_renews_is_taken_over(home: Path) -> None:
    path, lock = home / ".claude.json", home / ".claude.json.lock"
    lock.mkdir()
    os.utime(lock, (0, 0))

    with SERVER.hold(path):
        assert lock.exists()

    assert not lock.exists()


def test_the_plugin_brings_the_same_server(hooks: Run, home: Path) -> None:
    plugin = Path(__file__).parents[3] / ".claude-plugin" / "plugin.json"
    hooks("install", "--plugin")

    assert json.loads(plugin.read_text())["mcpServers"] == {
        "hooklore": SERVER.entry(Path("/home/u"))
    }
    assert find_servers(home, "claude", None) == ("plugin",)
    assert not (home / ".claude.json").exists()


@pytest.mark.parametrize(
    "steps",
    [
        ((), ("--no-server",), ()),
        (("--no-server",), (), ("--no-permissions",)),
        (("--no-permissions",), (), ("--no-server",)),
    ],
)
@pytest.mark.parametrize("before", [None, b'{\n\t"theme": "x" // mine\n}\n', b'{"mcpServers": {}}'])
def test_hooks_and_server_in_one_file_are_undone_whatever_was_asked_for_meanwhile(
    hooks: Run, home: Path, steps: tuple[tuple[str, ...], ...], before: bytes | None
) -> None:
    path = home / ".gemini" / "settings.json"
    if before is not None:
        path.parent.mkdir()
        path.write_bytes(before)

    for words in steps:
        assert hooks("install", "--agent", "gemini", *words).rc == 0
        assert hooks("install", "--agent", "gemini", *words).rc == 0
        is_registered = find_servers(home, "gemini", None) == ("user",)
        assert is_registered == ("--no-server" not in words)
    hooks("uninstall", "--agent", "gemini")

    assert (path.read_bytes() if path.exists() else None) == before
    assert path.parent.exists() == (before is not None)


ADDED = {"trust": True, "timeout": 30_000, "env": {"A B": "c"}, "tools": {"recall": {"mode": "x"}}}


@pytest.mark.parametrize("agent", ["claude", "codex", "gemini"])
def test_what_the_user_added_to_the_server_stays_and_the_doctor_takes_it(
    hooks: Run, home: Path, agent: str
) -> None:
    place = Places(home, home)
    server = get_agent(agent).registration().server
    assert server is not None
    path = server.settings_path("user", place)
    assert path is not None
    path.parent.mkdir(exist_ok=True)
    form, entry = server.format, server.entry(home) | server.permitted

    def write(found: dict[str, object]) -> None:
        path.write_text(apply_insertions("", form.add("", {"hooklore": found}, str(path))))

    hooks("install", "--agent", agent)
    write(entry | ADDED)
    told = hooks("doctor").out
    hooks("install", "--agent", agent)
    before = form.registered(path.read_text())
    write(entry | ADDED | {"args": [*entry["args"], "--read-only"]})
    stale = hooks("doctor").out
    hooks("install", "--agent", agent)

    assert "differs from what this version writes" not in told
    assert "differs from what this version writes" in stale
    assert before == form.registered(path.read_text()) == [("hooklore", entry | ADDED)]
    hooks("uninstall")
    assert not path.exists() or "hooklore" not in path.read_text()
