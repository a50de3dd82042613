import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.claude.binary import claude_binary as installed
from tests.claude.fetch import FetchError, fetch

_SKIPPED: list[str] = []


@pytest.fixture(scope="session")
def claude_binary() -> Path:
    """The real client, installed by npm when it is not there.

    Without npm the test is skipped, or fails under HOOKLORE_REQUIRE_CLIENT=1.
    """
    binary = installed() or _fetched()
    if binary is None and os.environ.get("HOOKLORE_REQUIRE_CLIENT") == "1":
        pytest.fail("real client not installed: run `python -m tests.claude.fetch`")
    if binary is None:
        _SKIPPED.append("claude")
        pytest.skip("real client not installed")
    return binary


def _fetched() -> Path | None:
    if shutil.which("npm") is None:
        return None
    try:
        return fetch()
    except FetchError:
        return None


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_unconfigure(config: pytest.Config) -> Iterator[None]:
    """The very last line says what was not shown."""
    del config
    yield
    if _SKIPPED:
        said = "the real-client tests were skipped: Claude Code is not installed, nor is npm"
        sys.stdout.write(said + os.linesep)
