"""Tokens of a session, and sessions by their files, from the transcripts that Claude Code writes."""

from contextlib import suppress
from typing import Any

import orjson

from hooklore.agents.call_input import object_at
from hooklore.agents.transcript_file import last_lines, token_count

MAX_TRANSCRIPT_BYTES = 64 * 1024 * 1024
_LONGEST_LINE = 4 * 1024 * 1024

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
    for line in last_lines(path, MAX_TRANSCRIPT_BYTES, _LONGEST_LINE):
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
    return name.removesuffix(".jsonl") if name.endswith(".jsonl") else None
