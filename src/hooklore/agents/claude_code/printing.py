"""Answers as Claude Code reads them: one JSON object on stdout."""

from collections.abc import Mapping
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
    if answer.stop_reason:
        return orjson.dumps(fields)
    specific = _specific(event, answer, fields)
    if specific:
        fields["hookSpecificOutput"] = specific
    return orjson.dumps(fields) if fields else b""


def _specific(event: str, answer: Answer, others: Mapping[str, object]) -> Mapping[str, object]:
    """Return the fields that belong to the event, {} for none. A context gets the room that `others` leave."""
    decision = _decision(answer) if event == "PreToolUse" else {}
    context = answer.context if decision.get("permissionDecision") in (None, "allow") else None
    if not context:
        return {"hookEventName": event, **decision} if decision else {}
    empty = {"hookEventName": event, "additionalContext": ""}
    room = MAX_OUTPUT_UNITS - 1 - _units({**others, "hookSpecificOutput": empty})
    fitted = fit_lines(replace_surrogates(context), room, _units)
    return {"hookEventName": event, "additionalContext": fitted, **decision}


def _decision(answer: Answer) -> Mapping[str, object]:
    """Return the decision about a tool, {} for none. One other than `allow` stands without a context."""
    if answer.question:
        return {
            "permissionDecision": "ask",
            "permissionDecisionReason": fit_line(answer.question),
            "updatedInput": answer.changed_input,
        }
    if answer.refusal:
        reason = replace_surrogates(answer.refusal)
        return {"permissionDecision": "deny", "permissionDecisionReason": reason}
    if answer.permission:
        reason = fit_line(answer.permission)
        return {"permissionDecision": "allow", "permissionDecisionReason": reason}
    return {}


def _units(value: object) -> int:
    """Return how many UTF-16 units a value takes as printed."""
    return len(orjson.dumps(value).decode().encode("utf-16-le")) // 2
