"""Looks at the writes of this user's programs that wait for a gateway, or that a gateway refused."""

from hooklore.agents.check import Check, listed, shell
from hooklore.api.outbox import OutboxState, list_outboxes
from hooklore.cli.doctor.facts import Facts, known, noted, passed
from hooklore.text.plural import format_count

_HOUR = 3_600.0


def outbox_states(home: str) -> tuple[OutboxState, ...]:
    """Return the state of each outbox that has something."""
    looks = (box.look() for box in list_outboxes(home))
    return tuple(state for state in looks if state is not None)


def outbox(facts: Facts) -> Check:
    """Check that no write of a program waits for a gateway, and that none was refused."""
    found = known(facts.outboxes)
    if not found:
        return passed("no write waits for a gateway")
    refused = [each for each in found if each.refused]
    told = listed([_describe(each, facts.now) for each in refused or found])
    return noted(
        told, shell("ls", refused[0].folder + "/refused") if refused else "hooklore gateway"
    )


def _describe(state: OutboxState, now: float) -> str:
    parts = []
    if state.refused:
        refused = format_count(state.refused, "write")
        parts.append(f"{refused} refused by {state.url}, the last: {state.problem}")
    if state.waiting:
        hours = format_count(int(max(now - state.since, 0.0) / _HOUR), "hour")
        waiting = format_count(state.waiting, "write")
        parts.append(f"{waiting} for {state.url}, the oldest for {hours}: its program sends them")
    return ", ".join(parts)
