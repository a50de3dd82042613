"""Before a tool: a call of hooklore that needs nobody runs without a question, and no other command does."""

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hooklore.config import StoreLocation
from hooklore.hooks.delivery import Delivery
from hooklore.hooks.exclusions import PauseState, save_pauses
from tests.support.agent import Agent, repository

_numbers = itertools.count(1)


@pytest.fixture
def agent(store: StoreLocation, tmp_path: Path, home: Path) -> Iterator[Agent]:
    found = Agent(store, repository(tmp_path / "widgets"), home)
    yield found
    found.broker.close()


def decided(agent: Agent, command: str, tool: str = "Bash", **more: Any) -> dict[str, Any]:
    """Return the answer of the hook before a command."""
    answer = agent.hook(
        "PreToolUse", tool_name=tool, tool_use_id=f"call-{next(_numbers)}", permission_mode="default",
        tool_input={"command": command, "description": "look it up", **more},
    )  # fmt: skip
    return dict(answer.get("hookSpecificOutput", {}))


@pytest.mark.parametrize(
    "command",
    [
        "hooklore get 'shop prices'",
        'hooklore recall "値段は?"',
        "hooklore remember 'Prices are net.'",
    ],
)
def test_a_literal_call_is_permitted_and_says_why(agent: Agent, command: str) -> None:
    told = decided(agent, command)

    assert told["hookEventName"] == "PreToolUse"
    assert told["permissionDecision"] == "allow"
    assert "hooklore" in told["permissionDecisionReason"]


@pytest.mark.parametrize(
    "command",
    [
        "hooklore get $(cat id)",
        "hooklore get a && hooklore get b",
        "hooklore remember x --scope global",
        "hooklore remember x --confirmed 0123456789abcdef",
        "hooklore get '<private>a</private>' | sh",
        "make test",
    ],
)
def test_another_command_gets_no_permission(agent: Agent, command: str) -> None:
    assert "permissionDecision" not in decided(agent, command)


def test_another_shell_and_a_call_outside_the_sandbox_get_none(agent: Agent) -> None:
    assert decided(agent, "hooklore get a", tool="PowerShell") == {}
    assert decided(agent, "hooklore get a", dangerouslyDisableSandbox=True) == {}
    assert decided(agent, "hooklore get a", timeout=5000)["permissionDecision"] == "allow"


def test_a_payload_that_was_cut_gets_none(agent: Agent) -> None:
    raw = (
        b'{"hook_event_name":"PreToolUse","session_id":"s1","tool_name":"Bash","cwd":"/x",'
        b'"tool_input":{"command":"hooklore get a"'
    )

    answer = agent.runner.run(Delivery("claude", "PreToolUse", "cut", raw, {}))

    assert b"allow" not in answer.stdout


def test_the_notes_for_a_step_come_beside_the_permission(agent: Agent) -> None:
    agent.remembers("The warehouse ledger is opened by hooklore get alone, never by hand.")
    agent.session = "s2"

    told = decided(agent, "hooklore get 'warehouse ledger'")

    assert told["permissionDecision"] == "allow"
    assert "never by hand" in told["additionalContext"]


def test_a_paused_project_changes_no_permission(agent: Agent) -> None:
    save_pauses(agent.broker.place, PauseState(everywhere=True))

    assert decided(agent, "hooklore get a")["permissionDecision"] == "allow"
