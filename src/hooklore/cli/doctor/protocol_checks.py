"""Checks the protocol's text in the files of instructions of agents: a pure function."""

from hooklore.agents.check import Check, failed, listed, passed
from hooklore.agents.registry import DEFAULT_AGENT_ID
from hooklore.cli.doctor.facts import Facts, known
from hooklore.cli.protocol.placement import PlacedProtocol
from hooklore.cli.protocol.rules import VERSION


def protocol(facts: Facts) -> Check:
    """Check that every placed text is of this version of the rules."""
    found = known(facts.protocol)
    for each in found:
        if not each.is_current:
            detail = (
                f"`{each.path}` has version {each.version} for `{each.agent_id}`, not {VERSION}"
            )
            return failed("protocol", detail, _repair(each))
    if not found:
        return passed("protocol", "in no file of instructions: `hooks install --protocol`")
    places = [f"`{each.path}` for `{each.agent_id}`" for each in found]
    return passed("protocol", f"version {VERSION} in {listed(places)}")


def _repair(placed: PlacedProtocol) -> str:
    agent = "" if placed.agent_id == DEFAULT_AGENT_ID else f" --agent {placed.agent_id}"
    scope = "" if placed.scope == "user" else f" --{placed.scope}"
    return f"hooks install --protocol{agent}{scope}"
