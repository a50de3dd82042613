"""The folder in which Gemini CLI keeps what its user wants remembered of a project (private project memory)."""

from hooklore.agents.memory_files import MemoryFiles


def find_memory_folders(transcript: str, _tops: tuple[str, ...]) -> tuple[str, ...]:
    """Return the folder of memories: it lies beside the one of the transcripts."""
    chats, _, name = transcript.rpartition("/")
    project, _, last = chats.rpartition("/")
    return (f"{project}/memory",) if name and project and last == "chats" else ()


MEMORY_FILES = MemoryFiles(find_memory_folders)
