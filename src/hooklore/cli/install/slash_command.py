"""`/hooklore:memory` without the plugin: a file among the user's own commands, which Claude Code loads.

It lies where the plugin's would be called alike, so that with both there is one command (tried in the
real client). A file of that name that is the user's own stays as it is.
"""

from contextlib import suppress
from pathlib import Path

from hooklore.cli.install.files import make_directories, read_regular, replace_file, sweep
from hooklore.cli.install.manifest import Command, digest
from hooklore.errors import InstallError


def command_source() -> Path:
    """The command's file: inside the package in a wheel, beside `src` in a checkout. Raises InstallError."""
    package = Path(__file__).parents[2]
    for path in (
        package / "_entry" / "memory.md",
        package.parents[1] / ".claude-plugin" / "commands" / "memory.md",
    ):
        if path.is_file():
            return path
    raise InstallError("the slash command", f"`{package / '_entry' / 'memory.md'}` does not exist")


def planned(config_dir: Path, kept: Command | None) -> Command | None:
    """What is to be laid out; None where a file of the user's own has the name.

    `config_dir` is the user's `.claude`, `kept` what an earlier install put there.
    """
    path = config_dir / "commands" / "hooklore" / "memory.md"
    kept = kept if kept and kept.path == str(path) else None
    raw = command_source().read_bytes()
    there = _read(path)
    if there is None or (there and digest(there) not in (digest(raw), kept and kept.after)):
        return None
    missing = [str(each) for each in (path.parent.parent, path.parent) if not each.exists()]
    made = [*(kept.made if kept else []), *missing]
    return Command(path=str(path), after=digest(raw), made=list(dict.fromkeys(made)))


def lay_out(command: Command) -> None:
    """Put the file there; twice is once. Raises InstallError."""
    path, raw = Path(command.path), command_source().read_bytes()
    try:
        make_directories(path.parent, 0o700)
        sweep(path.parent)
        if _read(path) != raw:
            replace_file(path, raw, 0o600)
    except OSError as error:
        raise InstallError("the slash command", f"`{error.filename}`: {error.strerror}") from None


def found(config_dir: Path, kept: Command | None) -> Command | None:
    """What there is to take away: what an install noted, else a file that is ours to the byte."""
    if kept is not None:
        return kept
    path = config_dir / "commands" / "hooklore" / "memory.md"
    ours = digest(command_source().read_bytes())
    there = _read(path)
    return Command(path=str(path), after=ours) if there and digest(there) == ours else None


def take_away(command: Command) -> bool:
    """Remove the file, unless somebody changed it, and the folders made for it; whether it was removed."""
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
    """The file's bytes, empty where there is none; None of what cannot be read, or is no file."""
    try:
        return read_regular(path) or b""
    except OSError:
        return None
