"""Tokens of a session, and sessions by their files, from the transcripts that Claude Code writes."""

import os
from collections.abc import Iterator
from contextlib import suppress

import orjson

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
    by_message: dict[str, dict[str, int]] = {}
    for line in _lines(path):
        message = _message(line)
        if message is not None:
            by_message[message[0]] = message[1]
    if not by_message:
        return {}
    return {name: sum(usage[name] for usage in by_message.values()) for name in _FIELDS}


def session_of_transcript(name: str) -> str | None:
    """Return the id of the session whose transcript has this file name; None for another file."""
    return name.removesuffix(_SUFFIX) if name.endswith(_SUFFIX) else None


def _message(line: bytes) -> tuple[str, dict[str, int]] | None:
    """Return the message id and the usage of a transcript line; None for any other line."""
    if b'"usage"' not in line or len(line) > _LONGEST_LINE:
        return None
    try:
        entry = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    message = entry.get("message") if isinstance(entry, dict) else None
    if not isinstance(message, dict) or not isinstance(message.get("id"), str):
        return None
    usage = message.get("usage")
    if not isinstance(usage, dict):
        return None
    return message["id"], {name: token_count(usage.get(wire)) for name, wire in _FIELDS.items()}


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
