"""The lessons of a session (seed 003): the errors that something ended in it, and what ended them."""

from collections.abc import Iterable

from hooklore.broker.principal_reader import Reader
from hooklore.failures.fix_reading import read_fix, step_ids
from hooklore.failures.fix_text import format_lesson
from hooklore.records.record import Body, Record
from hooklore.text.token_estimate import truncate_text

_MAX_LESSONS = 6
_MAX_LESSON_CHARACTERS = 400


def summarize_lessons(reader: Reader, records: Iterable[Record]) -> str | None:
    """Return one line for each of the last fixes among `records`, which are newest first, or None.

    The lines are in the order of the fixes. A failure that went away by itself, or by a step that undoes or
    forces something, taught nothing.
    """
    read = (read_fix(reader, record) for record in records if record.kind == "fix")
    fixes = [fix for fix in read if fix is not None]
    lines = (_describe(reader, fix) for fix in fixes[:_MAX_LESSONS][::-1])
    return "\n".join(dict.fromkeys(line for line in lines if line)) or None


def _describe(reader: Reader, fix: Record) -> str:
    """Return what failed and what made it pass, or "" for a fix whose sources are gone."""
    failed, done = _bodies(reader, fix.body.failures[:1]), _bodies(reader, step_ids(fix))
    if not failed or not done:
        return ""
    return truncate_text(format_lesson(failed[0], done), _MAX_LESSON_CHARACTERS)


def _bodies(reader: Reader, ids: Iterable[str]) -> list[Body]:
    return [record.body for id_ in ids for record in reader.find(id_)[:1]]
