"""`hooks install --agent codex`: hooks in JSON, the server in TOML, and every other byte as it was."""

import json
import os
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hooklore.agents.codex import EVENTS
from hooklore.agents.server_marks import find_servers
from hooklore.agents.toml_settings import ServerTable
from hooklore.cli.install.edit import apply_insertions
from hooklore.cli.install.launcher import launcher_directory
from hooklore.errors import SettingsError
from tests.unit.cli.conftest import Run

INSTALL = ("install", "--agent", "codex")
UNINSTALL = ("uninstall", "--agent", "codex")

TOML = {
    "missing": None,
    "empty": b"",
    "blank": b"\n \n",
    "comment alone": b"# mine",
    "no end of line": b'model = "x"',
    "line ends": b'model = "x" # why\r\n\r\n[tui]\r\ntheme = "dark"\r\n',
    "mark": b'\xef\xbb\xbfmodel = "x"\n',
    "other servers": b'[mcp_servers.docs]\ncommand = "x"\nargs = [\n  "a", # b\n]\n\n[z]\n',
    "dotted keys": b'mcp_servers.docs.command = "x"\nmodel = "y"\n[tui]\n',
    "table of servers": b"[mcp_servers]\n",
    "our name in a text": b'note = """\n[mcp_servers.hooklore]\ncommand = 1\n"""\n[tui]\n',
    "our name in a comment": b"# [mcp_servers.hooklore]\n# hooklore\n",
    "odd values": b"a = 1_000\nb = 0x1F\nc = 1979-05-27T07:32:00Z\nd = 1e400\ne = nan\n'q w' = [[1],\n[2]]\n",
    "arrays of tables": b"[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = 'command'\ncommand = 'x'\n",
}
HOOKS = {
    "missing": None,
    "empty": b"",
    "foreign": b'{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x"}]}]},"description":"d"}',
    "line ends": b'{\r\n\t"hooks": {\r\n\t\t"Stop": [ ]\r\n\t}\r\n}\r\n',
    "unknown keys": b'\xef\xbb\xbf{"mine": [1, {"a": 1.50}], "hooks": {"Foo": []}}',
}


@pytest.fixture(autouse=True)
def _serves(with_server: None) -> None:
    """This environment has the server."""


@pytest.fixture
def folder(home: Path) -> Path:
    return home / ".codex"


def write(folder: Path, name: str, raw: bytes | None) -> None:
    if raw is not None:
        folder.mkdir(exist_ok=True)
        (folder / name).write_bytes(raw)


def files(home: Path) -> dict[str, bytes]:
    found = (each for each in home.rglob("*") if each.is_file())
    return {str(each): each.read_bytes() for each in found}


def server(folder: Path) -> Any:
    text = (folder / "config.toml").read_bytes().decode("utf-8-sig")
    return tomllib.loads(text)["mcp_servers"]["hooklore"]


@pytest.mark.parametrize("toml", TOML)
@pytest.mark.parametrize("hooks_json", HOOKS)
def test_an_install_and_an_uninstall_leave_every_byte(
    hooks: Run, home: Path, folder: Path, toml: str, hooks_json: str
) -> None:
    write(folder, "config.toml", TOML[toml])
    write(folder, "hooks.json", HOOKS[hooks_json])
    before = files(home)

    first = hooks(*INSTALL)
    between = files(home)
    again = hooks(*INSTALL)
    entry = server(folder)
    last = hooks(*UNINSTALL)

    assert (first.rc, again.rc, last.rc) == (0, 0, 0)
    assert between == files(home) | between  # twice is once
    assert "has them already" in again.out
    assert entry["command"] == f"{launcher_directory(home)}/python"
    assert entry["args"][-3:] == ["mcp", "--agent", "codex"]
    assert files(home) == before
    assert folder.exists() == bool(before)


def test_what_others_wrote_since_stays_and_what_the_client_noted_of_ours_goes(
    hooks: Run, home: Path, folder: Path
) -> None:
    write(folder, "config.toml", b'model = "x"\n')
    hooks(*INSTALL)
    path = folder / "config.toml"
    trust = '\n[hooks.state."/h:stop:0:0"]\ntrusted_hash = "abc"\n'
    noted = '\n[mcp_servers.hooklore.tools.recall]\napproval_mode = "approve"\n'
    path.write_text("# top\n" + path.read_text() + noted + trust)

    gone = hooks(*UNINSTALL)

    assert gone.rc == 0
    assert path.read_text() == '# top\nmodel = "x"\n' + trust


def test_the_server_runs_without_a_question_unless_told_otherwise(
    hooks: Run, home: Path, folder: Path
) -> None:
    printed = hooks(*INSTALL)
    allowed = server(folder)
    hooks(*INSTALL, "--no-permissions")
    asked = server(folder)
    hooks(*UNINSTALL)

    assert allowed["default_tools_approval_mode"] == "approve"
    assert "allowed without a question: the server's tools" in printed.out
    assert "default_tools_approval_mode" not in asked
    assert not folder.exists()


