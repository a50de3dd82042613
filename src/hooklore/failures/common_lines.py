"""Lines that identify a failure: those that other commands' output does not have, counted in the log.

A shell prints a warning before everything, a hook prints its last line whether or not the commit is made.
Which lines say nothing differs from machine to machine, so that no list of words could name them.
"""

import re

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


def distinctive_lines(view: KeyLookup, failure: Record) -> list[str]:
    """Return the normalised lines that identify a failure, the most telling first.

    Return [] for a failure without such a line, and for a record that is no failure of the project's own.
    """
    if not is_project_failure(failure):
        return []
    found = view.lookup(keys.command_runs(failure.project or "-"), _RECENT_RUNS)
    runs = [
        (run, "\n".join((run.body.text or "", *run.body.passing_errors)).lower())
        for run in found
        if run.id != failure.id and is_project_command(str(run.body.command))
    ]
    # Of lines that report no error, a name alone (a file that `ls` listed) identifies nothing, and of a command
    # that prints what it reads nothing shorter than a sentence.
    least = _NAMES if is_project_command(str(failure.body.command)) else _SENTENCE
    return [
        line
        for line, text in candidate_texts(failure.body).items()
        if (reports_error(text) or ("\t" not in text and _count_words(text) >= least))
        and not _is_common(view, failure, line, _runs_with(runs, line, text))
    ]


def _count_words(text: str) -> int:
    return sum(_WORD.search(word) is not None for word in text.split())


def _runs_with(runs: list[tuple[Record, str]], line: str, text: str) -> list[Record]:
    """Return the runs whose recorded output has a line, which stands in the failure's output as `text`."""
    phrases = (phrase for phrase in _PHRASE.findall(text.lower()) if phrase in line)
    phrase = max(phrases, key=len, default="")
    with_phrase = ((run, output) for run, output in runs if phrase and phrase in output)
    return [
        run
        for run, output in with_phrase
        if any(normalize_known_line(o) == line for o in output.splitlines() if phrase in o)
    ]


def _is_common(view: KeyLookup, failure: Record, line: str, runs: list[Record]) -> bool:
    """Return whether so many other runs have a line that it says nothing of a failure.

    They are counted as far as every reader of the failure may know them.
    """
    key = keys.error_line(failure.project or "-", line)
    failures = take_visible(
        lambda most: view.lookup(key, most),
        _MAX_FAILURES,
        lambda record: may_be_quoted_in(record, failure),
    )
    found = {record.id: record for record in (*runs, *failures)}
    known = [record for record in found.values() if may_be_quoted_in(record, failure)]
    ended = view.held(keys.end_of(record.id) for record in known)
    active = [record for record in known if keys.end_of(record.id) not in ended]
    passed = {str(record.body.key) for record in active if record.kind != "error"}
    if failure.body.key in passed or len(passed) >= _MANY_PASSED:
        return True
    own = command_programs(str(failure.body.command))
    failed = {command_programs(str(r.body.command)) for r in active if r.kind == "error"}
    return sum(own.isdisjoint(programs) for programs in failed) >= _MANY_PROGRAMS
