"""The project that a folder belongs to, read from the files of git: no process is started."""

import os
import re
import stat
import time
from dataclasses import dataclass

from hooklore.records.draft import ProjectKeys
from hooklore.redaction import redact

_LARGEST = 64 * 1024
_DEPTH = 64
_LONGEST_BRANCH = 255
_LONGEST_URL = 2048
_CACHED = 512
_PLACE_SECONDS = 1.0

_TEMPORARY = ("/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp", "/dev/shm")  # noqa: S108
_TEMPORARY_TREES = ("/var/folders", "/private/var/folders")


@dataclass(frozen=True, slots=True)
class _Repository:
    """The folders of a repository: `top` is the work tree, `git` its own files, `common` the shared ones.

    `claim` is the folder's `.git` where that points to a repository that does not know the folder.
    """

    top: str
    git: str
    common: str
    claim: str | None = None


@dataclass(frozen=True, slots=True)
class _Resolution:
    keys: ProjectKeys | None
    reasons: tuple[str, ...]


_Stamp = tuple[tuple[int, int, int] | None, ...]
_Folders = tuple[str | None, str | None, str]
_cache: dict[tuple[str, str | None, str], tuple[_Stamp, _Resolution]] = {}
_places: dict[_Folders, tuple[float, _Repository, str]] = {}


def project_keys(cwd: str | None, project_dir: str | None, home: str) -> ProjectKeys | None:
    """Return what identifies the project of a session that runs in `cwd`; None when it has none.

    A git repository is known by its common directory, so that its worktrees are one project, and says its
    remote, which the registry of projects believes only where that remote is new. Another folder is known
    by its path (`project_dir`, where the client names one). `$HOME`, `/` and temporary folders are never a
    project, a repository below them is. Answers are cached until `HEAD` or `config` of the repository
    changes; the place of a folder's repository, for a second.
    """
    return _answer(cwd, project_dir, home).keys


def explain_project_keys(cwd: str | None, project_dir: str | None, home: str) -> list[str]:
    """Return the reasons why a folder is its project, or none: one reason a line."""
    return list(_answer(cwd, project_dir, home).reasons)


def _answer(cwd: str | None, project_dir: str | None, home: str) -> _Resolution:
    held = _places.get((cwd, project_dir, home))
    if held is not None and time.monotonic() - held[0] < _PLACE_SECONDS:
        return _of_known(held[1], held[2])
    start = _directory(cwd) or _directory(project_dir)
    if start is None:
        return _Resolution(None, (f"{cwd or 'no folder'}: not a folder that can be read",))
    base = _directory(home) or home.rstrip("/")
    repository = _repository(start, base)
    if repository is None:
        return _plain(_directory(project_dir) or start, start, base)
    if len(_places) >= _CACHED:
        _places.clear()
    _places[cwd, project_dir, home] = (time.monotonic(), repository, base)
    return _of_known(repository, base)


def _of_known(repository: _Repository, base: str) -> _Resolution:
    key, stamp = (repository.top, repository.claim, base), _stamp(repository)
    cached = _cache.get(key)
    if cached is None or cached[0] != stamp:
        if len(_cache) >= _CACHED:
            _cache.clear()
        cached = _cache[key] = (stamp, _of_repository(repository))
    return cached[1]


def _directory(path: str | None) -> str | None:
    """Return the real path of an absolute folder; None for anything else, and for links in a circle."""
    if not path or not path.startswith("/") or "\0" in path:
        return None
    try:
        real = os.path.realpath(path, strict=True)
        return real if stat.S_ISDIR(os.stat(real).st_mode) else None
    except (OSError, ValueError):
        return None


def _plain(folder: str, start: str, home: str) -> _Resolution:
    """Resolve a folder without a repository: to the client's project folder if the session is inside it."""
    if start != folder and not start.startswith(folder.rstrip("/") + "/"):
        folder = start
    if folder in ("/", home):
        return _Resolution(
            None, (f"{folder}: the root and the home directory are never a project",)
        )
    if _is_temporary(folder):
        return _Resolution(None, (f"{folder}: a temporary folder without a git repository",))
    if home.startswith(folder.rstrip("/") + "/"):
        return _Resolution(None, (f"{folder}: it holds the home directory",))
    keys = ProjectKeys((f"dir:{folder}",), os.path.basename(folder), folder)
    return _Resolution(keys, (f"{folder}: a folder without git, known by its path",))


def _is_temporary(folder: str) -> bool:
    if folder in _TEMPORARY_TREES:
        return True
    return any(folder == t or folder.startswith(t + "/") for t in _TEMPORARY + _TEMPORARY_TREES)


def _repository(start: str, home: str) -> _Repository | None:
    """Return the repository around a folder, unless its top is the home directory or `/`."""
    folder = start
    for _ in range(_DEPTH):
        found = _repository_at(folder)
        if found is not None:
            return None if folder in ("/", home, *_TEMPORARY) else found
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
    return None


def _repository_at(folder: str) -> _Repository | None:
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
        return _Repository(folder, dot_git, dot_git) if is_git else None
    git = _pointed_directory(folder, dot_git, is_link=stat.S_ISLNK(mode))
    if git is None or not os.path.exists(os.path.join(git, "HEAD")):
        return None
    common = _common(git)
    is_its_own = _names_worktree(git, common, dot_git) or _names_submodule(git, folder)
    return _Repository(folder, git, common, dot_git if not is_its_own else None)


