"""Long work at a terminal and in a pipe: what a person sees meanwhile, and what is answered."""

import os
import re
import sys
from pathlib import Path

import pytest

from hooklore.cli.progress import format_rate
from hooklore.index.view import TAIL_RECORDS
from tests.support.terminal import run_at_terminal
from tests.support.writers import draft
from tests.unit.cli.conftest import Memory, Run
from tests.unit.cli.test_importing import event, write

_PROGRAM = "import sys; from hooklore.cli.main import hooklore_main; sys.exit(hooklore_main())"


@pytest.fixture
def behind(memory: Memory) -> Memory:
    """A store with more records behind its index than a command indexes before it answers."""
    for start in range(0, TAIL_RECORDS + 200, 400):
        memory.broker.append(
            [draft(f"d{n}", f"kestrel press {n}") for n in range(start, start + 400)]
        )
    memory.broker.close()
    return memory


def at_terminal(home: Path, folder: Path, *words: str) -> str:
    """Everything that a command prints at a terminal."""
    env = {"HOME": str(home), "PATH": os.environ["PATH"], "TERM": "xterm", "COLUMNS": "120"}
    done = run_at_terminal([sys.executable, "-c", _PROGRAM, *words], env, folder, shows_stdout=True)
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", done.stderr)


def test_a_question_is_answered_before_much_is_indexed_and_says_so(
    hooklore: Run, behind: Memory
) -> None:
    found = hooklore("search", "kestrel", "-n", "3")

    assert len(found.lines) == 3
    assert "are not indexed yet" in found.err
    assert "hooklore rebuild" in found.err
    assert not (behind.broker.place.directory / "index" / "current").exists()


def test_at_a_terminal_the_answer_comes_first_and_then_a_bar_with_rate_and_time_left(
    behind: Memory,
) -> None:
    told = at_terminal(behind.home, behind.folder, "search", "kestrel", "-n", "3")

    assert told.index("kestrel press") < told.index("indexing")
    assert re.search(r"indexing .*\d/s .*left", told)
    assert (behind.broker.place.directory / "index" / "current").exists()


def test_an_import_is_counted_in_lines_and_indexed_at_once(
    hooklore: Run, memory: Memory, tmp_path: Path
) -> None:
    log = tmp_path / "events.jsonl"
    write(log, *(event(n, content=f"kestrel {n}") for n in range(1_200)))

    told = at_terminal(memory.home, memory.folder, "import", str(log), "--from", "hook-memory")
    found = hooklore("search", "kestrel")

    assert re.search(r"importing .* \d+/1200 .*\d/s .*left", told)
    assert "not indexed yet" not in found.err
    assert (memory.broker.place.directory / "index" / "current").exists()


def test_a_rate_is_said_once_there_is_one() -> None:
    assert [format_rate(*each) for each in ((0, 1.0), (5, 0.0), (2_469, 2.0))] == [
        "",
        "",
        "1,234/s",
    ]
