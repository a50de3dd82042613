"""The examples of programs that the documents print."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import end_residents
from tests.support.agent import repository
from tests.support.untried import needs_mcp

ROOT = Path(__file__).parents[2]
SCRIPTS = Path(sys.executable).parent
EXAMPLE = re.compile(r"<!-- (?:mcp|python) -->\n```python\n(.*?)\n```", re.DOTALL)


def examples() -> list[str]:
    """The example of the page about the tools, and those of the README."""
    pages = [ROOT / ".github" / "MCP_TOOLS.md", ROOT / "README.md"]
    return [example for page in pages for example in EXAMPLE.findall(page.read_text("utf-8"))]


@pytest.fixture
def _no_resident_is_left(home: Path) -> Iterator[None]:
    yield
    end_residents(home)


@needs_mcp
@pytest.mark.usefixtures("_no_resident_is_left")
@pytest.mark.parametrize("example", examples())
def test_the_example_runs_as_printed(home: Path, example: str) -> None:
    project = repository(home / "widgets")
    done = subprocess.run(
        [sys.executable, "-c", example], cwd=project, capture_output=True, text=True, timeout=120,
        env={**os.environ, "HOME": str(home), "PATH": f"{SCRIPTS}:/usr/bin:/bin"},
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    assert re.search(r"Amounts are integer yen\.|We meet on Friday at ten\.", done.stdout)
    assert "private: false" in done.stdout
