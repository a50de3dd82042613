"""Before an agent's command runs, its registered permission decides whether the user is even asked."""

import json
from typing import Any

import pytest

from hooklore.broker import Broker
from hooklore.config import load_settings
from hooklore.hooks.delivery import Delivery
from hooklore.hooks.runner import Runner
from tests.unit.cli.conftest import Memory


def answer(memory: Memory, command: str) -> dict[str, Any]:
    """What the hook before a command of the agent answers."""
    payload = {
        "session_id": "s-1", "cwd": str(memory.folder), "hook_event_name": "PreToolUse",
        "tool_name": "Bash", "tool_use_id": "t-1", "tool_input": {"command": command},
        "permission_mode": "default",
    }  # fmt: skip
    broker = Broker(memory.broker.place, load_settings(memory.broker.place.config))
    runner = Runner(broker, str(memory.home), lambda: 1_790_000_000 * 10**9)
    facts = {"CLAUDE_CODE_ENTRYPOINT": "cli"}
    told = runner.run(Delivery("claude", "PreToolUse", "d-1", json.dumps(payload).encode(), facts))
    broker.close()
    return dict(json.loads(told.stdout)["hookSpecificOutput"]) if told.stdout else {}


def register(memory: Memory, permission: str) -> None:
    config = memory.broker.place.config
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text(f'[agents.claude]\npermission = "{permission}"\n')


@pytest.mark.req("MA-04")
@pytest.mark.parametrize("verb", ["delete", "restore"])
def test_a_worker_is_refused_without_a_question(memory: Memory, verb: str) -> None:
    register(memory, "worker")

    told = answer(memory, f"hooklore {verb} config:port")

    assert told["permissionDecision"] == "deny"
    assert "registered as a worker" in told["permissionDecisionReason"]


@pytest.mark.req("MA-04")
@pytest.mark.parametrize("permission", ["owner", "admin"])
@pytest.mark.parametrize("verb", ["delete", "restore"])
def test_for_an_owner_and_an_admin_the_user_is_asked(
    memory: Memory, permission: str, verb: str
) -> None:
    register(memory, permission)

    assert answer(memory, f"hooklore {verb} config:port")["permissionDecision"] == "ask"


def test_what_any_agent_may_bring_before_the_user_is_asked_for_a_worker_too(
    memory: Memory,
) -> None:
    register(memory, "worker")

    assert answer(memory, "hooklore pin config:port")["permissionDecision"] == "ask"


@pytest.mark.parametrize(
    "command",
    [
        "hooklore token create --agent claude",
        "script -qec 'hooklore token create --agent claude' /dev/null",
        "tmux new -d 'env -u CLAUDECODE hooklore token list'",
        "hooklore token revoke 0123abcd",
    ],
)
def test_no_question_is_asked_about_a_token_that_the_model_would_read(
    memory: Memory, command: str
) -> None:
    register(memory, "owner")

    told = answer(memory, command)

    assert told["permissionDecision"] == "deny"
    assert "in a terminal of their own" in told["permissionDecisionReason"]
