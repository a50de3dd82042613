"""Whether memory is searched by meaning, too: pure functions."""

import sys

from hooklore.cli.doctor.check import Check, failed, noted, passed, shell
from hooklore.cli.doctor.facts import Facts, Unknown, known
from hooklore.retrieval.semantic.availability import is_installable


def meaning(facts: Facts) -> Check:
    """Search by meaning is on, or what it lacks. Words are searched in any case."""
    why = known(facts.user).no_vectors
    if why is not None:
        extra = "mem0" if "mem0" in why else "semantic"
        install = shell(sys.executable, "-m", "pip", "install", f"hooklore[{extra}]")
        return noted("meaning", f"words alone: {why}", install if is_installable(why) else None)
    resident = facts.resident
    status = None if isinstance(resident, Unknown) else resident.status
    problem = (status or {}).get("vectors")
    if problem:
        return failed("meaning", f"words alone: {problem}", "hooks stop")
    return passed("meaning", "memory is searched by meaning, too")
