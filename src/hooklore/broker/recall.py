"""What is put in front of a model, by trigger: candidates, filters, gate, frame (design §4 and §6)."""

import uuid
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from hooklore.broker.broker import Broker
from hooklore.broker.cooldown import COOLED, unused
from hooklore.broker.curated.brief import CHECKS, PINNED, SIGNATURE, check_notes, pin_notes, signed
from hooklore.broker.curated.daily import DAILY, daily_notes
from hooklore.broker.curated.pins import pins
from hooklore.broker.failures import FAILURE_TERMS, Failures, is_telling
from hooklore.broker.fixes import failure_text, is_by_command, says_how
from hooklore.index.question import Question
from hooklore.index.text import QUERY_TERMS
from hooklore.index.view import View
from hooklore.model.draft import Principal, Shown
from hooklore.policy import age, gate
from hooklore.policy.frame import Section, excerpt, framed, note, title
from hooklore.policy.globs import files_in, names_file
from hooklore.policy.pin_text import STANDING
from hooklore.policy.statement import is_statement
from hooklore.policy.time_hint import may_name_time
from hooklore.policy.tokens import estimate
from hooklore.policy.wikilinks import names

if TYPE_CHECKING:
    from hooklore.broker.semantic import Near
    from hooklore.policy.when import Span

Fields = dict[str, Any]

GUARD = "guard"
"""The trigger of a refusal: it has a history of its own, whatever the brief has told already."""

BUDGETS = {
    GUARD: 300,
    "session_start": 1_500,
    "prompt": 600,
    "before_tool": 300,
    "failure": 200,
    "agent_start": 400,
}
"""Tokens of text that one answer may hold (design §4)."""

_PROMPT = {"memory": 1.0, "fix": 1.0, "user": 1.0, "talk": 1.0, "answer": 0.5, "summary": 0.5}
_SAID = {"memory": 1.0, "user": 1.0, "talk": 1.0}
_FAILED = {"failure": 1.0}
"""The groups that answer a prompt, an edit, and a failure or a command, and what their scores are worth:
the user's words above the agent's, those above what tools printed."""

_SAID_SO = 0.9
_WORTH = {"prompt": 0.3, "fix": 0.4, "refuted": 1.0, "comparison": 1.0}
"""What the evidence of an observation is worth beside a memory's: what somebody said to another or stated,
and the rest; a prompt is an order, then."""

_NAMED = 4.0
_ASKS = 2.0
_TIMELY = 5.0
"""Added when the question names who said it, taken off when what was said is a question itself; added
when the question names its time."""

_TAKEN = 30
"""Candidates of a question that names a time: what was then may stand below what was said more often."""

_NOBODY = "\x00"
"""A word that no record has."""
_SIMILAR = 0.8
_FOUND = 6
"""Records that a sentence's search brings: ten answer no better, and each is read and compared."""
_FOUND_BEHIND = 30
"""So many when the first ones only repeat the question."""
_CHOSEN = 2
"""Of the notes that a sentence finds, so many, near-duplicates apart, can be shown."""
_BEFORE_STEP = 5
"""Notes before a tool runs (seed 003)."""
_HELD = 256
"""Sessions, and deliveries, whose notes are remembered without asking the log."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a trigger asks:

    `text` are its words, `command` and `paths` what is about to be done or failed, `signatures` and
    `key` what a failure is known by. `before` is the position and the id of a record: from there on
    the log is not looked at (an evaluation asks as of an earlier day), and `now` is its clock (RFC 3339);
    without it the clock on the wall says what yesterday is.
    """

    trigger: str
    session_id: str | None = None
    subagent_id: str | None = None
    agent_type: str | None = None
    source: str | None = None
    text: str = ""
    command: str | None = None
    paths: tuple[str, ...] = ()
    signatures: tuple[str, ...] = ()
    key: str | None = None
    before: tuple[int, str] | None = None
    now: str | None = None


