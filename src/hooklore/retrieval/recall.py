"""Answer a trigger with the notes that are put in front of a model: candidates, filters, gates, frame."""

import math
import uuid
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from hooklore.broker.broker import Broker
from hooklore.broker.leading import lead
from hooklore.broker.principal_reader import Reader
from hooklore.index.lookup_cache import evict_oldest
from hooklore.prompt.frame import max_note_tokens, render_frame
from hooklore.prompt.note import Section
from hooklore.records import keys
from hooklore.records.draft import PERSON, Principal, RecallResult
from hooklore.records.record import Record
from hooklore.retrieval import scoring
from hooklore.retrieval.applicability import (
    has_matching_path,
    is_before_cutoff,
    is_for_files,
    is_loaded_by_client,
    may_hold,
)
from hooklore.retrieval.brief import Brief
from hooklore.retrieval.brief_parts import PART_NAMES
from hooklore.retrieval.brief_text import finish_brief, keep_line
from hooklore.retrieval.failures.failure_search import FailureSearch
from hooklore.retrieval.file_history import (
    is_about_other_files,
    may_be_told_at,
    render_again,
    render_file_history,
    select_file_history,
)
from hooklore.retrieval.left_work import render_left_work, split_left_work
from hooklore.retrieval.links import find_references, resolve_links
from hooklore.retrieval.near_duplicates import (
    collapse_duplicates,
    is_told_by_memory,
    let_memories_stand,
)
from hooklore.retrieval.notes import note_token_limit, render_counted_notes
from hooklore.retrieval.query import BREACH, GUARD, RESUMED, TOKEN_BUDGETS, RecallQuery
from hooklore.retrieval.ranking import Ranking, SearchScope
from hooklore.retrieval.relevance import gate
from hooklore.retrieval.result_order import put_memories_first, select_for_reading
from hooklore.retrieval.resumed_work import find_named_work, named_records
from hooklore.retrieval.rule_breach import breaks_rule, obeys_rule, waits_for_breach
from hooklore.retrieval.standing_memories import (
    StandingMemories,
    is_rule,
    list_standing,
    order_of,
)
from hooklore.text.forbidden_code import forbids_code
from hooklore.text.prompt_subject import has_subject
from hooklore.text.token_estimate import estimate_tokens
from hooklore.text.work_references import find_work_references

if TYPE_CHECKING:
    from hooklore.retrieval.semantic.search import SemanticSearch

_BRIEFS = ("session_start", "agent_start")
_LINE_ENDS = 2
"""Tokens of the ends of the lines behind the sections of a brief."""

_MAX_STEP_NOTES = 5
"""Notes before a tool runs (seed 003)."""
_MAX_PROMPT_NOTES = 2


