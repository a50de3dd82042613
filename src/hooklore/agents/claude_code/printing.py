"""Answers as Claude Code reads them: one JSON object on stdout."""

from typing import Any

import orjson

from hooklore.agents.agent import Answer
from hooklore.agents.fitting import fit_line, fit_lines, replace_surrogates

MAX_OUTPUT_UNITS = 9000
"""UTF-16 units of a whole stdout. Above 10,000 the client shows the model a preview instead."""


def print_answer(event: str, answer: Answer) -> bytes:
    """Return the bytes to print at an event, named as the client fired it; b"" for nothing to say."""
    fields: dict[str, Any] = {}
    if answer.stop_reason:
        fields |= {"continue": False, "stopReason": fit_line(answer.stop_reason)}
    if answer.notice:
        fields["systemMessage"] = fit_line(answer.notice)
    if answer.context and not answer.stop_reason:
        fields["hookSpecificOutput"] = {"hookEventName": event, "additionalContext": ""}
        room = MAX_OUTPUT_UNITS - 1 - _units(fields)
        context = fit_lines(replace_surrogates(answer.context), room, _units)
        fields["hookSpecificOutput"]["additionalContext"] = context
    if answer.permission and event == "PreToolUse" and not answer.stop_reason:
        told = fields.get("hookSpecificOutput", {"hookEventName": event})
        fields["hookSpecificOutput"] = told | {
            "permissionDecision": "allow",
            "permissionDecisionReason": fit_line(answer.permission),
        }
    if answer.refusal and event == "PreToolUse" and not answer.stop_reason:
        fields["hookSpecificOutput"] = {
            "hookEventName": event,
            "permissionDecision": "deny",
            "permissionDecisionReason": replace_surrogates(answer.refusal),
        }
    if answer.question and event == "PreToolUse" and not answer.stop_reason:
        fields["hookSpecificOutput"] = {
            "hookEventName": event,
            "permissionDecision": "ask",
            "permissionDecisionReason": fit_line(answer.question),
            "updatedInput": answer.changed_input,
        }
    return orjson.dumps(fields) if fields else b""


def _units(value: object) -> int:
    """Return how many UTF-16 units a value takes as printed."""
    return len(orjson.dumps(value).decode().encode("utf-16-le")) // 2
