import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.claude.binary import claude_binary as installed
from tests.claude.fetch import FetchError, fetch

NOT_INSTALLED = "real client not installed"

_skipped: list[str] = []
_cause: list[str] = []


def pytest_collection_finish(session: pytest.Session) -> None:
    """Install the client before the first test that drives it: no test's time limit holds a download."""
    wanted = any("claude_binary" in getattr(item, "fixturenames", ()) for item in session.items)
    if not wanted or session.config.option.collectonly or shutil.which("npm") is None:
        return
    try:
        fetch()
    except (FetchError, OSError) as error:
        _cause.append(str(error))


@pytest.fixture(scope="session")
def claude_binary() -> Path:
    """The real client. Where it is not installed the test is skipped, or fails under HOOKLORE_REQUIRE_CLIENT=1."""
    binary = installed()
    if binary is not None:
        return binary
    reason = ": ".join([NOT_INSTALLED, *_cause])
    if os.environ.get("HOOKLORE_REQUIRE_CLIENT") == "1":
        pytest.fail(f"{reason}\nrun `python -m tests.claude.fetch`")
    pytest.skip(reason)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note what was skipped; with pytest-xdist the process that prints is told of every worker's tests."""
    if report.skipped and NOT_INSTALLED in str(report.longrepr):
        _skipped.append(report.nodeid)


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_unconfigure(config: pytest.Config) -> Iterator[None]:
    """The very last line says what was not shown."""
    del config
    yield
    if _skipped and "PYTEST_XDIST_WORKER" not in os.environ:
        said = f"{len(_skipped)} real-client tests were skipped: Claude Code is not installed"
        sys.stdout.write(said + os.linesep)
