"""The scrub command does not bring its literal back through the hook that records commands."""

import subprocess
from pathlib import Path

import pytest

from hooklore.config import StoreLocation
from hooklore.redaction import redact
from tests.support.agent import Agent
from tests.support.store_files import holding

NAMED = "kobayashi " + "maru"
COMMANDS = [
    "hooklore scrub --literal {q} --yes",
    "cd /w && hooklore scrub --yes --literal={q} --json",
    "hooks scrub --literal first --literal {q}",
    "echo {q} | hooklore scrub --literal - --yes",
    "printf '%s\\n' {q} | env -u X hooklore scrub --yes --literal -",
    "hooklore scrub --literal - --yes <<< {q}",
    "hooklore scrub --literal - --yes <<'END'\n{n}\nsecond\nEND\n",
]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("quote", ["'", '"'])
def test_the_literal_is_masked_in_the_scrub_command(command: str, quote: str) -> None:
    text = command.format(q=f"{quote}{NAMED}{quote}", n=NAMED)

    result = redact(text)

    assert NAMED not in result.text
    assert "hook" in result.text
    assert redact(result.text).findings == ()


@pytest.mark.parametrize(
    "text",
    [
        "`hooklore scrub --literal TEXT` masks a text",
        "hooklore scrub --literal - reads it from stdin",
        "hooklore scrub --dry-run",
        "pg_dump --literal abcdef",
    ],
)
def test_a_text_without_a_scrubbed_literal_is_unchanged(text: str) -> None:
    assert redact(text).text == text


def test_an_agent_that_scrubs_does_not_record_the_text_again(
    store: StoreLocation, tmp_path: Path
) -> None:
    folder = tmp_path / "widgets"
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    agent = Agent(store, folder, tmp_path)
    agent.starts("s1")

    agent.about_to(f"hooklore scrub --literal '{NAMED}' --yes")
    agent.passes(f"hooklore scrub --literal '{NAMED}' --yes", "1 literal: masked in 1 record")
    agent.fails(f"echo '{NAMED}' | hooklore scrub --literal -", "no such file")
    agent.broker.index()

    assert len(agent.records("tool_result") + agent.records("error")) == 2
    assert holding(store, NAMED) == []
    agent.broker.close()
