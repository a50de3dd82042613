"""Tell the memories that come from an agent's own memory file. No caller can write their mark."""

from typing import Final

from hooklore.records.record import Record

FROM_A_MEMORY_FILE: Final = "native"
"""The beginning of `source.detail` of a memory that comes from an agent's own memory file; its name follows."""


def is_from_memory_file(record: Record) -> bool:
    """Return whether a memory comes from an agent's own memory file."""
    return str(record.source_detail or "").partition(":")[0] == FROM_A_MEMORY_FILE
