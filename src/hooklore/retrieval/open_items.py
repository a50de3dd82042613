"""Find what earlier sessions left open: failures that nothing ended, and todos.

An item stays open until it is closed, whatever sessions came after it: a failure until a fix ends it, a todo
until it is ended. The steps that sessions named are told with the work of their branch.
"""

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


def render_open_items(
    reader: Reader, session_id: str | None, todos: list[Record], state: list[Record]
) -> list[Note]:
    """Return a note of each open failure, and of each of the `todos`.

    `session_id` is the session that asks: its own end is no earlier work. `state` are the records of where
    the session stood before its compaction: a failure of theirs is not told again.
    """
    project = reader.principal.project
    ends = reader.lookup(keys.of_kind("session_end", project), _READ_ENDS) if project else []
    worked = [end for end in ends if end.session_id != session_id and did_work(end)]
    return _render(
        reader, worked[:_MAX_ENDS], todos, state, branch=reader.principal.branch, before=None
    )


def render_open_items_again(
    reader: Reader, records: list[Record], state: list[Record], branch: str | None, before: str
) -> list[Note]:
    """Return the notes of ends and todos as they were on a branch, when the id `before` was the next."""
    ends = [record for record in records if record.kind == "session_end"]
    ends.sort(key=lambda record: record.id, reverse=True)
    todos = [record for record in records if record.kind != "session_end"]
    return _render(reader, ends, todos, state, branch=branch, before=before)


def _render(
    reader: Reader, ends: list[Record], todos: list[Record], state: list[Record],
    *, branch: str | None, before: str | None,
) -> list[Note]:  # fmt: skip
    """Return the notes of the checks that sessions left failing and nothing made pass since, and of todos.

    Other commands fail all the time and leave nothing open: of 500 notes that began two real projects'
    sessions most told of a `grep` or an `ls`.
    """
    lines = (line for each in state for line in each.body.sections.get("unresolved") or ())
    told = [str(line).rstrip(".") for line in lines if line]
    found: dict[str, Note] = {}
    for end in ends:
        for failure in list_open_checks(reader, end, before):
            error = quotable_error_line(failure.body)
            if error and error not in found and not any(error in line for line in told):
                text = make_excerpt(failing_text(failure.body), _MAX_CHARACTERS)
                found[error] = make_note(end, text, reader_branch=branch)
    notes = list(found.values())[:_MAX_FAILURES]
    notes += [
        make_note(todo, make_excerpt(todo.body.content_md, _MAX_CHARACTERS)) for todo in todos
    ]
    return notes[: _MAX_FAILURES + _MAX_TODOS]