class Recall:
    """Answers triggers from one broker's memory. Remembers per session what was shown."""

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self._shown: dict[str, set[str]] = {}
        self._answers: dict[str, Shown] = {}
        self._told: dict[str, str] = {}
        self._failures = Failures(broker, self._ranked_failures, self._may_show)

    def answer(self, asked: Asked, who: Principal, delivery: str | None = None) -> Shown:
        """The notes for this trigger, framed and within its budget; empty when nothing is specific.

        The same delivery gets the same notes again.
        """
        if delivery in self._answers:
            return self._answers[delivery]
        access = self._answered(delivery)
        if access is not None:
            return self._again(asked, who, access)
        if asked.trigger == "before_tool" and self._broker.settings.recall.guard:
            refusal = self._refusal(asked, who, delivery)
            if refusal is not None:
                return refusal
        sections = self._sections(asked, who)
        is_brief = asked.trigger in ("session_start", "agent_start")
        wake_up = self._broker.settings.wake_up.text if asked.trigger == "session_start" else ""
        budget = BUDGETS[asked.trigger]
        budget -= SIGNATURE + estimate(wake_up) if is_brief else 0
        shown = _shown(*framed(sections, budget))
        shown = signed(shown, sections, wake_up) if is_brief else shown
        return self._remembered(shown, asked, delivery)

    def _remembered(self, shown: Shown, asked: Asked, delivery: str | None) -> Shown:
        """The same, known to this context and to its delivery."""
        self._shown_in(asked).update(shown.ids)
        if delivery and shown.ids:
            self._answers[delivery] = shown
        _trim(self._answers)
        _trim(self._shown)
        return shown

    def _refusal(self, asked: Asked, who: Principal, delivery: str | None) -> Shown | None:
        """The fix of a command that is about to fail again, if one is known (`recall.guard`)."""
        asked = replace(asked, trigger=GUARD)
        fixes = self._failures.guarded(asked, who)
        if not fixes:
            return None
        notes = [("", self._notes(fixes, who))]
        shown = replace(_shown(*framed(notes, BUDGETS[GUARD])), refuses=True)
        return self._remembered(shown, asked, delivery)

    def search(self, asked: Asked, who: Principal, limit: int) -> list[Fields]:
        """What this trigger is answered from, best first: the same candidates and scores, no gate."""
        if asked.trigger == "failure":
            return self._failures.search(asked, who, limit)
        if asked.trigger == "before_tool":
            return self._before_step(asked, who, limit)
        bins = self._groups(_PROMPT, who)
        of_then = self._of_then(asked, bins, who, limit)
        return of_then or [
            r for _, r in self._ranked(self._question(asked.text), bins, asked, who, limit)
        ]

    def forget_session(self, asked: Asked) -> None:
        """After a compaction nothing of what was shown is still in front of the model."""
        self._shown[_context(asked)] = set()

    def _sections(self, asked: Asked, who: Principal) -> list[Section]:
        if asked.trigger in ("session_start", "agent_start"):
            return self._brief(asked, who)
        if asked.trigger == "prompt":
            named = self._named(asked, who)
            found = self._for_prompt(asked, who) if named is None else named
            return [("", self._counted_notes(found, who))]
        if asked.trigger == "before_tool":
            return [("", self._notes(self._for_step(asked, who)[:_BEFORE_STEP], who))]
        return [("", self._counted_notes(self._failures.known(asked, who), who))]

    # ---- the brief

    def _brief(self, asked: Asked, who: Principal) -> list[Section]:
        shown = self._shown_in(asked)
        memories = self._memories(who)
        pinned = pins(self._broker, memories).records
        first = {r["id"] for r in pinned}
        memories = [r for r in memories if not r["body"].get("paths")]  # no file is at hand yet
        standing = [r for r in memories if r["kind"] in STANDING and r["id"] not in first]
        others = [r for r in memories if r["kind"] not in STANDING and r["id"] not in first]
        sections = [
            (PINNED, pin_notes(_new(list(pinned), shown), self._told)),
            (CHECKS, check_notes(self._broker, who, shown)),
            ("Preferences, policies and constraints:", self._notes(_new(standing, shown), who)),
            ("What failed here before, and what made it pass:",
             self._notes(_new(self._fixes(who), shown), who)),
        ]  # fmt: skip
        if asked.trigger == "session_start":
            sections += [
                ("How the last session ended:", self._notes(_new(self._ending(asked, who), shown), who)),
                (DAILY, daily_notes(self._broker, self._told) if asked.source != "resume" else []),
                ("Also known (`hooklore show ID` opens one):", self._titles(_new(others, shown))),
            ]  # fmt: skip
        return sections

    def _memories(self, who: Principal) -> list[Fields]:
        scopes = ["memory:global", f"memory:agent:{who.agent_id}"]
        if who.project:
            scopes.insert(0, f"memory:project:{who.project}")
        found = [r for scope in scopes for r in self._broker.lookup(scope, who, 200)]
        return [r for r in found if _fits_agent(r, who)]

    def _fixes(self, who: Principal, most: int = 8) -> list[Fields]:
        """What a command's failure was ended by: in the last session that met one, and by a command.

        An edit of one's code ends an error that does not come back: it is told at that failure only.
        """
        found = self._broker.lookup(f"fix:{who.project}", who, 60) if who.project else []
        found = [r for r in found if is_telling(r) and says_how(r)]
        kept = [r for r in found if r["session_id"] == found[0]["session_id"] or is_by_command(r)]
        return _distinct(kept, lambda r: str(r["body"].get("key")))[:most]

    def _ending(self, asked: Asked, who: Principal) -> list[Fields]:
        """The last end, and the last answer, of another session in this project."""
        if not who.project:
            return []
        for kind in ("session_end", "answer"):
            for record in self._broker.lookup(f"{kind}:{who.project}", who, 20):
                if record.get("session_id") != asked.session_id and note_text(record):
                    return [record]
        return []

    def _titles(self, records: list[Fields]) -> list[tuple[str, str]]:
        return [(r["id"], self._title(r)) for r in records[:20]]

    def _title(self, record: Fields) -> str:
        """One title, kept as notes are."""
        key = f"title|{record['id']}|{record.get('hash')}"
        if key not in self._told:
            self._told[key] = title(record, excerpt(note_text(record), 70))
            _trim(self._told)
        return self._told[key]

    # ---- a prompt

    def _named(self, asked: Asked, who: Principal) -> list[tuple[Fields, int]] | None:
        """What a prompt names by `[[key]]` or id, exactly that; None when it names nothing known."""
        if not names(asked.text):
            return None
        from hooklore.broker.links import linked

        found, shown = linked(self._broker, asked.text, who), self._shown_in(asked)
        new = [(r, 1) for r in found if r["id"] not in shown and _is_before(r, asked)]
        return new if found else None

    def _for_prompt(self, asked: Asked, who: Principal) -> list[tuple[Fields, int]]:
        """At most two notes, each with the number of near-duplicates that it stands for."""
        parts = gate.sentences(asked.text)
        bins = self._groups(_PROMPT, who)
        best: dict[str, tuple[float, Fields]] = {}
        for part in map(self._question, parts):
            for sure, record in self._specific(part, len(parts), bins, asked, who):
                if sure > best.get(record["id"], (gate.BAR, record))[0]:
                    best[record["id"]] = (sure, record)
        cooled = (self._cooled(sure, record, asked) for sure, record in best.values())
        kept = [hit for hit in cooled if hit[0] > gate.BAR]
        ranked = sorted(kept, key=lambda hit: (-hit[0], -_order(hit[1])))
        top = [record for sure, record in ranked if sure >= ranked[0][0] - gate.SECOND]
        return _collapsed(top, self._broker)[:2]

    def _cooled(self, sure: float, record: Fields, asked: Asked) -> tuple[float, Fields]:
        return sure - COOLED * unused(self._broker.view, record, asked.session_id), record

    def _ranked(
        self,
        question: Question,
        bins: dict[str, float],
        asked: Asked,
        who: Principal,
        limit: int,
        *,
        most: int = QUERY_TERMS,
    ) -> list[tuple[float, Fields]]:
        """(score, record) of what shares words with a question and may be shown, best first."""
        view, terms = self._broker.view, question.terms
        before = asked.before[0] if asked.before else None
        named = self._times(question.text, asked, bins, who)
        taken = max(limit, _TAKEN) if named else limit
        near = self._near(question, asked, bins, limit)
        found = self._broker.search(
            terms, bins, who, near.pool if near else taken, before=before, pairs=question.pairs,
            most=most,
        )  # fmt: skip
        found = near.joined(found, who, before) if near else found
        now, how = asked.now or self._broker.now(), self._broker.settings.recall
        hits = [
            (s + _bonus(r, terms, view, named), r)
            for s, r in age.aged(found, now, how.half_life_days)
            if self._may_show(r, asked)
        ]
        return sorted(hits, key=age.place(now, how.importance_floor))[:limit]

    def _near(
        self, question: Question, asked: Asked, bins: dict[str, float], limit: int
    ) -> "Near | None":
        """How near everything is to a prompt, where there are vectors."""
        semantic = self._broker.semantic
        if semantic is None or asked.trigger != "prompt":
            return None
        return semantic.begin(self._broker, question, asked.text, bins, limit)

    def _times(
        self, text: str, asked: Asked, bins: dict[str, float], who: Principal
    ) -> tuple["Span", ...]:
        """The times that a prompt names; few do, so the rules are read when the first one may."""
        if asked.trigger != "prompt" or not may_name_time(text):
            return ()
        from hooklore.broker.times import times

        return times(self._broker, text, asked.now, bins, who)

    def _of_then(
        self, asked: Asked, bins: dict[str, float], who: Principal, limit: int
    ) -> list[Fields]:
        """What a question of nothing but a time asks for: what was then, the newest first."""
        if not may_name_time(asked.text):
            return []
        from hooklore.broker.times import of_time

        found = of_time(self._broker, asked.text, asked.now, bins, who)
        return list(islice((r for r in found if self._may_show(r, asked)), limit))

    def _groups(self, worth: dict[str, float], who: Principal) -> dict[str, float]:
        """The bins of these groups that `who` reads from, with what a score in each is worth."""
        places = ("global", who.project or f"agent:{who.agent_id}")
        return {f"{name}|{place}": w for name, w in worth.items() for place in places}

    def _specific(
        self, part: Question, parts: int, bins: dict[str, float], asked: Asked, who: Principal
    ) -> Iterator[tuple[float, Fields]]:
        """(confidence, record) of the notes that a sentence finds first, with their near-duplicates."""
        found = self._telling(part, bins, asked, who)
        if self._broker.semantic is not None:
            near = self._broker.semantic.of(part)
            yield from near.surest(lambda hit: self._may_show(hit, asked)) if near else ()
        if not found:
            return
        view, hits = self._broker.view, [hit for _, hit in found]
        terms, left = part.terms, found
        for _ in range(_CHOSEN):
            if not left or left[0][0] <= 0:
                return
            score, first = left[0]
            own = view.terms_of(first)
            alike = [hit for _, hit in left if _alike(own, view.terms_of(hit))]
            left = [(s, hit) for s, hit in left if hit not in alike]
            lead = 1 - left[0][0] / score if left else 1.0
            verdict, voice = self._judged(part, first, hits), _voice(first, terms, view)
            if _is_order(first) and verdict.coverage >= gate.REPEATED:
                continue
            for record in alike:
                yield (
                    gate.confidence(verdict, lead, parts, _evidence(record), voice, len(own)),
                    record,
                )

    def _telling(
        self, part: Question, bins: dict[str, float], asked: Asked, who: Principal
    ) -> list[tuple[float, Fields]]:
        """What a sentence finds that says more than it: the same prompt of other days is no answer.

        Where such prompts are all that is found first, more is looked at.
        """
        terms, view = set(part.terms), self._broker.view
        for limit in (_FOUND, _FOUND_BEHIND):
            found = self._ranked(part, bins, asked, who, limit)
            telling = [
                hit for hit in found if gate.news_of(view.terms_of(hit[1]), terms) >= gate.NEWS
            ]
            if telling or not found:
                return telling[:_FOUND]
        return []

    def _question(self, text: str) -> Question:
        return self._broker.view.question(text)

    def _judged(self, part: Question, note: Fields, found: list[Fields]) -> gate.Verdict:
        """What a sentence and a note have in common; `found` is all that the sentence found."""
        own = self._broker.view.terms_of(note)
        verdict = gate.judge(part.terms, own, self._idf, part.parts)
        return replace(
            verdict,
            pairs=len(set(part.pairs) & set(self._question(note_text(note)).pairs)),
            names=len(part.names & own),
            strangers=self._strangers(part.text, found),
        )

    def _strangers(self, part: str, found: list[Fields]) -> int:
        """How many names a sentence has that neither the index nor any note found knows."""
        view = self._broker.view
        rarest = view.idf(_NOBODY)
        names = (view.terms(name)[:1] for name in gate.strange_names(part))
        unknown = [name[0] for name in names if name and view.idf(name[0]) >= rarest]
        return sum(all(name not in view.terms_of(hit) for hit in found) for name in unknown)

    def _idf(self, term: str) -> float:
        view = self._broker.view
        return gate.floored(view.idf(term), view.documents)

    def _may_show(self, record: Fields, asked: Asked) -> bool:
        """Not what this session said itself, nor what it was shown already."""
        if record["stream"] == "observation" and record.get("session_id") == asked.session_id:
            return False
        if not _fits_files(record, asked) or not _fits_type(record, asked.agent_type):
            return False
        return _is_before(record, asked) and record["id"] not in self._shown_in(asked)

    def _ranked_failures(
        self, text: str, asked: Asked, who: Principal, limit: int
    ) -> list[tuple[float, Fields]]:
        """(score, failure) of what shares words with a failure's lines, its command and its output."""
        bins = self._groups(_FAILED, who)
        return self._ranked(self._question(text), bins, asked, who, limit, most=FAILURE_TERMS)

    # ---- a step that is about to run

    def _for_step(self, asked: Asked, who: Principal) -> list[Fields]:
        """Constraints and procedures for this command or file."""
        view = self._broker.view
        terms = view.terms(" ".join(filter(None, (asked.text, asked.command, *asked.paths))))
        weights = {term: self._idf(term) for term in terms}
        shown = self._shown_in(asked)
        found = []
        for record in self._memories(who):
            if record["kind"] not in STANDING or record["id"] in shown:
                continue
            if not _fits_files(record, asked):
                continue
            if not _is_before(record, asked):
                continue
            own = view.terms_of(record)
            if _names_path(record, asked.paths) or (
                not own.isdisjoint(weights)
                and gate.is_specific_to_step(gate.judge(terms, own, weights.__getitem__))
            ):
                found.append(record)
        return found

    def _before_step(self, asked: Asked, who: Principal, limit: int) -> list[Fields]:
        """Before a command its earlier failures, before an edit what the user said of what it names."""
        if not asked.command:
            text = "\n".join((asked.text, *asked.paths))
            said = self._ranked(self._question(text), self._groups(_SAID, who), asked, who, limit)
            return [r for _, r in said]
        tag = f"failing:{who.project}|{asked.key}"
        exact = [r for r in self._broker.lookup(tag, who, limit) if self._may_show(r, asked)]
        command = self._question(asked.command)
        alike = self._ranked(command, self._groups(_FAILED, who), asked, who, limit)
        return _distinct([*exact, *(r for _, r in alike)], lambda r: r["id"])

    # ---- shared

    def _counted_notes(
        self, records: list[tuple[Fields, int]], who: Principal
    ) -> list[tuple[str, str]]:
        return [
            (r["id"], note(r, excerpt(note_text(r), 600), reader_branch=who.branch, count=count))
            for r, count in records
        ]

    def _notes(self, records: list[Fields], who: Principal) -> list[tuple[str, str]]:
        """A note of each, until they are more than any budget holds."""
        notes: list[tuple[str, str]] = []
        cost = 0
        for record in records:
            if cost > max(BUDGETS.values()):
                break
            notes.append((record["id"], self._note(record, who)))
            cost += estimate(notes[-1][1])
        return notes

    def _note(self, record: Fields, who: Principal) -> str:
        """One note, kept: a project's brief says the same in every session."""
        key = f"{record['id']}|{record.get('hash')}|{who.branch}"
        if key not in self._told:
            text = excerpt(note_text(record), 600)
            self._told[key] = note(record, text, reader_branch=who.branch)
            _trim(self._told)
        return self._told[key]

    def _shown_in(self, asked: Asked) -> set[str]:
        """Ids this context was shown: from memory, else from the log's access records."""
        context = _context(asked)
        if context not in self._shown:
            self._shown[context] = self._shown_by_log(asked, context)
        return self._shown[context]

    def _shown_by_log(self, asked: Asked, context: str) -> set[str]:
        found: set[str] = set()
        for record in self._broker.view.lookup(f"shown:{asked.session_id}", 200):
            if record["body"].get("context") == context:
                found.update(record["body"]["targets"])
                if record["body"].get("fresh"):
                    break  # what was shown before a compaction is no longer there
        return found

    def _answered(self, delivery: str | None) -> Fields | None:
        """What the log says was shown for a delivery."""
        return (
            next(iter(self._broker.view.lookup(f"answered:{delivery}", 1)), None)
            if delivery
            else None
        )

    def _again(self, asked: Asked, who: Principal, access: Fields) -> Shown:
        records = [r for id_ in access["body"]["targets"] for r in self._broker.view.find(id_)[:1]]
        records = [r for r in records if self._broker.is_in_force(r, who)]
        text, kept = framed([("", self._notes(records, who))], BUDGETS[asked.trigger])
        body = access["body"]
        return replace(
            _shown(text, kept),
            snapshot_id=body.get("snapshot_id"),
            refuses=bool(kept and body.get("refused")),
        )


