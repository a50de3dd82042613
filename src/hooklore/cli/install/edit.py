"""One settings file, before and after: planned without touching anything, then written at once."""

import difflib
import errno
import os
import stat
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from hooklore.agents.json_settings import PermissionList
from hooklore.agents.registration import Entry, Insertion, Scope, SettingsFormat
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


class Part(Protocol):
    """The part of an install in one file: entries in a format, and rules."""

    @property
    def format(self) -> SettingsFormat:
        """The format of the file."""

    @property
    def permissions(self) -> PermissionList | None:
        """The permission rules beside the entries."""


def with_ours(
    raw: bytes | None,
    place: Place,
    wanted: Mapping[str, Entry],
    part: Part,
    *,
    permits: bool = True,
    serves: bool = True,
) -> tuple[bytes | None, Place]:
    """Return a file's bytes with `wanted` registered, and the place for the manifest. Raise SettingsError.

    Entries of an earlier install are taken out first, byte for byte where nobody touched the file since. So
    an uninstall after an upgrade still comes back to the user's own bytes. `permits` puts the permission
    rules in, with `serves` those of the server's tools, too.
    """
    form, rules = part.format, part.permissions if permits else None
    if rules is not None and not serves:
        rules = rules.without_server()
    _, text = form.decode(raw or b"", place.path)
    if not form.is_blank(text):
        form.check(text, place.path)
    if is_registered(form, text, wanted):
        found = place
        if not place.is_known:
            # No manifest says so, and the file registers us: its rules count as ours.
            own = part.permissions
            missing = own.missing(text) if own else ()
            ours = [rule for rule in own.rules if rule not in missing] if own else []
            found = place.model_copy(update={"rules": ours, "is_known": True})
        if not _surplus(found, rules) and not (rules and rules.missing(text)):
            return raw, found
        if found.undo is None:
            return _with_rules(raw, found, part, rules)
    clean = without_ours(raw, place, part)
    return _with_entries(clean, place, wanted, part, rules)


def _with_entries(
    clean: bytes | None,
    place: Place,
    wanted: Mapping[str, Entry],
    part: Part,
    rules: PermissionList | None,
) -> tuple[bytes, Place]:
    form, permissions = part.format, part.permissions
    mark, text = form.decode(clean or b"", place.path)
    insertions, added = form.add(text, wanted, place.path), tuple[str, ...]()
    if rules is not None:
        between = apply_insertions(text, insertions)
        added = tuple(rules.missing(between))
        more = rules.add(between, added, place.path) if added else []
        insertions = compose_insertions(insertions, more)
    after = mark + form.encode(apply_insertions(text, insertions))
    undo = Undo(
        before=None if clean is None else digest(clean),
        after=digest(after),
        spans=_spans(form, text, insertions, len(mark)),
    )
    had = {*form.present(text), *(permissions.present(text) if permissions else ())}
    changes = {"had": sorted(had), "rules": list(added), "undo": undo, "is_known": True}
    return after, place.model_copy(update=changes)


def _with_rules(
    raw: bytes | None, place: Place, part: Part, rules: PermissionList | None
) -> tuple[bytes | None, Place]:
    """Return the bytes with the permission rules alone, where the entries of ours are not this install's."""
    form, permissions = part.format, part.permissions
    mark, text = form.decode(raw or b"", place.path)
    surplus = _surplus(place, rules)
    kept = [rule for rule in place.rules if rule not in surplus]
    text = permissions.remove(text, surplus, place.had) if permissions else text
    changes: dict[str, object] = {"rules": kept}
    if rules is not None and (added := rules.missing(text)):
        changes = {"rules": [*kept, *added], "had": sorted({*place.had, *rules.present(text)})}
        text = apply_insertions(text, rules.add(text, added, place.path))
    return mark + form.encode(text), place.model_copy(update=changes)


def _surplus(place: Place, rules: PermissionList | None) -> list[str]:
    wanted = rules.rules if rules is not None else ()
    return [rule for rule in place.rules if rule not in wanted]


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


def without_ours(raw: bytes | None, place: Place, part: Part) -> bytes | None:
    """Return the file as it was before us where nobody touched it since, else without us; None for no file."""
    undo, form = place.undo, part.format
    if raw is None:
        return None
    if undo is not None:
        with suppress(ValueError):
            return undo.undo(raw)
    if _NAME not in raw:
        return raw
    mark, text = form.decode(raw, place.path)
    form.check(text, place.path)
    rest = form.remove(text, place.had)
    permissions = part.permissions
    if permissions is not None and place.is_known:
        rest = permissions.remove(rest, place.rules, place.had)
    elif permissions is not None and rest != text:  # no manifest: all rules beside our hooks
        rest = permissions.remove(rest, permissions.rules, ())
    if rest == text:
        return raw
    if undo is not None and undo.before is None and form.is_empty(rest):
        return None
    return mark + form.encode(rest)


def read(path: Path) -> bytes | None:
    """Return the bytes of a settings file, None where there is none. Raise SettingsError."""
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
    if read(edit.path) != edit.before:
        raise SettingsChanged(str(edit.path))
    try:
        if edit.after is None:
            edit.path.resolve().unlink()
            return []
        if edit.before is not None and not os.access(edit.path, os.W_OK):
            raise PermissionError(errno.EACCES, "it is read-only")
        made = make_directories(edit.path.resolve().parent, 0o777)
        if edit.before is not None:
            mode = stat.S_IMODE(edit.path.stat().st_mode)
        else:  # that of any new file of the user's
            mask = os.umask(0)
            os.umask(mask)
            mode = 0o666 & ~mask
        replace_file(edit.path, edit.after, mode)
    except OSError as error:
        raise SettingsError(str(edit.path), error.strerror or str(error)) from None
    return [str(each) for each in made]


class SettingsChanged(SettingsError):
    """Somebody wrote to the file between our reading and our writing; nothing was written."""

    def __init__(self, path: str) -> None:
        super().__init__(path, "it was changed meanwhile", fix="run the same command again")


def apply_insertions(text: str, insertions: list[Insertion]) -> str:
    """Return the text with all insertions put in."""
    pieces, at = [], 0
    for each in insertions:
        pieces += [text[at : each.at], each.text]
        at = each.at
    return "".join([*pieces, text[at:]])


def compose_insertions(first: list[Insertion], then: list[Insertion]) -> list[Insertion]:
    """Return the insertions that do at once what `first` does, and `then` to the text after it."""
    done = list(first)
    for each in then:
        done = _with_insertion(done, each)
    return done


def _with_insertion(done: list[Insertion], each: Insertion) -> list[Insertion]:
    """Return `done` with one more insertion, whose offset counts in the text after `done`."""
    shift = 0
    for index, earlier in enumerate(done):
        inside = each.at - earlier.at - shift
        if inside < 0:
            return [*done[:index], Insertion(each.at - shift, each.text), *done[index:]]
        if inside <= len(earlier.text):
            text = earlier.text[:inside] + each.text + earlier.text[inside:]
            return [*done[:index], Insertion(earlier.at, text), *done[index + 1 :]]
        shift += len(earlier.text)
    return [*done, Insertion(each.at - shift, each.text)]


def is_registered(format_: SettingsFormat, text: str, wanted: Mapping[str, Entry]) -> bool:
    """Return whether the text already holds exactly the entries of `wanted`, each once."""
    found = format_.registered(text)
    return len(found) == len(wanted) and dict(found) == dict(wanted)
