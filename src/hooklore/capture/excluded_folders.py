"""Folders where a person lets nothing be recorded or recalled, however a path to them is spelled."""

import fnmatch
import os
import re
import sys
import time
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import unquote

from hooklore.config import Settings, read_environment

_IGNORES_CASE = sys.platform == "darwin"
_SECONDS = 5
"""Seconds for which a link that `exclude_projects` names is taken to lead where it led."""


def covers_any(settings: Settings, folders: Iterable[str | None]) -> bool:
    """Return whether one of `folders`, absolute paths, is in `capture.exclude_projects` or below such a folder.

    An entry is a path, a glob or a name, with `~` and `$HOME` for the home directory. A folder is looked for
    under its own path and under the real one, because sessions are started by links, too.
    """
    entries = settings.capture.exclude_projects
    if not entries:
        return False
    globs = _globs_of(entries, _home_of(entries), int(time.monotonic() / _SECONDS))
    below = [f"{glob}/*" for glob in globs]
    for folder in filter(None, folders):
        paths = (folder, os.path.normpath(folder), os.path.realpath(folder))
        for path in set(map(_compared, paths)):
            if any(path == glob or path.startswith(f"{glob}/") for glob in globs):
                return True  # also where a name holds brackets
            if matches_globs(path, globs) or matches_globs(f"{path}/", below):
                return True
    return False


@lru_cache(maxsize=8)
def _globs_of(entries: tuple[str, ...], home: str, _period: int) -> tuple[str, ...]:
    """Return the entries as paths are compared, those of links with where they lead."""
    spelled = [_spelled(entry, home) for entry in entries]
    real = [_compared(os.path.realpath(path)) for path in spelled if os.path.isabs(path)]
    return tuple(dict.fromkeys((*map(_compared, spelled), *real)))


def _home_of(entries: tuple[str, ...]) -> str:
    """Return the home directory, where an entry names it: the environment is copied for each reading."""
    is_named = any("~" in entry or "$" in entry for entry in entries)
    return read_environment().get("HOME", "") if is_named else ""


def _spelled(entry: str, home: str) -> str:
    """Return an entry without the signs that a shell or a desktop reads, and without `/**` at its end."""
    text = entry.strip()
    if text.startswith("file://"):
        text = unquote(text.removeprefix("file://"))
    for sign in ("~", "$HOME", "${HOME}"):
        if home and (text == sign or text.startswith(f"{sign}/")):
            text = home + text[len(sign) :]
    while text.startswith(("./", "../")):
        text = text.partition("/")[2]
    if text.startswith("/"):
        text = "/" + os.path.normpath(text).lstrip("/")
    return text.removesuffix("/**").rstrip("/")


def _compared(path: str) -> str:
    path = unicodedata.normalize("NFC", path)
    return path.casefold() if _IGNORES_CASE else path


def is_file_kept_out(settings: Settings, path: str) -> bool:
    """Return whether a glob of `capture.exclude` names a file, the file that it is a link to, or a folder above.

    A name without a glob's signs is that of a folder, too, as in the files by which git ignores.
    """
    entries = settings.capture.exclude
    globs = _file_globs_of(entries, _home_of(entries))
    if matches_globs(_compared(path), globs):
        return True
    return os.path.islink(path) and matches_globs(_compared(os.path.realpath(path)), globs)


@lru_cache(maxsize=8)
def _file_globs_of(entries: tuple[str, ...], home: str) -> tuple[str, ...]:
    """Return the globs of files as paths are compared."""
    found: list[str] = []
    for entry in entries:
        glob = _compared(_spelled(entry, home))
        is_folder = entry.rstrip().endswith(("/", "/**")) or not _WILD.intersection(glob)
        names = (glob, glob.lstrip("/")) if entry.lstrip().startswith("/") else (glob,)
        found += [*names, *(f"{name}/*" for name in names if is_folder and name)]
    return tuple(dict.fromkeys(found))


_WILD = frozenset("*?[")


def may_be_kept_out(settings: Settings, word: str) -> bool:
    """Return whether a word of a command may name a file that is kept out: `.env`, `.e*`, `HEAD:.env`.

    Programs below a folder that is kept out are run every day, so that globs of folders do not count.
    """
    globs = _named_files_of(settings.capture.exclude)
    word = word.rpartition(":")[2] if ":" in word and not word.startswith("/") else word
    if matches_globs(word, globs):
        return True
    if _WILD.isdisjoint(word):
        if not settings.capture.exclude_projects:
            return False
        path = _spelled(word, _home_of((word,)))
        return os.path.isabs(path) and covers_any(settings, (path,))
    name = word.rpartition("/")[2]
    examples = (glob.replace("*", "") for glob in globs)
    return any(matches_globs(example, (name,)) for example in examples if example.strip("."))


@lru_cache(maxsize=8)
def _named_files_of(entries: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(entry.strip() for entry in entries if not entry.rstrip().endswith(("/**", "/")))


def matches_globs(path: str, globs: Iterable[str]) -> bool:
    """Return whether a glob names this path, its last part, or a folder on the way (`node_modules/**`)."""
    return _pattern(tuple(globs)).match(path) is not None


@lru_cache(maxsize=64)
def _pattern(globs: tuple[str, ...]) -> re.Pattern[str]:
    """Return one expression for all globs; without globs one that matches nothing."""
    each = [fnmatch.translate(glob.removeprefix("**/")) for glob in globs]
    return re.compile(f"(?:.*/)?(?:{'|'.join(each)})" if each else r"(?!)", re.DOTALL)
