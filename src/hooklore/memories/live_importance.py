"""Compute the live importance of records with its breakdown, in one pass over the log (seed 003).

The log is append-only and keeps the prior that was computed at the write. The live score is derived on
request, never on a hook's path.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from hooklore.broker.broker import Broker
from hooklore.broker.fetch import get_record
from hooklore.broker.principal_reader import Reader
from hooklore.index import words
from hooklore.index.record_keys import scope_key, version_line_key
from hooklore.memories.usage_score import Use, UseHistory
from hooklore.records import importance, keys
from hooklore.records.draft import PERSON, Principal
from hooklore.records.importance import ImportanceSignals
from hooklore.records.record import Record
from hooklore.text.similarity import dice_similarity, is_similar_text

_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")
_KEY = re.compile(r"[A-Za-z][\w.-]{0,30}:[\w./-]{1,62}\w")
_TURNS = ("prompt", "answer", "subagent_stop")
_MAX_NEIGHBOURS = 12
_MAX_TERMS = 8
_MAX_SESSIONS = 200
_MAX_ENDERS = 4
_RECORDS_BETWEEN_CHECKS = 64

_Names = dict[str, list[tuple[Record, str | None]]]
"""The memories of each key, each with the id of the newer version that took the key over."""


@dataclass(frozen=True, slots=True)
class Breakdown:
    """The importance of a record: the prior stored with it, and the live score by today's weights.

    Every factor is from 0 to 1. A score is the sum of the factors, each times its weight.
    """

    id: str
    prior: float
    prior_factors: dict[str, float]
    score: float
    factors: dict[str, float]
    weights: dict[str, float]
    evidence: ImportanceSignals
    use: Use


@dataclass(slots=True)
class _Uses:
    """The records that name a record, those that showed it, and the user's reactions right after."""

    cited: list[Record] = field(default_factory=list)
    shown: list[Record] = field(default_factory=list)
    signals: list[str] = field(default_factory=list)


def explain_importance(
    broker: Broker, prefix: str, who: Principal = PERSON
) -> tuple[Record, Breakdown]:
    """Return the record whose id begins with `prefix`, and its score. Raise NotFound or HookloreError."""
    broker.refresh()
    record = get_record(broker.as_reader(who), prefix)
    return record, compute_breakdowns(broker, [record], who)[record.id]


def compute_breakdowns(
    broker: Broker,
    records: Iterable[Record],
    who: Principal = PERSON,
    *,
    check_cancelled: Callable[[], None] = lambda: None,
) -> dict[str, Breakdown]:
    """Return the live score of each record by its id, from the records that `who` may read.

    The log is read once, back to the oldest record: two to three seconds for 100,000 records.
    `check_cancelled` is called now and then, and may raise.
    """
    by_id = {record.id: record for record in records}
    reader, owner = broker.as_reader(who), broker.as_reader(PERSON)
    runs, history = _RunHistory(reader), UseHistory(owner)
    uses = _find_uses(reader, by_id, _named_by_keys(owner, by_id), runs, check_cancelled)
    weights = broker.settings.importance.weights
    found: dict[str, Breakdown] = {}
    for id_, record in by_id.items():
        check_cancelled()
        use = history.measure(record, uses[id_].shown)
        counted = _count_signals(broker, reader, record, uses[id_], runs)
        evidence = replace(counted, opened=use.opened, followed=use.followed)
        factors = importance.compute_importance_factors(evidence)
        found[id_] = Breakdown(
            record.id,
            float(record.importance.get("score", 0.0)),
            dict(record.importance.get("factors", {})),
            importance.combine_importance_factors(factors, weights),
            {name: round(value, 4) for name, value in factors.items()},
            weights,
            evidence,
            use,
        )
    return found


# ---- uses


def _find_uses(
    reader: Reader,
    by_id: dict[str, Record],
    names: _Names,
    runs: "_RunHistory",
    check_cancelled: Callable[[], None],
) -> dict[str, _Uses]:
    """Return the uses of each record. The log is read backwards, the prompt after a record first."""
    found = {id_: _Uses() for id_ in by_id}
    oldest = min(by_id, default="")
    for number, record in enumerate(reader.newest(ended=True)):
        if record.id < oldest:
            break
        if not number % _RECORDS_BETWEEN_CHECKS:
            check_cancelled()
        if record.kind == "access":
            for id_ in by_id.keys() & set(record.body.targets):
                found[id_].shown.append(record)
        elif record.kind in _TURNS or record.stream == "memory":
            for id_ in _find_cited(record, by_id, names):
                found[id_].cited.append(record)
                found[id_].signals += runs.signals_after(record)
        if record.id in by_id:
            found[record.id].signals += runs.signals_after(record)
        runs.observe(record)
    return found


def _named_by_keys(owner: Reader, by_id: dict[str, Record]) -> _Names:
    found: _Names = {}
    for record in by_id.values():
        if record.stream == "memory" and record.dedupe_key:
            newer = owner.superseded_by(record)
            named = found.setdefault(str(record.dedupe_key), [])
            named.append((record, newer.id if newer else None))
    return found


def _find_cited(record: Record, by_id: dict[str, Record], names: _Names) -> set[str]:
    """Return the ids that a turn or a memory cites, by id or by key."""
    text = str(record.body.text or record.body.content_md or "")
    found = {id_ for id_ in _ID.findall(text) if id_ in by_id} if "-7" in text else set()
    for key in set(_KEY.findall(text)) if names and ":" in text else ():
        for named, until in names.get(key, ()):
            is_over = until is not None and record.id > until
            is_version = version_line_key(named) == version_line_key(record)
            place = scope_key(named)
            is_elsewhere = place.startswith("project:") and place != scope_key(record)
            if not (is_over or is_version or is_elsewhere):
                found.add(named.id)
    return {id_ for id_ in found if id_ < record.id}


