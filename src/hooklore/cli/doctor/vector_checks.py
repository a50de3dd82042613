"""Check whether memory is also searched by meaning: pure functions."""

import sys

from hooklore.agents.check import Check, failed, noted, passed, shell
from hooklore.cli.doctor.facts import Facts, Unknown, known


def meaning(facts: Facts) -> Check:
    """Search by meaning is on, or what it lacks. Words are searched in any case."""
    why = known(facts.user).no_vectors
    if why is not None:
        package = f"hooklore[{why.extra}]"
        install = shell(sys.executable, "-m", "pip", "install", package) if why.extra else None
        return noted("meaning", f"words alone: {why}", install)
    resident = facts.resident
    status = None if isinstance(resident, Unknown) else resident.status
    problem = (status or {}).get("vectors")
    if problem:
        return failed("meaning", f"words alone: {problem}", "hooks stop")
    return passed("meaning", "memory is searched by meaning, too")
