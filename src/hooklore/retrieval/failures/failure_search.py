"""Find and tell what is known of a failure: earlier failures like it, and the fixes that made them pass."""

import re
from dataclasses import replace

from hooklore.broker.broker import Broker
from hooklore.broker.principal_reader import Reader
from hooklore.failures.error_signature import candidate_lines, candidate_texts
from hooklore.failures.fix_reading import came_back, has_held, read_fix
from hooklore.failures.fix_text import named_test
from hooklore.prompt.frame import make_note, sanitize_for_prompt
from hooklore.prompt.note import Note
from hooklore.records import keys
from hooklore.records.draft import PERSON
from hooklore.records.record import Record
from hooklore.retrieval import scoring
from hooklore.retrieval.applicability import is_before_cutoff
from hooklore.retrieval.failures.open_failures import find_repeated, has_noteworthy_command
from hooklore.retrieval.notes import quote_record
from hooklore.retrieval.query import RecallQuery
from hooklore.retrieval.ranking import Ranking
from hooklore.retrieval.relevance.gate import term_rarities
from hooklore.retrieval.result_order import Hit
from hooklore.text.token_estimate import estimate_tokens

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
_MAX_NOTE_TOKENS = 25

_MISSING = re.compile(r"not find|not found|no such|can(?:no|')t resolve|no module named")
_QUOTED = re.compile(r"[`'\"]([^`'\"]+)[`'\"]")


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
        # Two failures, a fix, two failures, a fix, so that the first five hold both.
        ordered: list[Record] = []
        for place in range(max((len(failures) + 1) // 2, len(links))):
            ordered += (*failures[2 * place : 2 * place + 2], *links[place : place + 1])
        return _distinct([*ordered, *_links_of(reader, query, failures)])

    def note_known(self, reader: Reader, query: RecallQuery) -> list[tuple[str, str]]:
        """Return the note of a failure: the newest fix of this very one that held, else how often it was seen.

        Return none for a failure without a fix that fewer than three other sessions saw, and where the session
        was told already.
        """
        same = self._find_same(reader, query)
        fix = self._newest_that_held(reader, query, same)
        if fix is not None:
            is_new = self._ranking.is_eligible(fix, query)
            return [(fix.id, quote_record(fix, reader.principal))] if is_new else []
        seen = [failure for failure in same if _has_line(failure, set(query.signatures))]
        repeats = sorted(filter(has_noteworthy_command, seen), key=_by_id)
        sessions = {each.session_id for each in repeats} - {query.session_id, None}
        if len(sessions) < _MIN_SESSIONS or _names_own_change(reader, query):
            return []
        return [_note_seen(repeats, len(sessions), query)]

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
        fix = self._newest_that_held(reader, repeat, self._find_same(reader, repeat))
        return [fix] if fix is not None and self._ranking.is_eligible(fix, repeat) else []

    def _find_same(self, reader: Reader, query: RecallQuery) -> list[Record]:
        found = self._find_alike(reader, query, _MAX_COMPARED)
        return [failure for like, failure in found if like >= SAME_FAILURE_THRESHOLD]

    def _newest_that_held(
        self, reader: Reader, query: RecallQuery, same: list[Record]
    ) -> Record | None:
        """Return the newest fix of these failures that held; those with a line of the query's come first.

        The change of a file mended its own error alone: the first line must be the same, and be told with it.
        """
        owner, lines = self._broker.as_reader(PERSON), set(query.signatures)

        for of_line in (True, False):
            failures = [failure for failure in same if _has_line(failure, lines) == of_line]
            links = _links_of(reader, query, failures)
            told = (fix for link in links if (fix := read_fix(reader, link)) is not None)
            fixes = sorted(told, key=_by_id, reverse=True)
            for fix in fixes[:_MAX_FIXES]:
                if _bears_on_failure(reader, fix, query, has_line=of_line) and has_held(
                    owner, fix, query.before_id, query.session_id
                ):
                    return fix
        return None

    def _find_alike(self, reader: Reader, query: RecallQuery, limit: int) -> list[Hit]:
        """Return (likeness, failure) of failures that share words or lines with a failure, best first."""
        text = "\n".join(filter(None, (*query.signatures, query.command, query.text)))
        scope = self._ranking.scope(reader, query, scoring.FAILURE_GROUP_WEIGHTS)
        ranked = self._ranking.rank(scope, reader.question(text), limit, most=_MAX_TERMS)
        scores = {f.id: (score, f) for score, f in ranked.hits}
        project = reader.principal.project or "-"
        names = [keys.error_line(project, line) for line in query.signatures]
        if not names and query.key:
            names.append(keys.failing_step(project, query.key))
        for failure in (r for name in names for r in reader.lookup(name, MAX_COUNTED)):
            if self._ranking.is_eligible(failure, query):
                scores.setdefault(failure.id, (0.0, failure))
        weights = term_rarities(reader, reader.terms("\n".join(query.signatures)))
        hits = [(score, _likeness(reader, weights, query, f), f) for score, f in scores.values()]
        hits.sort(key=lambda hit: (hit[0] + _LIKENESS_WEIGHT * hit[1], hit[2].id), reverse=True)
        return [(like, failure) for _, like, failure in hits]


def _note_seen(repeats: list[Record], sessions: int, query: RecallQuery) -> tuple[str, str]:
    """Return the id and the note of a failure without a fix that `sessions` other ones saw, the oldest first.

    The note quotes at most a test's name, so it needs no origin. The name says which of several failed tests
    was seen before: the others may be new.
    """
    newest = repeats[-1]
    more = "at least " if len(repeats) >= MAX_COUNTED else ""
    seen = f"seen in {more}{sessions} other sessions since {repeats[0].ts[:10]}"
    lines = candidate_texts(newest.body)
    test = named_test(lines[line] for line in query.signatures if line in lines)
    id_, name = make_note(newest, "").id, sanitize_for_prompt(test)
    named = Note(id_, f"{name} was {seen}", ()).render()
    if name and estimate_tokens(named) <= _MAX_NOTE_TOKENS:
        return newest.id, named
    return newest.id, Note(id_, seen, ()).render()


def _bears_on_failure(reader: Reader, fix: Record, query: RecallQuery, *, has_line: bool) -> bool:
    """Return whether a fix may be told at the failure that `query` describes.

    `has_line` says that the failure has a line of the one that the fix ended. Without it an edit is not told,
    nor a repaired command, as another error rejects another word; a command is not where the two miss
    different things.
    """
    if fix.body.evidence == "repaired" and not has_line:
        return False
    if fix.body.fix_kind == "edit":
        return has_line and _mended_the_same(reader, fix, query)
    return has_line or not _misses_another(reader, fix, query)


def _mended_the_same(reader: Reader, fix: Record, query: RecallQuery) -> bool:
    """Return whether an edit ended a failure with the first line of another one, and tells that error.

    Where its sentence names no error, all lines must be the same, and the failure must have stayed away: of a
    broad command, one line in common is often that of a test which fails whatever the cause.
    """
    lines = set(query.signatures)
    ended = [f for id_ in fix.body.failures for f in reader.find(id_)[:1]]
    owns = [
        own for failure in ended if not lines.isdisjoint((own := candidate_lines(failure.body))[:1])
    ]
    if not owns or fix.body.tells_error:
        return bool(owns)
    return lines in map(set, owns) and not came_back(reader, fix, query.before_id, query.session_id)


def _misses_another(reader: Reader, fix: Record, query: RecallQuery) -> bool:
    """Return whether a failure and the one that a fix ended each miss something, and not the same."""
    ended = (f for id_ in fix.body.failures[:1] for f in reader.find(id_)[:1])
    first = next((line for failure in ended for line in candidate_lines(failure.body)), "")
    lines = (first, next(iter(query.signatures), ""))
    # What an error line quotes first is missing, if the line says that something is.
    names = [found[1] for x in lines if _MISSING.search(x) and (found := _QUOTED.search(x))]
    return len(names) > 1 and names[0] != names[1]


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
    theirs = weights
    if tuple(lines) != query.signatures:
        theirs = term_rarities(reader, reader.terms("\n".join(lines)))
    union = sum((weights | theirs).values())
    shared = sum(w for term, w in weights.items() if term in theirs) / union if union else 0.0
    has_common_line = not set(lines).isdisjoint(query.signatures)
    return max(shared, SIMILAR_FAILURE_THRESHOLD) if has_common_line else shared


def _links_of(reader: Reader, query: RecallQuery, failures: list[Record]) -> list[Record]:
    """Return the record of how each failure ended, also of one that nothing explains."""
    found = (link for f in failures for link in reader.lookup(keys.fix_of(f.id), 1))
    return _distinct([link for link in found if is_before_cutoff(link, query)])


def _distinct(records: list[Record]) -> list[Record]:
    return list({record.id: record for record in records}.values())


def _by_id(record: Record) -> str:
    return record.id
