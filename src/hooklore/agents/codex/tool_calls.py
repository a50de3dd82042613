"""Tool calls of Codex CLI, read from the input and the response that its payloads carry.

A payload tells a command's output without the exit status. The status stands in the session's rollout,
which the client writes before it runs the hook (seen in 14 of 14 calls).
"""

from typing import Any

from hooklore.agents.agent import Payload
from hooklore.agents.codex.patch_text import file_patches, patched_paths
from hooklore.agents.codex.rollout import command_status
from hooklore.agents.event import EventName, ToolCall, ToolOutput
from hooklore.agents.flattened_text import flatten_text
from hooklore.agents.stated_privacy import stated_privacy
from hooklore.agents.task_list import arguments_text

_SHELL = "Bash"
_EXIT = "Exit code"
_DESCRIBING = ("description", "query", "prompt", "message")


def refine_event(event: EventName, payload: Payload) -> EventName:
    """Return `failure` for a tool that failed, `other` for the task of a subagent.

    The client has one event for a tool that succeeded and one that failed. It also sends a subagent's task
    as a prompt, which no person typed.
    """
    if event == "prompt" and payload.get("agent_id"):
        return "other"
    if event != "after_tool":
        return event
    return "failure" if _exit_status(payload) or _is_error(payload) else event


def failure_text(payload: Payload) -> str | None:
    """Return the error of a tool that failed: its exit status, then its output."""
    output, status = _output_text(payload), _exit_status(payload)
    return f"{_EXIT} {status}\n{output}" if status else output


def read_call(payload: Payload, tool_class: str | None) -> ToolCall:
    """Return the tool call of a payload. Fields of the wrong type are left out."""
    given = _dict(payload.get("tool_input"))
    if tool_class == "edit":
        return _patch_call(payload, given)
    is_agent = tool_class == "agent"
    prompts = _strings(given, "message", "prompt")
    return ToolCall(
        paths=tuple(_strings(given, "path")),
        command=_command(given) if tool_class == "command" else None,
        intent=next(iter(_strings(given, "description")), None),
        assignment=next(iter(prompts), None) if is_agent else None,
        described=tuple(_strings(given, *_DESCRIBING)),
        started_agent_type=next(iter(_strings(given, "agent_type")), None) if is_agent else None,
        arguments="" if tool_class in ("command", "read", "agent") else arguments_text(given),
        output=_output(payload, tool_class),
        stated_privacy=None if tool_class == "command" else stated_privacy(given),
    )


def _patch_call(payload: Payload, given: dict[str, Any]) -> ToolCall:
    folder = payload.get("cwd")
    patch = next(iter(_strings(given, "command", "input", "patch")), "")
    patches = file_patches(patch, folder if isinstance(folder, str) else "")
    return ToolCall(
        paths=tuple(patched_paths(patches)),
        edits=tuple(each.edit for each in patches),
        changed_lines=tuple(line for each in patches for line in each.changed_lines),
        output=ToolOutput() if "tool_response" in payload else None,
    )


def _command(given: dict[str, Any]) -> str | None:
    """Return the command line; older versions send the words of a program."""
    command = given.get("command")
    if isinstance(command, list):
        return " ".join(word for word in command if isinstance(word, str)) or None
    return command if isinstance(command, str) else None


def _output(payload: Payload, tool_class: str | None) -> ToolOutput | None:
    """Return the output. A command whose status nobody tells has an unknown outcome."""
    if "tool_response" not in payload or tool_class == "read":
        return None
    is_unknown = tool_class == "command" and _exit_status(payload) is None
    return ToolOutput(_output_text(payload), outcome="unknown" if is_unknown else None)


def _output_text(payload: Payload) -> str:
    response = payload.get("tool_response")
    if isinstance(response, dict) and response.get("content"):
        return flatten_text(response["content"])
    return flatten_text(response)


def _exit_status(payload: Payload) -> int | None:
    """Return the exit status of a command; None where nobody tells it, and for any other tool."""
    path, call = payload.get("transcript_path"), payload.get("tool_use_id")
    if payload.get("tool_name") != _SHELL or "tool_response" not in payload:
        return None
    if not isinstance(path, str) or not isinstance(call, str):
        return None
    return command_status(path, call)


def _is_error(payload: Payload) -> bool:
    response = _dict(payload.get("tool_response"))
    return True in (response.get("isError"), response.get("is_error"))


def _strings(given: dict[str, Any], *names: str) -> list[str]:
    return [given[name] for name in names if isinstance(given.get(name), str)]


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
