"""Find what is known of a failure: earlier failures like it, and the fixes that made them pass."""

from collections.abc import Iterable
from dataclasses import replace

from hooklore.broker.broker import Broker
from hooklore.broker.fix_links import failure_signatures, has_steps
from hooklore.broker.principal_reader import Reader
from hooklore.index import keys
from hooklore.records.draft import PERSON
from hooklore.records.record import Record
from hooklore.retrieval import scoring
from hooklore.retrieval.applicability import is_before_cutoff
from hooklore.retrieval.query import RecallQuery
from hooklore.retrieval.ranking import Ranking
from hooklore.retrieval.recency import Hit
from hooklore.retrieval.term_rarity import term_rarities
from hooklore.shell.command import command_stem, is_test_command

_MAX_TERMS = 60
"""Terms of a failure that are searched for: its output has many, and the rare ones distinguish it."""

SIMILAR_FAILURE_THRESHOLD = 0.2
"""The likeness from which a failure's fix is a candidate for another: of 28 real ones .68 reach it."""
SAME_FAILURE_THRESHOLD = 0.4
"""The likeness from which two failures count as the same, for notes that nobody asked for. Of 59 real
repeats .86 reach it, of 148 failures that were seen for the first time .09 (coding_failfix)."""

_LIKENESS_WEIGHT = 20.0
"""Added to the score of a failure's words for a likeness of 1."""
_MAX_SAME_LINE = 50
_MAX_COMPARED = 12


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
        ordered = _interleave(failures, _find_fixes(reader, query, similar))
        return _distinct([*ordered, *_find_fixes(reader, query, failures)])

    def find_known(self, reader: Reader, query: RecallQuery) -> list[tuple[Record, int]]:
        """Return the fix of this very failure, else the failure, with how often it was seen.

        Return at most one, and none for a failure that was never seen before.
        """
        found = self._find_alike(reader, query, _MAX_COMPARED)
        same = [failure for like, failure in found if like >= SAME_FAILURE_THRESHOLD]
        fixes = [fix for fix in _find_fixes(reader, query, same) if has_steps(fix)]
        if fixes:
            return [(fix, 1) for fix in fixes if self._ranking.is_eligible(fix, query)][:1]
        repeats = [failure for failure in same if has_noteworthy_command(failure)]
        return [(repeats[0], len(repeats))] if repeats else []

    def fix_for_repeat(self, reader: Reader, query: RecallQuery) -> list[Record]:
        """Return the fix of a command that is about to fail again: its last two runs failed the same way.

        Return none when the command passed since, when no fix is known, and when the session was shown
        the fix already. Of 224 real commands whose last run failed in another session 195 failed again.
        """
        project = reader.principal.project
        if not query.command or not query.key or not project:
            return []
        last = reader.lookup(keys.failing_step(project, query.key), 2)
        if len(last) < 2 or self._is_fixed(last[0], query):
            return []
        lines, text = tuple(failure_signatures(last[0].body)), str(last[0].body.text or "")
        repeat = replace(query, signatures=lines, text=text)
        if _likeness(reader, _weigh_lines(reader, lines), repeat, last[1]) < SAME_FAILURE_THRESHOLD:
            return []
        return [fix for fix, _ in self.find_known(reader, repeat) if fix.kind == "fix"]

    def _is_fixed(self, failure: Record, query: RecallQuery) -> bool:
        """Return whether anything made a failure pass, also a step that the asker may not see."""
        fixes = self._broker.as_reader(PERSON).history(keys.fix_of(failure.id), 1)
        return any(is_before_cutoff(fix, query) for fix in fixes)

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
        project = reader.principal.project
        names = [keys.error_line(project, line) for line in query.signatures]
        if not names and query.key:
            names.append(keys.failing_step(project, query.key))
        found = [r for name in names for r in reader.lookup(name, _MAX_SAME_LINE)]
        return [r for r in found if self._ranking.is_eligible(r, query)]


def has_noteworthy_command(record: Record) -> bool:
    """Return whether the command of a failure or a fix deserves a note: a test, or a program's subcommand.

    That `ls` found nothing, or that a tool of the agent's was called wrongly, does not.
    """
    command = str(record.body.command or "")
    return bool(command) and (is_test_command(command) or command_stem(command) is not None)


def _likeness(
    reader: Reader, weights: dict[str, float], query: RecallQuery, failure: Record
) -> float:
    """Return how much two failures share of their error lines, from 0 to 1, rare terms counting more.

    `weights` are those of the terms of the query's lines. One line in common makes two failures similar,
    however many other lines there are. Where neither has a line, they are alike if the command is the
    same.
    """
    lines = failure_signatures(failure.body)
    if not lines and not query.signatures:
        return float(failure.body.key == query.key)
    theirs = weights if tuple(lines) == query.signatures else _weigh_lines(reader, lines)
    union = sum((weights | theirs).values())
    shared = sum(w for term, w in weights.items() if term in theirs) / union if union else 0.0
    has_common_line = not set(lines).isdisjoint(query.signatures)
    return max(shared, SIMILAR_FAILURE_THRESHOLD) if has_common_line else shared


def _weigh_lines(reader: Reader, lines: Iterable[str]) -> dict[str, float]:
    """Return the terms of error lines, each with how rare it is."""
    return term_rarities(reader, reader.terms("\n".join(lines)))


def _find_fixes(reader: Reader, query: RecallQuery, failures: list[Record]) -> list[Record]:
    """Return the fix of each failure that has one."""
    found = [fix for f in failures for fix in reader.lookup(keys.fix_of(f.id), 1)]
    return _distinct([fix for fix in found if is_before_cutoff(fix, query)])


def _interleave(failures: list[Record], fixes: list[Record]) -> list[Record]:
    """Return two failures, a fix, two failures, a fix, so that the first five hold both."""
    found: list[Record] = []
    for place in range(max((len(failures) + 1) // 2, len(fixes))):
        found += (*failures[2 * place : 2 * place + 2], *fixes[place : place + 1])
    return found


def _distinct(records: list[Record]) -> list[Record]:
    return list({record.id: record for record in records}.values())
