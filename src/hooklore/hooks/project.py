"""The project that a folder belongs to, read from the files of git: no process is started."""

import os
import re
import time
from dataclasses import dataclass

from hooklore.hooks.git_repository import (
    Repository,
    count_listing,
    find_enclosing,
    find_repository,
    list_path,
    read_text,
    read_values,
    real_directory,
)
from hooklore.records.draft import ProjectKeys
from hooklore.redaction import redact

_LONGEST_BRANCH = 255
_LONGEST_URL = 2048
_CACHED = 512
_PLACE_SECONDS = 1.0

_TEMPORARY = ("/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp", "/dev/shm")  # noqa: S108
_TEMPORARY_TREES = ("/var/folders", "/private/var/folders")


@dataclass(frozen=True, slots=True)
class _Place:
    """The repository of a folder, and, for a submodule, the repositories around that."""

    repository: Repository
    enclosing: tuple[Repository, ...]
    home: str


@dataclass(frozen=True, slots=True)
class _Resolution:
    keys: ProjectKeys | None
    reasons: tuple[str, ...]


_Stamp = tuple[tuple[int, int, int] | None, ...]
_Folders = tuple[str | None, str | None, str]
_cache: dict[tuple[str, str | None, str], tuple[_Stamp, _Resolution]] = {}
_places: dict[_Folders, tuple[float, _Place]] = {}


def project_keys(cwd: str | None, project_dir: str | None, home: str) -> ProjectKeys | None:
    """Return what identifies the project of a session that runs in `cwd`; None when it has none.

    A git repository is known by its common directory, so that its worktrees are one project, and says its
    remote, which the registry of projects believes only where that remote is new. Another folder is known
    by its path (`project_dir`, where the client names one). `$HOME`, `/` and temporary folders are never a
    project, a repository below them is. A submodule names its superprojects, too. Answers are cached until
    `HEAD` or `config` of the repository changes, or the `.gitmodules` of one around it; the place of a
    folder's repository, for a second.
    """
    return _answer(cwd, project_dir, home).keys


def explain_project_keys(cwd: str | None, project_dir: str | None, home: str) -> list[str]:
    """Return the reasons why a folder is its project, or none: one reason a line."""
    return list(_answer(cwd, project_dir, home).reasons)


def _answer(cwd: str | None, project_dir: str | None, home: str) -> _Resolution:
    held = _places.get((cwd, project_dir, home))
    if held is not None and time.monotonic() - held[0] < _PLACE_SECONDS:
        return _of_known(held[1])
    start = real_directory(cwd) or real_directory(project_dir)
    if start is None:
        return _Resolution(None, (f"{cwd or 'no folder'}: not a folder that can be read",))
    base = real_directory(home) or home.rstrip("/")
    never = ("/", base, *_TEMPORARY)
    repository = find_repository(start, never)
    if repository is None:
        return _plain(real_directory(project_dir) or start, start, base)
    if len(_places) >= _CACHED:
        _places.clear()
    place = _Place(repository, find_enclosing(repository, never), base)
    _places[cwd, project_dir, home] = (time.monotonic(), place)
    return _of_known(place)


def _of_known(place: _Place) -> _Resolution:
    repository = place.repository
    key = repository.top, repository.claim, place.home
    # the files that change with branch, remotes, kind of checkout and submodules
    names = (
        os.path.join(repository.git, "HEAD"),
        os.path.join(repository.common, "config"),
        os.path.join(repository.git, "commondir"),
        *map(list_path, place.enclosing),
    )
    stamp = tuple(map(_state, names))
    cached = _cache.get(key)
    if cached is None or cached[0] != stamp:
        if len(_cache) >= _CACHED:
            _cache.clear()
        cached = _cache[key] = (stamp, _of_repository(repository, place.enclosing))
    return cached[1]


def _plain(folder: str, start: str, home: str) -> _Resolution:
    """Resolve a folder without a repository: to the client's project folder if the session is inside it."""
    if start != folder and not start.startswith(folder.rstrip("/") + "/"):
        folder = start
    if folder in ("/", home):
        return _Resolution(
            None, (f"{folder}: the root and the home directory are never a project",)
        )
    if any(folder == t or folder.startswith(t + "/") for t in _TEMPORARY + _TEMPORARY_TREES):
        return _Resolution(None, (f"{folder}: a temporary folder without a git repository",))
    if home.startswith(folder.rstrip("/") + "/"):
        return _Resolution(None, (f"{folder}: it holds the home directory",))
    keys = ProjectKeys((f"dir:{folder}",), os.path.basename(folder), folder)
    return _Resolution(keys, (f"{folder}: a folder without git, known by its path",))


