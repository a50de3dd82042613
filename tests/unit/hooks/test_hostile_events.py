"""Names, sizes, variables: what a hostile event cannot reach."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from hooklore.config import StoreLocation, runtime_directory
from hooklore.hooks.delivery import Delivery
from tests.support.agent import Agent, repository

EVENTS = (
    "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "Stop",
    "SubagentStart", "SubagentStop", "TaskCreated", "PreCompact", "SessionEnd",
)  # fmt: skip
NAMES = ("../../../../outside", "/etc/outside", "a/b\x00c", "outside\n", "CON", "..", "o" * 5_000)


@pytest.fixture
def agent(store: StoreLocation, tmp_path: Path, home: Path) -> Iterator[Agent]:
    found = Agent(store, repository(tmp_path / "widgets"), home)
    yield found
    found.broker.close()


def test_no_id_or_path_of_a_payload_names_a_file(agent: Agent, tmp_path: Path) -> None:
    before = {p.name for p in tmp_path.rglob("*")} | {p.name for p in runtime_directory().glob("*")}
    for name in NAMES:
        for event in EVENTS:
            payload = {
                "session_id": name, "cwd": name, "transcript_path": name, "tool_use_id": name, "agent_id": name,
                "agent_type": name, "task_id": name, "tool_name": "Write", "prompt": name, "source": name,
                "tool_input": {"file_path": name}, "tool_response": {"filePath": name}, "error": name,
            }  # fmt: skip
            raw = json.dumps(payload).encode()
            agent.runner.run(Delivery("claude", event, name, raw, {"CLAUDE_PROJECT_DIR": name}))
    agent.broker.index()

    after = {p.name for p in tmp_path.rglob("*")} | {p.name for p in runtime_directory().glob("*")}
    assert not [name for name in after - before if "outside" in name or "ooo" in name]
    assert len(agent.records()) > len(EVENTS)


def test_no_variable_of_the_environment_is_kept(
    agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_VARIABLE", "marker-of-the-environment")
    facts = {
        "ANTHROPIC_API_KEY": "marker-of-a-fact", "MY_VARIABLE": "marker-of-a-fact",
        "HOOKLORE_X": "marker-of-a-fact",
    }  # fmt: skip
    for event in EVENTS:
        payload = {
            "session_id": "s",
            "cwd": str(agent.project),
            "prompt": "hello",
            "tool_name": "Bash",
        }
        agent.runner.run(Delivery("claude", event, event, json.dumps(payload).encode(), facts))
    agent.broker.index()

    for path in agent.place.directory.rglob("*"):
        assert not path.is_file() or b"marker-of-" not in path.read_bytes()


def test_a_process_that_we_started_records_and_recalls_nothing(agent: Agent) -> None:
    for event in EVENTS:
        raw = json.dumps({"session_id": "s", "cwd": str(agent.project), "prompt": "hello"}).encode()
        answer = agent.runner.run(Delivery("claude", event, event, raw, {"HOOKLORE_DEPTH": "1"}))
        assert answer.stdout == b""

    assert not agent.place.log.exists() or agent.records() == []


def test_what_a_hook_prints_stays_below_the_clients_cap(agent: Agent) -> None:
    agent.starts("s0")
    for number in range(120):
        agent.remembers(f"規則{number}: " + "「必ず」" * 200 + "\u200b\U000e0041" * 500)

    answer = agent.hook("SessionStart", source="startup", session_id="s1")

    printed = json.dumps(answer, ensure_ascii=False)
    assert 500 < len(printed.encode("utf-16-le")) // 2 < 9_000
    assert "\u200b" not in printed
