"""One settings file, before and after: planned without touching anything, then written at once."""

import difflib
import errno
import os
import stat
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from hooklore.agents.registration import (
    Entry,
    Insertion,
    Scope,
    SettingsFormat,
    apply_insertions,
    is_registered,
)
from hooklore.agents.registry import DEFAULT_AGENT_ID, get_agent
from hooklore.cli.install.files import make_directories, read_regular, replace_file, sweep
from hooklore.cli.install.manifest import Place, Undo, digest
from hooklore.errors import SettingsError

_NAME = b"hooklore"
"""A file without this name holds no entry of ours, and need not be understood."""


@dataclass(frozen=True, slots=True)
class SettingsEdit:
    """The bytes of one settings file before and after; None stands for no file."""

    scope: Scope
    path: Path
    before: bytes | None
    after: bytes | None

    @property
    def changed(self) -> bool:
        """Return whether there is anything to write."""
        return self.before != self.after

    @property
    def diff(self) -> str:
        """Return a unified diff, empty when nothing changes."""
        lines = difflib.unified_diff(
            _lines(self.before), _lines(self.after), str(self.path), str(self.path), lineterm=""
        )
        return "\n".join(lines)


def _lines(raw: bytes | None) -> list[str]:
    text = (raw or b"").decode("utf-8", "replace").replace("\r\n", "\n")
    return text.removesuffix("\n").split("\n") if text else []


def plan_install(
    scope: Scope,
    path: Path,
    line: str,
    known: Place | None,
    wanted: Mapping[str, Entry],
    *,
    agent_id: str = DEFAULT_AGENT_ID,
) -> tuple[SettingsEdit, Place]:
    """Return the edit that registers `wanted`, and the place for the manifest. Raise SettingsError.

    Entries of an earlier install are taken out first, byte for byte where nobody touched the file
    since. So an uninstall after an upgrade still comes back to the user's own bytes.
    """
    form = _format(agent_id)
    raw = _read(path)
    _, text = form.decode(raw or b"", str(path))
    if not form.is_blank(text):
        form.check(text, str(path))
    if is_registered(form, text, wanted):
        found = known or Place(path=str(path), line=line, agent=agent_id)
        return SettingsEdit(scope, path, raw, raw), found
    clean = _without_ours(path, raw, known, form)
    mark, text = form.decode(clean or b"", str(path))
    insertions = form.add(text, wanted, str(path))
    after = mark + form.encode(apply_insertions(text, insertions))
    undo = Undo(
        before=None if clean is None else digest(clean),
        after=digest(after),
        spans=_spans(form, text, insertions, len(mark)),
    )
    had = sorted(form.present(text))
    made = known.made if known else []
    place = Place(path=str(path), line=line, agent=agent_id, had=had, made=made, undo=undo)
    return SettingsEdit(scope, path, raw, after), place


def _format(agent_id: str) -> SettingsFormat:
    return get_agent(agent_id).registration().format


def _spans(
    form: SettingsFormat, text: str, insertions: list[Insertion], at: int
) -> list[tuple[int, int]]:
    """Return (offset, length) of each insertion in the bytes written; `at` is the first byte of text."""
    spans, done = [], 0
    for each in insertions:
        at += len(form.encode(text[done : each.at]))
        spans.append((at, len(form.encode(each.text))))
        at += spans[-1][1]
        done = each.at
    return spans


def plan_uninstall(
    scope: Scope, path: Path, known: Place | None, *, agent_id: str = DEFAULT_AGENT_ID
) -> SettingsEdit:
    """Return the edit that takes our entries out. Raise SettingsError."""
    raw = _read(path)
    return SettingsEdit(scope, path, raw, _without_ours(path, raw, known, _format(agent_id)))


def _without_ours(
    path: Path, raw: bytes | None, known: Place | None, form: SettingsFormat
) -> bytes | None:
    """Return the file as it was before us where nobody touched it since, else as it is without us.

    Return None for a file that an install made and that holds no other setting.
    """
    undo = known.undo if known else None
    if raw is None:
        return None
    if undo is not None:
        with suppress(ValueError):
            return undo.undo(raw)
    if _NAME not in raw:
        return raw
    mark, text = form.decode(raw, str(path))
    form.check(text, str(path))
    rest = form.remove(text, known.had if known else ())
    if rest == text:
        return raw
    if undo is not None and undo.before is None and form.is_empty(rest):
        return None
    return mark + form.encode(rest)


def _read(path: Path) -> bytes | None:
    try:
        return read_regular(path)
    except OSError as error:
        raise SettingsError(str(path), error.strerror or str(error)) from None


def write(edit: SettingsEdit) -> list[str]:
    """Write the planned bytes and return the folders made for them. Raise SettingsError.

    The file's mode stays, and a link stays a link. Raise SettingsChanged, without a write, when somebody
    has written to the file since it was read.
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
    """Return the file's own mode; that of any new file of the user's where there is none."""
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
