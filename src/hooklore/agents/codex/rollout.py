"""The rollout of a session: the JSON lines that Codex CLI writes as it goes on."""

import os
import re
from contextlib import suppress

import orjson

from hooklore.agents.agent import Payload
from hooklore.agents.call_input import object_at
from hooklore.agents.transcript_file import open_transcript, token_count

_HEAD_BYTES = 4096
_TAILS = (64 * 1024, 4 * 1024 * 1024)
"""Bytes before the end in which a line is looked for. A command's line holds its output, of at most a mebibyte."""

_SOURCE = re.compile(rb'"source":"(\w{1,40})"')
_EXEC = b'"originator":"codex_exec"'
_FILE_NAME = re.compile(r"rollout-[\dT-]{19}-(?P<session>[0-9a-f-]{36})\.jsonl")
_TOKENS = b'"type":"token_count"'


def session_source(payload: Payload) -> str | None:
    """Return the source that started a session: `cli` for a terminal, `exec` for a program's run.

    A subagent's rollout names its parent instead, and tells a program's run by the originator.
    """
    path = payload.get("transcript_path")
    head = _read(path, head=_HEAD_BYTES) if isinstance(path, str) else b""
    first = head.partition(b"\n")[0]
    if b'"session_meta"' not in first:
        return None
    found = _SOURCE.search(first)
    if found is not None:
        return found[1].decode()
    return "exec" if _EXEC in first else None


def command_status(path: str, call_id: str) -> int | None:
    """Return the exit status of the command that a call ran, None where the rollout tells none."""
    name = b'"type":"CommandExecution","id":' + orjson.dumps(call_id)
    for size in _TAILS:
        tail = _read(path, tail=size)
        at = tail.rfind(name)
        if at >= 0:
            start, end = tail.rfind(b"\n", 0, at) + 1, tail.find(b"\n", at)
            try:
                entry = orjson.loads(tail[start : end if end >= 0 else len(tail)])
            except orjson.JSONDecodeError:  # the line's beginning lies before the tail
                return None
            status = object_at(entry, ("payload", "item")).get("exit_code")
            return status if type(status) is int else None
        if len(tail) < size:
            break
    return None


def token_totals(path: str) -> dict[str, int]:
    """Return the tokens (input, output, cache_creation, cache_read) of the session at `path`.

    The client counts them itself: the last count is the session's. Return {} without one.
    """
    tail = _read(path, tail=_TAILS[-1])
    for line in reversed(tail.split(b"\n")):
        if _TOKENS not in line:
            continue
        with suppress(orjson.JSONDecodeError, KeyError, TypeError, AttributeError):
            info = orjson.loads(line)["payload"]["info"]["total_token_usage"]
            cached = token_count(info.get("cached_input_tokens"))
            return {
                "input": max(0, token_count(info.get("input_tokens")) - cached),
                "output": token_count(info.get("output_tokens")),
                "cache_creation": token_count(info.get("cache_write_input_tokens")),
                "cache_read": cached,
            }
    return {}


def session_of_transcript(name: str) -> str | None:
    """Return the id of the session whose rollout has this file name; None for another file."""
    found = _FILE_NAME.fullmatch(name)
    return found["session"] if found else None


def _read(path: str, *, head: int = 0, tail: int = 0) -> bytes:
    """Return the beginning or the end of a regular file; b"" for any other path."""
    file = open_transcript(path)
    if file is None:
        return b""
    with file, suppress(OSError):
        size = os.fstat(file.fileno()).st_size
        return os.pread(file.fileno(), head or tail, 0 if head else max(0, size - tail))
    return b""
