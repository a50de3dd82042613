"""One settings file of an agent, planned alone: what an install and an uninstall do to its bytes."""

from collections.abc import Mapping
from pathlib import Path

from hooklore.agents.registration import Entry, Scope
from hooklore.agents.registry import DEFAULT_AGENT_ID, get_agent
from hooklore.cli.install.edit import SettingsEdit, read, with_ours, without_ours
from hooklore.cli.install.manifest import Place


def plan_install(
    scope: Scope,
    path: Path,
    line: str,
    known: Place | None,
    wanted: Mapping[str, Entry],
    *,
    agent_id: str = DEFAULT_AGENT_ID,
    permits: bool = True,
) -> tuple[SettingsEdit, Place]:
    """Return the edit that registers `wanted`, and the place for the manifest. Raise SettingsError.

    With `permits` the agent's permission rules are put in, too.
    """
    raw, part = read(path), get_agent(agent_id).registration()
    place = known or Place(path=str(path), line=line, agent=agent_id, is_known=False)
    after, place = with_ours(raw, place, wanted, part, permits=permits)
    return SettingsEdit(scope, path, raw, after), place


def plan_uninstall(
    scope: Scope, path: Path, known: Place | None, *, agent_id: str = DEFAULT_AGENT_ID
) -> SettingsEdit:
    """Return the edit that takes our entries out. Raise SettingsError."""
    raw, part = read(path), get_agent(agent_id).registration()
    place = known or Place(path=str(path), line="", agent=agent_id, is_known=False)
    return SettingsEdit(scope, path, raw, without_ours(raw, place, part))
