"""The real Claude Code starts the MCP server from where `hooks install` and the plugin register it."""

import json
from pathlib import Path

import pytest

from tests.claude.api import bash, say, use
from tests.support.installed import Machine, client_at

pytestmark = pytest.mark.client

ROOT = Path(__file__).parents[2]
NOTE = "Amounts are integer yen, because the gateway refuses fractions."


@pytest.fixture
def machine(claude_binary: Path, tmp_path: Path) -> Machine:
    found = Machine(client_at(claude_binary, tmp_path))
    found.claude.furnish()
    return found


def keeps(machine: Machine, server: str, *args: str) -> None:
    """A session keeps a note by a tool of that server."""
    tool = f"mcp__{server}__remember"
    session = machine.claude.run(
        "Keep a note for later.",
        [
            bash("sleep 4"),
            use(tool, content=NOTE, title="integer yen", kind="todo", when=["store money"]),
            say("done"),
        ],
        args=("--allowedTools", f"mcp__{server}__*", *args),
    )
    assert session.rc == 0
    assert "No such tool" not in json.dumps(session.turns()[-1].messages[-1])


def kept(machine: Machine) -> list[object]:
    return [each["agent_id"] for each in machine.records() if each["kind"] == "todo"]


def test_the_users_registration_starts_the_server_and_uninstall_takes_only_our_entry(
    machine: Machine,
) -> None:
    machine.run("hooks", "install", "--user")
    keeps(machine, "hooklore")
    path = machine.claude.home / ".claude.json"
    rewritten = json.loads(path.read_text())
    machine.run("hooks", "uninstall")

    left = json.loads(path.read_text())
    assert kept(machine) == ["claude"]
    assert rewritten["mcpServers"]["hooklore"]["args"][-1] == "claude"
    assert left == {name: value for name, value in rewritten.items() if name != "mcpServers"}


def test_the_plugins_registration_starts_the_server(machine: Machine) -> None:
    machine.run("hooks", "install", "--plugin")

    keeps(machine, "plugin_hooklore_hooklore", "--plugin-dir", str(ROOT))

    assert kept(machine) == ["claude"]


def test_with_both_there_is_one_server(machine: Machine) -> None:
    machine.run("hooks", "install", "--user")

    waits = [bash("sleep 2"), bash("sleep 2"), bash("sleep 2"), say("done")]
    session = machine.claude.run("hello", waits, args=("--plugin-dir", str(ROOT)))

    told = json.dumps([each.body for each in session.turns()])
    assert "mcp__hooklore__remember" in told
    assert "mcp__plugin_hooklore_hooklore__remember" not in told
