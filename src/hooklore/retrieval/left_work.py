"""Render where sessions left a piece of work: what tools showed of each, then what its agent said."""

import re
from collections import Counter
from collections.abc import Iterable

from hooklore.broker.fix_text import failing_text, short_path
from hooklore.broker.principal_reader import Reader
from hooklore.index import keys
from hooklore.prompt.error_line import must_pass
from hooklore.prompt.frame import fit_section, is_blocked, make_excerpt, make_note
from hooklore.prompt.note import Note, Section, make_section
from hooklore.records.record import Body, Record
from hooklore.retrieval.open_checks import list_open_checks
from hooklore.text.token_estimate import estimate_tokens, truncate_to_tokens
from hooklore.text.work_references import find_work_references

MAX_TOKENS = 120
"""Tokens of a section with its heading."""

_HEADING = "Where this work was left"
BRANCH_HEADING = "Where the work on this branch was left"
"""The heading in a brief, which is longer than the one at a prompt."""

_LEAST_ROOM = 20
"""Tokens of the texts of a session whose branch has a long name."""

_MAX_GOAL_CHARACTERS = 60
_MAX_LINE_CHARACTERS = 100
_MAX_TEXT_CHARACTERS = 600
_MAX_FILES = 4
_LONGEST_PATH = 48
_FEW_FILES = 2
"""Files behind what the agent said, which mostly names them."""

_READ_STEPS = 60
_READ_TURNS = 20
_LEAST_CHARACTERS = 60
"""Characters of an answer that tells anything: `Done.` does not say where work was left."""

_OPEN_SECTIONS = ("unresolved", "next_actions")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")
_MARKUP = re.compile(
    r"^[ \t]*(?:#{1,6}|[-*]|\d{1,2}\.)[ \t]+|\*\*|^[ \t]*\|[^\n]*$|^[ \t]*```.*$", re.MULTILINE
)


def render_left_work(
    reader: Reader, records: list[Record], branch: str | None, before: str | None = None
) -> Section:
    """Return the section of the ends of sessions, or of answers, that tell where work was left.

    `branch` is that of the session which reads them. `before` is an id: only
    fixes older than it count, and all without it.
    """
    notes = [note for each in records for note in left_notes(reader, each, branch, before)]
    return fit_section(make_section(_HEADING, notes), MAX_TOKENS)[0]


