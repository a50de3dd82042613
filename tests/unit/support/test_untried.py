"""The last line of a run of tests says what was not tried."""

import os
import subprocess
import sys
from pathlib import Path

from tests.support.untried import NO_CLIENT, NO_MCP, describe_untried

ROOT = Path(__file__).parents[3]


def test_a_run_that_tried_everything_says_nothing() -> None:
    assert describe_untried([]) == ""


def test_each_lack_is_counted_with_what_would_let_it_run() -> None:
    line = describe_untried([f"{NO_CLIENT}: Claude Code: npm error code ENOTFOUND", NO_MCP, NO_MCP])

    assert line == (
        "not tried: real clients, 1 skipped (needs npm and a registry: `python -m tests.support.clients`; "
        "npm: ENOTFOUND); the MCP server, 2 skipped (pip install -e '.[mcp]')"
    )


def test_a_run_without_a_client_ends_with_the_line(tmp_path: Path) -> None:
    # A run with a folder of its own: pytest otherwise ends by removing what earlier runs left in the system's.
    environment = {"PATH": str(tmp_path), "HOME": str(tmp_path), "HOOKLORE_CACHE": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--basetemp={tmp_path / 'run'}",
         "-k", "brief", "tests/e2e/test_real_recall.py", "tests/e2e/test_real_session.py"],
        cwd=ROOT, env=environment | {"PYTHONDONTWRITEBYTECODE": "1"}, capture_output=True, text=True,
        timeout=120, check=False,
    )  # fmt: skip

    assert done.returncode in (os.EX_OK, 5), done.stdout
    assert done.stdout.splitlines()[-1].startswith("not tried: real clients, ")
