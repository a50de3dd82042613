"""Checks whether an agent that is started here finds the MCP server: pure functions."""

from importlib.util import find_spec
from pathlib import Path

from hooklore.agents.check import Check, failed, listed, noted, passed
from hooklore.agents.diagnosis import ServerFile
from hooklore.cli.doctor.facts import Facts, known
from hooklore.cli.install.server import EXTRA

_NAME = "mcp server"


def server(facts: Facts) -> Check:
    """Check that the MCP server is registered as this version registers it, where the server is installed."""
    settings = known(facts.settings)
    for file in settings.servers:
        if file.problem is not None:
            return failed(_NAME, f"`{file.path}`: {file.problem}", f"correct `{file.path}`")
    ours = [file for file in settings.servers if file.entry is not None]
    other = [file for file in ours if not _is_current(facts, file)]
    if other:
        detail = f"`{other[0].path}` differs from what this version writes"
        return failed(_NAME, detail, facts.install)
    if not ours:
        return _unregistered(facts)
    paths = listed([f"`{file.path}`" for file in ours])
    if find_spec("mcp") is None:
        detail = f"registered in {paths}, and not installed: the agent cannot start the server"
        return failed(_NAME, detail, f"pip install '{EXTRA}'")
    answers = (facts.agent.diagnosis().server_answer(settings, file) for file in ours)
    return next(filter(None, answers), passed(_NAME, f"registered in {paths}"))


def _unregistered(facts: Facts) -> Check:
    if any(file.scope == "plugin" and file.groups for file in known(facts.settings).loaded):
        return passed(_NAME, "the plugin brings it")
    if find_spec("mcp") is None:
        return noted(
            _NAME, "not installed: agents read and keep with `hooklore`", f"pip install '{EXTRA}'"
        )
    return noted(_NAME, "not registered: agents read and keep with `hooklore`", facts.install)


def _is_current(facts: Facts, file: ServerFile) -> bool:
    wanted = facts.agent.registration().server
    if wanted is None:
        return False
    home = Path(facts.home)
    entry, found = wanted.entry(home), wanted.without_added(file.entry, home)
    return found in (entry, entry | wanted.permitted)
