"""Answers as Codex CLI reads them: one JSON object on stdout, without any field that the client does not know.

For one unknown field the client drops the whole output.
"""

from collections.abc import Mapping
from typing import Any

import orjson

from hooklore.agents.agent import Answer
from hooklore.agents.fitting import fit_line, fit_lines, replace_surrogates

MAX_CONTEXT_BYTES = 9000
"""UTF-8 bytes of a whole stdout. Above 10,000 the client shows the model a head and a tail instead."""

_TELLING = frozenset(
    ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "SubagentStart")
)
"""Events whose output may have a context. At the others one would be an unknown field."""

_SILENT = frozenset(("SessionEnd",))
"""Events whose output the client does not read."""


def print_answer(event: str, answer: Answer) -> bytes:
    """Return the bytes to print at an event, named as the client fired it; b"" for nothing to say.

    The client has no question of its own that a hook could ask, so a question prints nothing.
    """
    if event in _SILENT:
        return b""
    fields: dict[str, Any] = {}
    if answer.stop_reason:
        fields |= {"continue": False, "stopReason": fit_line(answer.stop_reason)}
    if answer.notice:
        fields["systemMessage"] = fit_line(answer.notice)
    if answer.stop_reason:
        return orjson.dumps(fields)
    if answer.refusal and event == "PreToolUse":
        fields["hookSpecificOutput"] = {
            "hookEventName": event,
            "permissionDecision": "deny",
            "permissionDecisionReason": replace_surrogates(answer.refusal),
        }
    elif answer.context and event in _TELLING:
        fields["hookSpecificOutput"] = _telling(event, answer.context, fields)
    return orjson.dumps(fields) if fields else b""


def _telling(event: str, context: str, others: Mapping[str, object]) -> Mapping[str, object]:
    """Return the fields that tell the model of a context. It gets the room that `others` leave."""
    empty = {"hookEventName": event, "additionalContext": ""}
    room = MAX_CONTEXT_BYTES - _size({**others, "hookSpecificOutput": empty})
    return empty | {"additionalContext": fit_lines(replace_surrogates(context), room, _size)}


def _size(value: object) -> int:
    """Return how many bytes a value takes as printed."""
    return len(orjson.dumps(value))
