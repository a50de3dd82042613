"""The live score of records with its breakdown: one pass over the log, when somebody asks (decision C36).

Nothing of this runs on the path of a hook.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from hooklore.broker import versions
from hooklore.broker.broker import Broker
from hooklore.broker.fetch import get_record
from hooklore.index import words
from hooklore.index.record_keys import scope_key, version_line_key
from hooklore.records import importance, keys
from hooklore.records.access import may_read
from hooklore.records.draft import PERSON, Principal
from hooklore.records.importance import ImportanceSignals
from hooklore.records.record import Record
from hooklore.text.similarity import dice_similarity, is_similar_text

_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")
_KEY = re.compile(r"[A-Za-z][\w.-]{0,30}:[\w./-]{1,62}\w")
_TURNS = ("prompt", "answer", "subagent_stop")
_NEIGHBOURS = 12
_TERMS = 8
_SESSIONS = 200


@dataclass(frozen=True, slots=True)
class Breakdown:
    """Why a record is as important as it is: stored before, and live by the weights of today.

    Every factor is from 0 to 1; a score is their sum, each times its weight.
    """

    id: str
    prior: float
    prior_factors: dict[str, float]
    score: float
    factors: dict[str, float]
    weights: dict[str, float]
    evidence: ImportanceSignals


@dataclass(slots=True)
class _Uses:
    """Where a record was named, where it was shown, and what the user said right after."""

    cited: list[Record] = field(default_factory=list)
    shown: list[Record] = field(default_factory=list)
    signals: list[str] = field(default_factory=list)


def explain_importance(
    broker: Broker, prefix: str, who: Principal = PERSON
) -> tuple[Record, Breakdown]:
    """The record whose id begins so, and its score. Raises NotFound, HookloreError."""
    broker.refresh()
    record = get_record(broker, prefix, who)
    return record, compute_breakdowns(broker, [record], who)[record.id]


def compute_breakdowns(
    broker: Broker, records: Iterable[Record], who: Principal = PERSON
) -> dict[str, Breakdown]:
    """The live score of each of these by its id, from what `who` may read.

    The log is read once, back to the oldest of them: two to three seconds for 100,000 records.
    """
    asked = {record.id: record for record in records}
    runs = _RunHistory(broker, who)
    uses = _uses(broker, asked, runs, who)
    return {id_: _broken_down(broker, asked[id_], uses[id_], runs, who) for id_ in asked}


def _broken_down(
    broker: Broker, record: Record, uses: _Uses, runs: "_RunHistory", who: Principal
) -> Breakdown:
    prior = record.importance
    weights = broker.settings.importance.weights
    evidence = _evidence(broker, record, uses, runs, who)
    values = importance.compute_importance_factors(evidence)
    return Breakdown(
        record.id,
        float(prior.get("score", 0.0)),
        dict(prior.get("factors", {})),
        importance.combine_importance_factors(values, weights),
        {name: round(value, 4) for name, value in values.items()},
        weights,
        evidence,
    )


# ---- where it was used


def _uses(
    broker: Broker, asked: dict[str, Record], runs: "_RunHistory", who: Principal
) -> dict[str, _Uses]:
    """The log backwards: by the time that a record is met, the prompt after it has been."""
    found = {id_: _Uses() for id_ in asked}
    oldest = min(asked, default="")
    names = _names(broker, asked)
    for record in broker.newest(who, ended=True):
        if record.id < oldest:
            break
        if record.kind == "access":
            for id_ in asked.keys() & set(record.body.targets):
                found[id_].shown.append(record)
        elif record.kind in _TURNS or record.stream == "memory":
            for id_ in _cited(record, asked, names):
                found[id_].cited.append(record)
                found[id_].signals += runs.signals_after(record)
        if record.id in asked:
            found[record.id].signals += runs.signals_after(record)
        runs.observe(record)
    return found


@dataclass(frozen=True, slots=True)
class _Name:
    """What a key stands for until another version takes it over."""

    id: str
    until: str | None
    line: str
    place: str


def _names(broker: Broker, asked: dict[str, Record]) -> dict[str, list[_Name]]:
    found: dict[str, list[_Name]] = {}
    for id_, record in asked.items():
        key = record.dedupe_key
        if record.stream == "memory" and key:
            newer = versions.superseded_by(broker.view, record)
            name = _Name(
                id_, newer.id if newer else None, version_line_key(record), scope_key(record)
            )
            found.setdefault(str(key), []).append(name)
    return found


def _cited(record: Record, asked: dict[str, Record], names: dict[str, list[_Name]]) -> set[str]:
    """Which of these a turn or a memory names, by id or by key."""
    text = str(record.body.text or record.body.content_md or "")
    found = {id_ for id_ in _ID.findall(text) if id_ in asked} if "-7" in text else set()
    for key in set(_KEY.findall(text)) if names and ":" in text else ():
        found |= {name.id for name in names.get(key, ()) if _means(name, record)}
    return {id_ for id_ in found if id_ < record.id}


def _means(name: _Name, record: Record) -> bool:
    if name.until is not None and record.id > name.until:
        return False
    if name.line == version_line_key(record):
        return False
    return not name.place.startswith("project:") or name.place == scope_key(record)


# ---- what that says


def _evidence(
    broker: Broker, record: Record, uses: _Uses, runs: "_RunHistory", who: Principal
) -> ImportanceSignals:
    outcome = record.body.outcome
    cited_by = {each.agent_id for each in uses.cited} - {record.agent_id}
    read_by = {each.agent_id for each in uses.shown} - {record.agent_id, "person"}
    tasks = {_task(each) for each in uses.cited} - {_task(record), None}
    counted = ImportanceSignals(
        outcome=outcome if isinstance(outcome, str) else None,
        citations=len(uses.cited),
        accesses=len(uses.shown),
        agents=len(cited_by),
        tasks=len(tasks),
        readers=len(read_by),
        likeness=_nearest(broker, record, who),
        said_by_user=record.basis == "user" or bool(record.approves),
        saved=runs.saved(uses),
    )
    good, bad = runs.outcomes({each.session_id for each in uses.cited})
    said = Counter([*_verdicts(broker, record, who), *uses.signals])
    yes, no = said["approval"], said["rejection"] + said["correction"]
    return replace(counted, successes=good, failures=bad, approvals=yes, rejections=no)


def _task(record: Record) -> str | None:
    found = record.task_id or record.run_id or record.session_id
    return str(found) if found else None


def _nearest(broker: Broker, record: Record, who: Principal) -> float:
    """How much of a record was known before it, in the same place."""
    text = words.record_text(record)
    if words.search_group(record) is None or not text:
        return 0.0
    terms = broker.view.terms(text)
    hits = broker.view.search(terms, [words.bin_name(record)], _NEIGHBOURS, most=_TERMS)
    before = (r for _, r in hits if r.id < record.id and may_read(r, who))
    return max((dice_similarity(words.record_text(r), text) for r in before), default=0.0)


def _verdicts(broker: Broker, record: Record, who: Principal) -> Iterator[str]:
    """What a person said of it by `approve`, `reject` or `forget`."""
    names = {"reject": "rejection", "approve": "approval"}
    for ender in broker.view.lookup(keys.end_of(record.id), 4):
        if not may_read(ender, who):
            continue
        if ender.kind == "tombstone":
            yield "rejection"
        elif ender.kind == "approval":
            yield names.get(str(ender.body.verdict), "")
        elif ender.approves == record.id:
            yield "approval"


class _RunHistory:
    """What is known of the runs in which something was used; each is looked up once."""

    def __init__(self, broker: Broker, who: Principal) -> None:
        self._broker = broker
        self._who = who
        self._failed: set[str] = set()
        self._signals: dict[str, str | None] = {}
        self._ends: dict[str, list[Record]] = {}
        self._first: dict[str, str] = {}

    def observe(self, record: Record) -> None:
        """The log is read backwards, and this record is the next."""
        session = record.session_id
        if not session or record.stream != "observation":
            return
        if record.kind == "prompt":
            detail = record.body.detail
            said = detail.get("signal") if isinstance(detail, dict) else None
            self._signals[session] = said if isinstance(said, str) else None
        elif record.body.outcome == "failure":
            self._failed.add(session)

    def signals_after(self, record: Record) -> list[str]:
        """What the prompt after an agent's record says of it; the user's own words are not judged so."""
        said = self._signals.get(str(record.session_id))
        return [said] if said and record.basis != "user" else []

    def outcomes(self, sessions: set[str | None]) -> tuple[int, int]:
        """(without a failure, with one) of these runs."""
        failed = sum(session in self._failed for session in sessions)
        return len(sessions - {None}) - failed, failed

    def saved(self, uses: _Uses) -> float:
        """The share of tokens that the runs with these uses took less than earlier ones of the same task."""
        used = {each.session_id for each in (*uses.shown, *uses.cited)} - {None}
        shares: list[float] = []
        for project in {each.project for each in (*uses.shown, *uses.cited)} - {None}:
            ends = self._ends_of(str(project))
            for end in ends:
                if end.session_id in used:
                    shares += self._share(end, [e for e in ends if e.session_id not in used])
        return max(sum(shares) / len(shares), 0.0) if shares else 0.0

    def _share(self, end: Record, others: list[Record]) -> list[float]:
        """What one run saved against earlier runs of its task; empty when there was none."""
        before = [_tokens(e) for e in others if e.id < end.id and self._is_same(e, end)]
        return [1.0 - _tokens(end) * len(before) / sum(before)] if before else []

    def _is_same(self, one_end: Record, other: Record) -> bool:
        if one_end.task_id and one_end.task_id == other.task_id:
            return True
        ours, theirs = (self._asked(str(end.session_id)) for end in (one_end, other))
        return bool(ours and theirs) and is_similar_text(ours, theirs)

    def _ends_of(self, project: str) -> list[Record]:
        if project not in self._ends:
            found = self._broker.lookup(keys.of_kind("session_end", project), self._who, _SESSIONS)
            self._ends[project] = [e for e in found if e.session_id and _tokens(e) > 0]
        return self._ends[project]

    def _asked(self, session: str) -> str:
        """A run's first prompt."""
        if session not in self._first:
            turns = self._broker.lookup(keys.turns_in(session), self._who, _SESSIONS)
            prompts = [r for r in turns if r.kind == "prompt"]
            self._first[session] = str(prompts[-1].body.text or "") if prompts else ""
        return self._first[session]


def _tokens(end: Record) -> int:
    cost = end.body.cost
    found = cost.get("tokens") if isinstance(cost, dict) else None
    return found if isinstance(found, int) else 0
