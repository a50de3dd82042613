"""Answers as Gemini CLI reads them: one JSON object on stdout, nothing else.

Plain text reaches no model. The client escapes angle brackets in a context, and cuts nothing up to 60,000
characters.
"""

from typing import Any

import orjson

from hooklore.agents.agent import Answer
from hooklore.agents.fitting import fit_line, fit_lines, replace_surrogates

MAX_CONTEXT = 9000
"""Characters of a context: the room that every agent's notes have."""

_BEFORE_TOOL = "BeforeTool"
"""The event whose answer reaches the model as a refusal only."""


def print_answer(event: str, answer: Answer) -> bytes:
    """Return the bytes to print at an event, named as the client fired it; b"" for nothing to say."""
    fields: dict[str, Any] = {}
    if answer.notice:
        fields["systemMessage"] = fit_line(answer.notice)
    if answer.stop_reason:
        return orjson.dumps(
            fields | {"continue": False, "stopReason": fit_line(answer.stop_reason)}
        )
    if event == _BEFORE_TOOL:
        if answer.refusal:
            fields |= {"decision": "deny", "reason": replace_surrogates(answer.refusal)}
    elif answer.context:
        context = fit_lines(replace_surrogates(answer.context), MAX_CONTEXT, len)
        fields["hookSpecificOutput"] = {"hookEventName": event, "additionalContext": context}
    return orjson.dumps(fields) if fields else b""
