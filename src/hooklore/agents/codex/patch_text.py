"""The patch of Codex CLI's own edit tool: which files it adds, changes, moves and deletes."""

import os
import re
from dataclasses import dataclass, field

from hooklore.agents.event import Edit

_FILE = re.compile(r"\*\*\* (?:Add|Update|Delete) File: (?P<path>.+)")
_MOVED = re.compile(r"\*\*\* Move to: (?P<path>.+)")
_MOST_FILES = 256


@dataclass(slots=True)
class FilePatch:
    """The part of a patch that is about one file. `moved_to` is the file's new name, where it gets one."""

    path: str
    moved_to: str = ""
    before: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)

    @property
    def paths(self) -> tuple[str, ...]:
        """The file, and its new name."""
        return (self.path, self.moved_to) if self.moved_to else (self.path,)

    @property
    def edit(self) -> Edit:
        """The lines that go and the lines that come. A line that stays is in neither."""
        return Edit(self.moved_to or self.path, "\n".join(self.before), "\n".join(self.after))

    @property
    def changed_lines(self) -> tuple[str, ...]:
        """The lines that go and come, each with `-` or `+` in front."""
        return (*(f"-{line}" for line in self.before), *(f"+{line}" for line in self.after))


def file_patches(patch: str, folder: str) -> list[FilePatch]:
    """Return the parts of a patch, with paths below `folder` made absolute."""
    found: list[FilePatch] = []
    for line in patch.replace("\r\n", "\n").split("\n"):
        named, moved = _FILE.match(line), _MOVED.match(line)
        if named:
            found.append(FilePatch(os.path.join(folder, named["path"].strip())))
        elif moved and found:
            found[-1].moved_to = os.path.join(folder, moved["path"].strip())
        elif found and line[:1] == "-":
            found[-1].before.append(line[1:])
        elif found and line[:1] == "+":
            found[-1].after.append(line[1:])
    return found[:_MOST_FILES]
