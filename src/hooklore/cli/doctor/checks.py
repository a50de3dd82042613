"""All checks, in the order of the report. Each is a pure function of the facts."""

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from hooklore.agents.agent import Agent
from hooklore.agents.check import Check
from hooklore.agents.diagnosis import SettingsCheck
from hooklore.cli.doctor import launcher_checks, life_checks, registration_checks, store_checks
from hooklore.cli.doctor.access_tokens_check import access_tokens
from hooklore.cli.doctor.facts import Facts, FactsCheck, PartUnknownError, known
from hooklore.cli.doctor.memory_files import memory_files
from hooklore.cli.doctor.outbox_check import outbox

Named = tuple[str, FactsCheck]


def checks_of(agent: Agent) -> tuple[Named, ...]:
    """Return every check of a machine whose first agent is this one, in the order of the report."""
    gateway = (access_tokens, outbox)
    machine = (*launcher_checks.CHECKS, *store_checks.CHECKS, *gateway, *life_checks.CHECKS)
    stored = _named((life_checks.canary_stored,))
    return (*_registration_checks(agent), *_named(machine), *_life_checks(agent), *stored)


def _named(checks: Iterable[FactsCheck]) -> tuple[Named, ...]:
    return tuple((check.__name__.replace("_", " "), check) for check in checks)


def _registration_checks(agent: Agent) -> tuple[Named, ...]:
    own = ((name, partial(_of_settings, check)) for name, check in agent.diagnosis().checks)
    server = (("mcp server", registration_checks.server),) if agent.registration().server else ()
    first = ("registration", registration_checks.registration)
    return (first, *own, *_named(registration_checks.CHECKS), *server)


def _of_settings(check: SettingsCheck, facts: Facts) -> Check:
    return check(known(facts.settings))


def _life_checks(agent: Agent) -> tuple[Named, ...]:
    client = (agent.name.lower(), life_checks.client_program)
    return (client, *_named((life_checks.fired, life_checks.canary_recalled, memory_files)))


def judge(facts: Facts) -> list[Check]:
    """Return the line of every check, those of further agents last. A check whose part is unknown fails."""
    found = [_judged(name, check, facts) for name, check in checks_of(facts.agent)]
    for other in facts.others:
        checks = (*_registration_checks(other.agent), *_life_checks(other.agent))
        judged = (_judged(name, check, other) for name, check in checks)
        found += [replace(each, name=f"{other.agent.name}: {each.name}") for each in judged]
    return found


def _judged(name: str, check: FactsCheck, facts: Facts) -> Check:
    try:
        found = check(facts)
    except PartUnknownError as error:
        return Check(name, False, f"it could not be checked: {error}", error.part.fix)
    return found if found.name else replace(found, name=name)
