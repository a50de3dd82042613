"""One settings file, before and after: planned without touching anything, then written at once."""

import difflib
import errno
import os
import stat
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from hooklore.agents.registration import (
    Entry,
    Insertion,
    PermissionRules,
    Registration,
    Scope,
    SettingsFormat,
    apply_insertions,
    compose_insertions,
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
    permits: bool = True,
) -> tuple[SettingsEdit, Place]:
    """Return the edit that registers `wanted`, and the place for the manifest. Raise SettingsError.

    With `permits` the agent's permission rules are put in, too. Entries of an earlier install are taken
    out first, byte for byte where nobody touched the file since. So an uninstall after an upgrade still
    comes back to the user's own bytes.
    """
    registration = get_agent(agent_id).registration()
    form, rules = registration.format, registration.permissions if permits else None
    raw = _read(path)
    _, text = form.decode(raw or b"", str(path))
    if not form.is_blank(text):
        form.check(text, str(path))
    if is_registered(form, text, wanted):
        found = known or _adopt(Place(path=str(path), line=line, agent=agent_id), text)
        if not (rules.missing(text) if rules else found.rules):
            return SettingsEdit(scope, path, raw, raw), found
        if found.undo is None:
            return _plan_rules(SettingsEdit(scope, path, raw, raw), found, registration, rules)
    clean = _without_ours(path, raw, known, registration)
    mark, text = form.decode(clean or b"", str(path))
    insertions = form.add(text, wanted, str(path))
    added: tuple[str, ...] = ()
    if rules is not None:
        between = apply_insertions(text, insertions)
        added = rules.missing(between)
        more = rules.add(between, added, str(path)) if added else []
        insertions = compose_insertions(insertions, more)
    after = mark + form.encode(apply_insertions(text, insertions))
    undo = Undo(
        before=None if clean is None else digest(clean),
        after=digest(after),
        spans=_spans(form, text, insertions, len(mark)),
    )
    place = Place(
        path=str(path), line=line, agent=agent_id, had=_present(registration, text),
        made=known.made if known else [], rules=list(added), undo=undo,
    )  # fmt: skip
    return SettingsEdit(scope, path, raw, after), place


def _adopt(place: Place, text: str) -> Place:
    """Return the place of a file that registers us though no manifest says so: its rules count as ours."""
    permissions = get_agent(place.agent).registration().permissions
    if permissions is None:
        return place
    missing = permissions.missing(text)
    ours = [rule for rule in permissions.rules if rule not in missing]
    return place.model_copy(update={"rules": ours})


def _plan_rules(
    edit: SettingsEdit, place: Place, registration: Registration, rules: PermissionRules | None
) -> tuple[SettingsEdit, Place]:
    """Return the edit of the permission rules alone, where the entries of ours are not this install's."""
    form, permissions = registration.format, registration.permissions
    mark, text = form.decode(edit.before or b"", str(edit.path))
    if rules is not None:
        had = sorted({*place.had, *rules.present(text)})
        added = rules.missing(text)
        text = apply_insertions(text, rules.add(text, added, str(edit.path)))
        changes: dict[str, object] = {"rules": [*place.rules, *added], "had": had}
    else:
        text = permissions.remove(text, place.rules, place.had) if permissions else text
        changes = {"rules": []}
    after = mark + form.encode(text)
    return replace(edit, after=after), place.model_copy(update=changes)


def _present(registration: Registration, text: str) -> list[str]:
    """Return the containers of our entries and rules that a text has already."""
    rules = registration.permissions
    names = rules.present(text) if rules is not None else frozenset()
    return sorted({*registration.format.present(text), *names})


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
    raw, registration = _read(path), get_agent(agent_id).registration()
    return SettingsEdit(scope, path, raw, _without_ours(path, raw, known, registration))


def _without_ours(
    path: Path, raw: bytes | None, known: Place | None, registration: Registration
) -> bytes | None:
    """Return the file as it was before us where nobody touched it since, else as it is without us.

    Return None for a file that an install made and that holds no other setting.
    """
    undo, form = known.undo if known else None, registration.format
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
    rest = _without_rules(rest, known, registration, had_hooks=rest != text)
    if rest == text:
        return raw
    if undo is not None and undo.before is None and form.is_empty(rest):
        return None
    return mark + form.encode(rest)


def _without_rules(
    text: str, known: Place | None, registration: Registration, *, had_hooks: bool
) -> str:
    """Return a checked text without the rules that an install added.

    Without a manifest these are all of ours beside our hooks: a rule that stays would name a command that
    is gone.
    """
    permissions = registration.permissions
    if permissions is None:
        return text
    if known is None:
        return permissions.remove(text, permissions.rules, ()) if had_hooks else text
    return permissions.remove(text, known.rules, known.had)


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
