"""A store is a folder of its own: every entry point refuses `/` and the home directory, and writes nothing."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest

from hooklore.api.memory import Memory
from hooklore.errors import StoreError
from tests.processes import naming
from tests.support.installed import SCRIPTS
from tests.support.launcher import Launcher, prompt
from tests.support.prepared_command import run_command
from tests.support.untried import needs_mcp

_HOOKLORE, _HOOKS = str(SCRIPTS / "hooklore"), str(SCRIPTS / "hooks")
_NAMES = ("/", "//", "home", "~", "~/", "link", "home/.", "root of a log")


@pytest.fixture
def launcher(home: Path) -> Launcher:
    return Launcher(home).lay_out(is_patient=True)


def variables(name: str, home: Path) -> dict[str, str]:
    """The variables that name a store in a folder of more than memory."""
    link = home.parent / "link"
    if not link.is_symlink():
        link.symlink_to(home)
    if name == "root of a log":
        return {"AI_MEMORY_PATH": str(home)}
    found = {"home": str(home), "link": str(link), "home/.": f"{home}/."}.get(name, name)
    return {"HOOKLORE_HOME": found}


def files(home: Path) -> set[str]:
    """Every path below the home, and every name in `/`."""
    return {str(path) for path in home.rglob("*")} | {f"/{name}" for name in os.listdir("/")}


def command(
    home: Path, given: dict[str, str], *words: str, program: str = _HOOKLORE
) -> subprocess.CompletedProcess[str]:
    env = {"HOME": str(home), "PATH": os.environ["PATH"], **given}
    return run_command([program, *words], env, home)


COMMANDS = (
    ("remember", "The press is loud."), ("list",), ("recall", "press"), ("get", "press"), ("where",),
    ("rebuild",), ("janitor",), ("status",),
)  # fmt: skip


@pytest.mark.parametrize("name", _NAMES)
def test_a_command_refuses_such_a_store_with_a_way_out_and_writes_nothing(
    name: str, home: Path
) -> None:
    given, before = variables(name, home), files(home)

    for words in COMMANDS if name in ("/", "home") else COMMANDS[:2]:
        done = command(home, given, *words)

        assert done.returncode == 1, (words, done)
        assert "error: could not use" in done.stderr, (words, done.stderr)
        assert "hint: set `HOOKLORE_HOME` to a folder of its own" in done.stderr, (
            words,
            done.stderr,
        )
    assert files(home) == before


@needs_mcp
@pytest.mark.parametrize("name", ["/", "home"])
def test_the_mcp_server_refuses_it_too(name: str, home: Path) -> None:
    given, before = variables(name, home), files(home)

    done = command(home, given, "mcp", "--agent", "claude")

    assert done.returncode == 1
    assert "error: could not use" in done.stderr
    assert files(home) == before


@pytest.mark.parametrize("name", ["/", "home"])
@pytest.mark.parametrize(
    "words", [("doctor",), ("status",), ("install",), ("stop",), ("pause", "--everywhere")]
)
def test_the_suites_commands_refuse_it_too(name: str, words: tuple[str, ...], home: Path) -> None:
    before = files(home)

    done = command(home, variables(name, home), *words, program=_HOOKS)

    assert done.returncode == 1
    assert "error: could not use" in done.stderr
    assert files(home) == before


@pytest.mark.parametrize("name", ["/", "home"])
def test_an_uninstall_takes_the_hooks_out_all_the_same(name: str, home: Path) -> None:
    assert command(home, {}, "install", program=_HOOKS).returncode == 0

    done = command(home, variables(name, home), "uninstall", program=_HOOKS)

    assert done.returncode == 0, done.stderr
    assert not (home / ".claude" / "settings.json").exists()


@pytest.mark.parametrize("name", _NAMES)
def test_a_hook_says_it_once_a_session_and_writes_nothing(
    name: str, launcher: Launcher, home: Path
) -> None:
    given, before = variables(name, home), files(home)
    start = {"session_id": f"start-{os.getpid()}-{name}", "cwd": str(home), "source": "startup"}
    asked = prompt("Which press?", session=start["session_id"])

    ran = [
        launcher.run("SessionStart", {**start, "hook_event_name": "SessionStart"}, variables=given),
        launcher.run("UserPromptSubmit", asked, variables=given),
        launcher.run("PostToolUse", b"{}", variables=given),
    ]

    told = orjson.loads(ran[0].stdout)
    assert "a folder of its own" in told["hookSpecificOutput"]["additionalContext"]
    assert told["systemMessage"]
    assert [(each.status, each.stderr) for each in ran] == [(0, b"")] * 3
    assert (ran[1].stdout, ran[2].stdout) == (b"", b"")
    assert files(home) == before
    assert not [each for each in naming(home) if each.is_resident]


def test_a_squatted_name_of_the_sockets_folder_puts_nothing_into_it_either(
    launcher: Launcher, home: Path, tmp_path: Path
) -> None:
    shared = tmp_path / "shared-%d"
    (tmp_path / f"shared-{os.getuid()}").write_bytes(b"")
    client = launcher.folder / "client.py"
    text = client.read_text()
    assert text.count('b"/tmp/hooklore-%d"') == 1
    client.write_text(text.replace('b"/tmp/hooklore-%d"', repr(os.fsencode(shared))))
    before = files(home)

    ran = launcher.run(
        "UserPromptSubmit", prompt("Which press?"), variables=variables("home", home)
    )

    assert (ran.status, ran.stderr) == (0, b"")
    assert files(home) == before


@pytest.mark.parametrize("store", ["/", "home"])
def test_a_program_refuses_it(store: str, home: Path) -> None:
    before = files(home)

    with pytest.raises(StoreError, match="could not use"):
        Memory(agent="chatgpt", store=home if store == "home" else store)

    assert files(home) == before


@pytest.fixture(autouse=True)
def _no_marks_stay(home: Path) -> Iterator[None]:
    yield
    assert not (home / ".hooklore-run").exists()


@pytest.mark.parametrize(
    ("name", "content"),
    [("rules", "be kind\n"), ("reserve", "seats 4-7\n"), ("index/current", "of the river")],
)
def test_a_store_in_a_folder_with_files_of_another_program_stands_beside_them(
    name: str, content: str, home: Path
) -> None:
    folder = home / "shared"
    foreign = folder / name
    foreign.parent.mkdir(parents=True)
    foreign.write_text(content)
    given = {"HOOKLORE_HOME": str(folder)}

    assert command(home, given, "remember", "The press is loud.").returncode == 0

    assert foreign.read_text() == content
    assert {path.name for path in folder.iterdir()} == {name.partition("/")[0], "hooklore"}
    foreign.unlink()
    assert command(home, given, "remember", "Hall seven is cold.").returncode == 0
    log = (folder / "hooklore" / "events.jsonl").read_text()
    assert "The press is loud." in log
    assert "Hall seven is cold." in log
