"""Codex CLI's side of a session, as recorded from the real client."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hooklore.agents.codex.registering import is_ours
from hooklore.agents.codex.stopping import EXIT_STATUS
from hooklore.agents.hook_rehearsal import parse_answer, registered_commands
from hooklore.agents.registration import Command
from hooklore.agents.rehearsal import AnswerInvalid, Payload, Rehearsal, Step

_EVENTS = {
    "session_start": "SessionStart",
    "prompt": "UserPromptSubmit",
    "before_tool": "PreToolUse",
    "after_tool": "PostToolUse",
    "failure": "PostToolUse",
    "answer": "Stop",
}
_FIELDS = frozenset(
    ("continue", "stopReason", "suppressOutput", "systemMessage", "decision", "reason")
)
_SPECIFIC = {
    "SessionStart": {"hookEventName", "additionalContext"},
    "UserPromptSubmit": {"hookEventName", "additionalContext"},
    "SubagentStart": {"hookEventName", "additionalContext"},
    "PostToolUse": {"hookEventName", "additionalContext", "updatedMCPToolOutput"},
    "PreToolUse": {
        "hookEventName", "additionalContext", "permissionDecision", "permissionDecisionReason",
        "updatedInput",
    },
}  # fmt: skip
"""The fields of an answer that the client knows at each event. For any other it drops the whole answer."""


def payload(step: Step) -> tuple[str, Payload]:
    """Return the event's name and the payload of a step.

    The line of a command in the session's rollout is written first, as the client does.
    """
    event = _EVENTS[step.event]
    common = {
        "session_id": step.session,
        "transcript_path": step.transcript,
        "cwd": step.folder,
        "hook_event_name": event,
        "source": step.source,
        "prompt": step.prompt,
        "last_assistant_message": step.answer,
        "tool_use_id": step.tool_use_id,
    }
    said = {name: value for name, value in common.items() if value is not None}
    return event, said | _tool(step)


def _tool(step: Step) -> Payload:
    """Return the fields of a step that is a command or an edit."""
    if step.edit is not None:
        edit = step.edit
        change = f"*** Update File: {edit.path}\n@@\n{_marked('-', edit.before)}{_marked('+', edit.after)}"
        fields: Payload = {
            "tool_name": "apply_patch",
            "tool_input": {"command": f"*** Begin Patch\n{change}*** End Patch\n"},
        }
        response = f"Exit code: 0\nOutput:\nSuccess. Updated the following files:\nM {edit.path}\n"
    elif step.command is not None:
        fields = {"tool_name": "Bash", "tool_input": {"command": step.command}}
        response = _output(step)
    else:
        return {}
    return fields | ({"tool_response": response} if step.event != "before_tool" else {})


def _marked(mark: str, text: str) -> str:
    return "".join(f"{mark}{line}\n" for line in text.splitlines())


def _output(step: Step) -> str:
    """Return a command's output, and write the command's end into the rollout."""
    error = step.error or ""
    status = EXIT_STATUS.match(error)
    if step.event != "before_tool":
        _write_status(step, int(status[1]) if status else 1 if step.error is not None else 0)
    return error[status.end() :].lstrip("\n") if status else (step.output or error)


def _write_status(step: Step, status: int) -> None:
    if step.transcript is None:
        return
    path = Path(step.transcript)
    begin = {"type": "session_meta", "payload": {"id": step.session, "source": "cli"}}
    item = {"type": "CommandExecution", "id": step.tool_use_id, "exit_code": status}
    end = {"type": "event_msg", "payload": {"type": "item_completed", "item": item}}
    lines = [end] if path.exists() else [begin, end]
    with path.open("a", encoding="utf-8") as file:
        for each in lines:
            file.write(json.dumps(each, separators=(",", ":")) + "\n")


def context(event: str, stdout: bytes) -> str:
    """Return the text that an answer puts before the model, "" without any. Raise AnswerInvalid."""
    if not stdout.strip():
        return ""
    answer = parse_answer(event, stdout.decode("utf-8", "replace"))
    specific = answer.get("hookSpecificOutput")
    specific = specific if isinstance(specific, dict) else {}
    unknown = [*(answer.keys() - _FIELDS - {"hookSpecificOutput"})]
    unknown += sorted(specific.keys() - _SPECIFIC.get(event, set()))
    if unknown:
        raise AnswerInvalid(f"{event} answers with `{unknown[0]}`: the whole answer is dropped")
    if specific and specific.get("hookEventName") != event:
        raise AnswerInvalid(f"{event} answers for `{specific.get('hookEventName')}`: it is dropped")
    return str(specific.get("additionalContext", ""))


def event_name(fields: Mapping[str, Any]) -> str:
    """Return the event's name of a payload; "" without one."""
    named = fields.get("hook_event_name")
    return named if isinstance(named, str) else ""


def summary(fields: Mapping[str, Any]) -> str:
    """Return one line about a payload: the tool and its subject, or the text."""
    given = fields.get("tool_input")
    about = str(given.get("command", "")) if isinstance(given, dict) else ""
    said = fields.get("prompt") or fields.get("last_assistant_message") or about.partition("\n")[0]
    return " ".join(part for part in (fields.get("tool_name"), said) if part)


def commands(settings: Mapping[str, Any], fields: Mapping[str, Any]) -> list[Command]:
    """Return the commands of ours that the settings run for a payload."""

    def matches(matcher: str | None) -> bool:
        return _matches(matcher, fields.get("tool_name"))

    return registered_commands(settings, event_name(fields), matches, is_ours)


def _matches(matcher: str | None, tool: str | None) -> bool:
    """Return whether a matcher, a regular expression, is for a tool."""
    return not matcher or tool is None or re.search(matcher, tool) is not None


def environment(_project: Path) -> dict[str, str]:
    """Return no variable: the client sets none for its hooks."""
    return {}


REHEARSAL = Rehearsal(
    payload=payload,
    context=context,
    event_name=event_name,
    summary=summary,
    commands=commands,
    environment=environment,
    channel="`additionalContext`",
)
