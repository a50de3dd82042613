"""Find the sessions that bear on a piece of work which is taken up again: by its branch, its name or its topic.

Nothing is found for a name that so many sessions have that it means no one piece of work.
"""

from collections.abc import Iterator
from itertools import islice

from hooklore.broker.derived_lists import of_no_session
from hooklore.broker.principal_reader import Reader
from hooklore.index.lookup_cache import evict_oldest
from hooklore.records import keys
from hooklore.records.record import Record
from hooklore.retrieval.applicability import is_before_cutoff
from hooklore.retrieval.left_work import did_work
from hooklore.retrieval.query import LONGEST_ASKING, RecallQuery
from hooklore.retrieval.result_order import STALE_DAYS, age_in_days
from hooklore.retrieval.scoring import weighted_bins
from hooklore.retrieval.work_step import COVERED, WorkStep, content_terms
from hooklore.text.work_references import find_branch_names, find_work_references

_MAX_SESSIONS = 2
_FEW_SESSIONS = 3
_LEAST_SHARE = 3
"""Few sessions may share any name. More of them mean one piece of work where at least every third session
since the first one has the name: work goes on from session to session, a common document comes up."""

_MAX_NAMED = 60
_READ_AT_START = 24
"""Goals and ends of a branch that are read at every start: those of the newest dozen sessions."""

_READ_ANSWERS = 12
"""Answers of a project, the newest, among which a session that changed its branch is looked for."""

_WITHOUT_END_AT_START = 6
"""Sessions without an end whose steps are read at every start to know whether they did anything."""

_MAX_STARTS = 60
_MAX_TURNS = 80
_MAX_ENDS = 3
_MAX_HITS = 20
_MAX_STEPS = 40
_MAX_OF_TURN = 3
"""References of a turn that is about each of them."""

_NAMED_WITHIN = 500
"""Characters of a prompt in which the user names the work. What follows is a description or a paste."""

_MAX_SUBJECTS = 3
_LAST_TURNS = 2
_MAX_KEPT = 32
"""Branches and readers of which it is kept where the work was left, with what an agent answered last."""


class BranchWork:
    """The work that the newest sessions left on each branch, kept until one answers, ends or begins anew."""

    def __init__(self) -> None:
        self._left: dict[str, list[Record]] = {}

    def find(self, reader: Reader, query: RecallQuery) -> list[Record]:
        """Return where the branch of a session that begins was left, but for what is stale."""
        if not query.begins_work or not reader.principal.project:
            return []
        found = _records_here(reader, query)
        who, branch = of_no_session(reader.principal), reader.principal.branch
        key = f"{who}|{branch}|{reader.revision}|{' '.join(str(r.id) for r in found)}"
        if key not in self._left:
            self._left[key] = _ends_of(reader, found, query, branch)
            evict_oldest(self._left, _MAX_KEPT)
        left = reader.select_in_force(self._left[key])
        return [r for r in left if age_in_days(reader, r) < STALE_DAYS]


def _find_asked(reader: Reader, query: RecallQuery) -> list[Record]:
    """Return where the sessions left the work that a prompt asks for, on this branch or about its topic."""
    if not 0 < len(query.own_words) <= LONGEST_ASKING:
        return []
    from hooklore.retrieval.resume_question import find_resume_question

    question = find_resume_question(query.own_words)
    if question is None:
        return []
    if question.topic:
        return _about(reader, question.topic, query)
    if not question.is_past:
        # A session with two answers has work of its own, which it asks about. One that only goes on approves what
        # its one answer proposed.
        turns = reader.lookup(keys.turns_in(query.session_id), _MAX_TURNS)
        if sum(turn.kind == "answer" for turn in turns) > (0 if question.goes_on else 1):
            return []
    return _ends_of(reader, _records_here(reader, query), query, reader.principal.branch)


def _records_here(reader: Reader, query: RecallQuery) -> list[Record]:
    """Return the records by which the sessions on the asking one's branch, or on none, are known, newest first."""
    if reader.principal.branch:
        return _on_branch(reader, reader.principal.branch, query)
    found: list[Record] = []
    for kind in ("session_end", "answer"):
        key = keys.of_kind(kind, reader.principal.project)
        found += [r for r in _earlier(reader, key, query, _most(query)) if not r.branch]
    return sorted(found, key=_id, reverse=True)


def _about(reader: Reader, topic: str, query: RecallQuery) -> list[Record]:
    """Return where the newest session left a topic that its goal, its words or its files name."""
    step = WorkStep(topic, "next_actions", "")
    project = reader.principal.project
    for end in _earlier(reader, keys.of_kind("session_end", project), query):
        parts = (*end.body.agent_said.values(), *end.body.sections.values())
        lines = [str(line) for each in parts if isinstance(each, list) for line in each]
        said = "\n".join([str(end.body.goal or ""), *lines])
        if did_work(end) and step.coverage(content_terms(said)) >= COVERED:
            return [end]
    bins = weighted_bins({"user": 1.0, "answer": 1.0}, reader.principal)
    hits = reader.search(reader.terms(topic), bins, _MAX_HITS, before=query.before_position)
    found = [r for _, r in hits if r.session_id != query.session_id and r.project == project]
    named = [r for r in found if step.coverage(content_terms(str(r.body.text or ""))) >= COVERED]
    return _ends_of(reader, named, query)[:1]


def find_named_work(reader: Reader, query: RecallQuery) -> list[Record]:
    """Return where the sessions left the work that a prompt names: ends of sessions, or answers about it.

    Where the prompt names none and asks where the work was left, this is the work of its branch or its topic.
    """
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
    named = sorted(found.values(), key=_id, reverse=True)[:_MAX_SESSIONS]
    return named or _find_asked(reader, query)


