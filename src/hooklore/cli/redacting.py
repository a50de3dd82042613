"""Mask the texts of JSON lines, so that anyone can score the rules: `hooklore redact`."""

import json
import sys

import orjson
import typer

from hooklore.redaction import redact as redact_text


def redact() -> None:
    """Mask what the rules find in JSON lines `{"text": …}` on stdin; no store is opened.

    One line out for each line in: `{"text": masked, "findings": [{"rule", "start", "end"}]}`, offsets
    in characters of the text that came in. A line that is no such object is answered by
    `{"error": …}` in its place, and the exit status is 1.
    """
    failed = False
    for line in sys.stdin.buffer:
        text = _text_of_line(line)
        failed = failed or text is None
        _print_answer(text)
    if failed:
        raise typer.Exit(1)


def _text_of_line(line: bytes) -> str | None:
    """Return the text of one line, which may hold a lone surrogate. Return None for any other line."""
    try:
        found = orjson.loads(line)
    except orjson.JSONDecodeError:
        try:
            found = json.loads(line.decode("utf-8"))
        except (ValueError, RecursionError):
            return None
    text = found.get("text") if isinstance(found, dict) else None
    return text if isinstance(text, str) else None


def _print_answer(text: str | None) -> None:
    answer: dict[str, object] = {"error": 'not a JSON object with a string under "text"'}
    if text is not None:
        result = redact_text(text)
        findings = [found._asdict() for found in result.findings]
        answer = {"text": result.text, "findings": findings}
    try:
        raw = orjson.dumps(answer)
    except TypeError:  # a lone surrogate, which the standard library escapes
        raw = json.dumps(answer).encode()
    sys.stdout.buffer.write(raw + b"\n")
    sys.stdout.buffer.flush()
