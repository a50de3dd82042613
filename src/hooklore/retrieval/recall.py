"""What is put in front of a model, by trigger: candidates, filters, gate, frame (design §4 and §6)."""

import math
import uuid
from collections.abc import Callable
from dataclasses import replace

from hooklore.broker.bounded_cache import evict_oldest
from hooklore.broker.broker import Broker
from hooklore.broker.fix_links import has_steps, select_fixes_for_brief
from hooklore.memories.brief_sections import (
    CHECKS_HEADING,
    PINNED_HEADING,
    SNAPSHOT_LINE_TOKENS,
    add_brief_metadata,
    render_check_notes,
    render_pin_notes,
)
from hooklore.memories.daily_notes import DAILY_HEADING, render_daily_notes
from hooklore.memories.pins import select_pins
from hooklore.prompt.frame import Section, render_frame
from hooklore.prompt.pin_rule import STANDING_KINDS
from hooklore.records import keys
from hooklore.records.draft import Principal, RecallResult
from hooklore.records.record import Record
from hooklore.retrieval import scoring
from hooklore.retrieval.applicability import (
    has_matching_path,
    is_before_cutoff,
    is_for_agent_type,
    is_for_files,
)
from hooklore.retrieval.cooldown import UNUSED_PENALTY, count_unused_showings
from hooklore.retrieval.failures import FailureSearch, has_noteworthy_command
from hooklore.retrieval.near_duplicates import collapse_duplicates
from hooklore.retrieval.notes import NoteRenderer, quotable_text, render_counted_notes
from hooklore.retrieval.query import GUARD, TOKEN_BUDGETS, RecallQuery
from hooklore.retrieval.ranking import Ranking
from hooklore.retrieval.relevance import gate
from hooklore.retrieval.wikilinks import find_references
from hooklore.text.token_estimate import estimate_tokens

_BEFORE_STEP = 5
"""Notes before a tool runs (seed 003)."""


