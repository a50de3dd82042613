"""The layer of each module: its folder in the order of the tree, with renamed modules mapped."""

from functools import cache
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Final

ORDER: Final[tuple[tuple[str, ...], ...]] = (
    ("cli",),
    ("api", "mcp_server"),
    ("resident",),
    ("requests",),
    ("conversations",),
    ("hooks",),
    ("capture",),
    ("maintenance",),
    ("instructions",),
    ("retrieval",),
    ("memories",),
    ("broker",),
    ("index", "log"),
    ("failures",),
    ("prompt",),
    ("redaction",),
    ("shell", "text"),
    ("records",),
    ("config", "agents", "errors", "late_pattern"),
)
"""Layers from the top down; folders of one layer stand side by side."""

_MOVES: Final = Path(__file__).with_name("moves.tsv")
_RANKS: Final = {folder: rank for rank, folders in enumerate(ORDER) for folder in folders}


class UnknownLayerError(LookupError):
    """A module stands in a folder that `ORDER` does not list."""

    def __init__(self, module: str) -> None:
        super().__init__(f"no layer is known for {module}: add its folder to ORDER")


def height(module: str) -> int:
    """Return how high the layer of `module` is, a path below the package. The lowest is 0.

    Raise UnknownLayerError.
    """
    folder = PurePosixPath(new_path(module)).parts[0].removesuffix(".py")
    if folder not in _RANKS:
        raise UnknownLayerError(module)
    return len(ORDER) - 1 - _RANKS[folder]


def new_path(module: str) -> str:
    """Return where `module` stands in the new tree; a path that was not moved stays."""
    return moves().get(module, module)


@cache
def moves() -> MappingProxyType[str, str]:
    """Read the table of moves: old path to new path, both below the package."""
    rows = _MOVES.read_text("utf-8").splitlines()
    return MappingProxyType(
        dict(row.split("\t") for row in rows if row and not row.startswith("#"))
    )