def named_records(reader: Reader, query: RecallQuery) -> list[Record]:
    """Return the prompts, answers and edits of earlier sessions that name what a prompt names, newest first."""
    found: dict[str, Record] = {}
    for name in find_work_references(query.text):
        records = _earlier(reader, keys.naming(reader.principal.project, name), query)
        if _is_one_piece(reader, records):
            found.update((record.id, record) for record in records)
    return sorted(found.values(), key=_id, reverse=True)


def _on_branch(reader: Reader, branch: str, query: RecallQuery) -> list[Record]:
    """Return goals and ends of sessions on a branch, and the newest answers there, newest first.

    A session that began on another branch and has no end is found by its answers. Where many sessions that only
    asked came since, the ends alone are looked for.
    """
    project = reader.principal.project
    found = _earlier(reader, keys.on_branch(project, branch), query, _most(query))
    answers = _earlier(reader, keys.of_kind("answer", project), query, _READ_ANSWERS)
    found += [answer for answer in answers if answer.branch == branch]
    if not any(record.kind == "session_end" for record in found):
        ends = _earlier(reader, keys.of_kind("session_end", project), query, _most(query))
        found += [end for end in ends if end.branch == branch]
    return sorted(found, key=_id, reverse=True)


def _ends_of(
    reader: Reader, records: list[Record], query: RecallQuery, branch: str | None = ""
) -> list[Record]:
    """Return the ends of the newest sessions of `records` that did something, else their last answers.

    A `branch` is the one on which these are, None for no branch and "" for any.
    """
    found: list[Record] = []
    without_end = 0
    most = _WITHOUT_END_AT_START if query.begins_work else _MAX_NAMED
    for session, own in _by_session(records).items():
        has_ended = any(record.kind == "session_end" for record in own)
        without_end += not has_ended
        if not has_ended and without_end > most:
            continue
        left = _last_work(own) if has_ended else _end_of(reader, session, query)
        found += [left] if left is not None and branch in ("", left.branch) else []
        if len(found) == _MAX_SESSIONS:
            break
    return found


def _of_reference(reader: Reader, name: str, query: RecallQuery) -> Iterator[Record]:
    """Yield where each of the newest sessions that bear on a reference left it."""
    records = _earlier(reader, keys.naming(reader.principal.project, name), query)
    if _is_one_piece(reader, records):
        left = (_where_left(reader, *each) for each in _by_session(records).items())
        told = (r for r in left if r is not None and is_before_cutoff(r, query))
        yield from islice(told, _MAX_SESSIONS)


def _where_left(reader: Reader, session: str, records: list[Record]) -> Record | None:
    """Return the end of a session that was about a reference, else what its agent answered about it.

    `records` are those of the session that name the reference, newest first.
    """
    turns = reader.lookup(keys.turns_in(session), _MAX_TURNS)
    if _is_about(turns, records):
        worked = _last_work(reader.lookup(keys.end_in(session), _MAX_ENDS))
        if worked is not None:
            return worked
    few = list(filter(_names_few, records))
    named = next((r for r in few if r.kind == "answer"), None)
    asked = next((r.id for r in few if r.kind == "prompt"), None)
    if named is not None or asked is None:
        return named
    later = [turn for turn in turns if turn.id > asked]
    return later[-1] if later and later[-1].kind == "answer" else None


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


def _names_few(record: Record) -> bool:
    return len(find_work_references(str(record.body.text or ""))) <= _MAX_OF_TURN


def _most(query: RecallQuery) -> int:
    """Return how many records of one key are read: at a start, which every session waits for, few."""
    return _READ_AT_START if query.begins_work else _MAX_NAMED


def _earlier(reader: Reader, key: str, query: RecallQuery, limit: int = _MAX_NAMED) -> list[Record]:
    """Return at most `limit` records of other sessions under a key, newest first."""
    found = reader.lookup(key, limit)
    return [
        r
        for r in found
        if r.session_id and r.session_id != query.session_id and is_before_cutoff(r, query)
    ]


def _by_session(records: list[Record]) -> dict[str, list[Record]]:
    found: dict[str, list[Record]] = {}
    for record in records:
        found.setdefault(str(record.session_id), []).append(record)
    return found


def _is_one_piece(reader: Reader, records: list[Record]) -> bool:
    """Return whether the sessions that share a name work on one piece of work, by counting sessions."""
    sessions = len(_by_session(records))
    if sessions <= _FEW_SESSIONS:
        return True
    first = min(record.id for record in records)
    starts = reader.lookup(keys.of_kind("session_start", reader.principal.project), _MAX_STARTS)
    since = len(_by_session([start for start in starts if start.id > first]))
    return sessions * _LEAST_SHARE >= since


def _last_work(records: list[Record]) -> Record | None:
    """Return the last end of a session among `records` that tells of work."""
    return next((r for r in records if r.kind == "session_end" and did_work(r)), None)


def _end_of(reader: Reader, session: str, query: RecallQuery) -> Record | None:
    """Return the last end of a session that tells of work; without any end its last answer, if it changed files."""
    ends = [r for r in reader.lookup(keys.end_in(session), _MAX_ENDS) if is_before_cutoff(r, query)]
    if ends:
        return _last_work(ends)
    turns = reader.lookup(keys.turns_in(session), _MAX_TURNS)
    answers = (r for r in turns if r.kind == "answer" and is_before_cutoff(r, query))
    answer = next(answers, None)
    steps = reader.lookup(keys.in_session(session), _MAX_STEPS) if answer else []
    return answer if any(r.body.artifacts for r in steps) else None


def _id(record: Record) -> str:
    return record.id
