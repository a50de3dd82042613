"""Every tool of seed 004 by MCP: the same tools answer and the same are refused as at the desk itself."""

import pytest

from tests.support.untried import NO_MCP

pytest.importorskip("mcp", reason=NO_MCP)

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from mcp import Client
from mcp.types import CallToolResult

from hooklore.config import store_location_at
from hooklore.memories.archive import archive_memory
from hooklore.requests.verb_table import tools
from tests.conftest import end_residents
from tests.support.agent import repository
from tests.support.desk import Desk as People
from tests.support.mcp import content_of, converse, server, text_of

SEED_TOOLS = [name for name, tool in tools().items() if tool.tool != "every"]
AGENTS = {"claude": "owner", "gemini": "admin", "codex": "worker"}
KEPT, ARCHIVED = "config:global-kept-api", "config:global-archived-api"


@pytest.fixture
def home_with_entries(home: Path) -> Iterator[Path]:
    """A home with an entry and an archived one for all projects, in which Gemini is an admin."""
    place = store_location_at(home / ".config" / "ai" / "memory")
    people = People(place)
    for key in (KEPT, ARCHIVED):
        people.says(f"The API of {key} speaks JSON.", key)
    archive_memory(people.broker, ARCHIVED, people.who(), ["global"])
    people.broker.close()
    place.config.write_text('[agents.gemini]\npermission = "admin"\n')
    yield home
    end_residents(home)


def arguments_of(tool: str) -> dict[str, Any]:
    """Return arguments with which a tool finds what the store has."""
    if tool.startswith("save_"):
        return {"key": "todo:new-entry", "content": f"Something new to do, said by {tool}."}
    if tool.startswith("restore_"):
        return {"key": ARCHIVED}
    if tool.startswith("delete_") or tool == "get_memory_entry":
        return {"key": KEPT}
    return {"query": "API JSON"} if "retrieve" in tool or tool.startswith("search_") else {}


def call_all(home: Path, agent: str) -> Mapping[str, CallToolResult]:
    parameters = server(
        home, "--agent", agent, "--tools", "all", folder=repository(home / "widgets")
    )

    async def talk(client: Client) -> dict[str, CallToolResult]:
        return {name: await client.call_tool(name, arguments_of(name)) for name in SEED_TOOLS}

    return converse(parameters, talk)


@pytest.mark.parametrize("agent", AGENTS)
def test_a_tool_is_refused_to_exactly_those_that_the_table_leaves_out(
    home_with_entries: Path, agent: str
) -> None:
    results = call_all(home_with_entries, agent)

    refused = {name for name, result in results.items() if "may do it" in text_of(result)}
    assert refused == {
        name for name in SEED_TOOLS if AGENTS[agent] not in tools()[name].permissions
    }
    assert all(results[name].is_error for name in refused)
    assert "speaks JSON" in text_of(results["retrieve_from_global_memory"])
    assert "speaks JSON" in text_of(results["search_global_memory_archive"])
    for name, result in results.items():
        assert text_of(result), name
        assert not result.is_error or "\nhint: " in text_of(result), name


def test_an_owners_deletion_waits_for_a_person_and_changes_nothing_until_then(
    home_with_entries: Path,
) -> None:
    results = call_all(home_with_entries, "claude")

    assert not results["delete_global_memory_entry"].is_error
    assert "approve" in text_of(results["delete_global_memory_entry"])
    again = call_all(home_with_entries, "claude")
    entries = content_of(again["list_global_memory_entries"])
    assert KEPT in str(entries)


def test_an_unknown_key_is_an_error_of_the_tool_and_no_exception(home_with_entries: Path) -> None:
    parameters = server(home_with_entries, "--agent", "claude", "--tools", "all")

    async def talk(client: Client) -> CallToolResult:
        return await client.call_tool("get_memory_entry", {"key": "config:never-said"})

    missing = converse(parameters, talk)

    assert missing.is_error
    assert "\nhint: " in text_of(missing)


def test_a_tool_that_is_not_offered_is_not_called(home_with_entries: Path) -> None:
    async def talk(client: Client) -> CallToolResult:
        return await client.call_tool("save_to_memory", {"key": "todo:x", "content": "Something."})

    refused = converse(server(home_with_entries, "--agent", "claude"), talk)

    assert refused.is_error
    assert text_of(refused).startswith("error: could not find that tool: this server has remember")


def test_a_caller_that_names_another_agent_is_refused(home_with_entries: Path) -> None:
    parameters = server(home_with_entries, "--agent", "claude", "--tools", "all")
    given = {"caller_agent_id": "codex", "key": "todo:x", "content": "Something to do."}

    async def talk(client: Client) -> CallToolResult:
        return await client.call_tool("save_to_memory", given)

    refused = converse(parameters, talk)

    assert refused.is_error
    assert "could not act as another agent" in text_of(refused)
