import os
from pathlib import Path

import pytest
from tests.claude.binary import claude_binary as installed


@pytest.fixture(scope="session")
def claude_binary() -> Path:
    """The real client. Without it the test is skipped, or fails under HOOKLORE_REQUIRE_CLIENT=1."""
    binary = installed()
    if binary is None and os.environ.get("HOOKLORE_REQUIRE_CLIENT") == "1":
        pytest.fail("real client not installed: run `python -m tests.claude.fetch`")
    if binary is None:
        pytest.skip("real client not installed")
    return binary
