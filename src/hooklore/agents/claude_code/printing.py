"""Answers as Claude Code reads them: one JSON object on stdout."""

import re
from typing import Any

import orjson

from hooklore.agents.agent import Answer
from hooklore.agents.fitting import fit_lines

MAX_OUTPUT_UNITS = 9000
"""UTF-16 units of a whole stdout. Above 10,000 the client shows the model a preview instead."""

_LINE = 1000
_SURROGATE = re.compile("[\ud800-\udfff]")


def print_answer(event: str, answer: Answer) -> bytes:
    """Return the bytes to print at an event, named as the client fired it; b"" for nothing to say."""
    fields: dict[str, Any] = {}
    if answer.stop_reason:
        fields |= {"continue": False, "stopReason": _short(answer.stop_reason)}
    if answer.notice:
        fields["systemMessage"] = _short(answer.notice)
    if answer.context and not answer.stop_reason:
        fields["hookSpecificOutput"] = {"hookEventName": event, "additionalContext": ""}
        room = MAX_OUTPUT_UNITS - 1 - _units(fields)
        context = fit_lines(_clean(answer.context), room, _units)
        fields["hookSpecificOutput"]["additionalContext"] = context
    if answer.permission and event == "PreToolUse" and not answer.stop_reason:
        told = fields.get("hookSpecificOutput", {"hookEventName": event})
        fields["hookSpecificOutput"] = told | {
            "permissionDecision": "allow",
            "permissionDecisionReason": _short(answer.permission),
        }
    if answer.refusal and event == "PreToolUse" and not answer.stop_reason:
        fields["hookSpecificOutput"] = {
            "hookEventName": event,
            "permissionDecision": "deny",
            "permissionDecisionReason": _clean(answer.refusal),
        }
    if answer.question and event == "PreToolUse" and not answer.stop_reason:
        fields["hookSpecificOutput"] = {
            "hookEventName": event,
            "permissionDecision": "ask",
            "permissionDecisionReason": _short(answer.question),
            "updatedInput": answer.changed_input,
        }
    return orjson.dumps(fields) if fields else b""


def _clean(text: str) -> str:
    return _SURROGATE.sub("\ufffd", text)


def _short(text: str) -> str:
    text = _clean(text)
    return text if len(text) <= _LINE else text[: _LINE - 1] + "…"


def _units(value: object) -> int:
    """Return how many UTF-16 units a value takes as printed."""
    return len(orjson.dumps(value).decode().encode("utf-16-le")) // 2