def _pointed_directory(folder: str, dot_git: str, *, is_link: bool) -> str | None:
    """Return the directory to which a `.git` points: as a link, or as a file that names one."""
    if is_link and os.path.isdir(dot_git):
        return _directory(dot_git)
    text = _read(dot_git) or ""
    named = text[len("gitdir:") :].strip() if text.startswith("gitdir:") else ""
    return _directory(os.path.join(folder, named)) if named and "\0" not in named else None


def _common(git: str) -> str:
    """Return the directory that all worktrees of a repository share."""
    named = (_read(os.path.join(git, "commondir")) or "").strip()
    if not named or "\0" in named:
        return git
    return _directory(os.path.join(git, named)) or git


def _names_worktree(git: str, common: str, dot_git: str) -> bool:
    """Return whether `git` is a worktree's directory in `common` that points back to this `.git`."""
    if os.path.dirname(git) != os.path.join(common, "worktrees"):
        return False
    named = (_read(os.path.join(git, "gitdir")) or "").strip()
    return "\0" not in named and os.path.realpath(os.path.join(git, named)) == dot_git


def _names_submodule(git: str, folder: str) -> bool:
    """Return whether the configuration in `git` has this folder as its work tree."""
    named = _WORKTREE.search(_read(os.path.join(git, "config")) or "")
    if named is None or os.path.exists(os.path.join(git, "commondir")):
        return False
    return os.path.realpath(os.path.join(git, _unquoted(named[1]))) == folder


_WORKTREE = re.compile(r"^\s*worktree\s*=\s*([^\n\0]+)", re.MULTILINE | re.IGNORECASE)


def _read(path: str) -> str | None:
    """Return at most 64 KiB of a regular file as text; None for anything else: a FIFO would block."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return None
    try:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            return None
        return os.read(fd, _LARGEST).decode("utf-8", "replace")
    except OSError:
        return None
    finally:
        os.close(fd)


def _stamp(repository: _Repository) -> _Stamp:
    """Return the state of the files that change with the branch, the remotes and the kind of checkout."""
    names = (
        os.path.join(repository.git, "HEAD"),
        os.path.join(repository.common, "config"),
        os.path.join(repository.git, "commondir"),
    )
    return tuple(_state(name) for name in names)


def _state(path: str) -> tuple[int, int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def _of_repository(repository: _Repository) -> _Resolution:
    remotes = _remotes(_read(os.path.join(repository.common, "config")) or "")
    chosen = _chosen(remotes)
    remote = normalize_remote(remotes[chosen]) if chosen else None
    own = repository.claim or repository.common
    keys = ((f"remote:{remote}",) if remote else ()) + (f"dir:{own}",)
    name = remote.rsplit("/", 1)[-1] if remote else _folder_name(repository)
    branch = _branch(_read(os.path.join(repository.git, "HEAD")) or "")
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
    return _Resolution(ProjectKeys(keys, name, repository.top, branch), tuple(reasons))


def _folder_name(repository: _Repository) -> str:
    """Return the name of a repository without a remote: that of the folder around its common directory."""
    parent, last = os.path.split(repository.claim or repository.common)
    name = os.path.basename(parent) if last == ".git" else last
    return name.removesuffix(".git") or os.path.basename(repository.top)


def _branch(head: str) -> str | None:
    line = head.split("\n", 1)[0].strip()
    if not line.startswith("ref: refs/heads/"):
        return None
    name = _CONTROL.sub("", line.removeprefix("ref: refs/heads/"))
    return (name if len(name) <= _LONGEST_BRANCH else redact(name).text[:_LONGEST_BRANCH]) or None


def work_branch(keys: ProjectKeys) -> str | None:
    """Return the branch that is checked out, or None where it is the repository's default one.

    The default is the branch that `origin` names, else `main` or `master`. It is read from a file of git,
    so that only the events that ask for it pay for it.
    """
    if not keys.branch:
        return None
    common = next((key.removeprefix("dir:") for key in keys.keys if key.startswith("dir:")), "")
    named = (_read(os.path.join(common, "refs", "remotes", "origin", "HEAD")) or "").strip()
    known = named.removeprefix(_ORIGIN) if named.startswith(_ORIGIN) else None
    return None if keys.branch in ((known,) if known else _USUAL_DEFAULTS) else keys.branch


_ORIGIN = "ref: refs/remotes/origin/"
_USUAL_DEFAULTS = ("main", "master")
_CONTROL = re.compile("[\x00-\x20\x7f-\x9f]")
_SECTION = re.compile(r'\s*\[\s*remote\s+"((?:[^"\\]|\\.){1,255})"\s*\]', re.IGNORECASE)
_URL = re.compile(r"\s*url\s*=\s*(.*)", re.IGNORECASE)


def _remotes(config: str) -> dict[str, str]:
    """Return the first `url` of each `[remote "…"]` section of a git configuration."""
    found: dict[str, str] = {}
    name: str | None = None
    for line in config.splitlines():
        if line.lstrip().startswith("["):
            section = _SECTION.match(line)
            name = section[1] if section else None
        elif name is not None and (url := _URL.match(line)):
            found.setdefault(name, _unquoted(url[1]))
    return found


def _unquoted(value: str) -> str:
    """Return a value of a git configuration without quotes and without the comment behind it."""
    value = value.strip()
    if value.startswith('"'):
        return value[1:].split('"', 1)[0]
    return re.split(r"\s[#;]", value, maxsplit=1)[0].strip()


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
