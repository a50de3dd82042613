"""Render where sessions left a piece of work: what tools showed of each, then what its agent said."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from hooklore.broker.principal_reader import Reader
from hooklore.failures.fix_text import failing_text, short_path
from hooklore.prompt.frame import fit_section, is_blocked, make_excerpt, make_note
from hooklore.prompt.note import Note, Section, make_section
from hooklore.records import keys
from hooklore.records.record import Body, Record
from hooklore.retrieval.failures.open_failures import list_open_checks
from hooklore.retrieval.notes import list_texts, open_tasks
from hooklore.retrieval.result_order import STALE_DAYS, age_in_days
from hooklore.retrieval.work_step import content_terms
from hooklore.text.plural import format_count
from hooklore.text.token_estimate import estimate_tokens, truncate_to_tokens
from hooklore.text.work_references import find_work_references

MAX_TOKENS = 200
"""Tokens of the section, with its heading, that answers a prompt."""

BRIEF_TOKENS = 160
"""Tokens of the section of a brief."""

HEADING = "Where the work was left"

_LEAST_ROOM = 20
"""Tokens of the texts of a session whose branch has a long name."""

_MAX_GOAL_CHARACTERS = 60
_MAX_LINE_CHARACTERS = 100
_MAX_TEXT_CHARACTERS = 800
_MAX_FILES = 4
_LONGEST_PATH = 48
_FEW_FILES = 2
"""Files behind what the agent said, which mostly names them."""

_READ_STEPS = 60
_READ_TURNS = 20
_READ_SESSION = 120
"""Records of a session without an end, the newest, that are read for what it left."""

_OPEN_SECTIONS = ("next_actions", "unresolved", "blocked")
_LABELS = {
    "next_actions": "to do: ", "unresolved": "open: ", "blocked": "blocked: ",
    "waiting": "waits for the user: ", "listed": "listed before, perhaps done: ",
    "decisions": "decided: ",
    "ideas": "ideas, not asked for: ",
}  # fmt: skip
"""The sections of a session's end in the order in which they are told, each with its label."""

_HEADING = re.compile(r"^[^\s:：][^:：]{0,40}[:：]\s*(?=\S)")
"""The words before a list, `Next steps:`, of which one step follows."""

