"""Gemini CLI's side of a session, as recorded from the real client."""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hooklore.agents.gemini.registering import is_ours
from hooklore.agents.hook_rehearsal import parse_answer, registered_commands
from hooklore.agents.registration import Command
from hooklore.agents.rehearsal import Payload, Rehearsal, Step

_EVENTS = {
    "session_start": "SessionStart",
    "prompt": "BeforeAgent",
    "before_tool": "BeforeTool",
    "after_tool": "AfterTool",
    "failure": "AfterTool",
    "answer": "AfterAgent",
    "before_compaction": "PreCompress",
    "session_end": "SessionEnd",
}
_EXIT_STATUS = re.compile(r"Exit code (\d+)\n?")
"""The beginning of a step's error, where the command ran to its end."""


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
        "prompt_response": step.answer,
    }
    said = {name: value for name, value in common.items() if value is not None}
    return event, said | _tool(step)


def _tool(step: Step) -> Payload:
    """Return the fields of a step that is a command or an edit."""
    if step.edit is not None:
        given = {"old_string": step.edit.before, "new_string": step.edit.after}
        fields: Payload = {
            "tool_name": step.tool or "replace",
            "tool_input": {"file_path": step.edit.path, **given},
        }
        response: Payload = {
            "llmContent": f"Successfully modified file: {step.edit.path}",
            "returnDisplay": {"filePath": step.edit.path},
        }
    elif step.command is not None:
        fields = {"tool_name": "run_shell_command", "tool_input": {"command": step.command}}
        response = _shell_answer(step)
    else:
        return {}
    is_done = step.event in ("after_tool", "failure")
    return fields | ({"tool_response": response} if is_done else {})


def _shell_answer(step: Step) -> Payload:
    """Return the answer of a command: the exit status of a failed one stands below its output."""
    output, status = step.output or "", ""
    if step.error is not None:
        found = _EXIT_STATUS.match(step.error)
        output = step.error[found.end() :] if found else step.error
        status = f"Exit Code: {found[1] if found else 1}\n"
    told = f"Output: {output or '(empty)'}\n{status}Process Group PGID: 1"
    return {
        "llmContent": f"<untrusted_context>\n{told}\n</untrusted_context>",
        "returnDisplay": output,
    }


def context(event: str, stdout: bytes) -> str:
    """Return the text that an answer puts before the model, "" without any. Raise AnswerInvalid."""
    if not stdout.strip():
        return ""
    answer = parse_answer(event, stdout)
    specific = answer.get("hookSpecificOutput")
    found = specific.get("additionalContext") if isinstance(specific, dict) else None
    return found if isinstance(found, str) and event != "BeforeTool" else ""


def event_name(fields: Mapping[str, Any]) -> str:
    """Return the event's name of a payload; "" without one."""
    named = fields.get("hook_event_name")
    return named if isinstance(named, str) else ""


def summary(fields: Mapping[str, Any]) -> str:
    """Return one line about a payload: the tool and its subject, or the text."""
    given = fields.get("tool_input") or {}
    about = given.get("command") or os.path.basename(str(given.get("file_path", "")))
    said = fields.get("prompt_response") or fields.get("prompt") or about
    return " ".join(part for part in (fields.get("tool_name"), said) if part)


def commands(settings: Mapping[str, Any], fields: Mapping[str, Any]) -> list[Command]:
    """Return the commands of ours that the settings run for a payload."""

    def matches(matcher: str | None) -> bool:
        return _matches(matcher, fields)

    return registered_commands(settings, event_name(fields), matches, is_ours)


def _matches(matcher: str | None, fields: Mapping[str, Any]) -> bool:
    """Return whether a matcher is for a payload: a regular expression for a tool, else a whole word."""
    if not matcher:
        return True
    if tool := fields.get("tool_name"):
        return re.search(matcher, tool) is not None
    return matcher == next(
        (fields[n] for n in ("trigger", "source", "reason") if n in fields), matcher
    )


def environment(project: Path) -> dict[str, str]:
    """Return the client's variables in a project."""
    return {"GEMINI_PROJECT_DIR": str(project), "GEMINI_CWD": str(project)}


REHEARSAL = Rehearsal(
    payload=payload,
    context=context,
    event_name=event_name,
    summary=summary,
    commands=commands,
    environment=environment,
    channel="`additionalContext`",
)
