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
    parts = []
    for group, end in zip(found, [*(each.start() for each in found[1:]), len(text)], strict=True):
        body = text[group.end() : end]
        places = _PLACES.search(body)
        folders = _FOLDER.findall(places["folders"]) if places else ()
        if not any(f"{f.rstrip('/')}/".startswith(f"{top}/") for f in folders for top in tops):
            continue
        for part in _PART.finditer(body):
            after = _NEXT_PART.search(body, part.end())
            said = body[part.end() : after.start() if after else len(body)]
            parts.append((f"{part['name']} of {group['name']}", _TASKS.sub("", said)))
    return tuple(parts)


MEMORY_FILES = MemoryFiles(find_memory_folders, ("MEMORY.md",), split_handbook)
