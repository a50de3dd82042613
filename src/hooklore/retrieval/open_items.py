"""Find what earlier sessions left open: failures that nothing ended, and todos.

An item stays open until it is closed, whatever sessions came after it: a failure until a fix ends it, a todo
until it is ended. The steps that sessions named are told with the work of their branch.
"""

from dataclasses import dataclass

from hooklore.broker.principal_reader import Reader
from hooklore.failures.fix_text import failing_text
from hooklore.prompt.error_line import quotable_error_line
from hooklore.prompt.frame import make_excerpt, make_note
from hooklore.prompt.note import Note
from hooklore.records import keys
from hooklore.records.record import Record
from hooklore.retrieval.failures.open_failures import list_open_checks
from hooklore.retrieval.left_work import did_work

_READ_ENDS = 8
_MAX_ENDS = 5
"""Sessions that did something, the newest: what more sessions left alone is no open work any more."""

_MAX_FAILURES = 3
_MAX_TODOS = 3
_MAX_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class _Reading:
    """The reader, its branch, and the lines that are `told`. `before` is the id up to which fixes count."""

    reader: Reader
    branch: str | None
    told: list[str]
    before: str | None = None


def render_open_items(
    reader: Reader, session_id: str | None, todos: list[Record], state: list[Record]
) -> list[Note]:
    """Return a note of each open failure, and of each of the `todos`.

    `session_id` is the session that asks: its own end is no earlier work. `state` are the records of where
    the session stood before its compaction: a failure of theirs is not told again.
    """
    ends = [end for end in _list_ends(reader) if end.session_id != session_id and did_work(end)]
    reading = _Reading(reader, reader.principal.branch, _failures_of(state))
    return _render(reading, ends[:_MAX_ENDS], todos)


def render_open_items_again(
    reader: Reader, records: list[Record], state: list[Record], branch: str | None, before: str
) -> list[Note]:
    """Return the notes of ends and todos as they were on a branch, when the id `before` was the next."""
    ends = sorted((r for r in records if r.kind == "session_end"), key=_id, reverse=True)
    todos = [record for record in records if record.kind != "session_end"]
    return _render(_Reading(reader, branch, _failures_of(state), before), ends, todos)


def _failures_of(state: list[Record]) -> list[str]:
    return [line for each in state for line in _lines(each.body.sections.get("unresolved"))]


def _render(reading: _Reading, ends: list[Record], todos: list[Record]) -> list[Note]:
    notes = _failures(reading, ends)
    notes += [make_note(todo, _excerpt(todo.body.content_md)) for todo in todos]
    return notes[: _MAX_FAILURES + _MAX_TODOS]


def _id(record: Record) -> str:
    return record.id


def _list_ends(reader: Reader) -> list[Record]:
    project = reader.principal.project
    return reader.lookup(keys.of_kind("session_end", project), _READ_ENDS) if project else []


def _failures(reading: _Reading, ends: list[Record]) -> list[Note]:
    """Return the checks of the project that sessions left failing and nothing made pass since, each error once.

    Other commands fail all the time and leave nothing open: of 500 notes that began two real projects'
    sessions most told of a `grep` or an `ls`.
    """
    found: dict[str, Note] = {}
    for end in ends:
        for failure in list_open_checks(reading.reader, end, reading.before):
            error = quotable_error_line(failure.body)
            is_told = error in found or any(error in line for line in reading.told)
            if error and not is_told:
                text = _excerpt(failing_text(failure.body))
                found[error] = make_note(end, text, reader_branch=reading.branch)
    return list(found.values())[:_MAX_FAILURES]


def _excerpt(text: str) -> str:
    return make_excerpt(text, _MAX_CHARACTERS)


def _lines(found: object) -> list[str]:
    lines = found if isinstance(found, list) else []
    return list(dict.fromkeys(str(line).rstrip(".") for line in lines if line))
