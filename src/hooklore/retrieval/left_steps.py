"""Find the steps that a session leaves: what its answers and its task list name, less what was done since.

The last answer counts, however short, with the one before it and the newest one that lists steps. A step is
done where later words say so, where its command passed, its file was changed as it says, or the user asked
for it and work followed. Where no rule can tell, the step stands, with what the session did since.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from hooklore.agents.registry import is_edit_tool
from hooklore.records.record import Record
from hooklore.retrieval.work_step import COVERED, WorkStep, content_terms
from hooklore.shell.command import is_check_command
from hooklore.text.answer_sections import AnswerSections, extract_answer_sections
from hooklore.text.feedback_signal import classify_feedback
from hooklore.text.token_estimate import truncate_text
from hooklore.text.work_status import LEFT_STATUSES, WorkStatus, classify_clause, split_clauses

_MOST = 8
_READ_ANSWERS = 16
"""Answers of a session that are read for steps, the newest: a list before them is forgotten."""

_LONGEST_STEP = 160
_LONGEST_COMMAND = 60
_LONGEST_PROMPT = 80
_MAX_FILES, _MAX_COMMANDS = 4, 3
_SURE = 0.75
_SHORT_PROMPT = 80
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|[\n。！？]+")
_BOX = re.compile(r"^- \[(?P<box>[ x])\] (?P<text>\S.*)$", re.MULTILINE)
_ORDINAL = re.compile(
    r"\b(?P<first>first)(?: (?P<many>two|three|2|3))?\b|\b(?P<second>second)\b|\b(?P<third>third)\b|\b(?P<last>last)\b"
    r"|(?:^|\b(?:steps?|items?|points?|no\.?|number|#|do|and|,)\s?)(?P<digit>[1-9])(?=\b(?!\s?[%a-z]{1,3}\b(?<!and)))"
    r"|(?P<kanji>[一二三1-3])(?:つ目|番)|(?P<first2>最初)|(?P<last2>最後)",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"\b(?:all (?:of (?:it|them)|three|four|\d)|do (?:it )?all|everything|both)\b|全部|すべて|全て",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class LeftSteps:
    """The open steps of a session by status, those of its task list apart, and what was done `since`."""

    said: dict[WorkStatus, list[str]] = field(default_factory=dict)
    tasks: list[str] = field(default_factory=list)
    since: list[str] = field(default_factory=list)


def find_left_steps(records: list[Record]) -> LeftSteps:
    """Return the steps that the `records` of a session, newest first, leave open."""
    walk = _Walk(records)
    for record in reversed(records):
        walk.take(record)
    return walk.left()


def drop_done(lines: list[str], said: list[str]) -> list[str]:
    """Return the steps of `lines` that nothing `said` later tells is done or asked for."""
    later = [content_terms(clause) for text in said for clause in _closed_clauses(text)]
    steps = (WorkStep(line, "next_actions", "") for line in lines)
    return [step.text for step in steps if not any(map(step.is_named_by, later))]


def _closed_clauses(text: str) -> Iterator[str]:
    """Yield the clauses of a text that leave nothing open."""
    for sentence in _SENTENCE_END.split(text):
        for clause in split_clauses(sentence):
            if classify_clause(clause).status not in LEFT_STATUSES:
                yield clause


class _Walk:
    """A walk through a session from its first record on, with the steps that are known so far."""

    def __init__(self, records: list[Record]) -> None:
        answers = [r.id for r in records if r.kind == "answer" and r.body.text]
        self._records = records
        self._recent = answers[:2]
        self._read = set(answers[:_READ_ANSWERS])
        self._steps: list[WorkStep] = []
        self._tasks: dict[str, WorkStep] = {}
        self._listed: set[str] = set()
        self._has_worked = False

    def take(self, record: Record) -> None:
        """Note what a record says of the steps."""
        if record.kind == "answer" and record.id in self._read:
            self._hear_answer(record)
        elif record.kind == "prompt" and record.body.text:
            self._hear_prompt(record.body.text)
        elif record.kind == "task" and record.body.text:
            self._take_task(record)
        elif record.kind == "tool_result":
            self._see_step(record)

    def left(self) -> LeftSteps:
        """Return what is open at the end."""
        known = {*self._recent, *self._listed}
        steps = [s for s in self._steps if not s.is_closed and (s.by_tool or s.said_at in known)]
        said = {
            status: _texts(s for s in steps if s.status == status and not s.by_tool)
            for status in LEFT_STATUSES
        }
        tasks = _texts([*(s for s in steps if s.by_tool), *self._open_tasks()])
        since = min((s.said_at for s in steps if s.status != "ideas"), default="")
        return LeftSteps({k: v for k, v in said.items() if v}, tasks, self._done_since(since))

    # ---- answers

    def _hear_answer(self, record: Record) -> None:
        parts = extract_answer_sections(str(record.body.text))
        self._close_asked(parts)
        for line in (*parts.done, *parts.dropped):
            self._close_about(line)
        for step in self._steps if parts.all_done else ():
            step.is_closed = True
        if parts.listed:
            self._begin_list(parts, record.id)
        for status in LEFT_STATUSES:
            for line in getattr(parts, status):
                self._say(line, status, record.id)
        self._mark_common()
        self._has_worked = False

    def _close_asked(self, parts: AnswerSections) -> None:
        """Close the steps that the user asked for, where work followed, or the answer says no more than done."""
        is_bare = any(not content_terms(line) for line in parts.done)
        for step in self._steps:
            step.is_closed |= step.is_asked and (self._has_worked or is_bare)
            step.is_asked = False

    def _close_about(self, line: str) -> None:
        terms = content_terms(line)
        for step in [*self._steps, *self._tasks.values()]:
            step.is_closed |= step.is_named_by(terms)
        for step in _named_by_place(line, self._listed_steps()):
            step.is_closed = True

    def _begin_list(self, parts: AnswerSections, id_: str) -> None:
        """Let a list stand in the place of what earlier answers said, and of the last list if it repeats a step of that."""
        lines = [line for status in LEFT_STATUSES for line in getattr(parts, status)]
        is_repeated = any(_find_same(self._listed_steps(), line) for line in lines)
        self._steps = [s for s in self._steps if s.by_tool or (s.is_listed and not is_repeated)]
        self._listed = {id_} if is_repeated else {*self._listed, id_}

    def _say(self, line: str, status: WorkStatus, id_: str) -> None:
        """Note a step that an answer names, again or for the first time."""
        same = _find_same(self._steps, line)
        if same is not None:
            same.is_closed, same.said_at, same.status = False, id_, status
        else:
            is_listed = id_ in self._listed
            self._steps.append(WorkStep(truncate_text(line, _LONGEST_STEP), status, id_, is_listed))

    def _listed_steps(self) -> list[WorkStep]:
        return [s for s in self._steps if s.is_listed]

    def _mark_common(self) -> None:
        """Mark the words that several steps have: they tell none of them from the others."""
        for step in self._steps:
            others = [s.terms for s in self._steps if s is not step]
            step.common = frozenset(t for t in step.terms if any(t in each for each in others))

    # ---- the user

    def _hear_prompt(self, text: str) -> None:
        """Note the steps that a prompt asks for, drops or answers."""
        open_steps = [s for s in self._steps if not s.is_closed]
        for clause in (part for line in _SENTENCE_END.split(text) for part in split_clauses(line)):
            terms, is_drop = content_terms(clause), classify_clause(clause).status == "dropped"
            for step in open_steps:
                if step.is_named_by(terms):
                    step.is_asked, step.is_closed = not is_drop, is_drop
        for step in (
            _named_by_place(text, self._listed_steps()) if len(text) <= _SHORT_PROMPT else ()
        ):
            step.is_asked = True
        for step in open_steps:
            is_answered = step.status == "waiting" and step.said_at in self._last_answer()
            step.is_closed |= is_answered and (step.text.endswith(("?", "？")) or step.is_asked)
        if classify_feedback(text) == "approval" and len(open_steps) == 1:
            open_steps[0].is_asked = True

    def _last_answer(self) -> set[str]:
        return {max((s.said_at for s in self._steps), default="")}

    # ---- tools

    def _see_step(self, record: Record) -> None:
        """Close the steps that a command or an edit has done."""
        body = record.body
        plan = _BOX.findall(str(body.detail.get("input", "")))
        if plan:
            self._take_plan(plan, record.id)
        if body.outcome != "success":
            return
        if body.command:
            self._has_worked = True
            self._close_by_command(body.command)
        elif is_edit_tool(record.agent_id, body.tool):
            self._has_worked = True
            self._close_by_edit([str(path) for path in body.artifacts], str(body.change or ""))

    def _close_by_command(self, command: str) -> None:
        terms = content_terms(command)
        for step in self._steps:
            if any(name in command for name in step.commands if " " in name):
                step.is_closed = step.is_closed or step.status == "next_actions"
                step.status = "next_actions" if step.status == "blocked" else step.status
            elif step.status == "next_actions" and step.rare_matches(terms):
                step.is_closed |= step.coverage(terms) >= _SURE

    def _close_by_edit(self, paths: list[str], change: str) -> None:
        terms = content_terms(" ".join([*paths, change]))
        for step in self._steps:
            is_named = any(map(step.names_file, paths)) or step.rare_matches(terms) > 1
            step.is_closed |= is_named and step.coverage(terms) >= _SURE

    def _take_plan(self, plan: list[tuple[str, str]], id_: str) -> None:
        """Take the agent's task list in the place of the one before it."""
        self._steps = [s for s in self._steps if not s.by_tool]
        for box, text in plan:
            if box == "x":
                self._close_about(text)
            else:
                step = WorkStep(
                    truncate_text(text, _LONGEST_STEP), "next_actions", id_, by_tool=True
                )
                self._steps.append(step)

    def _take_task(self, record: Record) -> None:
        key, text = str(record.body.task or record.body.text), str(record.body.text)
        if record.body.outcome in ("success", "failure"):
            self._tasks.pop(key, None)
        else:
            self._tasks[key] = WorkStep(
                truncate_text(text, _LONGEST_STEP), "next_actions", record.id, by_tool=True
            )

    def _open_tasks(self) -> list[WorkStep]:
        return [task for task in self._tasks.values() if not task.is_closed]

    # ---- what was done since

    def _done_since(self, id_: str) -> list[str]:
        """Return in words what the session did after the record `id_`, for the model to judge by."""
        later = [r for r in self._records if id_ and r.id > id_]
        files = dict.fromkeys(
            p.rsplit("/", 1)[-1] for r in later if _is_edit(r) for p in map(str, r.body.artifacts)
        )
        ran = _last_runs(later)
        done = [f"edited {', '.join([*files][:_MAX_FILES])}"] if files else []
        done += [f"ran {', '.join(ran)}"] if ran else []
        return done or [
            f"asked: {truncate_text(' '.join(t.split()), _LONGEST_PROMPT)}"
            for t in _prompts(later)[:1]
        ]


