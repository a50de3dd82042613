import pytest

from hooklore.agents.speaker import Speaker, identify_speaker


def test_a_terminal_without_an_agents_mark_is_the_person() -> None:
    found = identify_speaker({"HOME": "/home/u", "TERM": "xterm"}, is_at_terminal=True)

    assert found == Speaker("person", "person")


@pytest.mark.parametrize("is_at_terminal", [True, False])
def test_an_agents_mark_wins_over_a_terminal(is_at_terminal: bool) -> None:
    marks = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "s-1"}

    found = identify_speaker(marks, is_at_terminal=is_at_terminal)

    assert found == Speaker("agent", "claude", "s-1")


@pytest.mark.parametrize(
    ("mark", "agent_id"),
    [
        ("CLAUDE_CODE_SESSION_ID", "claude"),
        ("CODEX_SANDBOX", "codex"),
        ("GEMINI_CLI", "gemini"),
        ("AI_AGENT", "unknown"),
    ],
)
def test_each_known_mark_names_its_agent(mark: str, agent_id: str) -> None:
    found = identify_speaker({mark: "x"}, is_at_terminal=True)

    assert (found.kind, found.agent_id) == ("agent", agent_id)


def test_neither_a_terminal_nor_a_mark_is_a_program() -> None:
    assert identify_speaker({"CLAUDECODE": ""}, is_at_terminal=False).kind == "program"
