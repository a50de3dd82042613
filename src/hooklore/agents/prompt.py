"""What stands in a prompt that the user did not say: notifications, commands, hooks' text."""

import re
from dataclasses import dataclass, field

from hooklore.prompt.echo import strip_echo

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
"""What the client adds below the notification of a background task."""
_HEAD = 16 * 1024
"""Where tags of a command are looked for: the work stays bounded for a prompt of megabytes."""
_INTERRUPTED = re.compile(r"\[Request interrupted by user[^\]]{0,40}\]")


@dataclass(frozen=True, slots=True)
class PromptParts:
    """A prompt taken apart: `words` are the user's own; the rest is None or empty without such."""

    words: str = ""
    command: str | None = None
    arguments: str = ""
    notification: dict[str, str] = field(default_factory=dict)
    injected: bool = False


def split_prompt(prompt: str) -> PromptParts:
    """What of a prompt are the user's words, and what came with them (trap 8 of the client)."""
    said = strip_echo(prompt)
    injected, prompt = said != prompt, said
    notification: dict[str, str] = {}
    for block in _BLOCK.finditer(prompt):
        if block[1] == "task-notification":
            notification = notification or _fields(block[2])
    rest = _INTERRUPTED.sub("", _BLOCK.sub("", prompt))
    if notification:
        rest = _POINTER.sub("", rest)
    tags = dict(_COMMAND_TAG.findall(rest[:_HEAD]))
    words = (_COMMAND_TAG.sub("", rest[:_HEAD]) + rest[_HEAD:]).strip()
    if "command-name" in tags:
        name, arguments = tags["command-name"].strip(), tags.get("command-args", "").strip()
        return PromptParts(words, name.removeprefix("/"), arguments, notification, injected)
    slash = _SLASH.match(words)
    if slash:
        return PromptParts("", slash[1], (slash[2] or "").strip(), notification, injected)
    return PromptParts(words, None, "", notification, injected)


_FIELD = re.compile(r"<(task-id|tool-use-id|status|summary)>(.{0,4000}?)</\1>", re.DOTALL)


def _fields(inside: str) -> dict[str, str]:
    return {name: value.strip() for name, value in _FIELD.findall(inside[:_HEAD])}
