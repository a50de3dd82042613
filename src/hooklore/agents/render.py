"""What a hook prints, in the form and within the bounds that the agent accepts."""

import re
from typing import Any

import orjson

from hooklore.agents.registry import dialect_of
from hooklore.records.event import RECALLING_EVENTS, HookEvent

MAX_OUTPUT_UNITS = 9000
"""UTF-16 units of a whole stdout; above 10,000 the client shows the model a preview instead."""

_LINE = 1000
_LAST_LINE = 200
_SURROGATE = re.compile("[\ud800-\udfff]")


def render_hook_output(
    event: HookEvent,
    context: str | None,
    notice: str | None,
    stop_reason: str | None,
    refusal: str | None = None,
) -> bytes:
    """What to print: `context` for the model, `notice` for the user; b"" when there is nothing.

    `stop_reason` ends the turn (strict mode); `refusal` keeps a tool from running and says why. Only
    events whose answer may put text before the model get anything: elsewhere it is ignored, makes the
    turn go on, or instructs a summariser.
    """
    name = str(event.extra.get("payload_event") or event.wire_event)
    if (
        event.event not in RECALLING_EVENTS
        or name not in dialect_of(event.agent_id).accepts_context
    ):
        return b""
    answer: dict[str, Any] = {}
    if stop_reason:
        answer |= {"continue": False, "stopReason": _short(stop_reason)}
    if notice:
        answer["systemMessage"] = _short(notice)
    if context and not stop_reason:
        answer["hookSpecificOutput"] = {"hookEventName": name, "additionalContext": ""}
        room = MAX_OUTPUT_UNITS - 1 - _units(answer)
        answer["hookSpecificOutput"]["additionalContext"] = _fitted(_clean(context), room)
    if refusal and name == "PreToolUse" and not stop_reason:
        answer["hookSpecificOutput"] = {
            "hookEventName": name,
            "permissionDecision": "deny",
            "permissionDecisionReason": _clean(refusal),
        }
    return orjson.dumps(answer) if answer else b""


def _clean(text: str) -> str:
    return _SURROGATE.sub("\ufffd", text)


def _short(text: str) -> str:
    text = _clean(text)
    return text if len(text) <= _LINE else text[: _LINE - 1] + "…"


def _units(value: object) -> int:
    """How many UTF-16 units a value takes as printed."""
    return len(orjson.dumps(value).decode().encode("utf-16-le")) // 2


def _fitted(context: str, room: int) -> str:
    """The context; when it does not fit cut at the end of a line, saying so; its last line stays.

    The last line closes the frame around quoted notes.
    """
    if _units(context) - 2 <= room:
        return context
    lines = context.split("\n")
    last = lines.pop() if len(lines) > 1 and len(lines[-1]) <= _LAST_LINE else ""
    room -= _units(_remark(len(lines))) + _units(last)
    kept = 0
    for line in lines:
        room -= _units(line)
        if room < 0:
            break
        kept += 1
    head = lines[:kept] or [_cut_line(lines[0], room + _units(lines[0]))]
    closing = [last] if last else []
    return "\n".join([*head, _remark(len(lines) - kept), *closing])


def _remark(dropped: int) -> str:
    return f"({dropped} more lines did not fit: run `hooklore last`)"


def _cut_line(line: str, room: int) -> str:
    """The beginning of one line, ended at white space where there is some."""
    size = max(0, min(len(line), room - 4))
    while size and _units(line[:size]) > room:
        size = size * 9 // 10
    head = line[:size]
    at = head.rfind(" ")
    return head[:at] if at > size // 2 else head
