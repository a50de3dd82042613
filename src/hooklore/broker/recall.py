"""What is put in front of a model, by trigger: candidates, filters, gate, frame (design §4 and §6)."""

import uuid
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fnmatch import fnmatch
from typing import Any

from hooklore.broker.broker import Broker
from hooklore.broker.curated.brief import CHECKS, PINNED, SIGNATURE, check_notes, pin_notes, signed
from hooklore.broker.curated.pins import pins
from hooklore.broker.fixes import signatures_of
from hooklore.index.question import Question
from hooklore.index.text import QUERY_TERMS
from hooklore.index.view import View
from hooklore.model.draft import Principal, Shown
from hooklore.policy import gate
from hooklore.policy.frame import Section, excerpt, framed, note, title
from hooklore.policy.pin_text import STANDING
from hooklore.policy.tokens import estimate

Fields = dict[str, Any]

BUDGETS = {
    "session_start": 1_500,
    "prompt": 600,
    "before_tool": 300,
    "failure": 200,
    "agent_start": 400,
}
"""Tokens of text that one answer may hold (design §4)."""

_PROMPT = {"memory": 1.0, "fix": 1.0, "user": 1.0, "answer": 0.5, "summary": 0.5}
_SAID = {"memory": 1.0, "user": 1.0}
_FAILED = {"failure": 1.0}
"""The groups that answer a prompt, an edit, and a failure or a command, and what their scores are worth:
the user's words above the agent's, those above what tools printed."""

_NAMED = 4.0
_ASKS = 2.0
"""Added when the question names who said it, taken off when what was said is a question itself."""

_SAME = 10.0
"""Added to the score of a failure that says what went wrong in the same lines."""