class Recall:
    """Answers triggers from one broker's memory, and remembers per session what was shown."""

    def __init__(
        self,
        broker: Broker,
        semantic: "SemanticSearch | None" = None,
        *,
        ranking: Ranking | None = None,
    ) -> None:
        """`semantic` adds the search by meaning. `ranking` takes the place of the hooks' own ranking."""
        self._broker = broker
        self._semantic = semantic
        self._ranking = ranking or Ranking(broker, semantic)
        self._history = self._ranking.history
        self._failures = FailureSearch(broker, self._ranking)
        self._brief = Brief(broker)
        self._budgets = TOKEN_BUDGETS | {"session_start": broker.settings.recall.brief_tokens}
        self._answers: dict[str, RecallResult] = {}

    def prefetch(self, text: str) -> None:
        """Start the slow part of a search by meaning for a prompt that will be answered soon. Optional."""
        if self._semantic is not None:
            self._semantic.prefetch(self._broker.as_reader(PERSON), text)

    def answer(
        self,
        query: RecallQuery,
        who: Principal,
        delivery: str | None = None,
        *,
        is_new: bool = False,
    ) -> RecallResult:
        """Return the notes for a trigger, framed and within its budget, or an empty answer.

        The same `delivery` gets the same notes again. With `is_new` its event was stored just now, so that
        the log holds no answer to it.
        """
        if delivery in self._answers:
            return self._answers[delivery]
        reader = self._broker.as_reader(who)
        access: Record | None = None
        if delivery and not is_new:
            # Agents may not read the records of what was shown.
            owner = self._broker.as_reader(PERSON)
            access = next(iter(owner.history(keys.answer_to(delivery), 1)), None)
        if query.trigger in _BRIEFS:
            return self._remember(self._tell_brief(reader, query, access), query, delivery)
        if access is not None:
            return self._repeat_answer(reader, query, access)
        refusal = self._find_refusal(reader, query) if query.trigger == "before_tool" else None
        if refusal is not None:
            return self._remember(refusal, replace(query, trigger=GUARD), delivery)
        return self._remember(self._frame(query, self._sections(reader, query)), query, delivery)

    def search(self, query: RecallQuery, who: Principal, limit: int) -> list[Record]:
        """Return the records from which a trigger is answered, whatever their confidence.

        They are best first, those of a prompt memories before what happened.
        """
        reader = self._broker.as_reader(who)
        if query.trigger == "failure":
            return self._failures.search(reader, query, limit)
        if query.trigger == "before_tool":
            return self._search_for_step(reader, query, limit)
        named = self._find_named(reader, query)
        if named is not None:
            return lead(reader, (record for record, _ in named))[:limit]
        scope = self._ranking.scope(reader, query, scoring.PROMPT_GROUP_WEIGHTS)
        of_then = self._ranking.matches_in_time(scope, limit)
        found = put_memories_first(of_then) or self._rank_prompt(scope, limit)
        return lead(reader, found)[:limit]

    def forget_session(self, query: RecallQuery) -> None:
        """Forget the notes that a context was shown: after a compaction the model no longer has them."""
        self._history.forget(query)
        self._history.forget(replace(query, trigger=RESUMED))
        self._history.learn_reading_rule(query, is_known=False)

    def withdraw(self, query: RecallQuery, result: RecallResult, delivery: str) -> None:
        """Take back an answer that did not arrive: its notes count as never shown."""
        self._answers.pop(delivery, None)
        if not result.is_bare:
            self._history.learn_reading_rule(query, is_known=False)
        asked = replace(query, trigger=GUARD) if result.refuses else query
        self._history.withdraw(asked, result.ids)
        for part in (BREACH, RESUMED):
            self._history.withdraw(replace(query, trigger=part), result.ids)

    # ---- an answer

    def _tell_brief(
        self, reader: Reader, query: RecallQuery, access: Record | None
    ) -> RecallResult:
        """Return the brief of a session or a subagent within its budget.

        One that is asked for again tells what is in force now, under its snapshot's name. Memory was read, whether
        or not anything was found, so a snapshot of nothing is kept as well. The model is not told its name, which
        would cost every first session a frame.
        """
        snapshot_id = None
        if access is not None:
            self._history.withdraw(query, access.body.targets)
            is_bare = access.body.extra("bare") is True
            self._history.learn_reading_rule(query, is_known=is_bare)
            snapshot_id = access.body.snapshot_id
        is_session = query.trigger == "session_start"
        wake_up = self._broker.settings.wake_up.text if is_session else ""
        asked = keep_line(query.keep_tool, query.program) if query.may_keep else ""
        fixed = estimate_tokens(wake_up) + estimate_tokens(asked) + _LINE_ENDS
        room = max_note_tokens(self._budgets[query.trigger]) - fixed
        brief = self._brief.compose(reader, query, self._history.of(query), room)
        left = brief.sections[PART_NAMES.index("branch")][1]
        self._history.add(replace(query, trigger=RESUMED), [id_ for id_, _ in left])
        brief.is_bare = self._history.knows_reading_rule(query)
        return finish_brief(brief, snapshot_id or str(uuid.uuid4()), wake_up)

    def _frame(
        self, query: RecallQuery, sections: list[Section], access: Record | None = None
    ) -> RecallResult:
        """Return the framed notes of a trigger, bare where their context has the reading rule.

        Counted are the records of each section but the last. `access` is the record of an answer that is told
        again.
        """
        told_bare = access is not None and access.body.extra("bare") is True
        is_bare = told_bare if access is not None else self._history.knows_reading_rule(query)
        text, kept = render_frame(sections, self._budgets[query.trigger], is_bare=is_bare)
        shown = RecallResult("", is_bare=is_bare)
        if kept:
            ids = dict.fromkeys(filter(None, kept))  # notes that are no records have no id
            told = [{id_ for id_, _ in notes} for _, notes in sections[:-1]]
            counts = tuple(len(part.intersection(kept)) for part in told)
            shown = RecallResult(
                text, tuple(ids), estimate_tokens(text), str(uuid.uuid4()),
                parts=counts if any(counts) else (), is_bare=is_bare,
            )  # fmt: skip
        if access is None:
            return shown
        refuses = bool(kept and access.body.extra("refused"))
        return replace(shown, snapshot_id=access.body.snapshot_id, refuses=refuses)

    def _remember(
        self, shown: RecallResult, query: RecallQuery, delivery: str | None
    ) -> RecallResult:
        self._history.add(query, shown.ids)
        if shown.text:
            self._history.learn_reading_rule(query)
        if delivery and (shown.ids or shown.snapshot_id):
            self._answers[delivery] = shown
        evict_oldest(self._answers)
        return shown

    def _repeat_answer(self, reader: Reader, query: RecallQuery, access: Record) -> RecallResult:
        """Return an answer again from its access record, without what is no longer in force."""
        if query.trigger == "failure":
            self._history.withdraw(query, access.body.targets)
            return self._frame(query, self._sections(reader, query), access)
        records = [r for id_ in access.body.targets for r in reader.find(id_)[:1]]
        records = [r for r in records if reader.is_in_force(r)]
        left, others = split_left_work(records, access.body)
        resumed = render_left_work(reader, left, reader.principal.branch)
        limit = note_token_limit(query.trigger)
        notes = render_again(others, access.body, reader.principal, limit)
        return self._frame(query, [resumed, ("", notes)], access)

    def _find_refusal(self, reader: Reader, query: RecallQuery) -> RecallResult | None:
        """Return what refuses a step, once a session, where the user wants `recall.guard`.

        That is a rule that the step breaks, else the fix of a command that is about to fail again.
        """
        if not self._broker.settings.recall.guard:
            return None
        standing = list_standing(reader)
        told = self._history.of(replace(query, trigger=GUARD))
        orders = [r for r in self._find_broken_orders(reader, query, standing) if r.id not in told]
        found = self._find_broken_rules(query, standing, GUARD) or orders
        found = found or self._failures.fix_for_repeat(reader, replace(query, trigger=GUARD))
        if not found:
            return None
        notes = render_counted_notes([(r, 1) for r in found], reader.principal)
        return replace(self._frame(replace(query, trigger=GUARD), [("", notes)]), refuses=True)

    def _sections(self, reader: Reader, query: RecallQuery) -> list[Section]:
        if query.trigger == "before_tool":
            return self._sections_for_step(reader, query)
        if query.trigger == "prompt":
            return self._sections_for_prompt(reader, query)
        return [("", self._failures.note_known(reader, query))]

    # ---- a prompt

    def _sections_for_prompt(self, reader: Reader, query: RecallQuery) -> list[Section]:
        """Return where the work was left that a prompt names, then the notes that the prompt finds."""
        who, limit = reader.principal, note_token_limit(query.trigger)
        named = self._find_named(reader, query)
        if named is not None:
            return [("", render_counted_notes(named, who, limit))]
        told = replace(query, trigger=RESUMED)
        shown = self._history.of(told)
        resumed = find_named_work(reader, query)
        # Behind what the context was told an older session is no answer.
        resumed = [] if resumed and resumed[0].id in shown else resumed
        heading, notes = render_left_work(reader, resumed, who.branch)
        left = (heading, [note for note in notes if note[0] not in shown])
        self._history.add(told, [id_ for id_, _ in left[1]])
        sessions = {record.session_id for record in resumed if record.id in dict(left[1])}
        found = [
            (record, count)
            for record, count in self._decide_for_prompt(reader, query)
            if record.stream == "memory" or record.session_id not in sessions
        ]
        return [left, ("", render_counted_notes(found, who, limit))]

    def _find_named(self, reader: Reader, query: RecallQuery) -> list[tuple[Record, int]] | None:
        """Return the records that a prompt names by `[[key]]` or id, None when it names none."""
        if not find_references(query.text):
            return None
        found, shown = resolve_links(reader, query.text), self._history.of(query)
        new = [r for r in found if r.id not in shown and is_before_cutoff(r, query)]
        return [(record, 1) for record in lead(reader, new)] if found else None

    def _decide_for_prompt(self, reader: Reader, query: RecallQuery) -> list[tuple[Record, int]]:
        """Decide which notes a prompt is shown: at most two, each with its number of near-duplicates.

        A prompt without a subject is shown none. The confidence of the surest, less what sessions without use
        take off, must exceed the threshold.
        """
        if not has_subject(query.text):
            return []
        best = self._best_matches(reader, query)
        if max((sure for sure, _ in best), default=gate.THRESHOLD) <= gate.THRESHOLD:
            return []
        standing = let_memories_stand(best, reader)
        # A turn may be below its bar beside a surer one.
        sure = [m for m in standing if m[1].kind == "turn" or m[0] > gate.THRESHOLD]
        cooled = self._ranking.subtract_unused(sure, query.session_id)
        cooled.sort(key=lambda match: match[1].id, reverse=True)
        ranked = sorted(cooled, key=lambda match: -match[0])
        memories = [match for match in ranked if match[1].stream == "memory"]
        # Of what sums up a whole session a note has the beginning alone, which is about anything.
        others = [m for m in ranked if m[1].stream != "memory" and m[1].kind != "compaction"]
        shown = self._history.of(query)
        said = [r for r in scoring.select_surest(others) if not is_told_by_memory(r, shown, reader)]
        first, behind = self._lead(reader, query, [*scoring.select_surest(memories), *said])
        told = [*collapse_duplicates(first, reader), *((record, 1) for record in behind)]
        return told[:_MAX_PROMPT_NOTES]

    def _lead(
        self, reader: Reader, query: RecallQuery, records: list[Record]
    ) -> tuple[list[Record], list[Record]]:
        """Return the records that lead, then those that a told one contradicts, which come last.

        A memory whose leader the session was told before is not told behind it once more.
        """
        led, known = lead(reader, records), {record.id for record in records}
        first = [
            record
            for record in led
            if not record.contradicted_by
            and (record.id in known or self._ranking.is_eligible(record, query))
        ]
        told = {record.id for record in first}
        return first, [record for record in led if record.contradicted_by in told]

    def _best_matches(self, reader: Reader, query: RecallQuery) -> list[tuple[float, Record]]:
        """Return (confidence, record) of a prompt's candidates, by the sentence that each matches best."""
        sentences = gate.split_sentences(query.text)
        scope = self._ranking.scope(reader, query, scoring.PROMPT_GROUP_WEIGHTS)
        best: dict[str, tuple[float, Record]] = {}
        for text in sentences:
            question = reader.question(text)
            for match in self._ranking.confident_matches(scope, question, len(sentences)):
                confidence, record = match
                if confidence > best.get(record.id, (-math.inf, record))[0]:
                    best[record.id] = match
        return list(best.values())

    def _rank_prompt(self, scope: SearchScope, limit: int) -> list[Record]:
        """Return the records that share words with a prompt, memories before what happened.

        Those that name the same piece of work are first, for they were asked for by its name.
        """
        found = self._ranking.rank(scope, scope.reader.question(scope.query.text), limit)
        ranked = [record for _, record in select_for_reading(found.hits, limit)]
        named = [
            record
            for record in named_records(scope.reader, scope.query)
            if self._ranking.is_eligible(record, scope.query)
        ]
        if not named:
            return ranked
        ids, names = {r.id for r in named}, set(find_work_references(scope.query.text))
        first = [
            r
            for _, r in found.hits[:limit]
            if r.id in ids
            or (
                r.stream == "memory"
                and not names.isdisjoint(find_work_references(r.body.content_md))
            )
        ]
        return list({r.id: r for r in (*first, *named, *ranked)}.values())[:limit]

    def _rank_text(self, scope: SearchScope, text: str, limit: int) -> list[Record]:
        ranked = self._ranking.rank(scope, scope.reader.question(text), limit)
        return [record for _, record in ranked.hits[:limit]]

    # ---- a step that is about to run

    def _find_broken_rules(
        self, query: RecallQuery, standing: StandingMemories, trigger: str
    ) -> list[Record]:
        """Return the user's rules that a step breaks, also those that a brief has told, each once a session."""
        told = self._history.of(replace(query, trigger=trigger))
        return [
            record
            for record in standing.forbidding
            if record.id not in told
            and is_before_cutoff(record, query)
            and (not record.body.paths or has_matching_path(record, query.paths_in(record.project)))
            and may_hold(record, query)
            and breaks_rule(record, query)
        ]

    def _find_broken_orders(
        self, reader: Reader, query: RecallQuery, standing: StandingMemories
    ) -> list[Record]:
        """Return the rules of order that a step breaks: each once a session, and once more after a change."""
        if not query.command or not standing.ordering:
            return []
        from hooklore.retrieval.order_breach import find_broken_orders

        found = find_broken_orders(reader, query, standing.ordering, self._history.list_tellings)
        return list(islice(found, _MAX_STEP_NOTES))

    def _sections_for_step(self, reader: Reader, query: RecallQuery) -> list[Section]:
        """Return the rules that a step breaks, a file's history, then other memories that bear on the step.

        A rule that says what is forbidden, or in which order, is obeyed by any other step, and is not told there.
        """
        who, limit = reader.principal, note_token_limit(query.trigger)
        standing = list_standing(reader)
        orders = self._find_broken_orders(reader, query, standing)
        broken = [*self._find_broken_rules(query, standing, BREACH), *orders][:_MAX_STEP_NOTES]
        self._history.add(replace(query, trigger=BREACH), [record.id for record in broken])
        shown = self._history.of(query) | {record.id for record in broken}
        # Of code that a rule forbids the step shows whether it is added: the name alone says nothing.
        users = (r for r in standing.records if is_rule(r) and not forbids_code(r.body.content_md))
        free = (r for r in users if _is_free(r, query, shown))
        binding = select_file_history(free, query)
        history = render_file_history(binding[: _MAX_STEP_NOTES - len(broken)], who)
        about = shown | {record.id for record in binding}
        bearing = _find_bearing(reader, standing, query, about)
        others = bearing[: _MAX_STEP_NOTES - len(broken) - len(history)]
        return [
            ("", render_counted_notes([(r, 1) for r in broken], who, limit)),
            ("", history),
            ("", render_counted_notes([(r, 1) for r in others], who, limit)),
        ]

    def _search_for_step(self, reader: Reader, query: RecallQuery, limit: int) -> list[Record]:
        """Return earlier failures of a command, or what the user said of the names in an edit."""
        if not query.command:
            scope = self._ranking.scope(reader, query, scoring.SPOKEN_GROUP_WEIGHTS)
            return self._rank_text(scope, "\n".join((query.text, *query.paths)), limit)
        step = keys.failing_step(reader.principal.project or "-", query.key)
        failures = reader.lookup(step, limit)
        exact = [r for r in failures if self._ranking.is_eligible(r, query)]
        scope = self._ranking.scope(reader, query, scoring.FAILURE_GROUP_WEIGHTS)
        alike = self._rank_text(scope, query.command, limit)
        return list({record.id: record for record in (*exact, *alike)}.values())