def test_a_table_of_servers_that_takes_no_other_is_refused_before_anything_changes(
    hooks: Run, home: Path, folder: Path
) -> None:
    write(folder, "config.toml", b'mcp_servers = { docs = { command = "x" } }\n')
    before = files(home)

    printed = hooks(*INSTALL)
    without = hooks(*INSTALL, "--no-server")

    assert printed.rc == 1
    assert "`mcp_servers` is written so that nothing can be added to it" in printed.err
    assert "--no-server" in printed.err
    assert without.rc == 0
    assert {path: files(home)[path] for path in before} == before


@pytest.mark.parametrize(
    ("raw", "cause"),
    [
        (b"model = ", "invalid value"),
        (b"\xff\xfe", "it is UTF-16"),
        (b"a = '\xff'", "it is not UTF-8"),
        (b"mcp_servers = 3", "`mcp_servers` must be a table"),
        (b"[mcp_servers.hooklore]\ncommand = 'mine'\n", "a server of another program is named"),
    ],
)
def test_settings_that_cannot_be_edited_stop_the_install_before_anything(
    hooks: Run, home: Path, folder: Path, raw: bytes, cause: str
) -> None:
    write(folder, "config.toml", raw)

    printed = hooks(*INSTALL)

    assert printed.rc == 1
    assert cause in printed.err
    assert printed.err.count("hint: ") == 1
    assert files(home) == {str(folder / "config.toml"): raw}


def test_an_install_says_what_is_left_to_the_user_and_trusts_nothing_itself(
    hooks: Run, home: Path, folder: Path
) -> None:
    printed = hooks(*INSTALL)

    assert "type `/hooks` and trust hooklore's hooks" in printed.err
    assert "trust" not in (folder / "config.toml").read_text()
    assert sorted(os.listdir(folder)) == ["config.toml", "hooks.json"]


def test_another_folder_of_the_client_is_found_by_its_variable(
    hooks: Run, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "elsewhere"
    monkeypatch.setenv("CODEX_HOME", str(elsewhere))
    hooks(*INSTALL)
    document = json.loads((elsewhere / "hooks.json").read_text())
    monkeypatch.delenv("CODEX_HOME")
    gone = hooks("uninstall")

    assert list(document["hooks"]) == list(EVENTS)
    assert gone.rc == 0
    assert not elsewhere.exists()
    assert not (home / ".codex").exists()


def test_two_agents_are_installed_and_taken_out_each_by_itself(
    hooks: Run, home: Path, folder: Path
) -> None:
    hooks("install")
    claude = files(home / ".claude")
    hooks(*INSTALL)
    both = [find_servers(home, name, None) for name in ("claude", "codex")]
    hooks(*UNINSTALL)
    one = [find_servers(home, name, None) for name in ("claude", "codex")]

    assert (both, one) == ([("user",), ("user",)], [("user",), ()])
    assert not folder.exists()
    assert files(home / ".claude") == claude
    assert not (launcher_directory(home) / "hooks" / "codex").exists()


def test_a_scope_that_the_client_has_not_is_an_error(hooks: Run, home: Path) -> None:
    printed = hooks(*INSTALL, "--project")

    assert printed.rc == 1
    assert "it has no scope `project`" in printed.err


LINES = st.lists(
    st.sampled_from(
        [
            "", "# hooklore", "a = 1", "[t]", "[mcp_servers.x]", 'command = "y"', "  [mcp_servers]",
            'b = """', '"""', "[mcp_servers.hooklore]", "c = [", "]", "[[t.u]]", "'hooklore' = {}",
        ]
    ),
    max_size=12,
)  # fmt: skip


@given(lines=LINES, end=st.sampled_from(["\n", "\r\n"]), more=LINES)
@settings(max_examples=300)
def test_a_table_that_is_put_in_and_taken_out_changes_no_other_setting(
    lines: list[str], end: str, more: list[str]
) -> None:
    form, text = ServerTable("it does not start", "hooks install"), end.join(lines)
    wanted = {"hooklore": {"command": "/h/.local/share/hooklore/python", "args": ["mcp"]}}
    try:
        form.check(text, "c")
        with_ours = apply_insertions(text, form.add(text, wanted, "c"))
        edited = with_ours + end + end.join(more)
        form.check(edited, "c")
        ours = form.registered(edited)
        without = form.remove(edited)
    except SettingsError:
        return

    assert form.registered(without) == []
    before, after = tomllib.loads(edited), tomllib.loads(without)
    if ours:
        del before["mcp_servers"]["hooklore"]
    assert after in (before, {key: v for key, v in before.items() if key != "mcp_servers" or v})
