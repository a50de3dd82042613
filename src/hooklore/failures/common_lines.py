"""Lines that identify a failure: those that other commands' output does not have, counted in the log.

A shell prints a warning before everything, a hook prints its last line whether or not the commit is made.
Which lines say nothing differs from machine to machine, so that no list of words could name them.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from hooklore.failures.error_signature import candidate_texts, normalize_known_line, reports_error
from hooklore.failures.project_failure import is_project_failure
from hooklore.records import keys
from hooklore.records.access import may_be_quoted_in
from hooklore.records.key_lookup import KeyLookup
from hooklore.records.record import Record
from hooklore.records.visible_prefix import take_visible
from hooklore.shell.command import command_programs, is_project_command

_RECENT_RUNS = 200
"""Commands of the project, the newest, whose outputs are compared."""
_MAX_FAILURES = 16
"""Failures with a line, the newest, whose programs are counted."""

_MANY_PASSED = 2
"""Other commands that passed with a line that therefore identifies nothing. Of the same command one is enough."""
_MANY_PROGRAMS = 3
"""Unrelated programs that failed with a line that therefore identifies nothing: one error has few reporters."""

_NAMES = 2
_SENTENCE = 5
"""Words that a line needs to say something, where it does not report an error."""

_PHRASE = re.compile(r"[^\W\d_]+(?: [^\W\d_]+)*")
"""Words that stand in a line before and after it is normalised."""

_WORD = re.compile(r"[^\W\d]+")


@dataclass(slots=True)
class _Sightings:
    """Other runs whose output has a line: the keys of those that passed, the programs of those that failed."""

    passed: set[str] = field(default_factory=set)
    failed: set[frozenset[str]] = field(default_factory=set)

    def are_common(self, own_key: str | None) -> bool:
        """Return whether so many runs have the line that it says nothing of a failure of `own_key`."""
        if own_key in self.passed or len(self.passed) >= _MANY_PASSED:
            return True
        return len(self.failed) >= _MANY_PROGRAMS


def distinctive_lines(view: KeyLookup, failure: Record) -> list[str]:
    """Return the normalised lines that identify a failure, the most telling first.

    Return [] for a failure without such a line, and for a record that is no failure of the project's own.
    """
    if not is_project_failure(failure):
        return []
    runs = _recent_runs(view, failure)
    return [
        line
        for line, text in _own_lines(failure).items()
        if not _sightings(view, failure, line, _runs_with(runs, line, text)).are_common(
            failure.body.key
        )
    ]


def _own_lines(failure: Record) -> dict[str, str]:
    """Return the error lines of a failure by their normalised forms.

    Of lines that report no error, a name alone (a file that `ls` listed) identifies nothing, and of a command
    that prints what it reads nothing shorter than a sentence.
    """
    least = _NAMES if is_project_command(str(failure.body.command)) else _SENTENCE
    return {
        line: text
        for line, text in candidate_texts(failure.body).items()
        if reports_error(text) or ("\t" not in text and _count_words(text) >= least)
    }


def _count_words(text: str) -> int:
    return sum(_WORD.search(word) is not None for word in text.split())


def _recent_runs(view: KeyLookup, failure: Record) -> list[tuple[Record, str]]:
    """Return the project's newest other runs of commands that print their own words, with their outputs."""
    found = view.lookup(keys.command_runs(failure.project or "-"), _RECENT_RUNS)
    return [
        (run, "\n".join((run.body.text or "", *run.body.passing_errors)).lower())
        for run in found
        if run.id != failure.id and is_project_command(str(run.body.command))
    ]


def _runs_with(runs: list[tuple[Record, str]], line: str, text: str) -> Iterator[Record]:
    """Yield the runs whose recorded output has a line, which stands in the failure's output as `text`."""
    phrases = (phrase for phrase in _PHRASE.findall(text.lower()) if phrase in line)
    phrase = max(phrases, key=len, default="")
    for run, output in runs:
        if phrase and phrase in output and _has_line(output, phrase, line):
            yield run


def _has_line(output: str, phrase: str, line: str) -> bool:
    printed = (each for each in output.splitlines() if phrase in each)
    return any(normalize_known_line(each) == line for each in printed)


def _sightings(view: KeyLookup, failure: Record, line: str, runs: Iterator[Record]) -> _Sightings:
    """Return where else a line stands, as far as every reader of the failure may know it."""
    found = {record.id: record for record in (*runs, *_failures_with(view, failure, line))}
    known = [record for record in found.values() if may_be_quoted_in(record, failure)]
    ended = view.held(keys.end_of(record.id) for record in known)
    own, sightings = command_programs(str(failure.body.command)), _Sightings()
    for record in known:
        programs = command_programs(str(record.body.command))
        if keys.end_of(record.id) in ended:
            continue
        if record.kind != "error":
            sightings.passed.add(str(record.body.key))
        elif own.isdisjoint(programs):
            sightings.failed.add(programs)
    return sightings


def _failures_with(view: KeyLookup, failure: Record, line: str) -> list[Record]:
    """Return the newest failures with a line that readers of `failure` may know; itself is among them."""
    key = keys.error_line(failure.project or "-", line)
    return take_visible(
        lambda most: view.lookup(key, most),
        _MAX_FAILURES,
        lambda record: may_be_quoted_in(record, failure),
    )
