"""The layer of each module: its folder in the order of the tree."""

from pathlib import PurePosixPath
from typing import Final

ORDER: Final[tuple[tuple[str, ...], ...]] = (
    ("cli",),
    ("gateway",),
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

_RANKS: Final = {folder: rank for rank, folders in enumerate(ORDER) for folder in folders}


class UnknownLayerError(LookupError):
    """A module stands in a folder that `ORDER` does not list."""

    def __init__(self, module: str) -> None:
        super().__init__(f"no layer is known for {module}: add its folder to ORDER")


def height(module: str) -> int:
    """Return how high the layer of `module` is, a path below the package. The lowest is 0.

    Raise UnknownLayerError.
    """
    folder = PurePosixPath(module).parts[0].removesuffix(".py")
    if folder not in _RANKS:
        raise UnknownLayerError(module)
    return len(ORDER) - 1 - _RANKS[folder]
