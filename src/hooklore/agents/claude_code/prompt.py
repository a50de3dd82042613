"""A prompt of Claude Code taken apart: the user's words, slash commands, notifications, the client's text."""

import re

from hooklore.agents.agent import PromptParts
from hooklore.agents.event import BackgroundTask, SlashCommand

_BLOCK = re.compile(
    r"<(task-notification|system-reminder|system_reminder|system-instruction|system_instruction|hook_context|"
    r"local-command-stdout|local-command-stderr|local-command-caveat|persisted-output|"
    r"user-prompt-submit-hook|qwen:user-prompt-submit-context|ide_opened_file|ide_selection)\b[^>]{0,200}>(.*?)(?:</\1>|\Z)",
    re.DOTALL,
)
_COMMAND_TAG = re.compile(
    r"<(command-name|command-message|command-args)>(.{0,4000}?)</\1>\s*", re.DOTALL
)
_SLASH = re.compile(r"/([A-Za-z0-9][\w:.-]{0,99})(?:\s+(.*))?\Z", re.DOTALL)
_POINTER = re.compile(r"^(?:Full transcript available at|Read the output file).*$", re.MULTILINE)
"""The lines that the client adds below the notification of a background task."""

_HEAD = 16 * 1024
"""Where tags of a command are looked for: the work stays bounded for a prompt of megabytes."""

_INTERRUPTED = re.compile(r"\[Request interrupted by user[^\]]{0,40}\]")
_FIELD = re.compile(r"<(task-id|tool-use-id|status|summary)>(.{0,4000}?)</\1>", re.DOTALL)


def split_prompt(prompt: str) -> PromptParts:
    """Return the user's words of a prompt, and what the client put beside them."""
    notification = _notification(prompt)
    rest = _INTERRUPTED.sub("", _BLOCK.sub("", prompt))
    if notification:
        rest = _POINTER.sub("", rest)
    tags = dict(_COMMAND_TAG.findall(rest[:_HEAD]))
    words = (_COMMAND_TAG.sub("", rest[:_HEAD]) + rest[_HEAD:]).strip()
    if "command-name" in tags:
        name, arguments = tags["command-name"].strip(), tags.get("command-args", "").strip()
        return PromptParts(words, _slash(name.removeprefix("/"), arguments), notification)
    typed = _SLASH.match(words)
    if typed:
        return PromptParts("", _slash(typed[1], (typed[2] or "").strip()), notification)
    return PromptParts(words, None, notification)


def _slash(name: str, arguments: str) -> SlashCommand | None:
    return SlashCommand(name, arguments) if name else None


def _notification(prompt: str) -> BackgroundTask | None:
    """Return the first notification of a prompt that says anything."""
    for block in _BLOCK.finditer(prompt):
        told = _fields(block[2]) if block[1] == "task-notification" else {}
        if told:
            return BackgroundTask(
                told.get("status", ""), told.get("summary", ""), told.get("task-id", "")
            )
    return None


def _fields(inside: str) -> dict[str, str]:
    return {name: value.strip() for name, value in _FIELD.findall(inside[:_HEAD])}
