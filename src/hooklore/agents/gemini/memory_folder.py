"""The folder in which Gemini CLI keeps what its user wants remembered of a project (private project memory)."""

import re

from hooklore.agents.memory_files import MemoryFiles

_INDEX = "MEMORY.md"
_ENTRY = re.compile(r"^[-*+][ \t]+", re.MULTILINE)
_ENTRY_OVER = re.compile(r"^(?:[-*+#]|\S)", re.MULTILINE)


def find_memory_folders(transcript: str, _tops: tuple[str, ...]) -> tuple[str, ...]:
    """Return the folder of memories: it lies beside the one of the transcripts."""
    chats, _, name = transcript.rpartition("/")
    project, _, last = chats.rpartition("/")
    return (f"{project}/memory",) if name and project and last == "chats" else ()


def split_index(name: str, text: str, _tops: tuple[str, ...]) -> tuple[tuple[str, str], ...] | None:
    """Return the entries of the index: a brief fact stands there itself, each in an item of a list."""
    entries = []
    for item in _ENTRY.finditer(text) if name == _INDEX else ():
        over = _ENTRY_OVER.search(text, item.end() + 1)  # the lines below belong to the item
        end = over.start() if over else len(text)
        entries.append((" ".join(text[item.end() : end].split()), text[item.start() : end]))
    return tuple(entries) or None


MEMORY_FILES = MemoryFiles(find_memory_folders, split=split_index)