def context_of(asked: Asked) -> str:
    """What has one history in front of a model: a session, a subagent, and failures apart from the rest."""
    return _context(asked)


def note_text(record: Fields) -> str:
    """What a note says of a record."""
    body = record["body"]
    if record["kind"] == "session_end":
        return _ending_text(body)
    if record["kind"] == "error":
        return failure_text(body)
    for name in ("content_md", "text", "lessons", "intent", "command"):
        if isinstance(body.get(name), str) and body[name].strip():
            return str(body[name])
    return ""


def _ending_text(body: Fields) -> str:
    """The sections of a session's end; what an earlier one says already is not said again."""
    sections = body.get("sections") or {}
    told = ""
    for name in ("results", "decisions", "unresolved", "next_actions"):
        lines = [str(line) for line in sections.get(name, ()) if line]
        new = [line for line in lines if line.rstrip(".") not in told]
        if new:
            end = "" if not told else " " if told.endswith(".") else ". "
            told += f"{end}{name.replace('_', ' ')}: {'; '.join(new)}"
    return told


def _trim(held: dict[str, Any]) -> None:
    """The newest stay; what is let go of is found again in the log."""
    while len(held) > _HELD:
        del held[next(iter(held))]


def _shown(text: str, kept: list[str]) -> Shown:
    if not kept:
        return Shown("")
    ids = tuple(id_ for id_ in kept if id_)  # what is no record has none
    return Shown(text, ids, estimate(text), str(uuid.uuid4()))


