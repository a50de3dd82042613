"""The launcher: the folder in the home that every registered command names.

`python` links to the interpreter that has hooklore, and `hooklore` runs it for the command. `client.py` is
the package's client with a table of the registered agents, compiled (without its `.pyc` a hook costs a quarter
more). `hooks/` holds the entry files, `in-settings` the places that are registered, `servers` those of the MCP
server, `server.py` the server's start, `PROTOCOL.md` the rules that agents are told of, `by-path` says that
agents run the command by its path. Sessions run hooks out of the folder while it changes, so each file is
replaced in one step.
"""

import os
import py_compile
import shlex
import shutil
import stat
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from hooklore.agents.agent import Agent
from hooklore.agents.own_program import BY_PATH
from hooklore.agents.program_name import PROGRAM
from hooklore.agents.registration import LAUNCHER_PATH, SERVER_FILE
from hooklore.agents.registry import default_agent
from hooklore.agents.server_marks import server_marks_path
from hooklore.cli.install.client_table import fill_in
from hooklore.cli.install.files import (
    DRAFT,
    make_directories,
    read_regular,
    replace_file,
    replace_link,
    sweep,
)
from hooklore.cli.protocol.text import RULES, RULES_FILE
from hooklore.errors import InstallError

_ENTRY = '''"""{event} of {agent}. stdin: the payload. stdout: the answer, or nothing. Exits 0."""

import sys

sys.path.insert(0, __file__.rsplit("/", 3)[0])

import client

client.main("{event}", ["{agent}"])
'''
"""An entry file that the installer writes; it lies in a folder of the agent's."""

_SERVER = b'''"""Start the MCP server by the interpreter's own path: by a link an environment is not found."""

import os
import sys

python = os.readlink(__file__.rpartition("/")[0] + "/python")
os.execv(python, [python, "-I", "-m", "hooklore.cli.entry", *sys.argv[1:]])
'''

CLIENT, TROUBLE = "client.py", "client_trouble.py"
"""The program of every hook, and what that loads where something is wrong."""

_PROGRAM = """#!/bin/sh
exec {interpreter} -I -m hooklore.cli.entry "$@"
"""
"""The command for shells whose PATH lacks the interpreter's environment."""

_OURS = (
    "python", CLIENT, TROUBLE, SERVER_FILE, RULES_FILE, "in-settings", "servers", "manifest.json", PROGRAM, BY_PATH,
)  # fmt: skip


def launcher_directory(home: Path) -> Path:
    """Return the folder of the launcher."""
    return home / LAUNCHER_PATH


def lay_out(
    home: Path,
    *,
    interpreter: str | None = sys.executable,
    client: Path | None = None,
    agents: Sequence[Agent] = (),
) -> None:
    """Fill the launcher for `agents`, by default the default one; modes 0700 and 0600. Raise InstallError.

    Twice is once, the last one wins. `interpreter` is linked as it is named: a virtual environment is found by
    its own path, not by the target of its link. None leaves the link alone. `client` is the source of the
    client, by default the package's.
    """
    folder = launcher_directory(home)
    try:
        make_directories(folder.parent, 0o700)
        for each in (folder, folder / "hooks", folder / "__pycache__"):
            each.mkdir(mode=0o700, exist_ok=True)
            each.chmod(0o700)
            sweep(each)
        agents = agents or [default_agent()]
        # A client that is new finds what it may load.
        _lay_out_client(folder / TROUBLE, client_source(TROUBLE).read_bytes())
        source = (client or client_source()).read_bytes()
        _lay_out_client(folder / CLIENT, fill_in(source, agents, home))
        _put(folder / SERVER_FILE, _SERVER)
        _put(folder / RULES_FILE, RULES.encode())
        _lay_out_entries(folder / "hooks", agents)
        if interpreter is not None:
            _link_interpreter(folder, interpreter)
    except OSError as error:
        cause = f"`{error.filename}`: {error.strerror}"
        raise InstallError(f"the launcher in `{folder}`", cause) from None


def _lay_out_entries(folder: Path, agents: Sequence[Agent]) -> None:
    wanted = {name: raw for agent in agents for name, raw in entry_files(agent).items()}
    for name, raw in wanted.items():
        path = folder / name
        path.parent.mkdir(mode=0o700, exist_ok=True)
        _put(path, raw)
    kept = {name.partition("/")[0] for name in wanted}
    for each in folder.iterdir():  # the folders of agents that are no longer registered
        if each.is_dir() and each.name not in kept:
            shutil.rmtree(each, ignore_errors=True)


def entry_files(agent: Agent) -> dict[str, bytes]:
    """Return the entry files of an agent, by their names below `hooks/`. Raise InstallError."""
    registration = agent.registration()
    if registration.is_packaged:
        folder = entry_directory(agent)
        return {name: (folder / name).read_bytes() for name in registration.entry_files.values()}
    return {
        name: _ENTRY.format(agent=agent.id, event=event).encode()
        for event, name in registration.entry_files.items()
    }


