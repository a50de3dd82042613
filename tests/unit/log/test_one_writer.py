import ast
from pathlib import Path

import pytest

import hooklore

SOURCES = Path(hooklore.__file__).parent


def importers(name: str) -> set[str]:
    """Return the modules of the package that import `name`."""
    found = set()
    for path in SOURCES.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and name in {each.name for each in node.names}:
                found.add(str(path.relative_to(SOURCES)))
    return found


@pytest.mark.req("AC-12")
def test_only_the_broker_opens_the_log_for_append() -> None:
    assert importers("LogWriter") == {"broker/broker.py"}


@pytest.mark.req("AC-12")
def test_no_other_module_opens_a_file_for_append_except_our_own_logs() -> None:
    appending = {
        str(path.relative_to(SOURCES))
        for path in SOURCES.rglob("*.py")
        if "O_APPEND" in path.read_text("utf-8")
    }

    assert appending == {"log/writer.py", "maintenance/audit.py", "resident/run.py"}
