"""The session of an agent that calls a tool."""

from dataclasses import replace

import pytest

from hooklore.agents import registry
from hooklore.agents.agent import McpClient
from hooklore.mcp_server.client_identity import find_session


@pytest.fixture
def _client_that_names_its_session(monkeypatch: pytest.MonkeyPatch) -> None:
    agent = replace(registry.default_agent(), mcp=McpClient(session=("turn", "session_id")))
    monkeypatch.setattr("hooklore.mcp_server.client_identity.find_agent", lambda _name: agent)


def test_the_client_marks_the_session_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "5c6e")

    assert find_session("claude", None) == "5c6e"


def test_the_mark_of_another_agent_names_no_session(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "5c6e")

    assert find_session("an agent that nothing describes", None) is None


@pytest.mark.usefixtures("_client_that_names_its_session")
def test_the_session_that_a_call_names_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "5c6e")

    assert find_session("claude", {"turn": {"session_id": "9a41"}}) == "9a41"


@pytest.mark.usefixtures("_client_that_names_its_session")
@pytest.mark.parametrize(
    "meta", [None, {}, {"turn": "9a41"}, {"turn": {"session_id": 9}}, {"turn": {"session_id": ""}},
             {"turn": {"session_id": "x" * 129}}]
)  # fmt: skip
def test_metadata_of_another_form_names_no_session(
    meta: dict[str, object] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "5c6e")

    assert find_session("claude", meta) == "5c6e"


def test_a_client_that_tells_no_session_has_none() -> None:
    assert find_session("claude", None) is None
