"""Find what earlier sessions left open: failures that nothing ended, next actions, and todos.

An item stays open until it is closed, whatever sessions came after it: a failure until a fix ends it, next
actions until another session names its own, or is asked for what they name, a todo until it is ended.
"""

import re
from dataclasses import dataclass

from hooklore.broker.fix_text import failing_text
from hooklore.broker.principal_reader import Reader
from hooklore.index import keys
from hooklore.prompt.error_line import must_pass, quotable_error_line
from hooklore.prompt.frame import make_excerpt, make_note
from hooklore.prompt.note import Note
from hooklore.records.record import Record
from hooklore.retrieval.open_checks import list_open_checks

_READ_ENDS = 8
_MAX_ENDS = 5
"""Sessions that did something, the newest: what more sessions left alone is no open work any more."""

_MAX_FAILURES = 3
_MAX_TODOS = 3
_MAX_CHARACTERS = 200
_OPEN_SECTIONS = ("unresolved", "next_actions")
_NAMED = re.compile(r"`([^`\n]{2,80})`")
_SHORTEST_NAME = 4
_READ_STARTS, _READ_STARTS_AGAIN = 24, 400
_MAX_SINCE = 12
_READ_TURNS = 40


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
    """Return a note of each open failure, of the last next actions, and of each of the `todos`.

    `session_id` is the session that asks: its own end is no earlier work. `state` are the records of where
    the session stood before its compaction: a failure of theirs is not told again.
    """
    ends = [end for end in _list_ends(reader) if end.session_id != session_id and _did_work(end)]
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
    notes += next((found for end in ends if (found := _actions(reading, end))), [])
    notes += [make_note(todo, _excerpt(todo.body.content_md)) for todo in todos]
    return notes[: _MAX_FAILURES + _MAX_TODOS]


def _id(record: Record) -> str:
    return record.id


def _list_ends(reader: Reader) -> list[Record]:
    project = reader.principal.project
    return reader.lookup(keys.of_kind("session_end", project), _READ_ENDS) if project else []


def _did_work(end: Record) -> bool:
    """Return whether a session changed, passed or broke anything: another one closes and opens nothing."""
    return any(end.body.sections.values()) or any(map(end.body.agent_said.get, _OPEN_SECTIONS))


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


def _actions(reading: _Reading, end: Record) -> list[Note]:
    """Return the open tasks of a session, and what its agent said is open, each as one note.

    An older end does not tell the two apart, so that all of it is the agent's word.
    """
    body = end.body
    failing = {must_pass(line) for line in _lines(body.sections.get("unresolved"))}
    tasks = [x for x in _lines(body.sections.get("next_actions")) if x not in failing]
    said = [line for name in _OPEN_SECTIONS for line in _lines(body.agent_said.get(name))]
    if tasks or said:
        asked = _asked_since(reading, end)
        tasks, said = ([x for x in part if not _is_taken_up(x, asked)] for part in (tasks, said))
    claimed = end.with_fields(basis="inferred")
    parts = ((end if body.agent_said else claimed, tasks), (claimed, said))
    return [
        make_note(record, _excerpt("; ".join(lines)), reader_branch=reading.branch)
        for record, lines in parts
        if lines
    ]


def _asked_since(reading: _Reading, end: Record) -> str:
    """Return what the user asked the next sessions for since the end of one."""
    reader, project = reading.reader, reading.reader.principal.project
    most = _READ_STARTS if reading.before is None else _READ_STARTS_AGAIN
    starts = reader.lookup(keys.of_kind("session_start", project), most)
    sessions = dict.fromkeys(each.session_id for each in starts if _had_happened(reading, each))
    prompts = (
        str(turn.body.text)
        for session in [each for each in sessions if each != end.session_id][:_MAX_SINCE]
        for turn in reader.lookup(keys.turns_in(session), _READ_TURNS)
        if turn.kind == "prompt" and turn.id > end.id and _had_happened(reading, turn)
    )
    return "\n".join(prompts).lower()


def _had_happened(reading: _Reading, record: Record) -> bool:
    """Return whether a record is older than the moment that is rendered again."""
    return reading.before is None or record.id < reading.before


def _is_taken_up(action: str, asked: str) -> bool:
    """Return whether prompts name something that an action names in back quotes: a command, a file, a term."""
    names = (name.strip("/ ").lower() for name in _NAMED.findall(action))
    return any(len(name) >= _SHORTEST_NAME and name in asked for name in names)


def _excerpt(text: str) -> str:
    return make_excerpt(text, _MAX_CHARACTERS)


def _lines(found: object) -> list[str]:
    lines = found if isinstance(found, list) else []
    return list(dict.fromkeys(str(line).rstrip(".") for line in lines if line))