def _find_bearing(
    reader: Reader, standing: StandingMemories, query: RecallQuery, shown: set[str]
) -> list[Record]:
    """Return the standing memories that share a file or a rare term with a step."""
    if not standing.records:
        return []
    terms = reader.terms(" ".join(filter(None, (query.text, query.command, *query.paths))))
    weights = gate.weigh_terms(gate.term_rarities(reader, terms))

    def shares_rare_term(record: Record) -> bool:
        own = reader.terms_of(record)
        if own.isdisjoint(weights):
            return False
        features = gate.compute_match_features(weights, own)
        return bool(features.shared) and features.weight >= gate.RARE_TERM_WEIGHT

    return [
        record
        for record in standing.with_term_or_files(weights)
        if (has_matching_path(record, query.paths_in(record.project)) or shares_rare_term(record))
        and _is_free(record, query, shown)
        and not waits_for_breach(record, query)
        and not is_about_other_files(record, query)
        and may_be_told_at(record, query)
    ]


def _is_free(record: Record, query: RecallQuery, shown: set[str]) -> bool:
    """Return whether a step may be told a memory: a new one, for its files, which the step does not obey.

    What is no rule is quoted where the step does what it speaks against: nobody else tells it there.
    """
    is_broken = not is_rule(record) and breaks_rule(record, query)
    return (
        record.id not in shown
        and not order_of(record)
        and not is_loaded_by_client(record, query)
        and is_before_cutoff(record, query)
        and is_for_files(record, query)
        and may_hold(record, query)
        and (is_broken or not obeys_rule(record, query))
    )
