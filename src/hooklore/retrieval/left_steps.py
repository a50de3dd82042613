"""Find the steps that a session leaves: what its answers and its task list name, less what was done since.

The last answer counts, however short, with the one before it and the lists of steps. A step is done where
later words say so, where its command passed or its file was changed as it says, or where the user asked for
it and work followed. Where no rule can tell, the step stands, with what the session did since.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from hooklore.agents.registry import is_edit_tool
from hooklore.failures.project_failure import is_project_failure
from hooklore.records.record import Record
from hooklore.retrieval.work_step import APPROVING_TERMS, COVERED, Words, WorkStep, content_terms
from hooklore.shell.command import is_check_command
from hooklore.text.answer_sections import AnswerSections, extract_answer_sections
from hooklore.text.feedback_signal import classify_feedback
from hooklore.text.token_estimate import estimate_tokens, truncate_text, truncate_to_tokens
from hooklore.text.work_status import (
    LEFT_STATUSES,
    WorkStatus,
    classify_clause,
    split_clauses,
    split_parts,
)

_MOST = 8
_READ_ANSWERS = 24
"""Answers of a session that are read, the newest: decisions and lists before them are forgotten."""

_MAX_LISTS = 2
"""Lists of steps that stand beside each other, the newest."""

_LONGEST_STEP = 160
_LONGEST_COMMAND = 60
_LONGEST_PROMPT = 80
_MAX_FILES, _MAX_COMMANDS = 4, 3
_SURE = 0.75
_SHORT_PROMPT = 80
_APPROVING_PROMPT = 60
"""Characters of a prompt that names no step and approves all of a list, as `fine, start` does."""

_READ_CHARACTERS = 2_000
_END_TOKENS = 40
"""Tokens of the end of an answer that are told."""

_FENCED = re.compile(r"^```.*?(?:^```\s*$|\Z)", re.MULTILINE | re.DOTALL)
_MARKUP = re.compile(r"^[ \t]*(?:#{1,6}|[-*]|\d{1,2}\.)[ \t]+|\*\*|^[ \t]*\|.*$")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")
_QUESTION = ("?", "？")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|[\n。！？]+")
_BOX = re.compile(r"^- \[(?P<box>[ x])\] (?P<text>\S.*)$", re.MULTILINE)
_ORDINAL = re.compile(
    r"(?:上から(?:順に)?|最初の|頭から|\btop )(?P<top>[2-9二三四]|two|three|four)つ?"
    r"|\b(?P<first>first)(?: (?P<many>two|three|2|3))?\b|\b(?P<second>second)\b|\b(?P<third>third)\b"
    r"|\b(?P<last>last) (?:one|two|pair|step|item|point)s?\b|(?P<kanji>[一二三1-9])(?:つ目|番(?!号))"
    r"|(?P<first2>最初)の|(?P<last2>最後)の",
    re.IGNORECASE,
)
_NUMBERS = re.compile(
    r"(?:^|\b(?:steps?|items?|points?|no\.?|numbers?|#|do|take|start with|go with|only|skip)\s?)"
    r"(?P<list>[1-9](?:\s?(?:,|と|、|・|and|&|\+|-|,\s?and)\s?[1-9])*)(?![\w.:%])(?!\s?(?:件|行|つの|個"
    r"|時|分|月|日|人|箇所))|"
    r"(?P<list2>[1-9](?:[と、・][1-9])+)",
    re.IGNORECASE,
)
_COMMITS = re.compile(r"(?:.*(?:&&|;)\s*)?git (?:-\S+ )*(?:commit|push)\b")
_UNCOMMITTED = re.compile(
    r"\bnot (?:yet )?(?:been )?(?:committed|pushed)\b|\b(?:un|not )committed\b"
    r"|未コミット|未push|(?:コミット|push)して(?:い)?(?:ない|ません)",
    re.IGNORECASE,
)
_AGREES = re.compile(
    r"\s*(?:yes|yep|yeah|sure|ok|okay|agreed|fine|go (?:ahead|on|for it)|do it|please do"
    r"|はい|うん|ええ|おけ|オーケー|了解|お願い|よろしく|頼む|たのむ|それで|いいね|いいよ|どうぞ)(?![a-z])",
    re.IGNORECASE,
)
"""The beginning of a prompt that agrees, whatever it adds."""

_NUMBER_WORDS = {"two": 2, "three": 3, "four": 4, "five": 5, "二": 2, "三": 3, "四": 4} | {
    str(n): n for n in range(2, 10)
}
_RANGE = re.compile(
    r"(?<!\d)(?P<from>[1-9])\s?(?:-|–|to|through|〜|～|~|から)\s?(?P<to>[1-9])(?!\d)"
    r"|(?:\b(?:up to|until|through) )(?P<to2>[1-9])\b|^(?P<to3>[1-9])(?:番)?まで"
)
_ONLY_PLACE = re.compile(
    r"(?:steps?|items?|points?|no\.?|numbers?|#|番号)?\s?[1-9](?:\s?(?:番|つ目|と|、|,|and)\s?[1-9]?)*"
    r"(?:だけ|のみ|is left|only)?",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"\b(?P<both>both)\b|\ball (?P<all>two|three|four|five|[2-9])\b", re.IGNORECASE
)
_ALL = re.compile(
    r"\b(?:all (?:of (?:it|them|these|those)|three|four|five|\d)|do (?:it |them )?all|everything)\b"
    r"|^both\b|全部|すべて|全て|ぜんぶ",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class LeftSteps:
    """The open steps of a session by status, those of its task list apart, and what was done `since`.

    `unresolved` says what the last answer could not do, where it names no step. `listed` are steps of the newest
    lists that may be done: no rule can tell, so that they stand beside what was done since. `ended` is the end of
    the last answer that did work or names what is left.
    """

    said: dict[WorkStatus, list[str]] = field(default_factory=dict)
    tasks: list[str] = field(default_factory=list)
    since: list[str] = field(default_factory=list)
    unresolved: list[str] = field(default_factory=list)
    listed: list[str] = field(default_factory=list)
    ended: str = ""


def read_answers(records: list[Record]) -> dict[str, AnswerSections]:
    """Return what the answers among `records` say, by their ids, newest first."""
    answers = [r for r in records if r.kind == "answer" and r.body.text][:_READ_ANSWERS]
    return {r.id: extract_answer_sections(str(r.body.text)) for r in answers}


def find_left_steps(records: list[Record], read: dict[str, AnswerSections]) -> LeftSteps:
    """Return the steps that the `records` of a session leave open, newest first, whose answers are `read`."""
    walk = _Walk(records, read)
    for record in reversed(records):
        walk.take(record)
    return walk.left()


def drop_done(lines: list[str], said: list[str]) -> list[str]:
    """Return the steps of `lines` that nothing `said` later tells is done or asked for."""
    later = [
        Words(clause)
        for text in said
        for clause in _clauses(text)
        if classify_clause(clause).status not in (*LEFT_STATUSES, "negated")
    ]
    steps = (WorkStep(line, "next_actions", "") for line in lines)
    return [step.text for step in steps if not any(map(step.is_named_by, later))]


def names_any_again(lines: list[str], named: list[str]) -> bool:
    """Return whether any of `named` is one of the steps of `lines`."""
    steps = [WorkStep(line, "next_actions", "") for line in lines]
    return any(_find_same(steps, line) for line in named)


def _clauses(text: str) -> Iterator[str]:
    for sentence in _SENTENCE_END.split(text):
        yield from split_clauses(sentence)


def last_words(answer: str) -> str:
    """Return the last sentences of an answer, which say where it stands, without code, marks and tables."""
    lines = (
        _MARKUP.sub("", line) for line in _FENCED.sub("\n", answer[-_READ_CHARACTERS:]).split("\n")
    )
    said = [each.strip() for line in lines for each in _SENTENCE.split(line) if each.strip()]
    told: list[str] = []
    for sentence in reversed(said):
        if told and estimate_tokens(" ".join((sentence, *told))) > _END_TOKENS:
            break
        told.insert(0, sentence)
    return truncate_to_tokens(" ".join(told), _END_TOKENS)


class _Walk:
    """A walk through a session from its first record on, with the steps that are known so far."""

    def __init__(self, records: list[Record], read: dict[str, AnswerSections]) -> None:
        self._records = records
        self._read = read
        self._recent = [*read][:2]
        self._steps: list[WorkStep] = []
        self._tasks: dict[str, WorkStep] = {}
        self._edited: list[str] = []
        self._unresolved: list[str] = []
        self._ended: Record | None = None
        self._has_worked = False

    def take(self, record: Record) -> None:
        """Note what a record says of the steps."""
        if record.id in self._read:
            self._hear_answer(record)
        elif record.kind == "prompt" and record.body.text:
            self._hear_prompt(record.body.text)
        elif record.kind == "task" and record.body.text:
            key = str(record.body.task or record.body.text)
            if record.body.outcome in ("success", "failure"):
                self._tasks.pop(key, None)
            else:
                text = _cut(record.body.text)
                self._tasks[key] = WorkStep(text, "next_actions", record.id, by_tool=True)
        elif record.kind == "tool_result":
            self._see_step(record)

    def left(self) -> LeftSteps:
        """Return what is open at the end."""
        self._block_by_failures()
        lists = sorted({s.said_at for s in self._steps if s.is_listed})[-_MAX_LISTS:]
        known = (s.by_tool or s.said_at in (*self._recent, *lists) for s in self._steps)
        steps = [
            s
            for s, is_known in zip(self._steps, known, strict=True)
            if is_known and not s.is_soft and not s.is_closed
        ]
        said = {
            status: _texts(s for s in steps if s.status == status and not s.by_tool)
            for status in LEFT_STATUSES
        }
        open_tasks = [task for task in self._tasks.values() if not task.is_closed]
        tasks = _texts([*(s for s in steps if s.by_tool), *open_tasks])
        doubtful = [s for s in self._doubtful() if s not in steps]
        told = [s.said_at for s in (*steps, *doubtful) if s.status != "ideas"]
        return LeftSteps(
            {k: v for k, v in said.items() if v},
            tasks,
            self._done_since(min(told, default="")),
            self._unresolved[:_MOST],
            _texts(doubtful),
            last_words(str(self._ended.body.text)) if self._ended is not None else "",
        )

    def _doubtful(self) -> list[WorkStep]:
        """Return the steps of the newest answers and lists that were closed without a word about them."""
        lists = sorted({s.said_at for s in self._steps if s.is_listed and not s.is_soft})[-1:]
        named = (s for s in self._steps if s.said_at in (*self._recent, *lists))
        return [s for s in named if s.is_closed and not s.is_sure and not s.by_tool]

    # ---- answers

    def _hear_answer(self, record: Record) -> None:
        parts = self._read[record.id]
        open_before = [s for s in self._steps if not s.is_closed]
        for line in (*parts.negated, *(x for x in parts.items if self._edited and _is_negated(x))):
            self._reopen(line, record.id)
        self._close_told(parts, open_before)
        if parts.listed:
            self._begin_list(parts)
        restated = [
            step
            for status in LEFT_STATUSES
            for line in getattr(parts, status)
            for step in self._restate(line, status, record.id, parts)
        ]
        self._unresolved = [
            x for x in parts.unresolved if not self._reopen(x, record.id, "blocked")
        ]
        if parts.is_whole and restated:
            # The answer says what alone is left.
            for step in open_before:
                if step.said_at != record.id and step.status != "ideas":
                    step.close()
        if not self._edited and not parts.listed:
            self._steps += [
                WorkStep(_cut(line), "next_actions", record.id, is_listed=True, is_soft=True)
                for line in parts.items
            ]
        self._mark_common()
        is_telling = self._has_worked or any(getattr(parts, status) for status in LEFT_STATUSES)
        self._ended = record if is_telling or self._ended is None else self._ended
        self._has_worked, self._edited = False, []

    def _begin_list(self, parts: AnswerSections) -> None:
        """Let a list stand for what earlier answers said, and for the last list if it repeats a step of that."""
        lines = [line for status in LEFT_STATUSES for line in getattr(parts, status)]
        is_repeated = any(_find_same(self._listed_steps(), line) for line in lines)
        self._steps = [
            s
            for s in self._steps
            if s.by_tool or s.status == "ideas" or (s.is_listed and not is_repeated)
        ]

    def _mark_common(self) -> None:
        """Mark the words that several steps have: they tell none of them from the others."""
        for step in self._steps:
            others = [s.terms for s in self._steps if s is not step]
            step.common = frozenset(t for t in step.terms if any(t in each for each in others))

    def _reopen(self, line: str, id_: str, status: WorkStatus | None = None) -> list[WorkStep]:
        named = [step for part in split_parts(line) for step in self._named(Words(part))]
        for step in named:
            step.is_closed = step.is_sure = step.is_asked = step.is_approved = False
            step.said_at = id_
            step.status = status or step.status
        return named

    def _close_told(self, parts: AnswerSections, open_before: list[WorkStep]) -> None:
        """Close what an answer says is done, and what the user asked for if work followed."""
        told = [
            *parts.done,
            *parts.dropped,
            *(x for x in parts.items if self._edited and not _is_negated(x)),
        ]
        closed = [step for line in told for step in self._close_about(line)]
        is_bare = any(not content_terms(line) for line in parts.done)
        names_any = any(step.is_approved for step in closed)
        for step in open_before:
            is_due = step.is_asked or (step.is_approved and not names_any)
            is_done = is_due and (self._has_worked or is_bare) and not self._lacks_edit(step)
            if parts.all_done or (is_done and step.is_asked):
                step.close()
            step.is_closed |= is_done
            step.is_asked = step.is_approved = False

    def _lacks_edit(self, step: WorkStep) -> bool:
        """Return whether a step names a file that the session did not change, and did change those of others."""
        others = [s for s in self._steps if s is not step and any(map(s.names_file, self._edited))]
        return (
            bool(step.paths and others)
            and not any(map(step.names_file, self._edited))
            and "*" not in step.text
        )

    def _close_about(self, line: str) -> list[WorkStep]:
        named = [step for part in split_parts(line) for step in self._named(Words(part))]
        named += self._named(Words(line))
        if len(line) <= _SHORT_PROMPT and not _ALL.search(line):
            named += _named_by_place(line, self._listed_steps())
        for step in named:
            step.close()
        return named

    def _named(self, words: Words) -> list[WorkStep]:
        """Return the steps that words name: those of which they have most of the words, else by one word."""
        named = [s for s in (*self._steps, *self._tasks.values()) if s.is_named_by(words)]
        return [s for s in named if s.coverage(words.terms) >= COVERED] or named

    def _restate(
        self, line: str, status: WorkStatus, id_: str, parts: AnswerSections
    ) -> list[WorkStep]:
        """Return the known steps that a line about what is left names, by their place or their words."""
        if not _ONLY_PLACE.fullmatch(line.strip(" .。")):
            step = self._say(line, status, id_, parts)
            return [step] if step is not None else []
        placed = list(_named_by_place(line, self._listed_steps()))
        placed = placed or list(_at_places(line, self._listed_steps()))
        for step in placed:
            step.is_closed = step.is_sure = False
            step.said_at = id_
        return placed

    def _say(
        self, line: str, status: WorkStatus, id_: str, parts: AnswerSections
    ) -> WorkStep | None:
        """Note a step that an answer names, and return it where an earlier one named it."""
        earlier = [s for s in self._steps if s.said_at != id_ or s.text == line]
        same = _find_same(earlier, line)
        if same is None:
            self._steps.append(WorkStep(_cut(line), status, id_, is_listed=bool(parts.listed)))
            return None
        same.is_closed = same.is_sure = same.is_soft = False
        same.said_at = id_
        same.status = status if status != "next_actions" or same.status == "ideas" else same.status
        return same

    def _listed_steps(self) -> list[WorkStep]:
        return [s for s in self._steps if s.is_listed and not s.by_tool]

    # ---- the user

    def _hear_prompt(self, text: str) -> None:
        open_steps = [s for s in self._steps if not s.is_closed]
        for clause in _clauses(text):
            self._hear_clause(clause, open_steps)
        for step in (
            _named_by_place(text, self._listed_steps()) if len(text) <= _SHORT_PROMPT else ()
        ):
            step.is_asked = not step.is_closed
        self._approve(text, open_steps)
        # A list that nobody announced stands where the user takes it up, and goes where not.
        taken_up = {
            s.said_at
            for s in open_steps
            if s.is_asked or s.is_approved or s.is_put_off or s.is_closed
        }
        for step in open_steps:
            step.is_soft = step.is_soft and step.said_at not in taken_up
        self._steps = [s for s in self._steps if not s.is_soft]
        newest = max((s.said_at for s in self._steps), default="")
        for step in open_steps:
            is_answered = step.status == "waiting" and step.said_at == newest
            if is_answered and (step.text.endswith(_QUESTION) or step.is_asked):
                step.close()

    def _hear_clause(self, clause: str, steps: list[WorkStep]) -> None:
        status = classify_clause(clause).status
        parts = [content_terms(part) for part in split_parts(clause)]
        for step in steps:
            if not (step.is_named_by(Words(clause)) or any(map(step.is_hinted_at, parts))):
                continue
            if status == "dropped":
                step.close()
            elif status == "next_actions":
                step.is_put_off = True
            else:
                step.is_asked, step.is_put_off = True, False

    def _approve(self, text: str, steps: list[WorkStep]) -> None:
        """Note that a short prompt which names no step approves them all."""
        said = classify_feedback(text)
        is_short = len(text) <= _APPROVING_PROMPT and not text.rstrip().endswith(_QUESTION)
        names_other = not (_AGREES.match(text) or content_terms(text) <= APPROVING_TERMS)
        if any(s.is_asked for s in steps) or said in ("rejection", "correction"):
            return
        if not is_short or names_other:
            return
        for step in steps:
            step.is_approved = step.status == "next_actions" and not step.is_put_off

    # ---- tools

    def _see_step(self, record: Record) -> None:
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
            paths = [str(path) for path in body.artifacts]
            self._edited += paths
            terms = content_terms(" ".join([*paths, str(body.change or "")]))
            for step in self._steps:
                is_named = any(map(step.names_file, paths)) or step.rare_matches(terms) > 1
                if is_named and step.coverage(terms) >= _SURE:
                    step.close()

    def _close_by_command(self, command: str) -> None:
        terms = content_terms(command)
        for step in self._steps:
            if any(name in command for name in step.names if " " in name):
                if step.status == "next_actions":
                    step.close()
                step.status = "next_actions" if step.status == "blocked" else step.status
            elif (_COMMITS.match(command) and _UNCOMMITTED.search(step.text)) or (
                step.status == "next_actions"
                and step.rare_matches(terms)
                and step.coverage(terms) >= _SURE
            ):
                step.close()

    def _block_by_failures(self) -> None:
        """Mark the steps that name a command, or a test, which failed when it ran last."""
        runs = _newest_runs(self._records)
        failed = [f"{c}\n{r.body.text or ''}" for c, r in runs.items() if is_project_failure(r)]
        for step in self._steps:
            if step.status == "next_actions" and any(
                n in text for n in step.names for text in failed
            ):
                step.status = "blocked"

    def _take_plan(self, plan: list[tuple[str, str]], id_: str) -> None:
        self._steps = [s for s in self._steps if not s.by_tool]
        for box, text in plan:
            if box == "x":
                self._close_about(text)
            else:
                self._steps.append(WorkStep(_cut(text), "next_actions", id_, by_tool=True))

    # ---- what was done since

    def _done_since(self, id_: str) -> list[str]:
        """Return in words what the session did after the record `id_`, for the model to judge by."""
        later = [r for r in self._records if id_ and r.id > id_]
        edits = (
            r
            for r in later
            if r.kind == "tool_result"
            and r.body.outcome == "success"
            and is_edit_tool(r.agent_id, r.body.tool)
        )
        files = dict.fromkeys(str(p).rsplit("/", 1)[-1] for r in edits for p in r.body.artifacts)
        # The last runs of commands, checks before others.
        runs = _newest_runs(later)
        commands = sorted(runs, key=lambda command: not is_check_command(command))
        ends = {"success": " (passed)", "failure": " (failed)"}
        ran = [
            f"`{truncate_text(' '.join(command.split()), _LONGEST_COMMAND)}`"
            f"{ends.get(str(runs[command].body.outcome), '')}"
            for command in commands[:_MAX_COMMANDS]
        ]
        done = [f"edited {', '.join([*files][:_MAX_FILES])}"] if files else []
        done += [f"ran {', '.join(ran)}"] if ran else []
        prompts = (str(r.body.text) for r in later if r.kind == "prompt" and r.body.text)
        asked = (truncate_text(" ".join(text.split()), _LONGEST_PROMPT) for text in prompts)
        return done or [f"asked: {text}" for text in islice(asked, 1)]


def _cut(line: str) -> str:
    return truncate_text(line, _LONGEST_STEP)


def _is_negated(text: str) -> bool:
    return classify_clause(text).status == "negated"


def _newest_runs(records: list[Record]) -> dict[str, Record]:
    """Return the last run of each command among `records`, newest first."""
    runs: dict[str, Record] = {}
    for record in records:
        if record.body.command and record.kind in ("tool_result", "error"):
            runs.setdefault(record.body.command, record)
    return runs


def _find_same(steps: Iterable[WorkStep], line: str) -> WorkStep | None:
    """Return the step that a line names again."""
    words, other = Words(line), WorkStep(line, "next_actions", "")
    alike = (
        s
        for s in steps
        if s.text == line or s.is_named_by(words) or other.coverage(s.terms) >= _SURE
    )
    return next(alike, None)


def _named_by_place(text: str, steps: list[WorkStep]) -> Iterator[WorkStep]:
    """Yield the steps of a list that a text names by their place: `the first two`, `do 1 and 3`, 2番, 3まで."""
    counted = _COUNTED.search(text)
    if counted:
        count = 2 if counted["both"] else _NUMBER_WORDS.get(counted["all"].lower(), 0)
        yield from steps if count == len(steps) else ()
    elif _ALL.search(text):
        yield from steps
    elif ranges := list(_RANGE.finditer(text)):
        for found in ranges:
            to = int(found["to"] or found["to2"] or found["to3"])
            yield from steps[int(found["from"] or 1) - 1 : to]
    elif numbers := list(_NUMBERS.finditer(text)):  # of `do 2 first` the number is the place
        for found in numbers:
            yield from _at_places(found["list"] or found["list2"], steps)
    else:
        for found in _ORDINAL.finditer(text):
            yield from steps[_places(found)]


def _at_places(numbers: str, steps: list[WorkStep]) -> Iterator[WorkStep]:
    for digit in re.findall("[1-9]", numbers):
        yield from steps[int(digit) - 1 : int(digit)]


def _places(found: re.Match[str]) -> slice:
    many = _NUMBER_WORDS
    if found["top"]:
        return slice(0, many.get(found["top"].lower(), 1))
    if found["first"] or found["first2"]:
        return slice(0, many.get((found["many"] or "").lower(), 1))
    if found["last"] or found["last2"]:
        return slice(-1, None)
    number = found["kanji"] or ("2" if found["second"] else "3")
    place = "一二三".find(number) + 1 or int(number)
    return slice(place - 1, place)


def _texts(steps: Iterable[WorkStep]) -> list[str]:
    return list(dict.fromkeys(step.text for step in steps))[:_MOST]
