"""`hooklore redact`: JSON lines in, the same texts masked out, so that anyone can score the rules."""

import json
import sys
from collections.abc import Iterator
from typing import Any

import orjson
import typer


def redact() -> None:
    """Mask what the rules find in JSON lines `{"text": …}` on stdin; no store is opened.

    One line out for each line in: `{"text": masked, "findings": [{"rule", "start", "end"}]}`, offsets
    in characters of the text that came in. A line that is no such object is answered by
    `{"error": …}` in its place, and the exit status is 1.
    """
    failed = False
    for answer in _answers():
        failed = failed or "error" in answer
        sys.stdout.buffer.write(_line(answer))
        sys.stdout.buffer.flush()
    if failed:
        raise typer.Exit(1)


def _answers() -> Iterator[dict[str, Any]]:
    from hooklore.redaction import redact as redacted

    for line in sys.stdin.buffer:
        text = _text(line)
        if text is None:
            yield {"error": 'not a JSON object with a string under "text"'}
            continue
        result = redacted(text)
        yield {"text": result.text, "findings": [found._asdict() for found in result.findings]}


def _text(line: bytes) -> str | None:
    """The text of one line; half a character (a lone surrogate) is a text too."""
    try:
        found = orjson.loads(line)
    except orjson.JSONDecodeError:
        found = _lenient(line)
    text = found.get("text") if isinstance(found, dict) else None
    return text if isinstance(text, str) else None


def _lenient(line: bytes) -> Any:
    try:
        return json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        return None


def _line(answer: dict[str, Any]) -> bytes:
    try:
        return orjson.dumps(answer) + b"\n"
    except TypeError:
        return json.dumps(answer).encode() + b"\n"
