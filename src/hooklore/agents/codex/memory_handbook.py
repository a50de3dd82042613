"""The handbook of Codex' own memories: one file for every project, each group of tasks with its folders."""

import re

from hooklore.agents.memory_files import MemoryFiles

_GROUP = re.compile(r"^# Task Group:[ \t]*(?P<name>[^\n]{1,200})$", re.MULTILINE)
_PART = re.compile(
    r"^## (?P<name>User preferences|Reusable knowledge|Failures[^\n]{0,60})$", re.MULTILINE
)
_NEXT_PART = re.compile(r"^## ", re.MULTILINE)
_PLACES = re.compile(r"^applies_to:[^\n]*?cwd=(?P<folders>[^;\n]{1,1000})", re.MULTILINE)
_FOLDER = re.compile(r"/[^\s,;()`'\"]{1,400}")
_TASKS = re.compile(r"(?:[ \t]*\[Task \d{1,3}\])+[ \t]*$", re.MULTILINE)


def find_memory_folders(transcript: str, _tops: tuple[str, ...]) -> tuple[str, ...]:
    """Return the folder of memories: it lies beside the one of the transcripts."""
    own, sessions, _ = transcript.partition("/sessions/")
    return (f"{own}/memories",) if own and sessions else ()


def split_handbook(_name: str, text: str, tops: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return the parts of the groups that name a folder of the project, without the lists of their tasks."""
    found = list(_GROUP.finditer(text))
    ends = [*(each.start() for each in found[1:]), len(text)]
    groups = ((g["name"], text[g.end() : end]) for g, end in zip(found, ends, strict=True))
    return tuple(
        (f"{part} of {name}", body)
        for name, group in groups
        if _is_about(group, tops)
        for part, body in _parts(group)
    )


def _is_about(group: str, tops: tuple[str, ...]) -> bool:
    """Return whether a group says that it applies to one of `tops`, or to a folder within."""
    places = _PLACES.search(group)
    folders = _FOLDER.findall(places["folders"]) if places else ()
    return any(f"{each.rstrip('/')}/".startswith(f"{top}/") for each in folders for top in tops)


def _parts(group: str) -> list[tuple[str, str]]:
    found = []
    for part in _PART.finditer(group):
        after = _NEXT_PART.search(group, part.end())
        text = group[part.end() : after.start() if after else len(group)]
        found.append((part["name"], _TASKS.sub("", text)))
    return found


MEMORY_FILES = MemoryFiles(find_memory_folders, ("MEMORY.md",), split_handbook)