def _state(path: str) -> tuple[int, int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def _of_repository(repository: Repository, enclosing: tuple[Repository, ...]) -> _Resolution:
    remotes = _remotes(read_text(os.path.join(repository.common, "config")) or "")
    chosen = _chosen(remotes)
    remote = normalize_remote(remotes[chosen]) if chosen else None
    own = repository.claim or repository.common
    keys = ((f"remote:{remote}",) if remote else ()) + (f"dir:{own}",)
    name = remote.rsplit("/", 1)[-1] if remote else _folder_name(repository)
    branch = _branch(repository.git)
    reasons = [f"{repository.top}: top of a git repository"]
    if repository.claim:
        reasons.append(f"{repository.common}: named by `.git`, and does not name this folder")
    elif repository.common != repository.git:
        reasons.append(f"{repository.common}: shared with its other worktrees")
    if remote:
        reasons.append(f"remote:{remote}: remote `{chosen}`, without user and password")
    else:
        reasons.append("no usable remote: known by its git directory")
    reasons.append(f"branch {branch}" if branch else "no branch is checked out")
    listing = count_listing(repository, enclosing)
    reasons += [f"{each.top}: {_IS_AROUND}" for each in enclosing[:listing]]
    reasons += [f"{each.top}: {_IS_NOT_AROUND}" for each in enclosing[listing:][:1]]
    # By this key memory knows a superproject, without a look at its remotes and its branch.
    around = tuple(
        ProjectKeys((f"dir:{each.common}",), _folder_name(each), each.top)
        for each in enclosing[:listing]
    )
    return _Resolution(ProjectKeys(keys, name, repository.top, branch, around), tuple(reasons))


_IS_AROUND = "its superproject, whose rules and decisions are read here too"
_IS_NOT_AROUND = "around it, and its `.gitmodules` does not list it"


def _folder_name(repository: Repository) -> str:
    """Return the name of a repository without a remote: that of the folder around its common directory."""
    parent, last = os.path.split(repository.claim or repository.common)
    name = os.path.basename(parent) if last == ".git" else last
    return name.removesuffix(".git") or os.path.basename(repository.top)


def _branch(git: str) -> str | None:
    """Return the branch that is checked out, or that a rebase in progress moves; None for a detached `HEAD`."""
    heads = ((read_text(os.path.join(git, name)) or "").removeprefix("ref: ") for name in _HEADS)
    lines = (head.split("\n", 1)[0].strip() for head in heads)
    line = next((line for line in lines if line.startswith(_OF_BRANCHES)), None)
    if line is None:
        return None
    name = _CONTROL.sub("", line.removeprefix(_OF_BRANCHES))
    return (name if len(name) <= _LONGEST_BRANCH else redact(name).text[:_LONGEST_BRANCH]) or None


_HEADS = ("HEAD", "rebase-merge/head-name", "rebase-apply/head-name")
_OF_BRANCHES = "refs/heads/"
_CONTROL = re.compile("[\x00-\x20\x7f-\x9f]")


def _remotes(config: str) -> dict[str, str]:
    """Return the first `url` of each `[remote "…"]` section of a git configuration."""
    found: dict[str, str] = {}
    for name, url in read_values(config, "remote", "url"):
        found.setdefault(name, url)
    return found


def _chosen(remotes: dict[str, str]) -> str | None:
    """Return the remote that names a project: `origin`, else `upstream`, else the only one."""
    for name in ("origin", "upstream"):
        if name in remotes:
            return name
    return next(iter(remotes)) if len(remotes) == 1 else None


_SAME_HOST = {"ssh.github.com": "github.com", "altssh.gitlab.com": "gitlab.com"}
"""Hosts that take ssh on port 443, and the host that they stand for."""
_SCP = re.compile(r"(?:[^@/\s]*@)?([^:/@\s]+):(?!//)(.+)")
_FULL = re.compile(
    r"([a-z][a-z0-9+.-]{0,31})://(?:[^/]*@)?(\[[0-9a-f:]+\]|[^/:@]*)(?::\d+)?/(.+)", re.IGNORECASE
)


def normalize_remote(url: str) -> str | None:
    """Return `host/path` of a remote: no scheme, user, password, port or `.git`, the host in lower case.

    The ssh, https and scp forms of one repository are equal. Return None for paths and for texts that
    are no address: the path of another clone says nothing that the clone's directory does not.
    """
    url = _CONTROL.sub("", url)
    if len(url) > _LONGEST_URL:
        return None
    found = _FULL.match(url)
    if found:
        scheme, host, path = found[1].lower(), found[2].lower(), found[3]
        if scheme == "file":
            return None
    else:
        scp = _SCP.match(url)
        if scp is None or url.startswith(("/", ".", "~")):
            return None
        host, path = scp[1].lower(), scp[2]
    path = path.split("?", 1)[0].split("#", 1)[0].strip("/").removesuffix(".git").strip("/")
    if not host or not path or "@" in path:
        return None
    return f"{_SAME_HOST.get(host, host)}/{path}"
