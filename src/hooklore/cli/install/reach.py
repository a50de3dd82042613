"""Make `hooklore` reachable for the shells that agents start: by its name, or by the launcher's own path.

An environment of one's own is on no PATH. Where `~/.local/bin` is, a link there leads to the launcher's program.
Another program of that name is never replaced, nor hidden behind a link: then agents are told the path.
"""

import os
import shutil
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from hooklore.agents.own_program import launcher_program, quoted_program
from hooklore.agents.program_name import PROGRAM
from hooklore.cli.install.files import make_directories, replace_link
from hooklore.cli.install.manifest import Link
from hooklore.errors import InstallError

LINKS = ".local/bin"
"""The folder for a user's own programs, below the home."""

_OURS = b"hooklore.cli"
"""Text of every script that starts hooklore, whatever installed the script."""

_HEAD = 4096


@dataclass(frozen=True, slots=True)
class Reach:
    """The way to `hooklore`, and the `program` that a shell runs.

    `path`: a shell finds the program already. `link`: it finds our link. `launcher`: it finds none, and
    agents name the launcher's own, because of `obstacle`, another program of that name, or because
    `~/.local/bin` is not on PATH.
    """

    way: Literal["path", "link", "launcher"]
    program: Path
    obstacle: Path | None = None


def search_path(env: Mapping[str, str]) -> str:
    """Return the PATH of the user's shells: an environment that is active is so in this shell alone."""
    active = env.get("VIRTUAL_ENV")
    own = os.path.realpath(os.path.join(active, "bin")) if active else None
    folders = env.get("PATH", "").split(os.pathsep)
    kept = (each for each in folders if os.path.isabs(each) and os.path.realpath(each) != own)
    return os.pathsep.join(kept)


def decide_reach(home: Path, path: str, known: Link | None) -> Reach:
    """Return how agents are to reach the program, where their shells search `path`; `known` is an earlier link."""
    own, link = Path(launcher_program(str(home))), link_path(home)
    folder, is_ours = os.path.realpath(link.parent), is_our_link(link, home, known)
    found = shutil.which(PROGRAM, path=path) if path else None
    if found is not None and not (is_ours and os.path.realpath(Path(found).parent) == folder):
        is_hooklore = starts_hooklore(Path(found))
        return Reach("path", Path(found)) if is_hooklore else Reach("launcher", own, Path(found))
    is_listed = folder in map(os.path.realpath, path.split(os.pathsep))
    existing = next(each for each in link.parents if each.exists())
    if not is_listed or not os.access(existing, os.W_OK | os.X_OK):
        return Reach("launcher", own)
    is_free = is_ours or not os.path.lexists(link)
    return Reach("link", link) if is_free else Reach("launcher", own, link)


def link_path(home: Path) -> Path:
    """Return where a link to the launcher's program lies."""
    return home / LINKS / PROGRAM


def is_our_link(link: Path, home: Path, known: Link | None) -> bool:
    """Return whether a link leads to this launcher, or where an earlier install made it lead."""
    with suppress(OSError):
        return os.readlink(link) in (launcher_program(str(home)), known and known.target)
    return False


def starts_hooklore(program: Path) -> bool:
    """Return whether a program is a script that starts hooklore, be it another installation."""
    try:
        with open(program, "rb") as stream:
            return _OURS in stream.read(_HEAD)
    except OSError:
        return False


def plan_link(reach: Reach, home: Path, known: Link | None) -> Link | None:
    """Return the link as the manifest is to have it: the planned one, else that of an earlier install."""
    if reach.way != "link":
        return known
    folder = reach.program.parent
    missing = [str(p) for p in (*reversed(folder.parents), folder) if not p.exists()]
    made = list(dict.fromkeys((*(known.made if known else ()), *missing)))
    return Link(path=str(reach.program), target=launcher_program(str(home)), made=made)


def make_link(link: Link, home: Path, known: Link | None) -> None:
    """Make the link, or renew ours. Raise InstallError."""
    path = Path(link.path)
    try:
        make_directories(path.parent, 0o755)
        if is_our_link(path, home, known):
            replace_link(path, link.target)
        else:
            path.symlink_to(link.target)  # whoever took the name meanwhile keeps it
    except OSError as error:
        raise InstallError(f"the link `{path}`", error.strerror or str(error)) from None


def find_link(home: Path, known: Link | None) -> Link | None:
    """Return the link of ours that is there: the one of the manifest, else one that leads to this launcher."""
    standard = Link(path=str(link_path(home)), target=launcher_program(str(home)))
    for each in filter(None, (known, standard)):
        if is_our_link(Path(each.path), home, known):
            return each
    return None


def take_link(link: Link | None, known: Link | None) -> None:
    """Remove a link of ours, and the folders that installs made for one where they are empty."""
    with suppress(OSError):
        if link is not None:
            os.unlink(link.path)
        for folder in reversed(known.made if known else ()):
            os.rmdir(folder)


def typed_program(reach: Reach, home: Path) -> str:
    """Return what an agent's shell runs hooklore by."""
    return quoted_program(str(home)) if reach.way == "launcher" else PROGRAM
