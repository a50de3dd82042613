"""All checks, in the order of the report. Each is a pure function: what was found -> one line."""

from collections.abc import Callable

from hooklore.cli.doctor import (
    launcher_checks,
    life_checks,
    registration_checks,
    store_checks,
    vector_checks,
)
from hooklore.cli.doctor.check import Check
from hooklore.cli.doctor.facts import Facts, PartUnknownError

CHECKS: tuple[tuple[str, Callable[[Facts], Check]], ...] = (
    ("registration", registration_checks.registration),
    ("subdirectory", registration_checks.subdirectory),
    ("settings files", registration_checks.settings_files),
    ("hooks enabled", registration_checks.hooks_enabled),
    ("config directory", registration_checks.config_directory),
    ("runs once", registration_checks.runs_once),
    ("registered text", registration_checks.registered_text),
    ("session environment", registration_checks.session_environment),
    ("launcher", launcher_checks.launcher),
    ("interpreter", launcher_checks.interpreter),
    ("client", launcher_checks.client),
    ("entry files", launcher_checks.entry_files),
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
    ("claude code", life_checks.claude_code),
    ("fired", life_checks.fired),
    ("canary recalled", life_checks.canary_recalled),
    ("canary stored", life_checks.canary_stored),
)


def judge(facts: Facts) -> list[Check]:
    """Every check's line. One whose part could not be looked at fails, and says why."""
    return [_judged(name, check, facts) for name, check in CHECKS]


def _judged(name: str, check: Callable[[Facts], Check], facts: Facts) -> Check:
    try:
        return check(facts)
    except PartUnknownError as error:
        return Check(name, False, f"it could not be checked: {error}", error.part.fix)
