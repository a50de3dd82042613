"""Find the repository around a folder, by the files of git: no process is started."""

import os
import stat
from collections.abc import Collection
from dataclasses import dataclass

from hooklore.hooks.git_config import read_values

LARGEST = 64 * 1024
"""Bytes that are read of a file of git."""

_DEPTH = 64


@dataclass(frozen=True, slots=True)
class Repository:
    """The folders of a repository: `top` is the work tree, `git` its own files, `common` the shared ones.

    `claim` is the folder's `.git` where that points to a repository that does not know the folder. A
    submodule has its files in a repository around it, and these name its work tree in turn.
    """

    top: str
    git: str
    common: str
    claim: str | None = None
    is_submodule: bool = False


def find_repository(start: str, never: Collection[str]) -> Repository | None:
    """Return the repository around a folder, unless its top is one of `never`."""
    folder = start
    for _ in range(_DEPTH):
        found = _repository_at(folder)
        if found is not None:
            return None if folder in never else found
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
    return None


def _repository_at(folder: str) -> Repository | None:
    """Return the repository whose top is `folder`, by its `.git`; None where there is none.

    `.git` may be a file or a link that names any repository of this machine. That repository must name
    the folder in turn, or what anybody put into an archive would choose the folder's project.
    """
    dot_git = os.path.join(folder, ".git")
    try:
        mode = os.lstat(dot_git).st_mode
    except (OSError, ValueError):
        return None
    if stat.S_ISDIR(mode):
        is_git = os.path.exists(os.path.join(dot_git, "HEAD"))
        return Repository(folder, dot_git, dot_git) if is_git else None
    git = _pointed_directory(folder, dot_git, is_link=stat.S_ISLNK(mode))
    if git is None or not os.path.exists(os.path.join(git, "HEAD")):
        return None
    common = _common(git)
    if _names_worktree(git, common, dot_git):
        return Repository(folder, git, common)
    is_submodule = _names_submodule(git, folder)
    return Repository(folder, git, common, None if is_submodule else dot_git, is_submodule)


def _pointed_directory(folder: str, dot_git: str, *, is_link: bool) -> str | None:
    """Return the directory to which a `.git` points: as a link, or as a file that names one."""
    if is_link and os.path.isdir(dot_git):
        return real_directory(dot_git)
    text = read_text(dot_git) or ""
    is_pointer = text.startswith("gitdir:")
    named = text.removeprefix("gitdir:").lstrip().rstrip("\r\n") if is_pointer else ""
    return real_directory(os.path.join(folder, named)) if named and "\0" not in named else None


def _common(git: str) -> str:
    """Return the directory that all worktrees of a repository share."""
    named = (read_text(os.path.join(git, "commondir")) or "").strip()
    if not named or "\0" in named:
        return git
    return real_directory(os.path.join(git, named)) or git


def _names_worktree(git: str, common: str, dot_git: str) -> bool:
    """Return whether `git` is a worktree's directory in `common` that points back to this `.git`."""
    if os.path.dirname(git) != os.path.join(common, "worktrees"):
        return False
    named = (read_text(os.path.join(git, "gitdir")) or "").strip()
    return "\0" not in named and os.path.realpath(os.path.join(git, named)) == dot_git


def _names_submodule(git: str, folder: str) -> bool:
    """Return whether the configuration in `git` has this folder as its work tree."""
    # git moves the setting to the second file where a checkout is sparse.
    files = (os.path.join(git, name) for name in ("config", "config.worktree"))
    named = next(filter(None, map(_named_work_tree, files)), None)
    if named is None or "\0" in named or os.path.exists(os.path.join(git, "commondir")):
        return False
    return os.path.realpath(os.path.join(git, named)) == folder


def _named_work_tree(path: str) -> str | None:
    found = [value for _, value in read_values(read_text(path) or "", "core", "worktree")]
    return found[-1] if found else None


def real_directory(path: str | None) -> str | None:
    """Return the real path of an absolute folder; None for anything else, and for links in a circle."""
    if not path or not path.startswith("/") or "\0" in path:
        return None
    try:
        real = os.path.realpath(path, strict=True)
        return real if stat.S_ISDIR(os.stat(real).st_mode) else None
    except (OSError, ValueError):
        return None


def read_text(path: str, largest: int = LARGEST) -> str | None:
    """Return the beginning of a regular file as text; None for anything else: a FIFO would block."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return None
    try:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            return None
        return os.read(fd, largest).decode("utf-8", "replace")
    except OSError:
        return None
    finally:
        os.close(fd)
