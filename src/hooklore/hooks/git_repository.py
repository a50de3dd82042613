"""Find the repository around a folder and its superprojects, by the files of git: no process is started."""

import os
import re
import stat
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

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
    texts = (read_text(os.path.join(git, name)) or "" for name in ("config", "config.worktree"))
    values = ([value for _, value in read_values(text, "core", "worktree")] for text in texts)
    named = next((each[-1] for each in values if each and each[-1]), None)
    if named is None or "\0" in named or os.path.exists(os.path.join(git, "commondir")):
        return False
    return os.path.realpath(os.path.join(git, named)) == folder


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


_CONTINUED = re.compile(r"(?<!\\)((?:\\\\)*+)\\\r?\n")
_HEADER = re.compile(r'\[[ \t]*([\w.-]+)(?:[ \t]+"((?:[^"\\]|\\.)*)")?[ \t]*\]')
_ESCAPED = re.compile(r"\\(.)")
_ESCAPES = {"n": "\n", "t": "\t", "b": "\b"}
_SPECIAL = re.compile(r'["\\#;]')


def read_values(text: str, section: str, key: str) -> Iterator[tuple[str, str]]:
    """Yield (name, value) of a key in each `[section "name"]` of a text; the name of `[section]` is "".

    `section` and `key` are in lower case.
    """
    whole = _CONTINUED.sub(r"\1", text) if "\\" in text else text
    lines, variable = _patterns(key)
    name: str | None = None
    for line in lines.findall(whole):
        header = _HEADER.match(line)
        if line.startswith("["):
            is_wanted = header is not None and header[1].lower() == section
            name = _ESCAPED.sub(r"\1", header[2] or "") if header and is_wanted else None
        found = variable.match(line, header.end() if header else 0) if name is not None else None
        if found and name is not None:
            yield name, _parse_value(line[found.end() :])


@cache
def _patterns(key: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what finds the lines with a section or a key, and the beginning of the key's line."""
    lines = rf"^[ \t]*(\[.*|{key}[ \t]*=.*)"
    return re.compile(lines, re.MULTILINE | re.IGNORECASE), re.compile(
        rf"[ \t]*{key}[ \t]*=", re.IGNORECASE
    )


def _parse_value(raw: str) -> str:
    """Return a value without the space around it, without quotes, escapes and the comment behind it."""
    if not _SPECIAL.search(raw):
        return raw.strip()
    kept: list[str] = []
    length, is_quoted = 0, False
    characters = iter(raw.lstrip())
    for character in characters:
        if character == '"':
            is_quoted = not is_quoted
        elif character in "#;" and not is_quoted:
            break
        else:
            is_escaped = character == "\\"
            escaped = next(characters, "") if is_escaped else ""
            kept.append(_ESCAPES.get(escaped, escaped) if is_escaped else character)
            length = len(kept) if is_quoted or is_escaped or not character.isspace() else length
    return "".join(kept[:length])


_MOST = 4
"""Superprojects of one submodule, the nearest: submodules are seldom nested, and never deeply."""

_LARGEST_LIST = 256 * 1024
"""Bytes of a `.gitmodules`. One that is larger lists nothing."""


def find_enclosing(submodule: Repository, never: Collection[str]) -> tuple[Repository, ...]:
    """Return the repositories around a submodule that may be its superprojects, the nearest first.

    For a repository that is no submodule nothing is looked for. None of `never` is the top of one.
    """
    found: list[Repository] = []
    inner = submodule
    while inner.is_submodule and len(found) < _MOST:
        outer = find_repository(os.path.dirname(inner.top), never)
        if outer is None or outer.claim is not None or not _have_one_owner(outer, inner):
            break
        found.append(outer)
        inner = outer
    return tuple(found)


def _have_one_owner(outer: Repository, inner: Repository) -> bool:
    folders = (outer.top, outer.git, inner.top, inner.git, list_path(outer))
    try:
        return len({os.lstat(each).st_uid for each in folders}) == 1
    except OSError:
        return False


def list_path(repository: Repository) -> str:
    """Return the path of the list of a repository's submodules."""
    return os.path.join(repository.top, ".gitmodules")


def count_listing(submodule: Repository, enclosing: Sequence[Repository]) -> int:
    """Return how many of the repositories around a submodule are its superprojects: each lists the one before."""
    inside = (submodule, *enclosing)
    pairs = enumerate(zip(inside, enclosing, strict=False))
    return next((n for n, (inner, outer) in pairs if not _lists(outer, inner)), len(enclosing))


def _lists(outer: Repository, inner: Repository) -> bool:
    """Return whether `.gitmodules` lists a folder under the name that its git directory has.

    Of a link, as for git, and of a larger file nothing is read.
    """
    listing = list_path(outer)
    try:
        found = os.lstat(listing)
    except OSError:
        return False
    is_readable = stat.S_ISREG(found.st_mode) and found.st_size <= _LARGEST_LIST
    text = (read_text(listing, _LARGEST_LIST) or "") if is_readable else ""
    path = os.path.relpath(inner.top, outer.top)
    return any(
        listed == path and os.path.join(outer.git, "modules", name) == inner.git
        for name, listed in read_values(text, "submodule", "path")
    )
