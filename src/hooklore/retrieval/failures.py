"""What is known of a failure: earlier ones like it, and what made them pass."""

from collections.abc import Iterable
from dataclasses import replace

from hooklore.broker.broker import Broker
from hooklore.broker.fix_links import failure_signatures, has_steps
from hooklore.records import keys
from hooklore.records.draft import Principal
from hooklore.records.record import Record
from hooklore.retrieval import scoring
from hooklore.retrieval.applicability import is_before_cutoff
from hooklore.retrieval.query import RecallQuery
from hooklore.retrieval.ranking import Ranking
from hooklore.retrieval.relevance import gate
from hooklore.shell.command import command_stem, is_test_command

_TERMS = 60
"""Words of a failure that are searched for: its output has many, and the rare ones tell it apart."""

SIMILAR_FAILURE_THRESHOLD = 0.2
"""From here on a failure's fix is a candidate for another (`likeness`): of 28 real ones .68 reach it."""
SAME_FAILURE_THRESHOLD = 0.4
"""From here on two failures are one, for what is shown without being asked: of 59 real ones .86 reach
it, of 148 that were seen for the first time .09 (coding_failfix)."""

_LIKENESS_WEIGHT = 20.0
"""What being the very same failure adds to the score of its words."""
_LOOKED_UP = 50
_COMPARED = 12


class FailureSearch:
    """Earlier failures like one, and their fixes."""

    def __init__(self, broker: Broker, ranking: Ranking) -> None:
        self._broker = broker
        self._ranking = ranking

    def search(self, asked: RecallQuery, who: Principal, limit: int) -> list[Record]:
        """Earlier failures, the most alike first; the fixes of those that are alike between them."""
        found = self._alike(asked, who, limit)
        failures = [failure for _, failure in found]
        known = self._fixes(
            asked, who, [f for like, f in found if like >= SIMILAR_FAILURE_THRESHOLD]
        )
        return _distinct([*_two_to_one(failures, known), *self._fixes(asked, who, failures)])

    def known(self, asked: RecallQuery, who: Principal) -> list[tuple[Record, int]]:
        """The fix that worked for this very failure, else the failure with how often it was seen.

        Nothing for a failure that was never seen before. At most one, with its count.
        """
        same = [
            f for like, f in self._alike(asked, who, _COMPARED) if like >= SAME_FAILURE_THRESHOLD
        ]
        fixes = [fix for fix in self._fixes(asked, who, same) if has_steps(fix)]
        if fixes:
            return [(fix, 1) for fix in fixes if self._ranking.is_eligible(fix, asked)][:1]
        again = [failure for failure in same if has_noteworthy_command(failure)]
        return [(again[0], len(again))] if again else []

    def fix_for_repeat(self, asked: RecallQuery, who: Principal) -> list[Record]:
        """The fix of a command that is about to fail again: it failed the same way twice, and last.

        Empty when it passed since, when no fix is known, and when this session was told already.
        Of 224 real commands whose last run failed in another session 195 failed again.
        """
        if not asked.command or not asked.key or not who.project:
            return []
        last = self._broker.lookup(keys.failing_step(who.project, asked.key), who, 2)
        if len(last) < 2 or self._has_ended(last[0], asked):
            return []
        lines, text = (
            tuple(failure_signatures(last[0].body)),
            str(last[0].body.text or ""),
        )
        again = replace(asked, signatures=lines, text=text)
        if self._likeness(self._weights(lines), again, last[1]) < SAME_FAILURE_THRESHOLD:
            return []
        return [fix for fix, _ in self.known(again, who) if fix.kind == "fix"]

    def _has_ended(self, failure: Record, asked: RecallQuery) -> bool:
        ends = self._broker.view.lookup(keys.fix_of(failure.id), 1)
        return any(is_before_cutoff(end, asked) for end in ends)

    def _alike(self, asked: RecallQuery, who: Principal, limit: int) -> list[tuple[float, Record]]:
        """(likeness, failure), best first: what shares its lines, then what shares its words."""
        words = "\n".join(filter(None, (*asked.signatures, asked.command, asked.text)))
        scores = {f.id: (score, f) for score, f in self._ranked(words, asked, who, limit)}
        for failure in self._of_same_line(asked, who):
            scores.setdefault(failure.id, (0.0, failure))
        ours = self._weights(asked.signatures)
        hits = [(score, self._likeness(ours, asked, f), f) for score, f in scores.values()]
        hits.sort(key=lambda hit: (hit[0] + _LIKENESS_WEIGHT * hit[1], hit[2].id), reverse=True)
        return [(like, failure) for _, like, failure in hits]

    def _ranked(
        self, text: str, asked: RecallQuery, who: Principal, limit: int
    ) -> list[tuple[float, Record]]:
        """(score, failure) of what shares words with a failure's lines, its command and its output."""
        bins, question = (
            scoring.weighted_bins(scoring.FAILURE_GROUP_WEIGHTS, who),
            self._ranking.question(text),
        )
        return self._ranking.ranked_hits(question, bins, asked, who, limit, most=_TERMS)

    def _of_same_line(self, asked: RecallQuery, who: Principal) -> list[Record]:
        tags = [keys.error_line(who.project, line) for line in asked.signatures]
        if not tags and asked.key:
            tags.append(keys.failing_step(who.project, asked.key))
        found = (r for tag in tags for r in self._broker.lookup(tag, who, _LOOKED_UP))
        return [r for r in found if self._ranking.is_eligible(r, asked)]

    def _likeness(self, ours: dict[str, float], asked: RecallQuery, failure: Record) -> float:
        """How much two failures say the same in the lines that say what failed: 0 to 1, by rarity.

        One line that is the same makes them alike, however many others there are; where neither says
        anything they are the same if the command is.
        """
        lines = failure_signatures(failure.body)
        if not lines and not asked.signatures:
            return float(failure.body.key == asked.key)
        theirs = self._weights(lines)
        union = sum((ours | theirs).values())
        shared = sum(w for term, w in ours.items() if term in theirs) / union if union else 0.0
        return (
            shared
            if set(lines).isdisjoint(asked.signatures)
            else max(shared, SIMILAR_FAILURE_THRESHOLD)
        )

    def _weights(self, lines: Iterable[str]) -> dict[str, float]:
        view = self._broker.view
        terms = view.terms("\n".join(lines))
        return {term: gate.floor_idf(view.idf(term), view.documents) for term in terms}

    def _fixes(self, asked: RecallQuery, who: Principal, failures: list[Record]) -> list[Record]:
        found = (r for f in failures for r in self._broker.lookup(keys.fix_of(f.id), who, 1))
        return _distinct([r for r in found if is_before_cutoff(r, asked)])


def has_noteworthy_command(record: Record) -> bool:
    """Whether the command of a failure, or of a fix, is worth a note: a test, or a program's subcommand.

    That `ls` found nothing, or that a tool of the agent's was called wrongly, is not.
    """
    command = str(record.body.command or "")
    return bool(command) and (is_test_command(command) or command_stem(command) is not None)


def _two_to_one(failures: list[Record], fixes: list[Record]) -> list[Record]:
    """Two failures, a fix, two failures, a fix: whoever reads five lines sees both."""
    found: list[Record] = []
    for place in range(max((len(failures) + 1) // 2, len(fixes))):
        found += (*failures[2 * place : 2 * place + 2], *fixes[place : place + 1])
    return found


def _distinct(records: list[Record]) -> list[Record]:
    return list({record.id: record for record in records}.values())
