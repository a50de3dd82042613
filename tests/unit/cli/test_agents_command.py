"""`hooklore agents` lists the registry."""

from tests.unit.cli.conftest import Run


def test_the_command_lists_the_registry(hooklore: Run) -> None:
    listed = {each["agent_id"]: each for each in hooklore("agents", "--json").records}

    assert listed["gemini"]["role"] == "researcher"
    assert "conductor" in listed["claude"]["aliases"]
    assert "gemini" in hooklore("agents").out
