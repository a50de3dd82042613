"""The real Claude Code with the MCP server: what an agent keeps by a tool the next session is told."""

import json
from pathlib import Path

import pytest

from tests.claude.api import bash, say, use
from tests.claude.session import Session, hook_text
from tests.support.installed import Machine, client_at, install
from tests.support.mcp import COMMAND

pytestmark = pytest.mark.client

MONEY = "Amounts are integer yen, because the gateway refuses fractions."
CONNECTED = bash("sleep 3")
"""A turn in which the server connects: the client does not wait for it, and takes a second on a quiet machine."""


@pytest.fixture
def machine(claude_binary: Path, tmp_path: Path) -> Machine:
    """A machine where the installer has registered hooks and server, and allowed the server's tools."""
    return install(client_at(claude_binary, tmp_path), server=True)


def result_of(session: Session, number: int) -> str:
    """Return the text of a tool's result that the model's request of that turn holds."""
    last = session.turns()[number].messages[-1]["content"]
    (block,) = [each for each in last if each["type"] == "tool_result"]
    content = block["content"]
    return content if isinstance(content, str) else "\n".join(part["text"] for part in content)


def test_what_is_kept_by_a_tool_the_next_session_is_told_and_opens_by_a_tool(
    machine: Machine,
) -> None:
    kept = machine.claude.run(
        "Keep a note for later.",
        [
            CONNECTED,
            use("mcp__hooklore__remember", content=MONEY, title="integer yen", kind="todo",
                when=["how do we store money"]),
            say("all done"),
        ],
    )  # fmt: skip
    told = machine.claude.run(
        "Go on.",
        [
            CONNECTED,
            use("mcp__hooklore__recall", query="how do we store money?"),
            use("mcp__hooklore__get", names=["integer yen"]),
            say("all done"),
        ],
    )

    assert result_of(kept, 2).startswith("stored ")
    (memory,) = [r for r in machine.records() if r["stream"] == "memory"]
    assert (memory["agent_id"], memory["session_id"]) == ("claude", kept.session_id)
    assert MONEY in hook_text(told.turns()[0], "SessionStart")
    assert "private: false" in result_of(told, 2)
    assert f"integer yen: {MONEY}" in result_of(told, 3)
    sent = json.dumps([request.body for request in told.requests])
    assert "Call remember when the user states" in sent
    assert "hooklore/content" not in sent


def test_after_the_user_clears_the_context_a_tool_writes_in_the_new_session(
    machine: Machine,
) -> None:
    later = "The press is serviced on the first Monday of a month."
    session = machine.claude.run(
        ["Keep a note.", "/clear", "Keep another note."],
        [
            CONNECTED,
            use("mcp__hooklore__remember", content=MONEY, kind="todo"),
            say("done"),
            use("mcp__hooklore__remember", content=later, kind="todo"),
            say("all done"),
        ],
    )

    written = [r["session_id"] for r in machine.records() if r["stream"] == "memory"]
    assert written == list(session.session_ids)
    assert len(set(written)) == 2


def test_a_server_registered_for_another_agent_refuses_claude_code(machine: Machine) -> None:
    server = {"command": COMMAND, "args": ["mcp", "--agent", "codex"]}
    place = machine.claude.home / "servers.json"
    place.write_text(json.dumps({"mcpServers": {"hooklore": server}}))

    session = machine.claude.run(
        "Keep a note for later.",
        [CONNECTED, use("mcp__hooklore__remember", content=MONEY, kind="todo"), say("all done")],
        args=("--mcp-config", str(place)),
    )

    assert "this client is Claude Code" in result_of(session, 2)
    assert "--agent claude" in result_of(session, 2)
    assert [r for r in machine.records() if r["stream"] == "memory"] == []
