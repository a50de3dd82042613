"""Tool calls of Codex CLI, read from the input and the response that its payloads carry.

A payload tells a command's output without the exit status. The status stands in the session's rollout,
which the client writes before it runs the hook (seen in 14 of 14 calls).
"""

from dataclasses import replace

from hooklore.agents import hook_dialect as dialect
from hooklore.agents.agent import Payload
from hooklore.agents.call_input import first_text, object_at, read_input
from hooklore.agents.codex.patch_text import file_patches
from hooklore.agents.codex.rollout import command_status
from hooklore.agents.event import EventName, ToolCall, ToolOutput
from hooklore.agents.flattened_text import flatten_text

CALL = replace(
    dialect.CALL,
    paths=("path",),
    pattern="",
    described=("description", "query", "prompt", "message"),
    assignment=("message", "prompt"),
    agent_type="agent_type",
)
_SHELL = "Bash"
_EXIT = "Exit code"


def refine_event(event: EventName, payload: Payload) -> EventName:
    """Return `failure` for a tool that failed, `other` for the task of a subagent.

    The client has one event for a tool that succeeded and one that failed. It also sends a subagent's task
    as a prompt, which no person typed.
    """
    if event == "prompt" and payload.get("agent_id"):
        return "other"
    if event != "after_tool":
        return event
    response = object_at(payload, CALL.gave)
    is_error = True in (response.get("isError"), response.get("is_error"))
    return "failure" if is_error or _exit_status(payload) else event


def failure_text(payload: Payload) -> str | None:
    """Return the error of a tool that failed: its exit status, then its output."""
    output, status = _output_text(payload), _exit_status(payload)
    return f"{_EXIT} {status}\n{output}" if status else output


def read_call(payload: Payload, tool_class: str | None) -> ToolCall:
    """Return the tool call of a payload. Fields of the wrong type are left out."""
    if tool_class != "edit":
        return read_input(payload, tool_class, CALL, output=_output(payload, tool_class))
    folder = first_text(payload, "cwd") or ""
    patch = first_text(object_at(payload, CALL.given), "command", "input", "patch") or ""
    patches = file_patches(patch, folder)
    return ToolCall(
        paths=tuple(dict.fromkeys(path for each in patches for path in each.paths)),
        edits=tuple(each.edit for each in patches),
        changed_lines=tuple(line for each in patches for line in each.changed_lines),
        output=ToolOutput() if "tool_response" in payload else None,
    )


def _output(payload: Payload, tool_class: str | None) -> ToolOutput | None:
    """Return the output. A command whose status nobody tells has an unknown outcome."""
    if "tool_response" not in payload or tool_class == "read":
        return None
    is_unknown = tool_class == "command" and _exit_status(payload) is None
    return ToolOutput(_output_text(payload), outcome="unknown" if is_unknown else None)


def _output_text(payload: Payload) -> str:
    content = object_at(payload, CALL.gave).get("content")
    return flatten_text(content or payload.get("tool_response"))


def _exit_status(payload: Payload) -> int | None:
    """Return the exit status of a command; None where nobody tells it, and for any other tool."""
    path, call = payload.get("transcript_path"), payload.get("tool_use_id")
    is_done = payload.get("tool_name") == _SHELL and "tool_response" in payload
    if not is_done or not isinstance(path, str) or not isinstance(call, str):
        return None
    return command_status(path, call)
