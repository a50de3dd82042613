"""The page about the protocol is the one that the command writes, and names the four placements."""

from pathlib import Path

import pytest

from hooklore.agents.registry import MODULES
from hooklore.cli.protocol.page import render_page
from tests.support import made_up_agent

PAGE = Path(__file__).parents[2] / ".github" / "PROTOCOL.md"


@pytest.mark.req("HK-21")
def test_the_page_is_what_the_command_writes() -> None:
    assert PAGE.read_text("utf-8").rstrip("\n") == render_page().rstrip("\n"), (
        "run `hooklore protocol --page > .github/PROTOCOL.md`"
    )


@pytest.mark.req("HK-21")
@pytest.mark.parametrize(
    ("agent", "place"),
    [
        ("ChatGPT", "Custom Instructions in its settings, or the system prompt"),
        ("Claude Code", "the system prompt of the API, or `claude --append-system-prompt`"),
        ("Gemini CLI", "System Instructions"),
        ("OpenClaw", "`config.yaml` or equivalent"),
    ],
)
def test_the_page_says_where_the_text_goes(agent: str, place: str) -> None:
    (row,) = [
        line for line in PAGE.read_text("utf-8").splitlines() if line.startswith(f"| {agent} |")
    ]

    assert place in row


@pytest.mark.req("HK-21")
def test_an_agent_that_gets_a_module_stands_on_the_page_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(MODULES, "qwen", made_up_agent.__name__)

    assert "| Tinker |" in render_page()
    assert "| Qwen Code |" not in render_page()
    assert render_page().count("### `qwen`") == 1
