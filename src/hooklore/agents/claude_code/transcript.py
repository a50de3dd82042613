"""Tokens of a session, and sessions by their files, from the transcripts that Claude Code writes."""

import os
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import orjson

from hooklore.agents.call_input import object_at
from hooklore.agents.transcript_file import open_transcript, token_count

MAX_TRANSCRIPT_BYTES = 64 * 1024 * 1024
_LONGEST_LINE = 4 * 1024 * 1024
_SUFFIX = ".jsonl"

_FIELDS = {
    "input": "input_tokens",
    "output": "output_tokens",
    "cache_creation": "cache_creation_input_tokens",
    "cache_read": "cache_read_input_tokens",
}


def token_totals(path: str) -> dict[str, int]:
    """Return the tokens (input, output, cache_creation, cache_read) of the session at `path`.

    A message stands in the file once for each of its blocks, with the same usage: its last usage
    counts. Damaged lines are left out. Of more than 64 MiB the last part is read. Return {} when
    the path is no regular file that can be read, or has no message.
    """
    usage: dict[str, Any] = {}
    for line in _lines(path):
        if b'"usage"' not in line or len(line) > _LONGEST_LINE:
            continue
        with suppress(orjson.JSONDecodeError):
            message = object_at(orjson.loads(line), ("message",))
            if isinstance(message.get("id"), str) and isinstance(message.get("usage"), dict):
                usage[message["id"]] = message["usage"]
    sums = {n: sum(token_count(u.get(wire)) for u in usage.values()) for n, wire in _FIELDS.items()}
    return sums if usage else {}


def session_of_transcript(name: str) -> str | None:
    """Return the id of the session whose transcript has this file name; None for another file."""
    return name.removesuffix(_SUFFIX) if name.endswith(_SUFFIX) else None


def _lines(path: str) -> Iterator[bytes]:
    """Yield the lines of a regular file, of a large one those of its last part.

    A file may grow while it is read: no more than was there at the start is.
    """
    file = open_transcript(path)
    if file is None:
        return
    with file, suppress(OSError):
        size = os.fstat(file.fileno()).st_size
        skipped = max(0, size - MAX_TRANSCRIPT_BYTES)
        file.seek(skipped)
        if skipped:
            file.readline(_LONGEST_LINE)
        size -= skipped
        while size > 0 and (line := file.readline(_LONGEST_LINE)):
            size -= len(line)
            yield line
