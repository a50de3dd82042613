"""The dialect of hooks that several clients speak: the places of a payload, and an answer as one JSON object.

Answers are written for a hook, and read back for a rehearsal.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import orjson

from hooklore.agents.agent import (
    Agent,
    Answer,
    AnswerInvalid,
    CallFields,
    UnreadableAnswer,
    WireFormat,
    late,
    name_fields,
)
from hooklore.agents.fitting import fit_line, fit_lines, replace_surrogates

NAMES: Final = name_fields(session_id="session_id", tool="tool_name")
AGENT_NAMES: Final = NAMES | name_fields(
    subagent_id="agent_id", agent_type="agent_type", permission_mode="permission_mode", tool_use_id="tool_use_id"
)  # fmt: skip
_LOCATIONS: Final = name_fields(cwd="cwd", transcript_path="transcript_path")
_SOURCES: Final = name_fields(
    session_start="source", session_end="reason", before_compaction="trigger", after_compaction="trigger"
)  # fmt: skip
CALL: Final = CallFields(
    given=("tool_input",),
    gave=("tool_response",),
    paths=("file_path",),
    command="command",
    before="old_string",
    after=("new_string", "content"),
    pattern="pattern",
    intent=("description",),
    described=("description", "query", "prompt"),
    assignment=("prompt",),
)


def hook_wire(**places: Any) -> WireFormat:
    """Return the wire format of a client, given the places in which it differs from others."""
    return WireFormat(("hook_event_name",), locations=_LOCATIONS, source=_SOURCES, **places)


def hook_agent(package: str, answers: "AnswerForm", **described: Any) -> Agent:
    """Return an agent whose client speaks the dialect: `package` registers, diagnoses and rehearses it."""
    return Agent(
        print_answer=answers.print_answer,
        registration=late(f"{package}.registering", "REGISTRATION"),
        diagnosis=late(f"{package}.diagnosing", "DIAGNOSIS"),
        rehearsal=late(f"{package}.registering", "REHEARSAL"),
        unreadable=UNREADABLE,
        **described,
    )


CHANNEL: Final = "`additionalContext`"
"""The part of an answer that reaches the model."""

UNREADABLE: Final = UnreadableAnswer(
    context='{"hookSpecificOutput": {"hookEventName": "<event>", "additionalContext": "<text>"}, '
    '"systemMessage": "<notice>"}',
    stop='{"continue": false, "stopReason": "<text>"}',
)
CANNOT_START: Final = (
    '{"systemMessage": "hooklore cannot start: run its installer again", '
    '"hookSpecificOutput": {"hookEventName": "<event>", "additionalContext": '
    '"shared memory unreadable: the interpreter of hooklore is gone; do not answer from memory"}}'
)
"""The answer of a command line without an interpreter, for `<event>`."""

_FIELDS: Final = frozenset(
    "continue stopReason suppressOutput systemMessage decision reason hookSpecificOutput".split()
)
_DECISION_FIELDS: Final = frozenset(
    "permissionDecision permissionDecisionReason updatedInput".split()
)


@dataclass(frozen=True, slots=True)
class AnswerForm:
    """The answers that one client takes.

    `measure` counts the size of an output, of which `room` reaches the model whole; a `counts_context` client
    counts the context alone. `telling` are the events that take a context, empty for all, `silent` those whose
    output nobody reads. `deciding` is the event that takes `decisions` about a tool. Where they are `flat`, they
    stand beside all other fields, and the event takes no context. A `strict` client drops an answer with a
    field that it does not know.
    """

    room: int
    measure: Callable[[Any], int]
    deciding: str
    decisions: tuple[str, ...] = ("deny",)
    telling: frozenset[str] = frozenset()
    silent: frozenset[str] = frozenset()
    counts_context: bool = False
    is_flat: bool = False
    is_strict: bool = False

    def print_answer(self, event: str, answer: Answer) -> bytes:
        """Return the bytes to print at an event, named as the client fired it; b"" for nothing to say."""
        if event in self.silent:
            return b""
        fields: dict[str, Any] = {}
        if answer.notice:
            fields["systemMessage"] = fit_line(answer.notice)
        if answer.stop_reason:
            stop = {"continue": False, "stopReason": fit_line(answer.stop_reason)}
            return orjson.dumps(fields | stop if self.is_flat else stop | fields)
        decision = self._decision(answer) if event == self.deciding else {}
        if self.is_flat and event == self.deciding:
            fields |= decision
        elif specific := self._specific(event, answer, decision, fields):
            fields["hookSpecificOutput"] = specific
        return orjson.dumps(fields) if fields else b""

    def _decision(self, answer: Answer) -> Mapping[str, object]:
        """Return the decision about a tool, {} for none that the client takes."""
        if answer.question and "ask" in self.decisions:
            kind, reason = "ask", fit_line(answer.question)
        elif answer.refusal:
            kind, reason = "deny", replace_surrogates(answer.refusal)
        elif answer.permission and "allow" in self.decisions:
            kind, reason = "allow", fit_line(answer.permission)
        else:
            return {}
        if self.is_flat:
            return {"decision": kind, "reason": reason}
        found = {"permissionDecision": kind, "permissionDecisionReason": reason}
        return found | {"updatedInput": answer.changed_input} if kind == "ask" else found

    def _specific(
        self, event: str, answer: Answer, decision: Mapping[str, object], others: Mapping[str, Any]
    ) -> Mapping[str, object]:
        """Return the fields that belong to the event. A decision other than `allow` stands without a context."""
        takes = not self.telling or event in self.telling
        if not (takes and answer.context) or decision.get("permissionDecision") in ("ask", "deny"):
            return {"hookEventName": event, **decision} if decision else {}
        empty = {"hookEventName": event, "additionalContext": ""}
        room = self.room
        if not self.counts_context:
            room -= self.measure({**others, "hookSpecificOutput": empty})
        fitted = fit_lines(replace_surrogates(answer.context), room, self.measure)
        return {**empty, "additionalContext": fitted, **decision}

    def read_context(self, event: str, printed: bytes) -> str:
        """Return the text that an answer puts before the model, "" without any. Raise AnswerInvalid."""
        if not printed.strip():
            return ""
        try:
            answer = json.loads(text := printed.decode("utf-8", "replace"))
        except ValueError:  # the client takes it as plain text
            raise AnswerInvalid(f"{event} printed what is no JSON: {text[:100]!r}") from None
        if not isinstance(answer, dict):
            raise AnswerInvalid(f"{event} printed JSON that is no object")
        if self.is_flat and event == self.deciding:
            return ""
        found = answer.get("hookSpecificOutput")
        specific: Mapping[str, Any] = found if isinstance(found, dict) else {}
        known = {"hookEventName", "additionalContext"} if event in self.telling else set()
        known |= _DECISION_FIELDS if event == self.deciding else set()
        unknown = [*sorted(answer.keys() - _FIELDS), *sorted(specific.keys() - known)]
        if self.is_strict and unknown:
            raise AnswerInvalid(f"{event} answers with `{unknown[0]}`: the whole answer is dropped")
        context = specific.get("additionalContext")
        if isinstance(context, str) and specific.get("hookEventName") != event:
            named = specific.get("hookEventName")
            raise AnswerInvalid(f"{event} answers for `{named}`: it is dropped")
        return context if isinstance(context, str) else ""


def count_utf16(value: object) -> int:
    """Return how many UTF-16 units a value takes as printed."""
    return len(orjson.dumps(value).decode().encode("utf-16-le")) // 2


def count_bytes(value: object) -> int:
    """Return how many bytes a value takes as printed."""
    return len(orjson.dumps(value))