def _context(asked: Asked) -> str:
    part = asked.trigger if asked.trigger in ("failure", GUARD) else "notes"
    return f"{asked.session_id}|{asked.subagent_id or ''}|{part}"


def _new(records: list[Fields], shown: set[str]) -> list[Fields]:
    return [r for r in records if r["id"] not in shown]


def _fits_agent(record: Fields, who: Principal) -> bool:
    """A memory kept for one type of agent is for that type."""
    return _fits_type(record, who.agent_type)


def _fits_type(record: Fields, agent_type: str | None) -> bool:
    kept_for = record.get("agent_type") if record["stream"] == "memory" else None
    return kept_for is None or kept_for == agent_type


def _distinct(records: list[Fields], key: Any) -> list[Fields]:
    seen: dict[str, Fields] = {}
    for record in records:
        seen.setdefault(key(record), record)
    return list(seen.values())


def _evidence(record: Fields) -> float:
    """The user's words above the agent's; what was decided above what was said in passing.

    A prompt of another day is an order, mostly, and no answer to this one: of 133 that two real
    projects would have been shown hardly one in six bore on what followed.
    """
    if record["stream"] == "memory":
        return 1.0
    if record["kind"] == "prompt" and not _is_order(record):
        return _SAID_SO
    return _WORTH.get(record["kind"], 0.2)


