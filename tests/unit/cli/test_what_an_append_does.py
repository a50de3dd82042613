"""What every append does for a hook and a command: it waits for nothing, and fills the envelope."""

import time

import pytest

from tests.unit.cli.conftest import Memory, Run


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Note how long each `time.sleep` would have waited."""
    found: list[float] = []
    monkeypatch.setattr(time, "sleep", found.append)
    return found


def test_no_hook_and_no_command_waits_when_nobody_holds_the_log(
    hooklore: Run, memory: Memory, slept: list[float]
) -> None:
    assert hooklore("remember", "We use sqlite").rc == 0
    memory.fails_and_solves("s-1")

    assert memory.of("fix")
    assert slept == []


@pytest.mark.req("EV-20")
@pytest.mark.parametrize(
    ("kind_of_agent", "role"),
    [
        ("Explore", "researcher"), ("Plan", "reasoner"), ("general-purpose", "executor"),
        ("my-own-agent", "general"), (None, "orchestrator"),
    ],
)  # fmt: skip
def test_a_subagents_role_is_that_of_its_kind(
    memory: Memory, kind_of_agent: str | None, role: str
) -> None:
    given = {} if kind_of_agent is None else {"agent_type": kind_of_agent, "agent_id": "a-1"}

    memory.tool("Bash", "s-1", {"command": "make"}, {"stdout": "ok", "stderr": ""}, **given)

    (line,) = memory.of("tool_result")
    assert line.get("role", "general") == role


def test_every_line_has_its_envelope_and_its_importance(hooklore: Run, memory: Memory) -> None:
    hooklore("remember", "We use sqlite", "--key", "config:db", "--run", "r-1")
    memory.fails_and_solves("s-1")

    lines = memory.records()

    common = {"v", "id", "ts", "stream", "kind", "agent_id", "scope", "is_private", "body",
              "importance", "hash"}  # fmt: skip
    assert {line["kind"]: common - set(line) for line in lines if common - set(line)} == {}
    for line in lines:
        assert 0 <= line["importance"]["score"] <= 1
        assert isinstance(line["importance"]["factors"], dict)
    of_session = [line for line in lines if line["stream"] == "observation"]
    assert {line["session_id"] for line in of_session} == {"s-1"}
    assert {line["scope"] for line in of_session} == {"project:widgets"}
    assert len({line["project"] for line in of_session}) == 1
    assert {line["branch"] for line in of_session} == {"main"}
    assert {line["source"]["system"] for line in of_session} == {"cli"}
    assert {line["basis"] for line in of_session if line["kind"] == "prompt"} == {"user"}
    assert {line["basis"] for line in of_session if line["kind"] == "error"} == {"tool"}
    (said,) = memory.of("fact") or memory.of("config") or memory.of("decision")
    assert (said["dedupe_key"], said["run_id"], said["agent_id"]) == ("config:db", "r-1", "person")
    assert (said["basis"], said["importance"]["score"]) == ("user", 0.3)
