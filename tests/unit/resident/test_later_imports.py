"""What a resident imports only where it needs it."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import hooklore
from hooklore.resident.later_imports import LATER_IMPORTS, load_later_imports

_PACKAGE = Path(hooklore.__file__).parent

_NOT_IN_A_HOOK = {
    "hooklore.api.memory",
    "hooklore.conversations.ingestion",  # of a request, which is sent again
    "hooklore.conversations.message",
    "hooklore.maintenance.janitor",  # of the index thread, which tries again
    "hooklore.requests.desk",  # of a request
    "hooklore.resident.encoding",  # imported before the first delivery is taken
    "hooklore.retrieval.semantic.search",
}
"""Modules that `hooks` imports, a client in Python, and a resident itself at its start."""


def test_whatever_a_hook_imports_later_is_loaded_before_an_upgrade_can_take_it() -> None:
    loaded = _loaded_by(
        "import hooklore.resident.run; "
        "from hooklore.resident.later_imports import load_later_imports as load; load(lambda: None)"
    )
    named_in_functions = {name for module in loaded for name in _imports_of_functions(module)}

    assert named_in_functions - loaded <= _NOT_IN_A_HOOK


def test_it_gives_way_before_each_import() -> None:
    turns: list[None] = []

    load_later_imports(lambda: turns.append(None))

    assert len(turns) > len(LATER_IMPORTS)


def _loaded_by(code: str) -> set[str]:
    """Return the modules of the package that a process has loaded after `code`."""
    shown = (
        f"{code}\nimport sys; print(*(name for name in sys.modules if name.startswith('hooklore')))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", shown], capture_output=True, check=True, text=True
    )
    return set(done.stdout.split())


def _imports_of_functions(module: str) -> Iterator[str]:
    """Yield the modules of the package that the functions of a module import."""
    path = _PACKAGE.joinpath(*module.split(".")[1:])
    tree = ast.parse(
        (path / "__init__.py" if path.is_dir() else path.with_suffix(".py")).read_text("utf-8")
    )
    functions = (
        node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    for node in (inner for function in functions for inner in ast.walk(function)):
        if (
            isinstance(node, ast.ImportFrom)
            and node.module is not None
            and node.module.startswith("hooklore.")
        ):
            yield node.module
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names if name.name.startswith("hooklore."))
