"""The memory files that a client has its model write for sessions to come. They are not the user's."""

from collections.abc import Callable
from dataclasses import dataclass

FindFolders = Callable[[str, tuple[str, ...]], tuple[str, ...]]
"""Returns the folders that may hold a session's memory files. The first that exists holds them.

It is given the path of the session's transcript, and the tops of its repository: the main work tree's first.
"""

SplitFile = Callable[[str, tuple[str, ...]], tuple[tuple[str, str], ...]]
"""Returns (heading, text) of each part of a memory file that is about a project with these tops."""


@dataclass(frozen=True, slots=True)
class MemoryFiles:
    """Where a client keeps its memory files, and how they are read.

    `find_folders` finds their folder. `names` are the files of it that are read, as patterns. `split` takes
    apart a file that serves every project.
    """

    find_folders: FindFolders
    names: tuple[str, ...] = ("*.md",)
    split: SplitFile | None = None
