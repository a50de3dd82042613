"""Find the failures that are open: checks that a session left failing, commands that failed twice the same way."""

from collections.abc import Iterator

from hooklore.broker.principal_reader import Reader
from hooklore.failures.environment_error import is_environment_error
from hooklore.failures.error_signature import candidate_lines
from hooklore.failures.fix_reading import has_held, read_fix
from hooklore.failures.fix_text import command_text
from hooklore.failures.project_failure import is_project_failure
from hooklore.prompt.error_line import quotable_error_line
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
_READ_FIXES = 20
_LONGEST = 400
"""Characters by which two commands are compared."""

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
    project = reader.principal.project
    runs = reader.lookup(keys.failing_step(project, key), _MAX_RUNS) if project else []
    by_session: dict[str, Record] = {}
    for run in runs:
        if run.session_id and run.session_id != session_id and is_project_failure(run):
            by_session.setdefault(run.session_id, run)
    last = list(by_session.values())[:2]
    if len(last) < 2:
        return None
    # A fix counts also where the reader may not see it.
    fix = keys.fix_of(last[0].id)
    if reader.has(fix):
        told = (read_fix(reader, link) for link in reader.lookup(fix, _MAX_FIXES))
        if not any(each is not None and each.body.fix_kind == "command" for each in told):
            return None
    newest, older = (reader.distinctive_lines(failure) for failure in last)
    is_same = not set(newest).isdisjoint(older) if newest or older else True
    return last[0] if is_same else None


def list_repeated(reader: Reader, session_id: str | None) -> list[Record]:
    """Return what is told of repeated failures, newest first: the fix that held, else the failure."""
    found: dict[str, Record] = {}
    for key in _list_open_keys(reader, session_id):
        failure = find_repeated(reader, key, session_id)
        if failure is None:
            continue
        fixes = {
            fix.id: fix
            for line in reader.distinctive_lines(failure)[:_MAX_LINES]
            for fix in reader.lookup(keys.fix_of_line(failure.project, line), _MAX_FIXES)
        }
        read = (read_fix(reader, fixes[id_]) for id_ in sorted(fixes, reverse=True))
        told = next((fix for fix in read if fix is not None and has_held(reader, fix)), None)
        if told is not None or not _is_lived_with(reader, failure):
            found.setdefault((told or failure).id, told or failure)
    return list(found.values())


def _list_open_keys(reader: Reader, session_id: str | None) -> list[str]:
    """Return the keys of the commands that failed in at least two of the last sessions, newest first."""
    project = reader.principal.project
    key = keys.of_kind("session_start", project)
    starts = reader.lookup(key, 2 * _MAX_SESSIONS) if project else []
    ids = dict.fromkeys(str(start.session_id) for start in starts if start.session_id)
    failing: dict[str, set[str]] = {}
    for session in [each for each in ids if each != session_id][:_MAX_SESSIONS]:
        for failure in reader.lookup(keys.errors_in(session), _MAX_ERRORS):
            if is_project_failure(failure) and has_noteworthy_command(failure):
                failing.setdefault(str(failure.body.key), set()).add(session)
    return [key for key, found in failing.items() if len(found) > 1]


def _is_lived_with(reader: Reader, failure: Record, before: str | None = None) -> bool:
    """Return whether several sessions saw a failure and left it, as of the id `before`.

    From then on it is told where it occurs: a service that is not there is no open work of each session.
    """
    line = next(iter(candidate_lines(failure.body)), None)
    key = keys.error_line(failure.project or "-", line)
    seen = reader.history(key, _MAX_SEEN) if line else []
    sessions = {each.session_id for each in seen if before is None or each.id < before}
    return len(sessions) >= _LIVED_WITH


def list_open_checks(reader: Reader, end: Record, before: str | None = None) -> Iterator[Record]:
    """Yield the failures of checks that the end of a session, or a compaction, names and that are open work.

    Nothing made them pass since, several sessions have not left the error as it was, and it is no error of the
    environment: a program that is not installed is no work of the next session. Of one command
    the newest failure counts. `before` is an id: only what is older counts, and all without it. An older end
    does not name its failures.
    """
    told: set[str] = set()
    for id_ in map(str, end.body.failures):
        for failure in reader.find(id_)[:1]:
            command = command_text(failure.body, _LONGEST)
            lines = (*failure.body.errors[:1], quotable_error_line(failure.body))
            if command not in told and not any(is_environment_error(str(x)) for x in lines):
                # A fix counts also where the reader may not see it.
                key = keys.fix_of(failure.id)
                is_fixed = reader.has(key)
                if before is not None:
                    is_fixed = any(fix.id < before for fix in reader.history(key, _READ_FIXES))
                if not is_fixed and not _is_lived_with(reader, failure, before):
                    yield failure
            told.add(command)
