"""Find the commands that failed the same way in their last two sessions."""

from collections.abc import Iterable, Iterator

from hooklore.broker.principal_reader import Reader
from hooklore.failures.error_signature import candidate_lines
from hooklore.failures.fix_reading import has_held, read_fix
from hooklore.failures.project_failure import is_project_failure
from hooklore.records import keys
from hooklore.records.record import Record
from hooklore.shell.command import command_stem, is_test_command

_MAX_SESSIONS = 3
"""Sessions, the newest, of which two saw a failure that is told to the next one: others rarely run its command."""

_MAX_ERRORS = 20
_MAX_RUNS = 20
_MAX_LINES = 3
_MAX_FIXES = 4
_MAX_SEEN = 24
_LIVED_WITH = 3
"""Sessions with one error from which on nobody expects the next one to mend it."""


def has_noteworthy_command(record: Record) -> bool:
    """Return whether the command of a failure deserves a note: a test, or a program's subcommand.

    That `ls` found nothing, or that a tool of the agent's was called wrongly, does not.
    """
    command = str(record.body.command or "")
    return bool(command) and (is_test_command(command) or command_stem(command) is not None)


def find_repeated(reader: Reader, key: str, session_id: str | None = None) -> Record | None:
    """Return the last failure of a command whose last runs in its last two sessions failed the same way.

    `key` is the command's. The session `session_id` asks, and does not count. The last failure must be open,
    or have been ended by a command: an environment is set up anew for every session.
    """
    last = _last_failures(reader, key, session_id)
    if len(last) < 2 or _is_over(reader, last[0]):
        return None
    newest, older = (reader.distinctive_lines(failure) for failure in last)
    is_same = not set(newest).isdisjoint(older) if newest or older else True
    return last[0] if is_same else None


def _is_over(reader: Reader, failure: Record) -> bool:
    """Return whether a failure passed and is not expected again, also by a step that the reader may not see."""
    key = keys.fix_of(failure.id)
    found = (read_fix(reader, fix) for fix in reader.lookup(key, _MAX_FIXES))
    is_of_setup = any(fix is not None and fix.body.fix_kind == "command" for fix in found)
    return reader.has(key) and not is_of_setup


def _last_failures(reader: Reader, key: str, session_id: str | None) -> list[Record]:
    """Return the last failure of a command in each of the last two sessions in which it failed."""
    project = reader.principal.project
    runs = reader.lookup(keys.failing_step(project, key), _MAX_RUNS) if project else []
    last: dict[str, Record] = {}
    for run in runs:
        if run.session_id and run.session_id != session_id and is_project_failure(run):
            last.setdefault(run.session_id, run)
    return list(last.values())[:2]


def list_repeated(reader: Reader, session_id: str | None) -> list[Record]:
    """Return what is told of repeated failures, newest first: the fix that held, else the failure."""
    found: dict[str, Record] = {}
    for key in _list_open_keys(reader, session_id):
        failure = find_repeated(reader, key, session_id)
        if failure is not None:
            told = next(_find_fixes(reader, failure), failure)
            if told is not failure or not is_lived_with(reader, failure):
                found.setdefault(told.id, told)
    return list(found.values())


def is_lived_with(reader: Reader, failure: Record, before: str | None = None) -> bool:
    """Return whether several sessions saw a failure and left it, as of the id `before`.

    From then on it is told where it occurs: a service that is not there is no open work of each session.
    """
    line = next(iter(candidate_lines(failure.body)), None)
    key = keys.error_line(failure.project or "-", line)
    seen = reader.history(key, _MAX_SEEN) if line else []
    sessions = {each.session_id for each in seen if before is None or each.id < before}
    return len(sessions) >= _LIVED_WITH


def _list_open_keys(reader: Reader, session_id: str | None) -> list[str]:
    """Return the keys of the commands that failed in at least two of the last sessions, newest first."""
    failing: dict[str, set[str]] = {}
    for session in _last_sessions(reader, session_id):
        for failure in reader.lookup(keys.errors_in(session), _MAX_ERRORS):
            if is_project_failure(failure) and has_noteworthy_command(failure):
                failing.setdefault(str(failure.body.key), set()).add(session)
    return [key for key, found in failing.items() if len(found) > 1]


def _last_sessions(reader: Reader, session_id: str | None) -> list[str]:
    project = reader.principal.project
    key = keys.of_kind("session_start", project)
    starts = reader.lookup(key, 2 * _MAX_SESSIONS) if project else []
    sessions = dict.fromkeys(str(start.session_id) for start in starts if start.session_id)
    return [session for session in sessions if session != session_id][:_MAX_SESSIONS]


def _find_fixes(reader: Reader, failure: Record) -> Iterator[Record]:
    """Yield the fixes of failures with the same lines that held, newest first."""
    found = {
        fix.id: fix
        for line in reader.distinctive_lines(failure)[:_MAX_LINES]
        for fix in reader.lookup(keys.fix_of_line(failure.project, line), _MAX_FIXES)
    }
    return _that_held(reader, (found[id_] for id_ in sorted(found, reverse=True)))


def _that_held(reader: Reader, fixes: Iterable[Record]) -> Iterator[Record]:
    for fix in fixes:
        told = read_fix(reader, fix)
        if told is not None and has_held(reader, told):
            yield told
