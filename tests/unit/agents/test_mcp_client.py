"""The name by which an agent's client introduces itself to an MCP server."""

import json
from pathlib import Path

from hooklore.agents.claude_code.registering import PERMISSIONS
from hooklore.agents.registration import SERVER_NAME
from hooklore.agents.registry import agent_of_mcp_client, get_agent, known_agents
from hooklore.requests.verb_table import tools

ROOT = Path(__file__).parents[3]


def test_the_name_of_a_client_leads_to_its_agent_and_any_other_name_to_none() -> None:
    found = agent_of_mcp_client("claude-code")

    assert found is not None
    assert found.id == "claude"
    assert agent_of_mcp_client("somebody's own client") is None
    assert agent_of_mcp_client(None) is None


def test_the_default_tools_of_the_server_need_no_question_of_the_user() -> None:
    allowed = {rule for rule in PERMISSIONS.rules if rule.startswith("mcp__")}

    assert allowed == {
        f"mcp__{SERVER_NAME}__{n}" for n, tool in tools().items() if tool.tool == "every"
    }


def test_the_default_tools_of_the_plugins_server_need_no_question_either() -> None:
    plugin = json.loads((ROOT / ".claude-plugin" / "plugin.json").read_text("utf-8"))
    (server,) = plugin["mcpServers"]
    prefix = f"mcp__plugin_{plugin['name']}_{server}__"

    assert {name: f"{prefix}{name}" for name, tool in tools().items() if tool.tool == "every"} == (
        get_agent("claude").mcp.plugin_tools
    )


def test_no_two_agents_claim_one_name() -> None:
    names = [name for agent in known_agents() for name in agent.mcp.names]

    assert len(names) == len(set(names))