class Recall:
    """Answers triggers from one broker's memory. Remembers per session what was shown."""

    def __init__(self, broker: Broker, ranking: Ranking | None = None) -> None:
        """`ranking` is another one than the hooks' own: one that is watched."""
        self._broker = broker
        self._ranking = ranking or Ranking(broker)
        self._history = self._ranking.history
        self._failures = FailureSearch(broker, self._ranking)
        self._notes = NoteRenderer(broker.settings.recall.brief_tokens)
        self._answers: dict[str, RecallResult] = {}

    def answer(
        self, asked: RecallQuery, who: Principal, delivery: str | None = None
    ) -> RecallResult:
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
        budget = self._budget(asked)
        budget -= SNAPSHOT_LINE_TOKENS + estimate_tokens(wake_up) if is_brief else 0
        shown = _shown(*render_frame(sections, budget))
        shown = add_brief_metadata(shown, sections, wake_up) if is_brief else shown
        return self._remembered(shown, asked, delivery)

    def _budget(self, asked: RecallQuery) -> int:
        """Tokens that an answer to this trigger may hold."""
        if asked.trigger == "session_start":
            return self._broker.settings.recall.brief_tokens
        return TOKEN_BUDGETS[asked.trigger]

    def _remembered(
        self, shown: RecallResult, asked: RecallQuery, delivery: str | None
    ) -> RecallResult:
        """The same, known to this context and to its delivery."""
        self._history.add(asked, shown.ids)
        if delivery and shown.ids:
            self._answers[delivery] = shown
        evict_oldest(self._answers)
        return shown

    def _refusal(
        self, asked: RecallQuery, who: Principal, delivery: str | None
    ) -> RecallResult | None:
        """The fix of a command that is about to fail again, if one is known (`recall.guard`)."""
        asked = replace(asked, trigger=GUARD)
        fixes = self._failures.fix_for_repeat(asked, who)
        if not fixes:
            return None
        notes = [("", self._notes.of(fixes, who))]
        shown = replace(_shown(*render_frame(notes, TOKEN_BUDGETS[GUARD])), refuses=True)
        return self._remembered(shown, asked, delivery)

    def search(self, asked: RecallQuery, who: Principal, limit: int) -> list[Record]:
        """What this trigger is answered from, best first: the same candidates and scores, no gate."""
        if asked.trigger == "failure":
            return self._failures.search(asked, who, limit)
        if asked.trigger == "before_tool":
            return self._before_step(asked, who, limit)
        bins = scoring.weighted_bins(scoring.PROMPT_GROUP_WEIGHTS, who)
        of_then = self._ranking.matches_in_time(asked, bins, who, limit)
        return of_then or self._lexical_hits(asked.text, bins, asked, who, limit)

    def _lexical_hits(
        self, text: str, bins: dict[str, float], asked: RecallQuery, who: Principal, limit: int
    ) -> list[Record]:
        """What shares words with a text, best first."""
        question = self._ranking.question(text)
        return [r for _, r in self._ranking.ranked_hits(question, bins, asked, who, limit)]

    def forget_session(self, asked: RecallQuery) -> None:
        """After a compaction nothing of what was shown is still in front of the model."""
        self._history.forget(asked)

    def _sections(self, asked: RecallQuery, who: Principal) -> list[Section]:
        if asked.trigger in ("session_start", "agent_start"):
            return self._brief(asked, who)
        if asked.trigger == "prompt":
            named = self._named(asked, who)
            found = self._for_prompt(asked, who) if named is None else named
            return [("", render_counted_notes(found, who))]
        if asked.trigger == "before_tool":
            return [("", self._notes.of(self._for_step(asked, who)[:_BEFORE_STEP], who))]
        return [("", render_counted_notes(self._failures.known(asked, who), who))]

    # ---- the brief

    def _brief(self, asked: RecallQuery, who: Principal) -> list[Section]:
        shown = self._history.of(asked)
        memories = self._memories(who)
        pinned = select_pins(self._broker, memories).records
        first = {r.id for r in pinned}
        memories = [r for r in memories if not r.body.paths]  # no file is at hand yet
        standing = [r for r in memories if r.kind in STANDING_KINDS and r.id not in first]
        others = [r for r in memories if r.kind not in STANDING_KINDS and r.id not in first]
        sections = [
            (PINNED_HEADING, render_pin_notes(_new(list(pinned), shown), self._notes.kept)),
            (CHECKS_HEADING, render_check_notes(self._broker, who, shown)),
            ("Preferences, policies and constraints:", self._notes.of(_new(standing, shown), who)),
            ("What failed here before, and what made it pass:",
             self._notes.of(_new(self._fixes(who), shown), who)),
        ]  # fmt: skip
        if asked.trigger == "session_start":
            has_daily = asked.source != "resume"
            sections += [
                ("How the last session ended:", self._notes.of(_new(self._ending(asked, who), shown), who)),
                (DAILY_HEADING, render_daily_notes(self._broker, self._notes.kept) if has_daily else []),
                ("Also known (`hooklore show ID` opens one):", self._notes.render_titles(_new(others, shown))),
            ]  # fmt: skip
        return sections

    def _memories(self, who: Principal) -> list[Record]:
        scopes = ["memory:global", keys.memories_at(f"agent:{who.agent_id}")]
        if who.project:
            scopes.insert(0, keys.memories_at(f"project:{who.project}"))
        found = [r for scope in scopes for r in self._broker.lookup(scope, who, 200)]
        return [r for r in found if is_for_agent_type(r, who.agent_type)]

    def _fixes(self, who: Principal, most: int = 8) -> list[Record]:
        """What made commands pass here, as far as the next session should know it."""
        found = (
            self._broker.lookup(keys.of_kind("fix", who.project), who, 60) if who.project else []
        )
        kept = select_fixes_for_brief(
            [r for r in found if has_noteworthy_command(r) and has_steps(r)]
        )
        return _distinct(kept, lambda r: str(r.body.key))[:most]

    def _ending(self, asked: RecallQuery, who: Principal) -> list[Record]:
        """The last end, and the last answer, of another session in this project."""
        if not who.project:
            return []
        for kind in ("session_end", "answer"):
            for record in self._broker.lookup(keys.of_kind(kind, who.project), who, 20):
                if record.session_id != asked.session_id and quotable_text(record):
                    return [record]
        return []

    # ---- a prompt

    def _named(self, asked: RecallQuery, who: Principal) -> list[tuple[Record, int]] | None:
        """What a prompt names by `[[key]]` or id, exactly that; None when it names nothing known."""
        if not find_references(asked.text):
            return None
        from hooklore.retrieval.links import resolve_links

        found, shown = resolve_links(self._broker, asked.text, who), self._history.of(asked)
        new = [(r, 1) for r in found if r.id not in shown and is_before_cutoff(r, asked)]
        return new if found else None

    def _for_prompt(self, asked: RecallQuery, who: Principal) -> list[tuple[Record, int]]:
        """At most two notes, each with the number of near-duplicates that it stands for."""
        parts = gate.split_sentences(asked.text)
        bins = scoring.weighted_bins(scoring.PROMPT_GROUP_WEIGHTS, who)
        best: dict[str, tuple[float, Record]] = {}
        for part in map(self._ranking.question, parts):
            for sure, record in self._ranking.confident_matches(part, len(parts), bins, asked, who):
                if sure > best.get(record.id, (-math.inf, record))[0]:
                    best[record.id] = (sure, record)
        if max((sure for sure, _ in best.values()), default=gate.THRESHOLD) <= gate.THRESHOLD:
            return []
        cooled = (self._with_unused_penalty(sure, record, asked) for sure, record in best.values())
        ranked = sorted(cooled, key=lambda hit: (-hit[0], -_order(hit[1])))
        if ranked[0][0] <= gate.THRESHOLD:
            return []
        top = [
            record for sure, record in ranked if scoring.may_show_second(ranked[0][0], sure, record)
        ]
        return collapse_duplicates(top, self._broker.view)[:2]

    def _with_unused_penalty(
        self, sure: float, record: Record, asked: RecallQuery
    ) -> tuple[float, Record]:
        return sure - UNUSED_PENALTY * count_unused_showings(
            self._broker.view, record, asked.session_id
        ), record

    # ---- a step that is about to run

    def _for_step(self, asked: RecallQuery, who: Principal) -> list[Record]:
        """Constraints and procedures for this command or file."""
        view = self._broker.view
        terms = view.terms(" ".join(filter(None, (asked.text, asked.command, *asked.paths))))
        weights = {term: self._ranking.idf(term) for term in terms}
        shown = self._history.of(asked)
        found = []
        for record in self._memories(who):
            if record.kind not in STANDING_KINDS or record.id in shown:
                continue
            if not is_for_files(record, asked):
                continue
            if not is_before_cutoff(record, asked):
                continue
            own = view.terms_of(record)
            if has_matching_path(record, asked.paths) or (
                not own.isdisjoint(weights)
                and gate.is_relevant_to_step(
                    gate.compute_match_features(terms, own, weights.__getitem__)
                )
            ):
                found.append(record)
        return found

    def _before_step(self, asked: RecallQuery, who: Principal, limit: int) -> list[Record]:
        """Before a command its earlier failures, before an edit what the user said of what it names."""
        if not asked.command:
            text = "\n".join((asked.text, *asked.paths))
            return self._lexical_hits(
                text, scoring.weighted_bins(scoring.SPOKEN_GROUP_WEIGHTS, who), asked, who, limit
            )
        tag = keys.failing_step(who.project, asked.key)
        found = self._broker.lookup(tag, who, limit)
        exact = [r for r in found if self._ranking.is_eligible(r, asked)]
        alike = self._lexical_hits(
            asked.command,
            scoring.weighted_bins(scoring.FAILURE_GROUP_WEIGHTS, who),
            asked,
            who,
            limit,
        )
        return _distinct([*exact, *alike], lambda r: r.id)

    # ---- shared

    def _answered(self, delivery: str | None) -> Record | None:
        """What the log says was shown for a delivery."""
        return (
            next(iter(self._broker.view.lookup(keys.answer_to(delivery), 1)), None)
            if delivery
            else None
        )

    def _again(self, asked: RecallQuery, who: Principal, access: Record) -> RecallResult:
        records = [r for id_ in access.body.targets for r in self._broker.view.find(id_)[:1]]
        records = [r for r in records if self._broker.is_in_force(r, who)]
        text, kept = render_frame([("", self._notes.of(records, who))], self._budget(asked))
        body = access.body
        return replace(
            _shown(text, kept),
            snapshot_id=body.snapshot_id,
            refuses=bool(kept and body.extra("refused")),
        )


def _shown(text: str, kept: list[str]) -> RecallResult:
    if not kept:
        return RecallResult("")
    ids = tuple(id_ for id_ in kept if id_)  # what is no record has none
    return RecallResult(text, ids, estimate_tokens(text), str(uuid.uuid4()))


def _new(records: list[Record], shown: set[str]) -> list[Record]:
    return [r for r in records if r.id not in shown]


def _distinct(records: list[Record], key: Callable[[Record], str]) -> list[Record]:
    seen: dict[str, Record] = {}
    for record in records:
        seen.setdefault(key(record), record)
    return list(seen.values())


def _order(record: Record) -> int:
    return int(record.id.replace("-", ""), 16)
