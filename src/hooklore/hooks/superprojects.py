"""Find the superprojects of a submodule, where both sides say so.

A submodule lies in the work tree of its superproject, whose `.gitmodules` lists it, and its files lie in
the superproject's git directory, where they name the folder in turn. An archive that is unpacked
somewhere writes none of that.
"""

import os
import stat
from collections.abc import Collection, Iterator, Sequence

from hooklore.hooks.git_config import read_values
from hooklore.hooks.git_repository import Repository, find_repository, read_text

_MOST = 4
"""Superprojects of one submodule, the nearest: submodules are seldom nested, and never deeply."""

_LARGEST_LIST = 256 * 1024
"""Bytes of a `.gitmodules`. One that is larger lists nothing."""


def find_enclosing(submodule: Repository, never: Collection[str]) -> tuple[Repository, ...]:
    """Return the repositories around a submodule that may be its superprojects, the nearest first.

    For a repository that is no submodule nothing is looked for. None of `never` is the top of one.
    """
    return tuple(_climb(submodule, never))


def _climb(inner: Repository, never: Collection[str]) -> Iterator[Repository]:
    for _ in range(_MOST):
        if not inner.is_submodule:
            return
        outer = find_repository(os.path.dirname(inner.top), never)
        if outer is None or outer.claim is not None or not _has_one_owner(outer, inner):
            return
        yield outer
        inner = outer


def _has_one_owner(outer: Repository, inner: Repository) -> bool:
    try:
        folders = (outer.top, outer.git, inner.top, inner.git, list_path(outer))
        return len({os.lstat(each).st_uid for each in folders}) == 1
    except OSError:
        return False


def list_path(repository: Repository) -> str:
    """Return the path of the list of a repository's submodules."""
    return os.path.join(repository.top, ".gitmodules")


def count_listing(submodule: Repository, enclosing: Sequence[Repository]) -> int:
    """Return how many of the repositories around a submodule are its superprojects: each lists the one before."""
    inside = (submodule, *enclosing)
    lists = (_lists(outer, inner) for inner, outer in zip(inside, enclosing, strict=False))
    return next((n for n, is_listed in enumerate(lists) if not is_listed), len(enclosing))


def _lists(outer: Repository, inner: Repository) -> bool:
    """Return whether `.gitmodules` lists a folder under the name that its git directory has."""
    path = os.path.relpath(inner.top, outer.top)
    return any(
        listed == path and os.path.join(outer.git, "modules", name) == inner.git
        for name, listed in read_values(_read_list(outer), "submodule", "path")
    )


def _read_list(repository: Repository) -> str:
    """Return the text of `.gitmodules`: of a link, as for git, and of a larger file nothing is read."""
    path = list_path(repository)
    try:
        found = os.lstat(path)
    except OSError:
        return ""
    is_readable = stat.S_ISREG(found.st_mode) and found.st_size <= _LARGEST_LIST
    return (read_text(path, _LARGEST_LIST) or "") if is_readable else ""
