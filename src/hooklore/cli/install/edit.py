"""One settings file, before and after: planned without touching anything, then written at once."""

import difflib
import errno
import os
import stat
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from hooklore.cli.install import json_text, settings
from hooklore.cli.install.files import make_directories, read_regular, replace_file, sweep
from hooklore.cli.install.manifest import Place, Undo, digest
from hooklore.cli.install.registration import Group
from hooklore.errors import SettingsError

Scope = Literal["user", "project", "local", "plugin"]
"""Whose settings; `plugin` lays out the launcher and registers nothing: the plugin does."""

_NAME = b"hooklore"
"""A file without it holds nothing of ours, and need not be understood."""


@dataclass(frozen=True, slots=True)
class SettingsEdit:
    """What becomes of one settings file; None stands for no file."""

    scope: Scope
    path: Path
    before: bytes | None
    after: bytes | None

    @property
    def changed(self) -> bool:
        """Whether there is anything to write."""
        return self.before != self.after

    @property
    def diff(self) -> str:
        """A unified diff, empty when nothing changes."""
        lines = difflib.unified_diff(
            _lines(self.before), _lines(self.after), str(self.path), str(self.path), lineterm=""
        )
        return "\n".join(lines)


def _lines(raw: bytes | None) -> list[str]:
    text = (raw or b"").decode("utf-8", "replace").replace("\r\n", "\n")
    return text.removesuffix("\n").split("\n") if text else []


def plan_install(
    scope: Scope, path: Path, line: str, known: Place | None, wanted: Mapping[str, Group]
) -> tuple[SettingsEdit, Place]:
    """The edit that registers these groups, and what the manifest is to hold. Raises SettingsError.

    What an earlier install put in is taken out first, exactly where nobody touched the file since:
    so that an uninstall after an upgrade still comes back to the user's own bytes.
    """
    raw = _read(path)
    mark, text = json_text.decode(raw or b"", str(path))
    if not json_text.is_blank(text):
        json_text.check(text, str(path))
    if settings.is_registered(text, wanted):
        return SettingsEdit(scope, path, raw, raw), known or Place(path=str(path), line=line)
    clean = _without_ours(path, raw, known)
    mark, text = json_text.decode(clean or b"", str(path))
    insertions = settings.add(text, wanted, str(path))
    after = mark + json_text.encode(settings.apply(text, insertions))
    undo = Undo(
        before=None if clean is None else digest(clean),
        after=digest(after),
        spans=_spans(text, insertions, len(mark)),
    )
    had = sorted(settings.present(text))
    made = known.made if known else []
    place = Place(path=str(path), line=line, had=had, made=made, undo=undo)
    return SettingsEdit(scope, path, raw, after), place


def _spans(text: str, insertions: list[settings.Insertion], at: int) -> list[tuple[int, int]]:
    """(offset, length) of each insertion in the bytes written; `at` is the first byte of text."""
    spans, done = [], 0
    for each in insertions:
        at += len(json_text.encode(text[done : each.at]))
        spans.append((at, len(json_text.encode(each.text))))
        at += spans[-1][1]
        done = each.at
    return spans


def plan_uninstall(scope: Scope, path: Path, known: Place | None) -> SettingsEdit:
    """The edit that takes our groups out. Raises SettingsError."""
    raw = _read(path)
    return SettingsEdit(scope, path, raw, _without_ours(path, raw, known))


def _without_ours(path: Path, raw: bytes | None, known: Place | None) -> bytes | None:
    """The file as it was before us where nobody touched it since, else as it is without us.

    A file that we made and that holds nothing else any more goes away.
    """
    undo = known.undo if known else None
    if raw is None:
        return None
    if undo is not None:
        with suppress(ValueError):
            return undo.undo(raw)
    if _NAME not in raw:
        return raw
    mark, text = json_text.decode(raw, str(path))
    json_text.check(text, str(path))
    rest = settings.remove(text, known.had if known else ())
    if rest == text:
        return raw
    if undo is not None and undo.before is None and not json_text.root(rest).children:
        return None
    return mark + json_text.encode(rest)


def _read(path: Path) -> bytes | None:
    try:
        return read_regular(path)
    except OSError as error:
        raise SettingsError(str(path), error.strerror or str(error)) from None


def write(edit: SettingsEdit) -> list[str]:
    """Write the planned bytes; the folders made for it. Raises SettingsError, `Changed` among them.

    The file's mode stays, a link stays a link, and a file that somebody has written to since it was
    read is left to them.
    """
    sweep(edit.path.resolve().parent)
    if not edit.changed:
        return []
    if _read(edit.path) != edit.before:
        raise SettingsChanged(str(edit.path))
    try:
        if edit.after is None:
            edit.path.resolve().unlink()
            return []
        if edit.before is not None and not os.access(edit.path, os.W_OK):
            raise PermissionError(errno.EACCES, "it is read-only")
        made = make_directories(edit.path.resolve().parent, 0o777)
        replace_file(edit.path, edit.after, _mode(edit.path))
    except OSError as error:
        raise SettingsError(str(edit.path), error.strerror or str(error)) from None
    return [str(each) for each in made]


class SettingsChanged(SettingsError):
    """Somebody wrote to the file between our reading and our writing; nothing was written."""

    def __init__(self, path: str) -> None:
        super().__init__(path, "it was changed meanwhile", fix="run the same command again")


def _mode(path: Path) -> int:
    """The file's own mode; that of any new file of the user's where there is none."""
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