def _is_edit(record: Record) -> bool:
    body = record.body
    is_success = record.kind == "tool_result" and body.outcome == "success"
    return is_success and is_edit_tool(record.agent_id, body.tool)


def _last_runs(records: list[Record]) -> list[str]:
    """Return in words the last runs of commands among `records`, newest first, checks before others."""
    runs: dict[str, Record] = {}
    for record in records:
        if record.body.command and record.kind in ("tool_result", "error"):
            runs.setdefault(record.body.command, record)
    ordered = sorted(runs, key=lambda command: not is_check_command(command))
    return [_describe_run(command, runs[command]) for command in ordered[:_MAX_COMMANDS]]


def _describe_run(command: str, run: Record) -> str:
    outcome = {"success": " (passed)", "failure": " (failed)"}.get(str(run.body.outcome), "")
    return f"`{truncate_text(' '.join(command.split()), _LONGEST_COMMAND)}`{outcome}"


def _prompts(records: list[Record]) -> list[str]:
    return [str(r.body.text) for r in records if r.kind == "prompt" and r.body.text]


def _find_same(steps: Iterable[WorkStep], line: str) -> WorkStep | None:
    """Return the step that a line names again."""
    terms = content_terms(line)
    other = WorkStep(line, "next_actions", "")
    alike = (
        s
        for s in steps
        if s.text == line
        or min(s.coverage(terms), 1) >= COVERED
        or other.coverage(s.terms) >= _SURE
    )
    return next(alike, None)


def _named_by_place(text: str, steps: list[WorkStep]) -> Iterator[WorkStep]:
    """Yield the steps of a list that a text names by their place: `the first two`, `do 3`, 2番."""
    if _ALL.search(text):
        yield from steps
        return
    for found in _ORDINAL.finditer(text):
        yield from steps[_places(found)]


def _places(found: re.Match[str]) -> slice:
    many = {"two": 2, "2": 2, "three": 3, "3": 3}
    if found["first"] or found["first2"]:
        return slice(0, many.get((found["many"] or "").lower(), 1))
    if found["last"] or found["last2"]:
        return slice(-1, None)
    number = found["digit"] or found["kanji"] or ("2" if found["second"] else "3")
    place = "一二三".find(number) + 1 or int(number)
    return slice(place - 1, place)


def _texts(steps: Iterable[WorkStep]) -> list[str]:
    return list(dict.fromkeys(step.text for step in steps))[:_MOST]
