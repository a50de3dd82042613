"""What is put in front of a model, by trigger: candidates, filters, gate, frame (design §4 and §6)."""

import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from typing import Any

from hooklore.broker.broker import Broker
from hooklore.model.draft import Principal, Shown
from hooklore.policy import gate
from hooklore.policy.frame import Section, excerpt, framed, note
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

_STANDING = ("preference", "constraint", "config", "workflow", "decision", "deprecation")
"""Kinds of memory that hold until they are replaced: the brief and the tool's step look at these."""

_SIMILAR = 0.8
_FOUND = 10
_HELD = 256
"""Sessions, and deliveries, whose notes are remembered without asking the log."""
_MOST_NOTES = 60  # with its id and source a note takes more than 25 tokens: more never fit


@dataclass(frozen=True, slots=True)
class Asked:
    """What a trigger asks:

    `text` are its words, `command` and `paths` what is about to be done or failed, `signatures` and
    `key` what a failure is known by.
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


class Recall:
    """Answers triggers from one broker's memory. Remembers per session what was shown."""

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self._shown: dict[str, set[str]] = {}
        self._answers: dict[str, Shown] = {}

    def answer(self, asked: Asked, who: Principal, delivery: str | None = None) -> Shown:
        """The notes for this trigger, framed and within its budget; empty when nothing is specific.

        The same delivery gets the same notes again.
        """
        if delivery in self._answers:
            return self._answers[delivery]
        ids = self._answered(delivery)
        if ids is not None:
            return self._again(asked, who, ids)
        shown = _shown(*framed(self._sections(asked, who), BUDGETS[asked.trigger]))
        self._shown_in(asked).update(shown.ids)
        if delivery and shown.ids:
            self._answers[delivery] = shown
        _trim(self._answers)
        _trim(self._shown)
        return shown

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
        standing = [r for r in memories if r["kind"] in _STANDING]
        others = [r for r in memories if r["kind"] not in _STANDING]
        sections = [
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

    @staticmethod
    def _titles(records: list[Fields]) -> list[tuple[str, str]]:
        return [(r["id"], f"- {excerpt(note_text(r), 70)} [{r['id']}]") for r in records[:20]]

    # ---- a prompt

    def _for_prompt(self, asked: Asked, who: Principal) -> list[tuple[Fields, int]]:
        """At most two notes, each with the number of near-duplicates that it stands for."""
        parts = gate.sentences(asked.text)
        bins = list(self._bins(("memory", "fix", "user", "answer", "summary"), who))
        best: dict[str, tuple[float, Fields]] = {}
        for part in parts:
            for sure, record in self._specific(part, len(parts), bins, asked, who):
                if sure > best.get(record["id"], (gate.BAR, record))[0]:
                    best[record["id"]] = (sure, record)
        ranked = sorted(best.values(), key=lambda hit: (-hit[0], -_order(hit[1])))
        top = [record for sure, record in ranked if sure >= ranked[0][0] - gate.SECOND]
        return _collapsed(top, self._broker)[:2]

    def _specific(
        self, part: str, parts: int, bins: list[str], asked: Asked, who: Principal
    ) -> Iterator[tuple[float, Fields]]:
        """(confidence, record) of the note that a sentence finds first, and of its near-duplicates."""
        view = self._broker.view
        terms = view.terms(part)
        weights = {term: self._idf(term) for term in terms}
        found = view.search(terms, bins, _FOUND)
        found = [hit for hit in found if self._may_show(hit[1], asked, who)]
        if not found:
            return
        score, first = found[0]
        own = view.terms_of(first)
        alike = [hit for _, hit in found if _alike(own, view.terms_of(hit))]
        next_best = next((s for s, hit in found if hit not in alike), 0.0)
        verdict = gate.judge(terms, own, weights.__getitem__)
        for record in alike:
            sure = gate.confidence(verdict, 1 - next_best / score, parts, _evidence(record))
            yield sure, record

    def _idf(self, term: str) -> float:
        view = self._broker.view
        return gate.floored(view.idf(term), view.documents)

    def _may_show(self, record: Fields, asked: Asked, who: Principal) -> bool:
        """Not what this session said itself, nor what it was shown already."""
        if record["stream"] == "observation" and record.get("session_id") == asked.session_id:
            return False
        return record["id"] not in self._shown_in(asked) and self._broker.is_in_force(record, who)

    # ---- a step that is about to run

    def _for_step(self, asked: Asked, who: Principal) -> list[Fields]:
        """Constraints and procedures for this command or file: at most five (seed 003)."""
        view = self._broker.view
        terms = view.terms(" ".join(filter(None, (asked.text, asked.command, *asked.paths))))
        weights = {term: self._idf(term) for term in terms}
        shown = self._shown_in(asked)
        found = []
        for record in self._memories(who):
            if record["kind"] not in _STANDING or record["id"] in shown:
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
        found = [r for tag in tags for r in self._broker.lookup(tag, who, 10)]
        return [r for r in found if r["id"] not in shown and _says_how(r)][:1]

    # ---- shared

    def _bins(self, groups: Iterable[str], who: Principal) -> Iterator[str]:
        for name in groups:
            yield f"{name}|global"
            yield f"{name}|{who.project or f'agent:{who.agent_id}'}"

    def _counted_notes(
        self, records: list[tuple[Fields, int]], who: Principal
    ) -> list[tuple[str, str]]:
        return [
            (r["id"], note(r, excerpt(note_text(r), 600), reader_branch=who.branch, count=count))
            for r, count in records
        ]

    def _notes(self, records: list[Fields], who: Principal) -> list[tuple[str, str]]:
        return [
            (r["id"], note(r, excerpt(note_text(r), 600), reader_branch=who.branch))
            for r in records[:_MOST_NOTES]
        ]

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

    def _answered(self, delivery: str | None) -> list[str] | None:
        if not delivery:
            return None
        for record in self._broker.view.lookup(f"answered:{delivery}", 1):
            return list(record["body"]["targets"])
        return None

    def _again(self, asked: Asked, who: Principal, ids: list[str]) -> Shown:
        records = [r for id_ in ids for r in self._broker.view.find(id_)[:1]]
        records = [r for r in records if self._broker.is_in_force(r, who)]
        text, kept = framed([("", self._notes(records, who))], BUDGETS[asked.trigger])
        return _shown(text, kept)


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
    sections = body.get("sections") or {}
    parts = []
    for name in ("results", "unresolved", "next_actions"):
        lines = [str(line) for line in sections.get(name, ()) if line]
        if lines:
            parts.append(f"{name.replace('_', ' ')}: {'; '.join(lines)}")
    return ". ".join(parts)


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
