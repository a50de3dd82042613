"""The settings that Codex CLI loads, and whether its user trusts the hooks in them."""

from collections import Counter
from collections.abc import Mapping

from hooklore.agents.check import Check, failed, noted, passed
from hooklore.agents.codex.app_server import COMPLAINT, hook_trust
from hooklore.agents.codex.registering import INSTALL, REGISTRATION, TO_DO
from hooklore.agents.diagnosis import Diagnosis, SettingsFacts

_TRUST = "hook trust"
_TRUSTED = frozenset(("trusted", "managed"))


def ask_client(settings: SettingsFacts, environment: Mapping[str, str]) -> Mapping[str, str]:
    """Return the client's own word on the trust of each event's hook of ours, by event."""
    if not any(file.groups for file in settings.loaded):
        return {}
    return hook_trust(settings.start, environment)


def _settings_files(settings: SettingsFacts) -> Check:
    """Fail for a file that the client cannot read: it runs none of the hooks in the file."""
    found = DIAGNOSIS.check_files(settings)
    if found.ok is False:
        return found
    if COMPLAINT in settings.told:
        detail = f"Codex CLI {settings.told[COMPLAINT]}"
        return failed("settings files", detail, "correct that file")
    return passed("settings files", "valid")


def _hook_trust(settings: SettingsFacts) -> Check:
    """Check that the user trusts the hooks: the client skips every other hook, and does not say so."""
    if not settings.told.keys() - {COMPLAINT}:
        return noted(_TRUST, f"Codex CLI was not asked: {TO_DO}", "codex")
    counts = Counter(
        "trusted" if status in _TRUSTED else status
        for event, status in settings.told.items()
        if event != COMPLAINT
    )
    untrusted = {status: count for status, count in counts.items() if status != "trusted"}
    if not untrusted:
        return passed(_TRUST, f"Codex CLI trusts {counts['trusted']} hooks")
    said = ", ".join(f"{count} {status}" for status, count in untrusted.items())
    return failed(_TRUST, f"{said}: Codex CLI skips these hooks", "codex, then `/hooks`")


DIAGNOSIS = Diagnosis(
    program="codex",
    client="Codex CLI",
    registration=REGISTRATION,
    install=INSTALL,
    folder="~/.codex",
    order=("settings files", _TRUST),
    own_checks={"settings files": _settings_files, _TRUST: _hook_trust},
    ask_client=ask_client,
)
