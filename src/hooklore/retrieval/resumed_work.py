"""Find the sessions that bear on a piece of work which is taken up again: by its branch, or by its name.

The last session of a project is mostly about something else, and is no answer. Nothing is found for a
name that so many sessions have that it means no one piece of work.
"""

from collections.abc import Iterator

from hooklore.broker.principal_reader import Reader
from hooklore.index import keys
from hooklore.records.record import Record
from hooklore.retrieval.applicability import is_before_cutoff
from hooklore.retrieval.left_work import did_work, tells_something
from hooklore.retrieval.query import RecallQuery
from hooklore.text.work_references import find_branch_names, find_work_references

_MAX_SESSIONS = 2
_FEW_SESSIONS = 3
_LEAST_SHARE = 3
"""Few sessions may share any name. More of them mean one piece of work where at least every third session
since the first one has the name: work goes on from session to session, a common document comes up."""

_MAX_BRANCH_SESSIONS = 12
"""Sessions of a branch on which one piece of work is done: more than these are another default branch."""

_MAX_NAMED = 60
_MAX_STARTS = 60
_MAX_TURNS = 80
_MAX_ENDS = 3
_MAX_STEPS = 40
_MAX_OF_TURN = 3
"""References of a turn that is about each of them."""

_NAMED_WITHIN = 500
"""Characters of a prompt in which the user names the work. What follows is a description or a paste."""

_MAX_SUBJECTS = 3
_LAST_TURNS = 2


def find_branch_work(reader: Reader, query: RecallQuery) -> list[Record]:
    """Return where the newest sessions left the branch of a session that begins."""
    if query.work_branch is None:
        return []
    found = _on_branch(reader, query.work_branch, query)
    return _ends_of(reader, found, query)


def find_named_work(reader: Reader, query: RecallQuery) -> list[Record]:
    """Return where the sessions left the work that a prompt names: ends of sessions, or answers about it."""
    if not reader.principal.project:
        return []
    text = query.own_words[:_NAMED_WITHIN]
    found: dict[str, Record] = {}
    for name in find_work_references(text)[:_MAX_SUBJECTS]:
        for record in _of_reference(reader, name, query):
            found.setdefault(str(record.session_id), record)
    for branch in find_branch_names(text):
        for record in _ends_of(reader, _on_branch(reader, branch, query), query):
            found.setdefault(str(record.session_id), record)
    return sorted(found.values(), key=lambda record: record.id, reverse=True)[:_MAX_SESSIONS]


def named_records(reader: Reader, query: RecallQuery) -> list[Record]:
    """Return the prompts, answers and edits of earlier sessions that name what a prompt names, newest first."""
    found: dict[str, Record] = {}
    for name in find_work_references(query.text):
        records = _naming(reader, name, query)
        if _is_one_piece(reader, records):
            found.update((record.id, record) for record in records)
    return sorted(found.values(), key=lambda record: record.id, reverse=True)


def _on_branch(reader: Reader, branch: str, query: RecallQuery) -> list[Record]:
    """Return goals and ends of sessions on a branch, newest first; none where it is no piece of work."""
    found = _earlier(reader, keys.on_branch(reader.principal.project, branch), query)
    return found if len(_sessions(found)) <= _MAX_BRANCH_SESSIONS else []


def _ends_of(reader: Reader, records: list[Record], query: RecallQuery) -> list[Record]:
    """Return the ends of the newest sessions of `records` that did something, else their last answers."""
    found: list[Record] = []
    for session in _sessions(records):
        left = _end_of(reader, session, query) or _without_end(reader, session, query)
        found += [left] if left is not None else []
        if len(found) == _MAX_SESSIONS:
            break
    return found