# ---- signals


def _count_signals(
    broker: Broker, reader: Reader, record: Record, uses: _Uses, runs: "_RunHistory"
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
        likeness=_similarity_to_earlier(broker, reader, record),
        said_by_user=record.is_by_user or bool(record.approves),
        saved=runs.saved(uses),
    )
    good, bad = runs.outcomes({each.session_id for each in uses.cited})
    reactions = Counter([*_verdicts(reader, record), *uses.signals])
    yes, no = reactions["approval"], reactions["rejection"] + reactions["correction"]
    return replace(counted, successes=good, failures=bad, approvals=yes, rejections=no)


def _task(record: Record) -> str | None:
    found = record.task_id or record.run_id or record.session_id
    return str(found) if found else None


def _similarity_to_earlier(broker: Broker, reader: Reader, record: Record) -> float:
    """Return the similarity, 0 to 1, to the nearest earlier record of the same place."""
    text = _compared_text(record)
    if words.search_group(record) is None or not text:
        return 0.0
    bins = [words.bin_name(record)]
    hits = broker.as_reader(PERSON).search(
        reader.terms(text), bins, _MAX_NEIGHBOURS, most=_MAX_TERMS, ended=True
    )
    earlier = (r for _, r in hits if r.id < record.id and reader.may_read(r))
    return max((dice_similarity(_compared_text(r), text) for r in earlier), default=0.0)


def _compared_text(record: Record) -> str:
    """Return the text that tells new from known. Titles and phrases say nothing new."""
    return words.record_text(record.with_fields(body=record.body.without("title", "when")))


def _verdicts(reader: Reader, record: Record) -> Iterator[str]:
    """Yield the verdicts that a person gave on a record by `approve`, `reject` or `forget`."""
    names = {"reject": "rejection", "approve": "approval"}
    for ender in reader.history(keys.end_of(record.id), _MAX_ENDERS):
        if ender.kind == "tombstone":
            yield "rejection"
        elif ender.kind == "approval":
            yield names.get(str(ender.body.verdict), "")
        elif ender.approves == record.id:
            yield "approval"


class _RunHistory:
    """The runs in which records were used. Each run is looked up once."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._failed: set[str] = set()
        self._signals: dict[str, str | None] = {}
        self._ends: dict[str, list[Record]] = {}
        self._first_prompts: dict[str, str] = {}

    def observe(self, record: Record) -> None:
        """Take in the next record of the log, which is read backwards."""
        session = record.session_id
        if not session or record.stream != "observation":
            return
        if record.kind == "prompt":
            detail = record.body.detail
            signal = detail.get("signal") if isinstance(detail, dict) else None
            self._signals[session] = signal if isinstance(signal, str) else None
        elif record.body.outcome == "failure":
            self._failed.add(session)

    def signals_after(self, record: Record) -> list[str]:
        """Return the signal of the prompt after an agent's record, none for the user's own words."""
        signal = self._signals.get(str(record.session_id))
        return [signal] if signal and not record.is_by_user else []

    def outcomes(self, sessions: set[str | None]) -> tuple[int, int]:
        """Return how many of these runs had no failure, and how many had one."""
        failed = sum(session in self._failed for session in sessions)
        return len(sessions - {None}) - failed, failed

    def saved(self, uses: _Uses) -> float:
        """Return the share of tokens that runs with these uses saved against earlier runs of their task."""
        used = {each.session_id for each in (*uses.shown, *uses.cited)} - {None}
        shares: list[float] = []
        for project in {each.project for each in (*uses.shown, *uses.cited)} - {None}:
            ends = self._ends_of(str(project))
            for end in ends:
                if end.session_id in used:
                    others = (e for e in ends if e.session_id not in used and e.id < end.id)
                    earlier = [_tokens(e) for e in others if self._is_same_task(e, end)]
                    if earlier:
                        shares.append(1.0 - _tokens(end) * len(earlier) / sum(earlier))
        return max(sum(shares) / len(shares), 0.0) if shares else 0.0

    def _is_same_task(self, end: Record, other: Record) -> bool:
        if end.task_id and end.task_id == other.task_id:
            return True
        ours, theirs = (self._first_prompt(str(each.session_id)) for each in (end, other))
        return bool(ours and theirs) and is_similar_text(ours, theirs)

    def _ends_of(self, project: str) -> list[Record]:
        if project not in self._ends:
            found = self._reader.lookup(keys.of_kind("session_end", project), _MAX_SESSIONS)
            self._ends[project] = [e for e in found if e.session_id and _tokens(e) > 0]
        return self._ends[project]

    def _first_prompt(self, session: str) -> str:
        """Return a session's first prompt, or "" when it has none."""
        if session not in self._first_prompts:
            turns = self._reader.lookup(keys.turns_in(session), _MAX_SESSIONS)
            prompts = [r for r in turns if r.kind == "prompt"]
            self._first_prompts[session] = str(prompts[-1].body.text or "") if prompts else ""
        return self._first_prompts[session]


def _tokens(end: Record) -> int:
    cost = end.body.cost
    found = cost.get("tokens") if isinstance(cost, dict) else None
    return found if isinstance(found, int) else 0
