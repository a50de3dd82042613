"""MCP over HTTP at the gateway: the official client and the real Claude Code, with a token and without."""

import pytest

from tests.support.untried import NO_MCP

pytest.importorskip("mcp", reason=NO_MCP)

import json
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Literal, TypeVar

import anyio
import httpx2
import orjson
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp.types import Implementation

from hooklore.config import store_location_at
from tests.claude.api import bash, say, use
from tests.claude.session import TOOLS, Claude
from tests.conftest import end_residents
from tests.support.gateway import Gateway, running
from tests.support.installed import client_at
from tests.support.mcp import NAME, SECONDS, text_of

Mode = Literal["auto", "legacy"]
Result = TypeVar("Result")

MODES: tuple[Mode, ...] = ("auto", "legacy")
"""A client that says in each request who it is, and one that says so at the start alone."""

YEN = "金額は整数の円で、ゲートウェイは小数を断る。"
WRONG_CLIENT = (
    "could not act as `codex`: this client is Claude Code\nhint: give it a token of `claude`"
)
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
ACCEPT = {"Accept": "application/json, text/event-stream"}


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    home = tmp_path_factory.mktemp("home")
    with running(home) as started:
        yield started
    end_residents(home)


@asynccontextmanager
async def connected(
    url: str, token: str | None, mode: Mode = "auto", name: str = NAME
) -> AsyncIterator[Client]:
    """Yield the official client of a server."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    with anyio.fail_after(SECONDS):
        async with httpx2.AsyncClient(headers=headers, trust_env=False, timeout=SECONDS) as http:
            transport = streamable_http_client(url, http_client=http)
            who = Implementation(name=name, version="1")
            async with Client(transport, client_info=who, mode=mode) as client:
                yield client


def converse(
    url: str, token: str | None, talk: Callable[[Client], Awaitable[Result]],
    *, mode: Mode = "auto", name: str = NAME,
) -> Result:  # fmt: skip
    """Return the result of a conversation with a server."""

    async def run() -> Result:
        async with connected(url, token, mode, name) as client:
            return await talk(client)

    return anyio.run(run)


def kept(home: Path) -> list[dict[str, Any]]:
    """Return the memories that the log of a home holds, in order."""
    log = store_location_at(home / ".config" / "ai" / "memory").log
    records = [orjson.loads(line) for line in log.read_bytes().splitlines()] if log.exists() else []
    return [record for record in records if record["stream"] == "memory"]


@pytest.mark.parametrize("mode", MODES)
def test_the_official_client_keeps_and_recalls_as_the_agent_of_its_token(
    gateway: Gateway, mode: Mode
) -> None:
    async def talk(client: Client) -> tuple[list[str], str, str]:
        listed = [tool.name for tool in (await client.list_tools()).tools]
        await client.call_tool("remember", {"content": YEN, "title": f"yen {mode}"})
        opened = await client.call_tool("get", {"names": [f"yen {mode}"]})
        pins = (await client.read_resource("hooklore://pins")).contents
        return listed, text_of(opened), str(pins)

    token = gateway.token("codex", permission="owner")
    listed, opened, pins = converse(f"{gateway.url}/mcp", token, talk, mode=mode)

    assert listed == ["remember", "recall", "get", "search_memories", "wake_up"]
    assert YEN in opened
    assert "hooklore://pins" in pins
    assert kept(gateway.home)[-1]["agent_id"] == "codex"


@pytest.mark.req("GW-12")
@pytest.mark.parametrize("token", [None, "made-up"])
def test_without_a_valid_token_no_client_is_let_in(gateway: Gateway, token: str | None) -> None:
    answer = gateway.ask("POST", "/mcp", token, PING, ACCEPT)

    assert answer.status_code == 401
    assert answer.headers["www-authenticate"].startswith("Bearer ")
    with pytest.raises(ExceptionGroup) as refused:
        converse(f"{gateway.url}/mcp", token, Client.list_tools)
    assert refused.group_contains(MCPError)


def test_a_client_that_is_another_agent_than_its_token_is_refused(gateway: Gateway) -> None:
    async def keep(client: Client) -> str:
        return text_of(await client.call_tool("remember", {"content": "The kiln is lit at six."}))

    url, token = f"{gateway.url}/mcp", gateway.token("codex")
    told = converse(url, token, keep, name="claude-code")
    with pytest.raises(ExceptionGroup) as refused:
        converse(url, token, keep, name="claude-code", mode="legacy")

    assert re.search(WRONG_CLIENT, told)
    assert refused.group_contains(MCPError, match=WRONG_CLIENT)
    assert "kiln" not in json.dumps(kept(gateway.home))


def test_agents_that_write_at_the_same_time_write_each_under_its_own_name(
    gateway: Gateway,
) -> None:
    agents = ("claude", "codex", "gemini")

    async def write(agent: str) -> None:
        async with connected(f"{gateway.url}/mcp", gateway.token(agent)) as client:
            for number in range(4):
                text = f"The press {number} of {agent} is oiled on day {number}."
                await client.call_tool("remember", {"content": text})

    async def run() -> None:
        async with anyio.create_task_group() as tasks:
            for agent in agents:
                tasks.start_soon(write, agent)

    anyio.run(run)
    written = [
        (agent, record["agent_id"])
        for record in kept(gateway.home)
        for agent in agents
        if f"of {agent} is oiled" in json.dumps(record)
    ]
    assert len(written) == 12
    assert all(named == acting for named, acting in written)


def test_the_address_names_the_project_and_nothing_that_it_does_not_take(gateway: Gateway) -> None:
    async def keep(client: Client) -> None:
        text = "The tank is emptied on the last Friday."
        await client.call_tool("remember", {"content": text, "scope": "project:tanks"})

    converse(f"{gateway.url}/mcp?project=tanks", gateway.token("claude"), keep)
    token = gateway.token("claude")

    assert kept(gateway.home)[-1]["scope"] == "project:tanks"
    assert gateway.ask("POST", "/mcp?agent_id=codex", token, PING, ACCEPT).status_code == 403
    assert gateway.ask("POST", "/mcp?user=1", token, PING, ACCEPT).status_code == 422


def test_no_client_holds_a_connection_open_to_listen(gateway: Gateway) -> None:
    answer = gateway.ask("GET", "/mcp", gateway.token("claude"), headers=ACCEPT)

    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


def test_a_client_goes_on_after_a_restart_of_the_gateway(home: Path) -> None:
    async def talk() -> str:
        with running(home) as first:
            port, token = first.port, first.token("claude")
            async with connected(f"{first.url}/mcp", token, "legacy") as client:
                await client.call_tool("remember", {"content": YEN, "title": "yen"})
                first.process.terminate()
                first.process.wait(SECONDS)
                with running(home, "--port", str(port)):
                    return text_of(await client.call_tool("get", {"names": ["yen"]}))

    assert YEN in anyio.run(talk)


@pytest.mark.skipif(sys.platform != "linux", reason="/proc")
def test_the_sdk_is_loaded_by_the_first_request_and_not_by_the_start(home: Path) -> None:
    with running(home) as gateway:
        maps = Path(f"/proc/{gateway.process.pid}/maps")
        token = gateway.token("claude")
        gateway.ask("GET", "/v1/memory/snapshot", token)
        before = maps.read_text()
        answer = gateway.ask("POST", "/mcp", token, PING, ACCEPT)

        assert answer.json() == {"jsonrpc": "2.0", "id": 1, "result": {}}
        assert "/cryptography/" not in before
        assert "/cryptography/" in maps.read_text()


@pytest.fixture
def claude(claude_binary: Path, tmp_path: Path) -> Claude:
    client = client_at(claude_binary, tmp_path)
    client.furnish()
    return client


def manage(claude: Claude, *words: str) -> str:
    """Return what a command of the real client prints."""
    done = subprocess.run(
        [str(claude.binary), "mcp", *words], env=claude.environment, cwd=claude.project,
        capture_output=True, text=True, timeout=SECONDS, check=True, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    return done.stdout


@pytest.mark.client
def test_claude_code_keeps_a_memory_by_the_gateway_and_connects_by_a_token_alone(
    claude: Claude,
) -> None:
    add = ("add", "--scope", "user", "--transport", "http")
    with running(claude.home) as gateway:
        bearer = f"Authorization: Bearer {gateway.token('claude')}"
        manage(claude, *add, "hooklore", f"{gateway.url}/mcp", "--header", bearer)
        manage(claude, *add, "unarmed", f"{gateway.url}/mcp")
        listed = manage(claude, "list").splitlines()
        claude.run(
            "Keep a note for later.",
            [
                bash("sleep 3"),
                use("mcp__hooklore__remember", content=YEN, kind="todo"),
                say("all done"),
            ],
            args=("--allowedTools", f"{TOOLS},mcp__hooklore__remember"),
        )

    (own,) = [line for line in listed if line.startswith("hooklore:")]
    (other,) = [line for line in listed if line.startswith("unarmed:")]
    assert "Connected" in own
    assert "Connected" not in other
    (memory,) = kept(claude.home)
    assert memory["agent_id"] == "claude"
    assert YEN in str(memory["body"])
    end_residents(claude.home)