_BARE = frozenset(
    ("don", "ok", "yes", "welcom", "understood", "understand", "glad", "pleasur", "完了", "了解")
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")
_MARKUP = re.compile(
    r"^[ \t]*(?:#{1,6}|[-*]|\d{1,2}\.)[ \t]+|\*\*|^[ \t]*\|[^\n]*$|^[ \t]*```.*$", re.MULTILINE
)


def render_left_work(
    reader: Reader, records: list[Record], branch: str | None, before: str | None = None
) -> Section:
    """Return the section of the ends of sessions, or of answers, that tell where work was left, newest first.

    `branch` is that of the session which reads them. Only fixes older than the id `before` count, and all without.
    """
    notes = left_notes(reader, records, branch, before, limit=MAX_TOKENS)
    return fit_section(make_section(HEADING, notes), MAX_TOKENS)[0]


def left_notes(
    reader: Reader,
    records: list[Record],
    branch: str | None,
    before: str | None = None,
    *,
    limit: int = BRIEF_TOKENS,
) -> list[Note]:
    """Return the notes of ends of sessions, or of answers, newest first, for a section of `limit` tokens.

    A step that a newer one of `records` says is done is not told of an older one, and of that one nothing where
    it left nothing open.
    """
    notes: list[Note] = []
    newer: list[_Leaving] = []
    for record in records:
        leaving = _Leaving(reader, record, before, limit, list(newer))
        if not newer or _leaves_anything(leaving):
            notes += _notes_of(leaving, branch)
        newer.append(leaving)
    return notes


def _leaves_anything(leaving: "_Leaving") -> bool:
    """Return whether a session left a check failing, or a step that no newer session says is done."""
    said = leaving.sections
    if said is None or _failing(leaving):
        return True
    lines = [x for name in (*_OPEN_SECTIONS, "waiting") for x in list_texts(said.get(name))]
    return bool(_still_open(leaving, [*_tasks_of(leaving.record.body), *lines]))


class _Leaving:
    """The leaving of one session: its record, what the session left, and the room for telling it."""

    def __init__(
        self,
        reader: Reader,
        record: Record,
        before: str | None,
        limit: int,
        newer: list["_Leaving"],
    ) -> None:
        self.reader, self.record, self.before, self.limit = reader, record, before, limit
        self.newer = newer
        self.is_end = record.kind == "session_end"
        # An answer of a session that has an end tells its work less well than the end.
        ends = () if self.is_end else reader.lookup(keys.end_in(record.session_id), _READ_TURNS)
        self.is_of_session = not any(before is None or end.id < before for end in ends)

    @property
    def goal(self) -> str:
        """The goal of the session, "" for none."""
        from hooklore.retrieval.resume_question import find_resume_question

        goals = [self.record.body.goal]
        if self.is_of_session and not self.is_end:
            goals = [
                r.body.goal for r in self.reader.lookup(keys.goal_of(self.record.session_id), 1)
            ]
        goal = str(next(iter(goals), "") or "")
        return "" if find_resume_question(goal) else make_excerpt(goal, _MAX_GOAL_CHARACTERS)

    @property
    def is_asked_for(self) -> bool:
        """True in the answer to a prompt."""
        return self.limit > BRIEF_TOKENS

    @cached_property
    def sections(self) -> Mapping[str, Any] | None:
        """The sections that the session said it left; None for an answer of one that ended with other work."""
        record, reader = self.record, self.reader
        if self.is_end:
            return record.body.agent_said or record.body.sections
        if not self.is_of_session:
            return None
        from hooklore.retrieval.left_steps import find_left_steps, read_answers

        found = reader.lookup(keys.in_session(record.session_id), _READ_SESSION)
        records = [each for each in found if each.id <= record.id]
        left = find_left_steps(records, read_answers(records))
        said = {str(status): lines for status, lines in left.said.items()}
        return {
            **said,
            "listed": left.listed,
            "since": left.since,
            "ended": [left.ended] if left.ended else [],
            "next_actions": [*left.tasks, *said.get("next_actions", [])],
        }


def _notes_of(leaving: _Leaving, branch: str | None) -> list[Note]:
    """Return the notes of one session's leaving. A text that gives orders has none.

    Goal and files alone are no outcome: without an open check or task what the agent said is told, with the
    two behind it.
    """
    record = leaving.record
    claims = [record.with_fields(basis=basis) for basis in ("tool", "inferred")]
    empty = [make_note(claim, "", reader_branch=branch) for claim in claims]
    date, agent, _ = empty[0].origin
    lines = [f"{HEADING} ({date} · {agent}):", *(n.render((date, agent, "")) for n in empty)]
    room = max(leaving.limit - sum(estimate_tokens(line) + 1 for line in lines), _LEAST_ROOM)
    said = _what_was_said(leaving)
    done = list(_lines((leaving.sections or {}).get("since")))  # perhaps a part of what it left
    since = f"done since that was said: {'; '.join(done)}" if done else ""
    ended = ". ".join(filter(None, (since, _last_words(leaving, said))))
    shown = _shorten(_left_open(leaving, has_files=bool(since)), room // 2)
    about = _shorten(_about(leaving, has_files=bool(since)), room // 3) if not shown else ""
    said = _shorten(said, room - sum(map(estimate_tokens, (shown, about, ended))))
    said = ". ".join(filter(None, (said.rstrip("."), ended)))
    texts = (shown, " ".join(filter(None, (said, about))) if said else "")
    return [
        make_note(claim, text, reader_branch=branch)
        for claim, text in zip(claims, texts, strict=True)
        if text and not is_blocked(claim, text)
    ]


def split_left_work(records: list[Record], answer: Body) -> tuple[list[Record], list[Record]]:
    """Return the `records` of a prompt's `answer` that told where work was left, and the others."""
    counts = answer.extra("parts") if answer.trigger == "prompt" else None
    count = counts[0] if isinstance(counts, list) and counts else 0
    left = set(answer.targets[:count])
    return [r for r in records if r.id in left], [r for r in records if r.id not in left]


def did_work(end: Record) -> bool:
    """Return whether the end of a session tells of work: of files, of checks, of decisions or open points."""
    said = (end.body.agent_said.get(name) for name in ("decisions", *_OPEN_SECTIONS))
    return any(end.body.sections.values()) or any(said)


def _shorten(text: str, tokens: int) -> str:
    return truncate_to_tokens(make_excerpt(text, _MAX_TEXT_CHARACTERS), tokens)


def _about(leaving: _Leaving, *, has_files: bool) -> str:
    """Return in brackets the goal of a session, the files that it changed, its branch and age, "" for none."""
    goal, files = leaving.goal, "" if has_files else _changed(leaving, _FEW_FILES)
    parts = (f"goal: {goal}" if goal else "", files, _where(leaving))
    about = "; ".join(filter(None, parts))
    return f"({about})" if about else ""


def _where(leaving: _Leaving) -> str:
    if not leaving.is_asked_for:
        return ""
    days = age_in_days(leaving.reader, leaving.record, leaving.before)
    age = f"untouched for {format_count(days, 'day')}" if days >= STALE_DAYS else ""
    branch = f"on {leaving.record.branch}" if leaving.record.branch else ""
    return "; ".join(filter(None, (branch, age)))


def _left_open(leaving: _Leaving, *, has_files: bool) -> str:
    """Return the goal, the failing check, the files and the open tasks of a session, "" where nothing is open."""
    if not leaving.is_end:
        return ""
    goal, failing = leaving.goal, _failing(leaving)
    open_tasks = _still_open(leaving, _tasks_of(leaving.record.body))
    tasks = [f"{_label(leaving, 'next_actions')}{task}" for task in open_tasks]
    if not failing and not tasks:
        return ""
    told = [
        *filter(None, (failing, "" if has_files else _changed(leaving, _MAX_FILES))),
        *tasks,
        *filter(None, [_where(leaving)]),
    ]
    return "; ".join([f"goal: {goal}", *told] if goal else told)


def _tasks_of(body: Body) -> list[str]:
    """Return the open tasks of a session. An older end does not tell what tools showed from what its agent said."""
    return list(_lines(open_tasks(body))) if body.agent_said else []


def _changed(leaving: _Leaving, most: int) -> str:
    """Return in words at most `most` files of the project that a session changed, the most often changed first.

    An answer tells of the files that were changed for it.
    """
    last, task = leaving.record, leaving.record.task_id
    files: Counter[str] = Counter()
    if not leaving.is_of_session and task is None:
        return ""
    for step in leaving.reader.lookup(keys.in_session(last.session_id), _READ_STEPS):
        is_of_it = leaving.is_of_session or step.task_id == task
        if step.kind == "tool_result" and step.id < last.id and is_of_it:
            files.update(p for p in map(str, step.body.artifacts) if not p.startswith("/"))
    names = (short_path(name, _LONGEST_PATH) for name, _ in files.most_common(most))
    return f"changed {', '.join(names)}" if files else ""


def _failing(leaving: _Leaving) -> str:
    """Return in words the newest check that still fails, and how many more do."""
    open_checks = list_open_checks(leaving.reader, leaving.record, leaving.before)
    texts = (failing_text(each.body) for each in open_checks)
    failing = list(dict.fromkeys(make_excerpt(text, _MAX_LINE_CHARACTERS) for text in texts))
    more = f" (and {len(failing) - 1} more)" if len(failing) > 1 else ""
    return f"{failing[0]}{more}" if failing else ""


def _what_was_said(leaving: _Leaving) -> str:
    """Return what a session left by its agent's words, else its last answer."""
    sections = leaving.sections
    if sections is None:
        return _passage(leaving.record)
    parts: list[str] = []
    for name in _LABELS:
        lines = list(_lines(sections.get(name)))
        if name != "decisions":
            lines = _still_open(leaving, lines)
        parts += [_label(leaving, name) + "; ".join(lines)] if any(lines) else []
    return ". ".join(parts)


def _label(leaving: _Leaving, name: str) -> str:
    """Return the label of a section. What an older session left to do was to do then: a newer one worked since."""
    label = _LABELS[name]
    return label.replace("to do: ", "to do then: ") if leaving.newer else label


def _still_open(leaving: _Leaving, lines: list[str]) -> list[str]:
    """Return the lines that no newer session says are done: none where one names any of them again.

    A newer session tells by what it was asked for first, its last words and the files that it changed.
    """
    if not leaving.newer or not lines:
        return lines
    from hooklore.retrieval.left_steps import drop_done, names_any_again

    named: list[str] = []
    told: list[str] = []
    for each in leaving.newer:
        said, body = each.sections or {}, each.record.body
        named += [x for name in (*_OPEN_SECTIONS, "waiting") for x in list_texts(said.get(name))]
        answer = (
            list_texts(body.agent_said.get("answer")) if each.is_end else [str(body.text or "")]
        )
        told += [each.goal, *answer, _changed(each, _MAX_FILES)]
    return [] if names_any_again(lines, named) else drop_done(lines, told)


def _last_words(leaving: _Leaving, told: str) -> str:
    """Return the end of a session's last answer without what is `told` already: unasked no bare `Done.`"""
    ended = next(iter(list_texts((leaving.sections or {}).get("ended"))), "")
    sentences = [each.strip() for each in _SENTENCE.split(ended) if each.strip()]
    known = (told, told.replace(";", ""))  # the end of an answer has its list as one line
    new = " ".join(
        each
        for each in sentences
        if not any(_HEADING.sub("", each).rstrip(".。!！") in text for text in known)
    )
    words = len(content_terms(new) - _BARE)
    tells_something = words > 1 if told else words or leaving.is_asked_for
    return f"ended with: {new}" if new and tells_something else ""


def _lines(found: object) -> Iterable[str]:
    texts = list_texts(found)
    return dict.fromkeys(make_excerpt(each, _MAX_LINE_CHARACTERS).rstrip(".") for each in texts)


def _passage(answer: Record) -> str:
    """Return an answer without marks, from the sentence on that first names work, else from its beginning."""
    lines = _MARKUP.sub("", str(answer.body.text or "")).split("\n")
    text = "\n".join(line for line in lines if line.strip())
    sentences = [each for each in _SENTENCE.split(text) if each.strip()]
    named = (n for n, each in enumerate(sentences) if find_work_references(each))
    return " ".join(sentences[next(named, 0) :])