_LOOKED_UP = 50
_NOBODY = "\x00"
"""A word that no record has."""
_FAILURE_TERMS = 60
_SIMILAR = 0.8
_FOUND = 6
"""Records that a sentence's search brings: ten answer no better, and each is read and compared."""
_CHOSEN = 2
"""Of the notes that a sentence finds, so many, near-duplicates apart, can be shown."""
_HELD = 256
"""Sessions, and deliveries, whose notes are remembered without asking the log."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a trigger asks:

    `text` are its words, `command` and `paths` what is about to be done or failed, `signatures` and
    `key` what a failure is known by. `before` is the position and the id of a record: from there on
    the log is not looked at (an evaluation asks as of an earlier day).
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


class Recall:
    """Answers triggers from one broker's memory. Remembers per session what was shown."""

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self._shown: dict[str, set[str]] = {}
        self._answers: dict[str, Shown] = {}
        self._told: dict[str, str] = {}

    def answer(self, asked: Asked, who: Principal, delivery: str | None = None) -> Shown:
        """The notes for this trigger, framed and within its budget; empty when nothing is specific.

        The same delivery gets the same notes again.
        """
        if delivery in self._answers:
            return self._answers[delivery]
        access = self._answered(delivery)
        if access is not None:
            return self._again(asked, who, access)
        sections = self._sections(asked, who)
        is_brief = asked.trigger in ("session_start", "agent_start")
        wake_up = self._broker.settings.wake_up.text if asked.trigger == "session_start" else ""
        budget = BUDGETS[asked.trigger]
        budget -= SIGNATURE + estimate(wake_up) if is_brief else 0
        shown = _shown(*framed(sections, budget))
        shown = signed(shown, sections, wake_up) if is_brief else shown
        self._shown_in(asked).update(shown.ids)
        if delivery and shown.ids:
            self._answers[delivery] = shown
        _trim(self._answers)
        _trim(self._shown)
        return shown

    def search(self, asked: Asked, who: Principal, limit: int) -> list[Fields]:
        """What this trigger is answered from, best first: the same candidates and scores, no gate."""
        if asked.trigger == "failure":
            return self._failures(asked, who, limit)
        if asked.trigger == "before_tool":
            return self._before_step(asked, who, limit)
        return [
            r
            for _, r in self._ranked(
                self._question(asked.text), self._groups(_PROMPT, who), asked, who, limit
            )
        ]

    def forget_session(self, asked: Asked) -> None:
        """After a compaction nothing of what was shown is still in front of the model."""
        self._shown[_context(asked)] = set()

    def _sections(self, asked: Asked, who: Principal) -> list[Section]:
        if asked.trigger in ("session_start", "agent_start"):
            return self._brief(asked, who)
        if asked.trigger == "prompt":
            return [("", self._counted_notes(self._for_prompt(asked, who), who))]
        if asked.trigger == "before_tool":
            return [("", self._notes(self._for_step(asked, who), who))]
        return [("", self._notes(self._for_failure(asked, who), who))]

    # ---- the brief

    def _brief(self, asked: Asked, who: Principal) -> list[Section]:
        shown = self._shown_in(asked)
        memories = self._memories(who)
        pinned = pins(self._broker, memories).records
        first = {r["id"] for r in pinned}
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
                ("Also known (`hooklore show ID` opens one):", self._titles(_new(others, shown))),
            ]  # fmt: skip
        return sections

    def _memories(self, who: Principal) -> list[Fields]:
        scopes = ["memory:global", f"memory:agent:{who.agent_id}"]
        if who.project:
            scopes.insert(0, f"memory:project:{who.project}")
        found = [r for scope in scopes for r in self._broker.lookup(scope, who, 200)]
        return [r for r in found if _fits_agent(r, who)]

    def _fixes(self, who: Principal, most: int = 12) -> list[Fields]:
        found = self._broker.lookup(f"fix:{who.project}", who, 60) if who.project else []
        found = [r for r in found if r["body"].get("command") and _says_how(r)]
        return _distinct(found, lambda r: str(r["body"].get("key")))[:most]

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

    def _for_prompt(self, asked: Asked, who: Principal) -> list[tuple[Fields, int]]:
        """At most two notes, each with the number of near-duplicates that it stands for."""
        parts = gate.sentences(asked.text)
        bins = self._groups(_PROMPT, who)
        best: dict[str, tuple[float, Fields]] = {}
        for part in map(self._question, parts):
            for sure, record in self._specific(part, len(parts), bins, asked, who):
                if sure > best.get(record["id"], (gate.BAR, record))[0]:
                    best[record["id"]] = (sure, record)
        ranked = sorted(best.values(), key=lambda hit: (-hit[0], -_order(hit[1])))
        top = [record for sure, record in ranked if sure >= ranked[0][0] - gate.SECOND]
        return _collapsed(top, self._broker)[:2]

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
        found = self._broker.search(
            terms, bins, who, limit, before=before, pairs=question.pairs, most=most
        )
        hits = [(s + _bonus(r, terms, view), r) for s, r in found if self._may_show(r, asked)]
        return sorted(hits, key=lambda hit: (-hit[0], -_order(hit[1])))

    def _groups(self, worth: dict[str, float], who: Principal) -> dict[str, float]:
        """The bins of these groups that `who` reads from, with what a score in each is worth."""
        places = ("global", who.project or f"agent:{who.agent_id}")
        return {f"{name}|{place}": w for name, w in worth.items() for place in places}

    def _specific(
        self, part: Question, parts: int, bins: dict[str, float], asked: Asked, who: Principal
    ) -> Iterator[tuple[float, Fields]]:
        """(confidence, record) of the notes that a sentence finds first, with their near-duplicates."""
        found = self._ranked(part, bins, asked, who, _FOUND)
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
            for record in alike:
                yield gate.confidence(verdict, lead, parts, _evidence(record), voice), record

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
        return _is_before(record, asked) and record["id"] not in self._shown_in(asked)

    # ---- a step that is about to run

    def _for_step(self, asked: Asked, who: Principal) -> list[Fields]:
        """Constraints and procedures for this command or file: at most five (seed 003)."""
        view = self._broker.view
        terms = view.terms(" ".join(filter(None, (asked.text, asked.command, *asked.paths))))
        weights = {term: self._idf(term) for term in terms}
        shown = self._shown_in(asked)
        found = []
        for record in self._memories(who):
            if record["kind"] not in STANDING or record["id"] in shown:
                continue
            if not _is_before(record, asked):
                continue
            own = view.terms_of(record)
            if _names_path(record, asked.paths) or (
                not own.isdisjoint(weights)
                and gate.is_specific_to_step(gate.judge(terms, own, weights.__getitem__))
            ):
                found.append(record)
        return found[:5]

    # ---- a failure

    def _for_failure(self, asked: Asked, who: Principal) -> list[Fields]:
        """The fix that worked for this very failure; one seen for the first time has none."""
        if not who.project:
            return []
        tags = [f"fix-error:{who.project}|{line}" for line in asked.signatures]
        if not tags and asked.key:
            tags.append(f"fix-key:{who.project}|{asked.key}")
        shown = self._shown_in(asked)
        most = _LOOKED_UP if asked.before else 10
        found = [r for tag in tags for r in self._broker.lookup(tag, who, most)]
        return [r for r in found if r["id"] not in shown and _says_how(r) and _is_before(r, asked)][
            :1
        ]

    def _failures(self, asked: Asked, who: Principal, limit: int) -> list[Fields]:
        """Earlier failures like this one, those that share its lines first; the fix of each after it."""
        words = "\n".join(filter(None, (*asked.signatures, asked.command, asked.text)))
        alike = self._ranked(
            self._question(words),
            self._groups(_FAILED, who),
            asked,
            who,
            limit,
            most=_FAILURE_TERMS,
        )
        same = [(0.0, r) for r in self._same_failures(asked, who)]
        ranked = sorted(
            ((score + _SAME * _shared_lines(r, asked), r) for score, r in alike + same),
            key=lambda hit: (-hit[0], -_order(hit[1])),
        )
        failures = _distinct([r for _, r in ranked], lambda r: r["id"])
        fixes = (fix for failure in failures for fix in self._fixes_of(failure, asked, who))
        return _two_to_one(failures, _distinct(list(fixes), lambda r: r["id"]))

    def _same_failures(self, asked: Asked, who: Principal) -> list[Fields]:
        tags = (f"error:{who.project}|{line}" for line in asked.signatures)
        found = (r for tag in tags for r in self._broker.lookup(tag, who, _LOOKED_UP))
        return [r for r in found if self._may_show(r, asked)]

    def _fixes_of(self, failure: Fields, asked: Asked, who: Principal) -> list[Fields]:
        found = self._broker.lookup(f"fixed:{failure['id']}", who, 1)
        return [r for r in found if _is_before(r, asked)]

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
        return replace(_shown(text, kept), snapshot_id=access["body"].get("snapshot_id"))


