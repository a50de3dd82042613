"""Nothing is cut before it is redacted: half a token tells most of it, and no rule knows the half."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hooklore.config import StoreLocation, load_settings
from hooklore.hooks import project
from tests.redaction.draw import Draw, glue
from tests.support.agent import Agent
from tests.support.store_files import holding

_DRAW = Draw("cut fields")
TOKEN = glue("gh", "p_", _DRAW.mixed(36))
PIECE = TOKEN[4:14]
"""What a cut would have left of the token."""


@pytest.fixture
def agent(store: StoreLocation, tmp_path: Path) -> Iterator[Agent]:
    folder = tmp_path / "project"
    folder.mkdir()
    subprocess.run(["git", "init", "-q", "-b", "main", folder], check=True)
    one = Agent(store, folder, tmp_path)
    yield one
    one.broker.close()


def filled(size: int) -> str:
    """Return a text of whose last characters the token is cut after some."""
    return "x" * (size - 15) + "-" + TOKEN


LONG: dict[str, tuple[str, dict[str, Any]]] = {
    "a tool's name": ("PostToolUse", {"tool_name": filled(239), "tool_input": {"x": 1}}),
    "an agent's type": ("SubagentStop", {"agent_type": filled(239), "last_assistant_message": "x"}),
    "a reason": ("SessionEnd", {"reason": filled(239)}),
    "a path": (
        "PostToolUse",
        {"tool_name": "Edit", "tool_input": {"file_path": "/" + filled(4095), "new_string": "x"}},
    ),
}


@pytest.mark.parametrize("field", LONG)
def test_a_long_name_or_path_is_redacted_before_it_is_cut(field: str, agent: Agent) -> None:
    event, payload = LONG[field]

    agent.hook(event, tool_use_id="t1", **payload)
    agent.broker.index()

    assert agent.records()
    assert holding(agent.place, PIECE) == []


@pytest.mark.parametrize("length", [220, 255])
def test_a_branch_is_redacted_before_it_is_cut(length: int, agent: Agent) -> None:
    (agent.project / ".git" / "HEAD").write_text(f"ref: refs/heads/{filled(length)}\n")

    agent.starts("s1")
    agent.broker.index()

    assert agent.records()
    assert holding(agent.place, PIECE) == []


def test_an_address_that_is_too_long_is_no_remote() -> None:
    assert project.normalize_remote(f"https://github.com/{filled(2030)}") is None
    assert project.normalize_remote("https://github.com/a/b.git") == "github.com/a/b"


def test_the_last_word_of_a_payload_that_is_cut_is_left_out_in_any_letters(agent: Agent) -> None:
    wide = "".join(chr(ord(letter) + 0xFEE0) for letter in TOKEN)
    head = (
        '{"session_id": "s1", "hook_event_name": "UserPromptSubmit", "prompt": "the walrus sings '
    )

    for word in (TOKEN, wide):
        raw = (head + word).encode()[: len(head) + 3 * 14]
        agent.deliver("UserPromptSubmit", raw, TRUE_SIZE=str(2_000_000))

    said = [str(record["body"].get("text")) for record in agent.records("prompt")]
    assert said == ["the walrus sings"] * 2


def test_a_key_of_the_settings_that_is_no_key_is_not_repeated(
    store: StoreLocation, agent: Agent
) -> None:
    store.directory.mkdir(parents=True, exist_ok=True)
    store.config.write_text(f'"{TOKEN}" = 1\n"{filled(80)}" = 2\ncolour = 3\n')

    told = " ".join(map(str, load_settings(store.config).problems))

    assert PIECE not in told
    assert f"a key of {len(TOKEN)} characters" in told
    assert "`colour`" in told


@pytest.mark.parametrize(
    "given",
    [
        {"env": {"DB_PASSWORD": {"value": "{}"}}},
        {"args": ["serve", "--password", "{}"]},
        {"pairs": [["DB_PASSWORD", "{}"], ["PORT", "8080"]]},
        {"env": [{"name": "DB_PASSWORD", "value": "{}"}]},
    ],
)
def test_a_value_of_a_tool_keeps_the_name_that_tells_what_it_is(
    given: dict[str, Any], agent: Agent
) -> None:
    secrets = [_DRAW.mixed(16) for _ in range(20)]

    for number, secret in enumerate(secrets):
        asked = json.loads(json.dumps(given).replace("{}", secret))
        agent.hook(
            "PostToolUse", tool_name="mcp__hosts__set", tool_use_id=f"t{number}", tool_input=asked,
            tool_response=asked,
        )  # fmt: skip

    assert len(agent.records("tool_result")) == len(secrets)
    assert [each for each in secrets if holding(agent.place, each)] == []
