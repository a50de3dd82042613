"""Lines that identify a failure: those that other commands' output does not have, counted in the log."""

from hooklore.index import keys
from hooklore.index.view import View
from hooklore.records.access import may_be_quoted_in
from hooklore.records.project_failure import is_project_failure
from hooklore.records.record import Record
from hooklore.shell.command import command_programs
from hooklore.shell.error_signature import candidate_lines

_MAX_FAILURES = 50
_COMMON_PROGRAMS = 3
"""Programs, other than the failed one, whose failures have a line that identifies nothing."""


def distinctive_lines(view: View, failure: Record) -> list[str]:
    """Return the normalised lines that identify a failure, the most telling first.

    Return [] for a failure without such a line, and for a record that is no failure of the project's own.
    """
    if not is_project_failure(failure):
        return []
    return [line for line in candidate_lines(failure.body) if not _is_common(view, failure, line)]


def _is_common(view: View, failure: Record, line: str) -> bool:
    """Return whether failures of unrelated programs have a line, too."""
    own = command_programs(str(failure.body.command))
    found = view.lookup(keys.error_line(failure.project or "-", line), _MAX_FAILURES)
    others = {
        programs
        for other in found
        if may_be_quoted_in(other, failure)
        and own.isdisjoint(programs := command_programs(str(other.body.command)))
    }
    return len(others) >= _COMMON_PROGRAMS
