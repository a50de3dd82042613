"""A stand-in for an agent's client: it writes payloads, runs registered commands, and reads answers.

`hooks doctor` and `hooks demo` prove with it that the hooks work, without an account or a model. Payloads are
written by the places at which the agent's table says that they are read.
"""

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hooklore.agents.agent import Agent
from hooklore.agents.call_input import first_text, object_at
from hooklore.agents.event import TOOL_EVENTS, Edit, EventName
from hooklore.agents.registration import Command

Payload = dict[str, Any]


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

    @property
    def ended(self) -> tuple[int, str]:
        """Return the exit status of a command and its output. An error begins with its status, if not 1."""
        if self.error is None:
            return 0, self.output or ""
        found = re.match(r"Exit code (\d{1,3})\b\n*", self.error)
        return (int(found[1]), self.error[found.end() :]) if found else (1, self.error)


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """The client's side of one agent.

    `tool_answer` returns the answer of a tool that a step ran, None for none. `context` returns the text that a
    hook's answer puts before the model, "" without any, or raises AnswerInvalid; `channel` names the part of an
    answer that the model reads. `commands_at` returns the commands that settings run at an event, given its
    tool or source. `variables` are the client's, `<project>` in place of the folder. `edit_input` returns
    the input of an edit, where it is more than the fields of the table.
    """

    agent: Agent
    tool_answer: Callable[[Step], Any]
    context: Callable[[str, bytes], str]
    commands_at: Callable[[Mapping[str, Any], str, str | None], list[Command]]
    channel: str
    variables: Mapping[str, str] = field(default_factory=dict)
    edit_input: Callable[[Edit], Payload] | None = None

    def payload(self, step: Step) -> tuple[str, Payload]:
        """Return the name of a step's event, which the client has, and the payload as it would write it."""
        wire, event = self.agent.wire, self.agent.wire_events(step.event)[0]
        texts = {"prompt": step.prompt, "answer": step.answer, "failure": step.error}
        said: dict[Any, str | None] = {
            wire.event_name: event,
            wire.names.get("session_id"): step.session,
            wire.names.get("tool_use_id"): step.tool_use_id,
            wire.locations.get("cwd"): step.folder,
            wire.locations.get("transcript_path"): step.transcript,
            wire.source.get(step.event): step.source,
            **{where: texts[name] for name, where in wire.text.items() if name in texts},
        }
        fields: Payload = {}
        for where, value in said.items():
            _put(fields, where, value)
        self._put_tool(fields, step)
        return event, fields

    def _put_tool(self, fields: Payload, step: Step) -> None:
        """Put in the tool of a step that is a command or an edit."""
        wire, edit = self.agent.wire, step.edit
        call = wire.call
        if edit is not None:
            write = self.edit_input or self._edit_input
            (tool, *_), given = self.agent.tool_names("edit"), write(edit)
        elif step.command is not None:
            (tool, *_), given = self.agent.tool_names("command"), {call.command: step.command}
        else:
            return
        _put(fields, wire.names["tool"], step.tool if step.tool in self.agent.tools else tool)
        _put(fields, call.given, given)
        if step.event != "before_tool":
            _put(fields, call.gave, self.tool_answer(step))

    def _edit_input(self, edit: Edit) -> Payload:
        call = self.agent.wire.call
        return {call.paths[0]: edit.path, call.before: edit.before, call.after[0]: edit.after}

    def event_name(self, fields: Mapping[str, Any]) -> str:
        """Return the event's name of a payload; "" without one."""
        return _text_at(fields, self.agent.wire.event_name) or ""

    def summary(self, fields: Mapping[str, Any]) -> str:
        """Return one line about a payload: the tool and its subject, or the text."""
        wire, described = self.agent.wire, self.agent.events.get(self.event_name(fields))
        given = object_at(fields, wire.call.given)
        path = os.path.basename(first_text(given, *wire.call.paths) or "")
        about = (first_text(given, wire.call.command) or path).partition("\n")[0]
        where = wire.text.get(described.event) if described else None
        said = _text_at(fields, where) if described and described.event not in TOOL_EVENTS else None
        return " ".join(filter(None, (_text_at(fields, wire.names["tool"]), said or about)))

    def commands(self, settings: Mapping[str, Any], fields: Mapping[str, Any]) -> list[Command]:
        """Return the commands of ours that the settings run for a payload."""
        wire, name = self.agent.wire, self.event_name(fields)
        subjects = [wire.names["tool"]]
        if name in self.agent.events:
            subjects.append(wire.source.get(self.agent.events[name].event, ()))
        found = (_text_at(fields, where) for where in subjects)
        return self.commands_at(settings, name, next(filter(None, found), None))

    def environment(self, project: Path) -> dict[str, str]:
        """Return the client's variables in a project."""
        return {n: text.replace("<project>", str(project)) for n, text in self.variables.items()}


def _put(fields: Payload, where: Any, value: object) -> None:
    """Put a value into a payload, unless there is none, or no place for it."""
    if not isinstance(where, tuple) or not where or value is None:
        return
    for key in where[:-1]:
        fields = fields.setdefault(key, {})
    fields[where[-1]] = value


def _text_at(fields: Mapping[str, Any], where: Any) -> str | None:
    if not isinstance(where, tuple) or not where:
        return None
    *way, key = where
    return first_text(object_at(fields, tuple(way)), key)


def as_words(command: Command) -> list[str]:
    """Return a command as the words of a program: a line is run by the shell that clients use."""
    return ["/bin/sh", "-c", command] if isinstance(command, str) else list(command)