def context_of(asked: Asked) -> str:
    """What has one history in front of a model: a session, a subagent, and failures apart from the rest."""
    return _context(asked)


def note_text(record: Fields) -> str:
    """What a note says of a record."""
    body = record["body"]
    if record["kind"] == "session_end":
        return _ending_text(body)
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
    return Shown(text, tuple(kept), estimate(text), str(uuid.uuid4()))


def _context(asked: Asked) -> str:
    part = "failure" if asked.trigger == "failure" else "notes"
    return f"{asked.session_id}|{asked.subagent_id or ''}|{part}"


def _new(records: list[Fields], shown: set[str]) -> list[Fields]:
    return [r for r in records if r["id"] not in shown]


def _fits_agent(record: Fields, who: Principal) -> bool:
    """A memory kept for one type of agent is for that type."""
    kept_for = record.get("agent_type")
    return kept_for is None or kept_for == who.agent_type


def _distinct(records: list[Fields], key: Any) -> list[Fields]:
    seen: dict[str, Fields] = {}
    for record in records:
        seen.setdefault(key(record), record)
    return list(seen.values())


def _says_how(fix: Fields) -> bool:
    """A failure that went away by itself taught nothing."""
    return bool(fix["body"].get("steps"))


def _evidence(record: Fields) -> float:
    """The user's words above the agent's, those above what tools printed."""
    if record["stream"] == "memory" or record["kind"] == "fix":
        return 1.0
    return 0.9 if record.get("basis") == "user" else 0.5


def _names_path(record: Fields, paths: tuple[str, ...]) -> bool:
    globs = record["body"].get("paths") or ()
    return any(
        fnmatch(path, glob) or fnmatch(path, f"*/{glob}") for glob in globs for path in paths
    )


def _bonus(record: Fields, terms: list[str], view: View) -> float:
    """What a record's author, and its being a question, change of its score."""
    voice = _voice(record, terms, view)
    return _NAMED * voice.is_named - _ASKS * voice.is_question


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


def _shared_lines(failure: Fields, asked: Asked) -> float:
    """How many of the lines that say what failed are the same; the first one says most."""
    theirs, ours = signatures_of(failure["body"]), asked.signatures
    if not theirs or not ours:
        return 0.0
    return float(theirs[0] == ours[0]) + len(set(theirs) & set(ours)) / len(ours)


def _two_to_one(failures: list[Fields], fixes: list[Fields]) -> list[Fields]:
    """Two failures, a fix, two failures, a fix: whoever reads five lines sees both."""
    found: list[Fields] = []
    for place in range(max((len(failures) + 1) // 2, len(fixes))):
        found += (*failures[2 * place : 2 * place + 2], *fixes[place : place + 1])
    return found


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
