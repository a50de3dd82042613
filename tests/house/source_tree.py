"""The modules of a folder, parsed."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final, NamedTuple

AnyFunction = ast.FunctionDef | ast.AsyncFunctionDef
FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)


class Offender(NamedTuple):
    """A place in the tree that a metric counts."""

    module: str
    line: int
    name: str

    def __str__(self) -> str:
        return f"{self.module}:{self.line} {self.name}"


@dataclass(frozen=True)
class Module:
    """One file: its path below the folder, its dotted name, its number of lines and its syntax."""

    path: str
    dotted: str
    lines: int
    syntax: ast.Module

    def functions(self) -> Iterator[AnyFunction]:
        """Yield each `def` at any depth."""
        for node in ast.walk(self.syntax):
            if isinstance(node, FUNCTIONS):
                yield node

    def public_functions(self) -> Iterator[AnyFunction]:
        """Yield the module-level functions without a leading underscore."""
        for node in self.syntax.body:
            if isinstance(node, FUNCTIONS) and not node.name.startswith("_"):
                yield node

    def is_below(self, *folders: str) -> bool:
        """Return True if the first folder of the path is one of `folders`."""
        return self.path.split("/")[0] in folders

    def offender(self, node: ast.stmt | ast.expr | ast.arg, name: str) -> Offender:
        """Return the place of `node`."""
        return Offender(self.path, node.lineno, name)


class SourceTree:
    """All modules below `folder`, which is the package itself."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()

    @cached_property
    def modules(self) -> tuple[Module, ...]:
        """Parse every `*.py` file, sorted by path."""
        return tuple(self._parsed(path) for path in sorted(self.folder.rglob("*.py")))

    @property
    def lines(self) -> int:
        """Count all lines of all modules, blank lines included."""
        return sum(module.lines for module in self.modules)

    def _parsed(self, path: Path) -> Module:
        relative = path.relative_to(self.folder)
        words = (self.folder.name, *relative.with_suffix("").parts)
        dotted = ".".join(words).removesuffix(".__init__")
        text = path.read_text("utf-8")
        lines = len(text.splitlines())
        return Module(relative.as_posix(), dotted, lines, ast.parse(text, str(path)))


def python_lines(folder: Path) -> int:
    """Count the lines of every `*.py` file below `folder`."""
    return sum(len(path.read_text("utf-8").splitlines()) for path in folder.rglob("*.py"))
