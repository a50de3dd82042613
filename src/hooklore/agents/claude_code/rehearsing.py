"""Claude Code's side of a session, as recorded from the real client."""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hooklore.agents.claude_code.registering import is_ours
from hooklore.agents.hook_rehearsal import parse_answer, registered_commands
from hooklore.agents.registration import Command
from hooklore.agents.rehearsal import AnswerInvalid, Payload, Rehearsal, Step

_EVENTS = {
    "session_start": "SessionStart",
    "prompt": "UserPromptSubmit",
    "before_tool": "PreToolUse",
    "after_tool": "PostToolUse",
    "failure": "PostToolUseFailure",
    "answer": "Stop",
}


def payload(step: Step) -> tuple[str, Payload]:
    """Return the event's name and the payload of a step."""
    event = _EVENTS[step.event]
    common = {
        "session_id": step.session,
        "transcript_path": step.transcript,
        "cwd": step.folder,
        "hook_event_name": event,
        "source": step.source,
        "prompt": step.prompt,
        "last_assistant_message": step.answer,
        "error": step.error,
        "tool_use_id": step.tool_use_id,
    }
    said = {name: value for name, value in common.items() if value is not None}
    return event, said | _tool(step)


def _tool(step: Step) -> Payload:
    """Return the fields of a step that is a command or an edit."""
    if step.edit is not None:
        given = {"old_string": step.edit.before, "new_string": step.edit.after}
        fields = {
            "tool_name": step.tool or "Edit",
            "tool_input": {"file_path": step.edit.path, **given},
        }
        response: Payload = {"filePath": step.edit.path}
    elif step.command is not None:
        fields = {"tool_name": "Bash", "tool_input": {"command": step.command}}
        response = {"stdout": step.output or "", "stderr": "", "interrupted": False}
    else:
        return {}
    return fields | ({"tool_response": response} if step.event == "after_tool" else {})


def context(event: str, stdout: bytes) -> str:
    """Return the text that an answer puts before the model, "" without any. Raise AnswerInvalid."""
    if not stdout.strip():
        return ""
    answer = parse_answer(event, stdout.decode("utf-8", "replace"))
    specific = answer.get("hookSpecificOutput")
    specific = specific if isinstance(specific, dict) else {}
    found = specific.get("additionalContext")
    if not isinstance(found, str):
        return ""
    if specific.get("hookEventName") != event:
        raise AnswerInvalid(f"{event} answers for `{specific.get('hookEventName')}`: it is dropped")
    return found


def event_name(fields: Mapping[str, Any]) -> str:
    """Return the event's name of a payload; "" without one."""
    named = fields.get("hook_event_name")
    return named if isinstance(named, str) else ""


def summary(fields: Mapping[str, Any]) -> str:
    """Return one line about a payload: the tool and its subject, or the text."""
    given = fields.get("tool_input") or {}
    about = given.get("command") or os.path.basename(str(given.get("file_path", "")))
    said = fields.get("prompt") or fields.get("last_assistant_message") or about
    return " ".join(part for part in (fields.get("tool_name"), said) if part)


def commands(settings: Mapping[str, Any], fields: Mapping[str, Any]) -> list[Command]:
    """Return the commands of ours that the settings run for a payload."""

    def matches(matcher: str | None) -> bool:
        return _matches(matcher, fields.get("tool_name"))

    return registered_commands(settings, event_name(fields), matches, is_ours)


def _matches(matcher: str | None, tool: str | None) -> bool:
    """Return whether a matcher is for a tool: names are compared, another text is a regular expression."""
    if not matcher or tool is None:
        return True
    if re.fullmatch(r"[\w|]+", matcher):
        return tool in matcher.split("|")
    return re.search(matcher, tool) is not None


def environment(project: Path) -> dict[str, str]:
    """Return the client's variables in a project."""
    return {"CLAUDE_PROJECT_DIR": str(project), "CLAUDE_CODE_ENTRYPOINT": "cli"}


REHEARSAL = Rehearsal(
    payload=payload,
    context=context,
    event_name=event_name,
    summary=summary,
    commands=commands,
    environment=environment,
    channel="`additionalContext`",
)