def _is_order(record: Fields) -> bool:
    """Whether somebody told an agent what to do, on another day."""
    body = record["body"]
    if record["kind"] != "prompt" or body.get("author"):
        return False
    return not is_statement(str(body.get("text") or ""))


def _names_path(record: Fields, paths: tuple[str, ...]) -> bool:
    globs = record["body"].get("paths") or ()
    return any(names_file(globs, path) for path in paths) if globs else False


def _fits_files(record: Fields, asked: Asked) -> bool:
    """A memory kept for some files is for those: of a step, or named in a prompt (SK-11)."""
    if record["stream"] != "memory" or not record["body"].get("paths"):
        return True
    return _names_path(record, (*asked.paths, *files_in(asked.text)))


def _bonus(record: Fields, terms: list[str], view: View, named: tuple["Span", ...] = ()) -> float:
    """What a record's author, its being a question, and its time (`named` ones) change of its score."""
    voice = _voice(record, terms, view)
    is_timely = any(span.has(record["ts"]) for span in named)
    return _NAMED * voice.is_named - _ASKS * voice.is_question + _TIMELY * is_timely


def _voice(record: Fields, terms: list[str], view: View) -> gate.Voice:
    """Who said a record, as the question sees it."""
    author, text = record["body"].get("author"), record["body"].get("text")
    names = view.terms(author) if isinstance(author, str) else []
    asks = record["kind"] == "prompt" and isinstance(text, str)
    return gate.Voice(
        is_talk=bool(author),
        is_named=bool(names) and set(names) <= set(terms),
        is_question=asks and str(text).rstrip().endswith(("?", "？")),
    )


def _is_before(record: Fields, asked: Asked) -> bool:
    """Whether a record stood in the log by the time that is asked about."""
    return asked.before is None or record["id"] < asked.before[1]


def _order(record: Fields) -> int:
    return int(record["id"].replace("-", ""), 16)


def _collapsed(records: list[Fields], broker: Broker) -> list[tuple[Fields, int]]:
    """Near-duplicates as one: the best of them stands for the rest, and says how many they are."""
    kept: list[tuple[Fields, set[str]]] = []
    counts: list[int] = []
    for record in records:
        own = set(broker.view.terms(note_text(record)))
        alike = (i for i, (_, other) in enumerate(kept) if _alike(own, other))
        place = next(alike, None)
        if place is None:
            kept.append((record, own))
            counts.append(1)
        else:
            counts[place] += 1
    return [(record, count) for (record, _), count in zip(kept, counts, strict=True)]


def _alike(one: set[str], other: set[str]) -> bool:
    return bool(one or other) and len(one & other) / len(one | other) >= _SIMILAR
