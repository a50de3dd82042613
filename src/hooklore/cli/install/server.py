"""The MCP server as the installer sees it: is it there to run, and for which agents is it registered."""

from collections.abc import Iterator
from importlib.util import find_spec

from hooklore.agents.registry import DEFAULT_AGENT_ID
from hooklore.agents.server_marks import PLUGIN
from hooklore.cli.install.manifest import Manifest

EXTRA = "hooklore[mcp]"
"""The requirement that brings the server."""


def is_server_installed() -> bool:
    """Return whether this environment has the SDK that the server runs on."""
    return find_spec("mcp") is not None


def server_marks(manifest: Manifest) -> Iterator[tuple[str, str]]:
    """Yield (agent id, place) of each registration. The plugin brings the default agent's server itself."""
    for each in manifest.servers:
        yield each.agent, each.line
    if manifest.plugin and is_server_installed():
        yield DEFAULT_AGENT_ID, PLUGIN