def _of_reference(reader: Reader, name: str, query: RecallQuery) -> Iterator[Record]:
    """Yield where each of the newest sessions that bear on a reference left it."""
    records = _naming(reader, name, query)
    if not _is_one_piece(reader, records):
        return
    told = 0
    for session in _sessions(records):
        found = _where_left(reader, session, [r for r in records if r.session_id == session])
        if found is not None and is_before_cutoff(found, query):
            yield found
            told += 1
        if told == _MAX_SESSIONS:
            return


def _where_left(reader: Reader, session: str, records: list[Record]) -> Record | None:
    """Return the end of a session that was about a reference, else what its agent answered about it.

    `records` are those of the session that name the reference, newest first.
    """
    turns = reader.lookup(keys.turns_in(session), _MAX_TURNS)
    if _is_about(turns, records):
        ends = reader.lookup(keys.end_in(session), _MAX_ENDS)
        worked = next((end for end in ends if did_work(end)), None)
        if worked is not None:
            return worked
    answers = [r for r in records if r.kind == "answer" and _names_few(r)]
    return next(iter(answers), None) or _answer_to(turns, records)


def _is_about(turns: list[Record], records: list[Record]) -> bool:
    """Return whether a session was about what `records` name: from its goal on, in the end, or repeatedly."""
    last = {turn.id for turn in turns[:_LAST_TURNS]}
    prompts = [r for r in records if r.kind == "prompt" and _names_few(r)]
    return (
        len(prompts) > 1
        or any(prompt.body.goal for prompt in prompts)
        or any(r.kind in ("tool_result", "session_end") for r in records)
        or any(r.id in last and _names_few(r) for r in records)
    )


def _answer_to(turns: list[Record], records: list[Record]) -> Record | None:
    """Return the answer to the newest prompt among `records`. `turns` are newest first."""
    asked = next((r.id for r in records if r.kind == "prompt" and _names_few(r)), None)
    later = [turn for turn in turns if asked is not None and turn.id > asked]
    first = later[-1] if later else None
    return first if first is not None and first.kind == "answer" else None


def _names_few(record: Record) -> bool:
    return len(find_work_references(str(record.body.text or ""))) <= _MAX_OF_TURN


def _naming(reader: Reader, name: str, query: RecallQuery) -> list[Record]:
    return _earlier(reader, keys.naming(reader.principal.project, name), query)


def _earlier(reader: Reader, key: str, query: RecallQuery) -> list[Record]:
    """Return the records of other sessions under a key, newest first."""
    found = reader.lookup(key, _MAX_NAMED)
    return [
        r
        for r in found
        if r.session_id and r.session_id != query.session_id and is_before_cutoff(r, query)
    ]


def _sessions(records: list[Record]) -> list[str]:
    return list(dict.fromkeys(str(record.session_id) for record in records))


def _is_one_piece(reader: Reader, records: list[Record]) -> bool:
    """Return whether the sessions that share a name work on one piece of work, by counting sessions."""
    sessions = len(_sessions(records))
    if sessions <= _FEW_SESSIONS:
        return True
    first = min(record.id for record in records)
    starts = reader.lookup(keys.of_kind("session_start", reader.principal.project), _MAX_STARTS)
    since = len(_sessions([start for start in starts if start.id > first]))
    return sessions * _LEAST_SHARE >= since


def _end_of(reader: Reader, session: str, query: RecallQuery) -> Record | None:
    """Return the last end of a session that tells of work."""
    ends = reader.lookup(keys.end_in(session), _MAX_ENDS)
    return next((end for end in ends if did_work(end) and is_before_cutoff(end, query)), None)


def _without_end(reader: Reader, session: str, query: RecallQuery) -> Record | None:
    """Return the last answer of a session that changed files and whose end no hook has told of."""
    if reader.lookup(keys.end_in(session), 1):
        return None
    if not any(r.body.artifacts for r in reader.lookup(keys.in_session(session), _MAX_STEPS)):
        return None
    turns = reader.lookup(keys.turns_in(session), _MAX_TURNS)
    return next((r for r in turns if tells_something(r) and is_before_cutoff(r, query)), None)
