"""Find what is known of a failure: earlier failures like it, and the fixes that made them pass."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from hooklore.broker.broker import Broker
from hooklore.broker.principal_reader import Reader
from hooklore.failures.error_signature import candidate_lines, candidate_texts
from hooklore.failures.fix_reading import has_held, read_fix
from hooklore.failures.fix_text import named_test
from hooklore.records import keys
from hooklore.records.draft import PERSON
from hooklore.records.record import Record
from hooklore.retrieval import scoring
from hooklore.retrieval.applicability import is_before_cutoff
from hooklore.retrieval.failures.fix_relevance import bears_on_failure
from hooklore.retrieval.failures.repeated import find_repeated, has_noteworthy_command
from hooklore.retrieval.query import RecallQuery
from hooklore.retrieval.ranking import Ranking
from hooklore.retrieval.recency import Hit
from hooklore.retrieval.term_rarity import term_rarities

_MAX_TERMS = 60
"""Terms of a failure that are searched for: its output has many, and the rare ones distinguish it."""

SIMILAR_FAILURE_THRESHOLD = 0.2
"""The likeness from which a failure's fix is a candidate for another: of 28 real ones .68 reach it."""
SAME_FAILURE_THRESHOLD = 0.4
"""The likeness from which two failures count as the same, for notes that nobody asked for. Of 59 real
repeats .86 reach it, of 148 failures that were seen for the first time .09 (coding_failfix)."""

_LIKENESS_WEIGHT = 20.0
"""Added to the score of a failure's words for a likeness of 1."""
MAX_COUNTED = 50
"""Failures with one line that are looked at: there may be more."""

_MIN_SESSIONS = 3
"""Other sessions that saw a failure until it is told without a cure: fewer say nothing to who sees it again."""

_MAX_COMPARED = 12
_READ_STEPS = 60
_MAX_FIXES = 4


@dataclass(frozen=True, slots=True)
class KnownFailure:
    """The record that is told at a failure: its fix, or the newest failure like it and who saw it before.

    `sessions` is the number of other sessions with such a failure, at least that many where `is_more`, and
    `since` the day of the oldest. `test` is the failed test that they have in common with this one, "" where
    none is named.
    """

    record: Record
    sessions: int = 0
    since: str = ""
    test: str = ""
    is_more: bool = False

    @property
    def is_fixed(self) -> bool:
        """True when the record is a fix."""
        return self.record.kind == "fix"


class FailureSearch:
    """Finds earlier failures like one, and their fixes."""

    def __init__(self, broker: Broker, ranking: Ranking) -> None:
        self._broker = broker
        self._ranking = ranking

    def search(self, reader: Reader, query: RecallQuery, limit: int) -> list[Record]:
        """Return earlier failures, the most alike first, with the fixes of similar ones between them."""
        found = self._find_alike(reader, query, limit)
        failures = [failure for _, failure in found]
        similar = [failure for like, failure in found if like >= SIMILAR_FAILURE_THRESHOLD]
        links = _links_of(reader, query, [*failures[:1], *similar])
        ordered = _interleave(failures, links)
        return _distinct([*ordered, *_links_of(reader, query, failures)])

    def find_known(self, reader: Reader, query: RecallQuery) -> KnownFailure | None:
        """Return the newest fix of this very failure that held, else in how many sessions the failure was seen.

        Return None for a failure without a fix that fewer than three other sessions saw, and where the session
        was told already.
        """
        found = self._find_alike(reader, query, _MAX_COMPARED)
        same = [failure for like, failure in found if like >= SAME_FAILURE_THRESHOLD]
        fix = self._newest_that_held(reader, query, same)
        if fix is not None:
            return KnownFailure(fix) if self._ranking.is_eligible(fix, query) else None
        seen = [failure for failure in same if _has_line(failure, set(query.signatures))]
        repeats = sorted(filter(has_noteworthy_command, seen), key=_id)
        sessions = {each.session_id for each in repeats} - {query.session_id, None}
        if len(sessions) < _MIN_SESSIONS or _names_own_change(reader, query):
            return None
        return KnownFailure(
            repeats[-1], len(sessions), repeats[0].ts[:10], _test_in_common(repeats[-1], query),
            is_more=len(repeats) >= MAX_COUNTED,
        )  # fmt: skip

    def fix_for_repeat(self, reader: Reader, query: RecallQuery) -> list[Record]:
        """Return the fix of a command that failed the same way in its last two sessions.

        Return none when the command passed since, when no fix is known, and when the session was shown
        the fix already. Of 224 real commands whose last run failed in another session 195 failed again.
        """
        last = find_repeated(reader, query.key) if query.command and query.key else None
        if last is None or not is_before_cutoff(last, query):
            return []
        lines = tuple(reader.distinctive_lines(last))
        repeat = replace(query, signatures=lines, text=str(last.body.text or ""))
        known = self.find_known(reader, repeat)
        return [known.record] if known is not None and known.is_fixed else []

    def _newest_that_held(
        self, reader: Reader, query: RecallQuery, same: list[Record]
    ) -> Record | None:
        """Return the newest fix of these failures that held; those with a line of the query's come first.

        The change of a file mended its own error alone: the first line must be the same, and be told with it.
        """
        owner, lines = self._broker.as_reader(PERSON), set(query.signatures)

        for of_line in (True, False):
            failures = [failure for failure in same if _has_line(failure, lines) == of_line]
            fixes = sorted(_find_fixes(reader, query, failures), key=_id, reverse=True)
            for fix in fixes[:_MAX_FIXES]:
                if bears_on_failure(reader, fix, query, has_line=of_line) and has_held(
                    owner, fix, query.before_id, query.session_id
                ):
                    return fix
        return None

    def _find_alike(self, reader: Reader, query: RecallQuery, limit: int) -> list[Hit]:
        """Return (likeness, failure) of failures that share words or lines with a failure, best first."""
        scores = {f.id: (score, f) for score, f in self._rank(reader, query, limit)}
        for failure in self._of_same_line(reader, query):
            scores.setdefault(failure.id, (0.0, failure))
        weights = _weigh_lines(reader, query.signatures)
        hits = [(score, _likeness(reader, weights, query, f), f) for score, f in scores.values()]
        hits.sort(key=lambda hit: (hit[0] + _LIKENESS_WEIGHT * hit[1], hit[2].id), reverse=True)
        return [(like, failure) for _, like, failure in hits]

    def _rank(self, reader: Reader, query: RecallQuery, limit: int) -> list[Hit]:
        """Return (score, failure) of failures that share words with the lines, command and output of one."""
        text = "\n".join(filter(None, (*query.signatures, query.command, query.text)))
        scope = self._ranking.scope(reader, query, scoring.FAILURE_GROUP_WEIGHTS)
        return self._ranking.rank(scope, reader.question(text), limit, most=_MAX_TERMS).hits

    def _of_same_line(self, reader: Reader, query: RecallQuery) -> list[Record]:
        project = reader.principal.project or "-"
        names = [keys.error_line(project, line) for line in query.signatures]
        if not names and query.key:
            names.append(keys.failing_step(project, query.key))
        found = [r for name in names for r in reader.lookup(name, MAX_COUNTED)]
        return [r for r in found if self._ranking.is_eligible(r, query)]


