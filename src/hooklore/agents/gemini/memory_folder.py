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
    found = list(_ENTRY.finditer(text)) if name == _INDEX else []
    return tuple(_entry(text, each) for each in found) or None


def _entry(text: str, item: re.Match[str]) -> tuple[str, str]:
    """Return the words of an item of a list, and the item with the lines that belong to it."""
    over = _ENTRY_OVER.search(text, item.end() + 1)
    end = over.start() if over else len(text)
    return " ".join(text[item.end() : end].split()), text[item.start() : end]


MEMORY_FILES = MemoryFiles(find_memory_folders, split=split_index)
