"""The MCP inspector: `HOOKLORE_INSPECTOR` names its program, else it is the pinned version in the cache."""

from pathlib import Path
from typing import Final

from tests.support.npm_client import NpmClient

INSPECTOR: Final = NpmClient(
    id="mcp-inspector",
    name="MCP inspector",
    package="@modelcontextprotocol/inspector",
    version=Path(__file__).with_name("version.txt").read_text(encoding="ascii").strip(),
    program=".bin/mcp-inspector",
    variable="HOOKLORE_INSPECTOR",
)