def _names_own_change(reader: Reader, query: RecallQuery) -> bool:
    """Return whether the lines of a failure name a file that its session changed before it.

    That a failure was seen before tells that it is not this session's doing. Of its own work that is wrong.
    """
    steps = reader.lookup(keys.in_session(query.session_id), _READ_STEPS)
    changed = {path for s in steps if s.kind == "tool_result" for path in s.body.artifacts}
    names = {path.replace("\\", "/").rpartition("/")[2].lower() for path in changed}
    told = "\n".join(query.signatures)
    return any(re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", told) for name in names if name)


def _has_line(failure: Record, lines: set[str]) -> bool:
    """Return whether a failure has one of the lines of another; without any line all are of one kind."""
    return not lines or not lines.isdisjoint(candidate_lines(failure.body))


def _test_in_common(failure: Record, query: RecallQuery) -> str:
    lines = candidate_texts(failure.body)
    return named_test(lines[line] for line in query.signatures if line in lines)


def _likeness(
    reader: Reader, weights: dict[str, float], query: RecallQuery, failure: Record
) -> float:
    """Return how much two failures share of their error lines, from 0 to 1, rare terms counting more.

    `weights` are those of the terms of the query's lines. One line in common makes two failures similar,
    however many other lines there are. Where neither has a line, they are alike if the command is the
    same.
    """
    lines = candidate_lines(failure.body)
    if not query.signatures:
        return float(failure.body.key == query.key and not reader.distinctive_lines(failure))
    theirs = weights if tuple(lines) == query.signatures else _weigh_lines(reader, lines)
    union = sum((weights | theirs).values())
    shared = sum(w for term, w in weights.items() if term in theirs) / union if union else 0.0
    has_common_line = not set(lines).isdisjoint(query.signatures)
    return max(shared, SIMILAR_FAILURE_THRESHOLD) if has_common_line else shared


def _weigh_lines(reader: Reader, lines: Iterable[str]) -> dict[str, float]:
    """Return the terms of error lines, each with how rare it is."""
    return term_rarities(reader, reader.terms("\n".join(lines)))


def _find_fixes(reader: Reader, query: RecallQuery, failures: list[Record]) -> list[Record]:
    """Return the fix of each failure that has one, as it is told."""
    links = _links_of(reader, query, failures)
    return [told for link in links if (told := read_fix(reader, link)) is not None]


def _links_of(reader: Reader, query: RecallQuery, failures: list[Record]) -> list[Record]:
    """Return the record of how each failure ended, also of one that nothing explains."""
    found = (link for f in failures for link in reader.lookup(keys.fix_of(f.id), 1))
    return _distinct([link for link in found if is_before_cutoff(link, query)])


def _interleave(failures: list[Record], fixes: list[Record]) -> list[Record]:
    """Return two failures, a fix, two failures, a fix, so that the first five hold both."""
    found: list[Record] = []
    for place in range(max((len(failures) + 1) // 2, len(fixes))):
        found += (*failures[2 * place : 2 * place + 2], *fixes[place : place + 1])
    return found


def _distinct(records: list[Record]) -> list[Record]:
    return list({record.id: record for record in records}.values())


def _id(record: Record) -> str:
    return record.id
