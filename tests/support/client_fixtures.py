"""The programs of real clients, for the tests that drive them."""

import os
import shutil
from pathlib import Path

import pytest

from tests.support.clients import CLIENTS
from tests.support.npm_client import FetchError
from tests.support.untried import NO_CLIENT

_causes: dict[str, str] = {}


def pytest_collection_finish(session: pytest.Session) -> None:
    """Install clients before the first test that drives one: no test's time limit holds a download."""
    if session.config.option.collectonly or shutil.which("npm") is None:
        return
    used = {name for item in session.items for name in getattr(item, "fixturenames", ())}
    for fixture, client in CLIENTS.items():
        try:
            if fixture in used:
                client.fetch()
        except (FetchError, OSError) as error:
            _causes[fixture] = str(error).partition("\n")[0]  # npm's error code


def _program(fixture: str) -> Path:
    """Return the client's program. Skip the test without it, or fail under HOOKLORE_REQUIRE_CLIENT=1."""
    client = CLIENTS[fixture]
    program = client.find()
    if program is not None:
        return program
    cause = [_causes[fixture]] if fixture in _causes else []
    reason = ": ".join([NO_CLIENT, client.name, *cause])
    if os.environ.get("HOOKLORE_REQUIRE_CLIENT") == "1":
        pytest.fail(f"{reason}\nrun `python -m tests.support.clients`")
    pytest.skip(reason)


@pytest.fixture(scope="session")
def claude_binary() -> Path:
    """The real Claude Code."""
    return _program("claude_binary")


@pytest.fixture(scope="session")
def codex_program() -> Path:
    """The real Codex CLI."""
    return _program("codex_program")


@pytest.fixture(scope="session")
def gemini_program() -> Path:
    """The real Gemini CLI."""
    return _program("gemini_program")


@pytest.fixture(scope="session")
def mcp_inspector() -> Path:
    """The MCP inspector."""
    return _program("mcp_inspector")


@pytest.fixture(scope="session")
def mcp_conformance() -> Path:
    """The conformance suite of MCP."""
    return _program("mcp_conformance")
