"""As which agent an MCP client acts."""

import pytest

from hooklore.config import Settings
from hooklore.mcp_server.client_identity import WrongClient, decide_agent, require_client_of
from hooklore.memories.agent_registry import agents_of

AGENTS = agents_of(Settings())


@pytest.mark.parametrize("name", [None, "", "somebody's own client", "claude-code"])
def test_an_unknown_client_and_the_agents_own_act_as_the_registered_agent(name: str | None) -> None:
    assert decide_agent("claude", name, AGENTS) == "claude"


def test_without_a_registered_agent_a_known_client_acts_as_its_agent() -> None:
    assert decide_agent(None, "claude-code", AGENTS) == "claude"


def test_a_client_of_another_agent_is_told_how_to_register() -> None:
    with pytest.raises(WrongClient) as refused:
        decide_agent("codex", "claude-code", AGENTS)

    assert str(refused.value) == "could not act as `codex`: this client is Claude Code"
    assert refused.value.fix == "register the server here with `--agent claude`"


@pytest.mark.parametrize("nobody", ["person", "program", "system", "unknown"])
@pytest.mark.parametrize("name", [None, "claude-code", "somebody's own client"])
def test_no_client_acts_as_a_writer_that_is_no_agent(nobody: str, name: str | None) -> None:
    with pytest.raises(WrongClient, match="an MCP client is an agent"):
        decide_agent(nobody, name, AGENTS)


def test_a_client_that_nothing_names_is_nobody() -> None:
    with pytest.raises(WrongClient) as refused:
        decide_agent(None, "somebody's own client", AGENTS)

    assert "--agent NAME" in refused.value.fix


@pytest.mark.parametrize("name", [None, "", "somebody's own client", "claude-code"])
def test_an_unknown_client_and_the_agents_own_may_show_a_token(
    name: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODEX_SANDBOX", "a mark of the agent that started this process")

    require_client_of("claude", name, AGENTS)


def test_a_client_with_a_token_of_another_agent_is_told_which_it_needs() -> None:
    with pytest.raises(WrongClient) as refused:
        require_client_of("codex", "claude-code", AGENTS)

    assert refused.value.fix == "give it a token of `claude`"
