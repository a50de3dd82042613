"""All checks, in the order of the report. Each is a pure function of the facts."""

from collections.abc import Callable
from dataclasses import replace

from hooklore.agents.agent import Agent
from hooklore.agents.check import Check
from hooklore.agents.diagnosis import SettingsCheck
from hooklore.cli.doctor import (
    launcher_checks,
    life_checks,
    memory_files,
    protocol_checks,
    registration_checks,
    server_checks,
    store_checks,
    vector_checks,
)
from hooklore.cli.doctor.facts import Facts, PartUnknownError, known

FactsCheck = Callable[[Facts], Check]
Named = tuple[str, FactsCheck]

_MACHINE: tuple[Named, ...] = (
    ("launcher", launcher_checks.launcher),
    ("interpreter", launcher_checks.interpreter),
    ("client", launcher_checks.client),
    ("entry files", launcher_checks.entry_files),
    ("command", launcher_checks.command),
    ("protocol", protocol_checks.protocol),
    ("store", store_checks.store),
    ("log", store_checks.log),
    ("log lock", store_checks.log_lock),
    ("modes", store_checks.modes),
    ("credentials", store_checks.credentials),
    ("leftovers", store_checks.leftovers),
    ("git", store_checks.git),
    ("synced folder", store_checks.synced_folder),
    ("file system", store_checks.file_system),
    ("foreign log", store_checks.foreign_log),
    ("room", store_checks.room),
    ("spool", store_checks.spool),
    ("quarantine", store_checks.quarantine),
    ("newer lines", store_checks.newer_lines),
    ("payloads", store_checks.payloads),
    ("redaction", store_checks.redaction),
    ("index", store_checks.index),
    ("resident", life_checks.resident),
    ("resident version", life_checks.resident_version),
    ("resident log", life_checks.resident_log),
    ("config", life_checks.settings_of_store),
    ("meaning", vector_checks.meaning),
    ("paused", life_checks.paused),
    ("switched off", life_checks.switched_off),
    ("this terminal", life_checks.this_terminal),
)


def checks_of(agent: Agent) -> tuple[Named, ...]:
    """Return every check of a machine whose first agent is this one, in the order of the report."""
    return (
        *_registration_checks(agent),
        *_MACHINE,
        *_life_checks(agent),
        ("canary stored", life_checks.canary_stored),
    )


def _registration_checks(agent: Agent) -> tuple[Named, ...]:
    own = ((name, _of_settings(check)) for name, check in agent.diagnosis().checks)
    return (
        ("registration", registration_checks.registration),
        *own,
        ("runs once", registration_checks.runs_once),
        ("registered text", registration_checks.registered_text),
        ("session environment", registration_checks.session_environment),
        *((("mcp server", server_checks.server),) if agent.registration().server else ()),
    )


def _of_settings(check: SettingsCheck) -> FactsCheck:
    return lambda facts: check(known(facts.settings))


def _life_checks(agent: Agent) -> tuple[Named, ...]:
    return (
        (agent.name.lower(), life_checks.client_program),
        ("fired", life_checks.fired),
        ("canary recalled", life_checks.canary_recalled),
        ("memory files", memory_files.memory_files),
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
        return check(facts)
    except PartUnknownError as error:
        return Check(name, False, f"it could not be checked: {error}", error.part.fix)