def left_notes(
    reader: Reader, record: Record, branch: str | None, before: str | None = None
) -> list[Note]:
    """Return the notes of one end of a session, or of one answer. A text that gives orders has none.

    Goal and files alone are no outcome: without an open check or task what the agent said is told, with the
    two behind it.
    """
    is_end = record.kind == "session_end"
    claims = [record.with_fields(basis=basis) for basis in ("tool", "inferred")]
    room = _room_for_texts([make_note(claim, "", reader_branch=branch) for claim in claims])
    shown = _shorten(_left_open(reader, record, before) if is_end else "", room // 2)
    said = _said_at_end(reader, record) if is_end else _passage(_plain(record))
    about = _shorten(_about(reader, record), room // 2) if said and not shown else ""
    said = _shorten(said, room - estimate_tokens(shown) - estimate_tokens(about))
    texts = (shown, " ".join(filter(None, (said, about))))
    return [
        make_note(claim, text, reader_branch=branch)
        for claim, text in zip(claims, texts, strict=True)
        if text and not is_blocked(claim, text)
    ]


def _room_for_texts(empty: list[Note]) -> int:
    """Return the tokens that a section leaves for the texts of one session, whose notes are `empty` yet."""
    date, agent, _ = empty[0].origin
    lines = [f"{BRANCH_HEADING} ({date} · {agent}):"]
    lines += [note.render((date, agent, "")) for note in empty]
    return max(MAX_TOKENS - sum(estimate_tokens(line) + 1 for line in lines), _LEAST_ROOM)


def split_left_work(records: list[Record], answer: Body) -> tuple[list[Record], list[Record]]:
    """Return those of the `records` of an answer to a prompt that told where work was left, and the others.

    `answer` is the body of the record that says what was shown.
    """
    counts = answer.extra("parts") if answer.trigger == "prompt" else None
    count = counts[0] if isinstance(counts, list) and counts else 0
    left = set(answer.targets[:count])
    return [r for r in records if r.id in left], [r for r in records if r.id not in left]


def did_work(end: Record) -> bool:
    """Return whether the end of a session tells of work: of files, of checks, of decisions or open points."""
    said = (end.body.agent_said.get(name) for name in ("decisions", *_OPEN_SECTIONS))
    return any(end.body.sections.values()) or any(said)


def tells_something(answer: Record) -> bool:
    """Return whether an answer is long enough to tell anything."""
    return answer.kind == "answer" and len(_plain(answer)) >= _LEAST_CHARACTERS


def _shorten(text: str, tokens: int) -> str:
    return truncate_to_tokens(make_excerpt(text, _MAX_TEXT_CHARACTERS), tokens)


def _about(reader: Reader, last: Record) -> str:
    """Return in brackets the goal of a session and the files that it changed, "" for neither."""
    goal = make_excerpt(str(last.body.goal or ""), _MAX_GOAL_CHARACTERS)
    parts = (f"goal: {goal}" if goal else "", _changed(reader, last, _FEW_FILES))
    about = "; ".join(filter(None, parts))
    return f"({about})" if about else ""


def _left_open(reader: Reader, end: Record, before: str | None) -> str:
    """Return the goal of a session, a check that still fails, its changed files and its open tasks.

    Return "" where neither a check nor a task is open.
    """
    body = end.body
    goal = make_excerpt(str(body.goal or ""), _MAX_GOAL_CHARACTERS)
    failing = _failing(reader, end, before)
    tasks = [f"to do: {task}" for task in _open_tasks(body)]
    if not failing and not tasks:
        return ""
    told = [*filter(None, (failing, _changed(reader, end, _MAX_FILES))), *tasks]
    return "; ".join([f"goal: {goal}", *told] if goal else told)


def _open_tasks(body: Body) -> Iterable[str]:
    """Return the open tasks of a session. Without tasks its next actions are the failures once more."""
    if not body.agent_said:
        return ()  # an older end does not tell what tools showed from what the agent said
    failures = {must_pass(line) for line in _texts(body.sections.get("unresolved"))}
    actions = _texts(body.sections.get("next_actions"))
    return _lines([action for action in actions if action not in failures])


def _changed(reader: Reader, last: Record, most: int) -> str:
    """Return in words at most `most` files of the project that a session changed, the most often changed first.

    `last` is the end of the session, or an answer, which tells of the files that were changed for it.
    """
    is_end, task = last.kind == "session_end", last.task_id
    files: Counter[str] = Counter()
    if not is_end and task is None:
        return ""
    for step in reader.lookup(keys.in_session(last.session_id), _READ_STEPS):
        if step.kind == "tool_result" and step.id < last.id and (is_end or step.task_id == task):
            files.update(p for p in map(str, step.body.artifacts) if not p.startswith("/"))
    names = (short_path(name, _LONGEST_PATH) for name, _ in files.most_common(most))
    return f"changed {', '.join(names)}" if files else ""


def _failing(reader: Reader, end: Record, before: str | None) -> str:
    """Return in words the newest check that still fails, and how many more do."""
    failing = _still_failing(reader, end, before)
    more = f" (and {len(failing) - 1} more)" if len(failing) > 1 else ""
    return f"{failing[0]}{more}" if failing else ""


def _still_failing(reader: Reader, end: Record, before: str | None) -> list[str]:
    """Return in words the checks that a session left failing and that are open work."""
    texts = (failing_text(each.body) for each in list_open_checks(reader, end, before))
    return list(dict.fromkeys(make_excerpt(text, _MAX_LINE_CHARACTERS) for text in texts))


def _said_at_end(reader: Reader, end: Record) -> str:
    """Return what the agent left open and decided, and the beginning of its last answer that tells anything."""
    said = end.body.agent_said or end.body.sections
    left = [line for name in _OPEN_SECTIONS for line in _lines(said.get(name))]
    turns = reader.lookup(keys.turns_in(end.session_id), _READ_TURNS)
    answers = (turn for turn in turns if turn.id < end.id and tells_something(turn))
    parts = (
        ("left open: ", left),
        ("decided: ", list(_lines(said.get("decisions")))),
        ("", [_plain(answer) for answer in answers][:1]),
    )
    return ". ".join(heading + "; ".join(lines) for heading, lines in parts if lines)


def _lines(found: object) -> Iterable[str]:
    texts = _texts(found)
    return dict.fromkeys(make_excerpt(each, _MAX_LINE_CHARACTERS).rstrip(".") for each in texts)


def _texts(found: object) -> list[str]:
    return [str(each) for each in found if each] if isinstance(found, list) else []


def _plain(answer: Record) -> str:
    """Return the text of an answer without the marks of headings, lists, tables and code."""
    text = _MARKUP.sub("", str(answer.body.text or ""))
    return "\n".join(line for line in text.split("\n") if line.strip())


def _passage(text: str) -> str:
    """Return an answer from the sentence on that names a piece of work first, else from its beginning."""
    sentences = [each for each in _SENTENCE.split(text) if each.strip()]
    named = (n for n, each in enumerate(sentences) if find_work_references(each))
    return " ".join(sentences[next(named, 0) :])