def entry_directory(agent: Agent | None = None) -> Path:
    """Return the folder of packaged entry files: in a wheel inside the package, in a checkout beside `src`."""
    first = next(iter((agent or default_agent()).registration().entry_files.values()))
    package = Path(__file__).parents[2]
    for candidate in (package / "_entry", package.parents[1] / "hooks"):
        if (candidate / first).is_file():
            return candidate
    raise InstallError("the entry files", f"`{package / '_entry'}` does not exist")


def client_source(name: str = CLIENT) -> Path:
    """Return the source of a file of the client in the package."""
    return Path(__file__).parents[2] / "resident" / name


def _lay_out_client(target: Path, raw: bytes) -> None:
    """Write the compiled file first, marked never to be checked against its source.

    So a hook that starts between the two steps runs the new client, and no hook compiles it again. An
    older client that another version of the interpreter compiled goes.
    """
    compiled = target.parent / "__pycache__" / f"{target.stem}.{sys.implementation.cache_tag}.pyc"
    draft = target.parent / f"{DRAFT}{os.getpid()}.py"
    replace_file(draft, raw, 0o600)
    try:
        py_compile.compile(
            str(draft), str(compiled), str(target), doraise=True, optimize=0,
            invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
        )  # fmt: skip
    except py_compile.PyCompileError as error:
        raise InstallError("the client", str(error)) from None
    finally:
        draft.unlink()
    replace_file(target, raw, 0o600)
    for other in compiled.parent.glob(f"{target.stem}.*.pyc"):
        if other != compiled:
            other.unlink(missing_ok=True)


def _put(path: Path, raw: bytes, mode: int = 0o600) -> None:
    if read_regular(path) != raw or stat.S_IMODE(path.stat().st_mode) != mode:
        replace_file(path, raw, mode)


def _link_interpreter(folder: Path, interpreter: str) -> None:
    if not os.access(interpreter, os.X_OK):
        raise InstallError("the launcher", f"`{interpreter}` is not an interpreter")
    link = folder / "python"
    if not (link.is_symlink() and os.readlink(link) == interpreter):
        replace_link(link, interpreter)
    program = _PROGRAM.format(interpreter=shlex.quote(interpreter))
    _put(folder / PROGRAM, os.fsencode(program), 0o700)


def mark_by_path(home: Path, *, is_by_path: bool) -> None:
    """Say in the launcher that agents run the command by its path, or that their shells find its name."""
    mark = launcher_directory(home) / BY_PATH
    if is_by_path:
        _put(mark, b"")
    else:
        mark.unlink(missing_ok=True)


def write_places(home: Path, lines: Iterable[str]) -> None:
    """Write the places whose settings register the hooks: a plugin's commands leave the work to these."""
    _put_lines(launcher_directory(home) / "in-settings", lines)


def write_server_marks(home: Path, marks: Iterable[tuple[str, str]]) -> None:
    """Write (agent id, place) of each registration of the MCP server, see `agents/server_marks.py`."""
    _put_lines(server_marks_path(home), (f"{agent_id} {place}" for agent_id, place in marks))


def _put_lines(path: Path, lines: Iterable[str]) -> None:
    kept = sorted({each for each in lines if "\n" not in each})
    if kept:
        _put(path, os.fsencode("".join(f"{each}\n" for each in kept)))
    else:
        path.unlink(missing_ok=True)


def read_places(home: Path) -> list[str]:
    """Return the lines of `in-settings`."""
    raw = read_regular(launcher_directory(home) / "in-settings") or b""
    return [line for line in os.fsdecode(raw).split("\n") if line]


def remove(home: Path) -> bool:
    """Remove the launcher and only our files in it. Return whether nothing is left of the folder."""
    folder = launcher_directory(home)
    entries = folder / "hooks"
    for path in (folder, entries, *filter(Path.is_dir, entries.rglob("*"))):
        sweep(path)
    for name in _OURS:
        with suppress(OSError):
            (folder / name).unlink()
    for path in sorted(entries.rglob("*.py"), reverse=True):
        if path.is_file() and _CALLS_CLIENT in (read_regular(path) or b""):
            path.unlink(missing_ok=True)
    for path in (*sorted(entries.rglob("__pycache__"), reverse=True), folder / "__pycache__"):
        shutil.rmtree(path, ignore_errors=True)
    for path in (*sorted(entries.rglob("*"), reverse=True), entries, folder):
        with suppress(OSError):
            path.rmdir()
    return not folder.exists()


_CALLS_CLIENT = b"client.main("
"""A line of every entry file."""
