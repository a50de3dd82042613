"""A stand-in for an agent's client: it writes payloads, runs registered commands, and reads answers.

`hooks doctor` and `hooks demo` prove with it that the hooks work, without an account or a model.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hooklore.agents.event import Edit, EventName
from hooklore.agents.registration import Command

Payload = dict[str, Any]


class AnswerInvalid(Exception):
    """The client would not take this answer as it was meant. The message says why."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a session, in hooklore's own words. `tool` is the client's name of it, where it matters."""

    event: EventName
    session: str | None
    folder: str = ""
    source: str | None = None
    prompt: str | None = None
    answer: str | None = None
    command: str | None = None
    output: str | None = None
    error: str | None = None
    edit: Edit | None = None
    tool: str | None = None
    tool_use_id: str | None = None
    transcript: str | None = None


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """The client's side of one agent.

    `payload` writes a step as the client would: (the client's event name, the payload). `context` returns
    the text that an answer puts before the model, "" without any, or raises AnswerInvalid. `event_name`
    and `summary` read the event's name of a payload and one line about it. `commands` are the commands
    that the settings run for a payload. `environment` are the client's variables in a project. `channel`
    names the part of an answer that the model reads.
    """

    payload: Callable[[Step], tuple[str, Payload]]
    context: Callable[[str, bytes], str]
    event_name: Callable[[Mapping[str, Any]], str]
    summary: Callable[[Mapping[str, Any]], str]
    commands: Callable[[Mapping[str, Any], Mapping[str, Any]], list[Command]]
    environment: Callable[[Path], dict[str, str]]
    channel: str


def as_words(command: Command) -> list[str]:
    """Return a command as the words of a program: a line is run by the shell that clients use."""
    return ["/bin/sh", "-c", command] if isinstance(command, str) else list(command)
