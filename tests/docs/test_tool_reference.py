"""The page about the tools says what the server offers."""

import subprocess
import sys
from pathlib import Path

import pytest

from hooklore.mcp_server.reference import render_reference
from hooklore.requests.verb_table import tools

PAGE = Path(__file__).parents[2] / ".github" / "MCP_TOOLS.md"


@pytest.mark.req("MC-25")
def test_the_page_is_what_the_command_writes_from_the_servers_table() -> None:
    command = [str(Path(sys.executable).parent / "hooklore"), "mcp", "--reference"]
    written = subprocess.run(command, capture_output=True, text=True, check=True).stdout

    assert written == PAGE.read_text("utf-8"), (
        "run `hooklore mcp --reference >.github/MCP_TOOLS.md`"
    )


@pytest.mark.req("MC-25")
def test_the_page_has_every_tool_and_every_argument() -> None:
    page = render_reference()

    for name, tool in tools().items():
        section = page.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
        assert tool.summary in section, name
        _, _, unlisted = section.partition("\nIt also takes ")
        assert [
            f for f in tool.arguments.model_fields
            if f"\n| `{f}` |" not in section and f"`{f}`" not in unlisted
        ] == []  # fmt: skip
