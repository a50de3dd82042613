"""The MCP inspector finds nothing to complain of in the server."""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hooklore.requests.verb_table import tools
from tests.conftest import end_residents
from tests.support.agent import repository
from tests.support.mcp import COMMAND

pytestmark = pytest.mark.client

YEN = "Amounts are integer yen, because the gateway refuses fractions."


@pytest.fixture
def inspect(mcp_inspector: Path, home: Path) -> Iterator["Inspector"]:
    yield Inspector(mcp_inspector, home, repository(home / "widgets"))
    end_residents(home)


class Inspector:
    """The inspector's command line, with a server of that home."""

    def __init__(self, program: Path, home: Path, project: Path) -> None:
        self._program, self._home, self._project = program, home, project

    def __call__(self, method: str, *options: str) -> subprocess.CompletedProcess[str]:
        command = [str(self._program), "--cli", "--method", method, *options, "--"]
        return subprocess.run(
            [*command, COMMAND, "mcp", "--agent", "claude", "--tools", "all"], cwd=self._project,
            env={"HOME": str(self._home), "PATH": os.environ["PATH"]}, capture_output=True, text=True,
            timeout=120, stdin=subprocess.DEVNULL,
        )  # fmt: skip


def read(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    assert done.returncode == 0, (done.stdout, done.stderr)
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def test_every_schema_is_portable(inspect: Inspector) -> None:
    done = inspect("tools/list", "--strict")

    assert [tool["name"] for tool in read(done)["tools"]] == list(tools())
    assert done.stderr.strip() == ""


def test_a_memory_is_kept_and_found(inspect: Inspector) -> None:
    kept = read(inspect("tools/call", "--tool-name", "remember",
                        "--tool-arg", f"content={YEN}", "kind=todo"))  # fmt: skip
    found = read(
        inspect("tools/call", "--tool-name", "recall", "--tool-arg", "query=integer yen amounts")
    )

    assert not kept["isError"]
    assert YEN in found["content"][0]["text"]


def test_both_resources_are_listed_and_read(inspect: Inspector) -> None:
    uris = [each["uri"] for each in read(inspect("resources/list"))["resources"]]

    assert uris == ["hooklore://pins", "hooklore://profile"]
    for uri in uris:
        (contents,) = read(inspect("resources/read", "--uri", uri))["contents"]
        assert contents["text"]
