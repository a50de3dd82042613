"""The slash command without the plugin: a file among the user's own commands, which the agent loads.

The file lies where the plugin's command is called alike, so that with both there is one command (tried
in the real client). A file of that name that is the user's own stays as it is.
"""

import os
from contextlib import suppress
from pathlib import Path

from hooklore.agents.program_name import PROGRAM
from hooklore.agents.registration import UserCommand
from hooklore.agents.registry import default_agent
from hooklore.cli.install.files import make_directories, read_regular, replace_file, sweep
from hooklore.cli.install.manifest import Command, digest
from hooklore.errors import InstallError

_RUNS = b"hooklore memory"
"""The words by which the file runs the command."""


def command_source(command: UserCommand | None = None) -> Path:
    """Return the file of a command: in a wheel inside the package, in a checkout beside `src`."""
    package = Path(__file__).parents[2]
    found = command or default_agent().registration().user_command
    if found is None:
        raise InstallError("the slash command", "the agent has none")
    packaged = package / "_entry" / found.packaged
    for path in (packaged, package.parents[1] / found.checkout):
        if path.is_file():
            return path
    raise InstallError("the slash command", f"`{packaged}` does not exist")


def _content(named: UserCommand, program: str) -> bytes:
    ours = command_source(named).read_bytes()
    return ours.replace(_RUNS, _RUNS.replace(PROGRAM.encode(), os.fsencode(program)))


def planned(
    named: UserCommand, config_dir: Path, kept: Command | None, program: str
) -> Command | None:
    """Return the command to lay out, `kept` from an earlier install; None where a user's file has its name."""
    path = config_dir / named.path
    kept = kept if kept and kept.path == str(path) else None
    raw = _content(named, program)
    there = _read(path)
    if there is None or (there and digest(there) not in (digest(raw), kept and kept.after)):
        return None
    folders = [folder for folder in path.parents if config_dir in folder.parents][::-1]
    missing = [str(each) for each in folders if not each.exists()]
    made = [*(kept.made if kept else []), *missing]
    return Command(path=str(path), after=digest(raw), made=list(dict.fromkeys(made)))


def lay_out(named: UserCommand, command: Command, program: str) -> None:
    """Put the file in its place; twice is once. Raise InstallError."""
    path, raw = Path(command.path), _content(named, program)
    try:
        make_directories(path.parent, 0o700)
        sweep(path.parent)
        if _read(path) != raw:
            replace_file(path, raw, 0o600)
    except OSError as error:
        raise InstallError("the slash command", f"`{error.filename}`: {error.strerror}") from None


def found(
    named: UserCommand, config_dir: Path, kept: Command | None, *programs: str
) -> Command | None:
    """Return the command to take away: the one that an install noted, else a file that is ours to the byte."""
    if kept is not None:
        return kept
    path = config_dir / named.path
    there = _read(path)
    is_ours = any(there == _content(named, program) for program in programs)
    return Command(path=str(path), after=digest(there)) if there and is_ours else None


def take_away(command: Command) -> bool:
    """Remove the file unless somebody changed it, and the folders made for it. Return whether it was removed."""
    path = Path(command.path)
    sweep(path.parent)
    there = _read(path)
    is_ours = bool(there) and digest(there or b"") == command.after
    with suppress(OSError):
        if is_ours:
            path.unlink()
        for folder in reversed(command.made):
            Path(folder).rmdir()
    return is_ours


def _read(path: Path) -> bytes | None:
    """Return the file's bytes, b"" where there is none; None when it cannot be read or is no file."""
    try:
        return read_regular(path) or b""
    except OSError:
        return None
