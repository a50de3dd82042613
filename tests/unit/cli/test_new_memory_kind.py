"""A kind of memory is one row of a table: commands, briefs and tools know a made-up kind by its row alone."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROW = """
import sys
from hooklore.records.memory_kind import MEMORY_KINDS, MemoryKind

MEMORY_KINDS["convention"] = MemoryKind(
    layer="procedural", standing=True, profile_block="rules", told_in_brief=True, name_for_user="convention"
)
"""
"""Adds the row before anything reads the table, as a row in the source would stand there."""

COMMAND = f"""{ROW}
from hooklore.cli import speaking
from hooklore.cli.main import hooklore_main

speaking.is_at_terminal = lambda: True
sys.exit(hooklore_main(sys.argv[1:]))
"""

BRIEF = f"""{ROW}
from pathlib import Path
from hooklore.config import store_location_at
from tests.support.agent import Agent

home = Path(sys.argv[1])
member = Agent(store_location_at(home / ".config" / "ai" / "memory"), Path.cwd(), home)
sys.stdout.write(member.starts("s-9"))
"""

ROOT = Path(__file__).parents[3]


def _run(script: str, *words: str) -> str:
    """Return what a program prints that has the row of the made-up kind."""
    done = subprocess.run(
        [sys.executable, "-c", script, *words], capture_output=True, text=True, check=False,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(autouse=True)
def _convention(project: Path) -> None:
    _run(
        COMMAND, "remember", "Name a fixture for the state that it leaves.", "--kind", "convention"
    )


def test_a_new_kind_is_counted_in_its_layer() -> None:
    shown = [json.loads(line) for line in _run(COMMAND, "stats", "--json").splitlines()]

    assert {"layer": "procedural", "kind": "convention", "records": 1} in shown


def test_a_new_kind_is_told_in_full_in_a_brief(home: Path) -> None:
    assert "Name a fixture for the state that it leaves." in _run(BRIEF, str(home))


def test_a_new_kind_stands_in_the_block_of_the_profile_that_its_row_names() -> None:
    assert "Name a fixture" in _run(COMMAND, "profile")


def test_a_new_kind_is_offered_by_the_commands_and_by_the_page_of_the_tools() -> None:
    assert "convention" in _run(COMMAND, "remember", "--help")
    assert "`convention`" in _run(COMMAND, "mcp", "--reference")
    assert "convention" in _run(COMMAND, "schema")


def test_a_new_kind_is_the_kind_of_a_memory_whose_key_begins_with_it() -> None:
    text = "Fixtures of a store end in `_store`."
    _run(COMMAND, "remember", text, "--key", "convention:fixture_names")

    listed = _run(COMMAND, "search", "fixtures", "--json")

    assert [r["kind"] for r in map(json.loads, listed.splitlines())] == ["convention"] * 2
