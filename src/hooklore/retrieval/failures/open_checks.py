"""Find the checks that a session left failing and that are work still: nothing has ended or explained them."""

from collections.abc import Iterator

from hooklore.broker.principal_reader import Reader
from hooklore.failures.environment_error import is_environment_error
from hooklore.failures.fix_text import command_text
from hooklore.prompt.error_line import quotable_error_line
from hooklore.records import keys
from hooklore.records.record import Record
from hooklore.retrieval.failures.repeated import is_lived_with

_READ_FIXES = 20
_LONGEST = 400
"""Characters by which two commands are compared."""


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
            if command not in told and _is_work(reader, failure, before):
                yield failure
            told.add(command)


def _is_work(reader: Reader, failure: Record, before: str | None) -> bool:
    lines = (*failure.body.errors[:1], quotable_error_line(failure.body))
    return not (
        any(is_environment_error(str(line)) for line in lines)
        or is_fixed(reader, failure.id, before)
        or is_lived_with(reader, failure, before)
    )


def is_fixed(reader: Reader, failure: str, before: str | None) -> bool:
    """Return whether a fix older than the id `before` ended a failure, also one that the reader may not see."""
    key = keys.fix_of(failure)
    if before is None:
        return reader.has(key)
    return any(fix.id < before for fix in reader.history(key, _READ_FIXES))
