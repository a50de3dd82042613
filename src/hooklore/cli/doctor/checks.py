"""All checks, in the order of the report. Each is a pure function of the facts."""

from dataclasses import replace

from hooklore.agents.agent import Agent
from hooklore.agents.check import Check
from hooklore.agents.diagnosis import SettingsCheck
from hooklore.cli.doctor import launcher_checks, life_checks, registration_checks, store_checks
from hooklore.cli.doctor.facts import Facts, PartUnknownError, known
from hooklore.cli.doctor.finding import FactsCheck
from hooklore.cli.doctor.memory_files import memory_files

Named = tuple[str, FactsCheck]


def checks_of(agent: Agent) -> tuple[Named, ...]:
    """Return every check of a machine whose first agent is this one, in the order of the report."""
    modules = (launcher_checks, store_checks, life_checks)
    machine = (each for module in modules for each in module.CHECKS.items())
    stored = ("canary stored", life_checks.canary_stored)
    return (*_registration_checks(agent), *machine, *_life_checks(agent), stored)


def _registration_checks(agent: Agent) -> tuple[Named, ...]:
    own = ((name, _of_settings(check)) for name, check in agent.diagnosis().checks)
    server = (("mcp server", registration_checks.server),) if agent.registration().server else ()
    first = ("registration", registration_checks.registration)
    return (first, *own, *registration_checks.CHECKS.items(), *server)


def _of_settings(check: SettingsCheck) -> FactsCheck:
    return lambda facts: check(known(facts.settings))


def _life_checks(agent: Agent) -> tuple[Named, ...]:
    return (
        (agent.name.lower(), life_checks.client_program),
        ("fired", life_checks.fired),
        ("canary recalled", life_checks.canary_recalled),
        ("memory files", memory_files),
    )


def judge(facts: Facts) -> list[Check]:
    """Return the line of every check. A check whose part could not be looked at fails, and says why.

    The checks of further agents follow, their names with the agent's in front.
    """
    found = [_judged(name, check, facts) for name, check in checks_of(facts.agent)]
    for other in facts.others:
        checks = (*_registration_checks(other.agent), *_life_checks(other.agent))
        judged = (_judged(name, check, facts.of(other)) for name, check in checks)
        found += [replace(each, name=f"{other.agent.name}: {each.name}") for each in judged]
    return found


def _judged(name: str, check: FactsCheck, facts: Facts) -> Check:
    try:
        found = check(facts)
    except PartUnknownError as error:
        return Check(name, False, f"it could not be checked: {error}", error.part.fix)
    return found if isinstance(found, Check) else Check(name, *found)
