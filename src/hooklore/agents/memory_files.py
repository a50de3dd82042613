"""The memory files that a client has its model write for sessions to come. They are not the user's."""

from collections.abc import Callable
from dataclasses import dataclass

FindFolders = Callable[[str, tuple[str, ...]], tuple[str, ...]]
"""Returns the folders that may hold a session's memory files. The first that exists holds them.

It is given the path of the session's transcript, and the tops of its repository: the main work tree's first.
"""

SplitFile = Callable[[str, str, tuple[str, ...]], tuple[tuple[str, str], ...] | None]
"""Returns (heading, text) of each part of a memory file, given its name, its text and the tops of the project.

None says that the file has no form of the client's own, and is cut at its headings.
"""


@dataclass(frozen=True, slots=True)
class MemoryFiles:
    """The place of a client's memory files, and the way to read them.

    `find_folders` finds their folder. `names` are the files of it that are read, as patterns. `split` takes
    apart a file that the client gives a form of its own.
    """

    find_folders: FindFolders
    names: tuple[str, ...] = ("*.md",)
    split: SplitFile | None = None
