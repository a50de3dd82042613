"""The body of a record, composed of the texts that redaction has left of an event."""

from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from hooklore.agents.event import EDITING_CLASSES
from hooklore.capture.truncate import Limit, cut_action, cut_parts
from hooklore.failures.error_signature import extract_error_lines, extract_passing_errors
from hooklore.records.record import Record
from hooklore.shell.command import command_key, is_project_command

READ_CLASSES: Final = frozenset(("read", "search"))
FILE_CLASSES: Final = EDITING_CLASSES | READ_CLASSES

PARTS: Final = "parts"
"""The field of a draft's body that holds the event's whole texts. No line of the log has it."""

OUTPUT_ENDS: Final = "output_ends"
"""The part in which the lines of an error are looked for. It is not kept."""

_FIELDS = ("intent", "tool", "command", "task")
_DETAILS = ("model", "title", "pattern", "input", "agent_type")
_PRINTED = ("stdout", "stderr")
_TEXTS = ("text", "description", "change", "output", "stdout", "stderr")


@dataclass(frozen=True, slots=True)
class Composition:
    """The composition of a body from redacted texts. It holds none of the texts themselves.

    `limits` are those of the parts. `tool_class` is that of the tool, and `has_action` is true for a step
    that is about to be taken.
    """

    limits: Mapping[str, Limit]
    tool_class: str | None = None
    has_action: bool = False

    def compose(self, record: Record) -> Record:
        """Return the redacted record of an event with its texts cut, and with what is derived of them."""
        texts: Mapping[str, str] = record.body.extra(PARTS) or {}
        kept, lost = cut_parts(texts, self.limits)
        fields = {name: value for name, value in record.body.to_json().items() if name != PARTS}
        _place(fields, kept)
        command = fields.get("command")
        fields["key"] = self._key(command, fields.get("paths"))
        if self.has_action:
            action, size = cut_action(_step(fields))
            fields["actions"] = [action] if action else []
            lost |= {"action": size} if size else {}
        if OUTPUT_ENDS in texts:
            lines = extract_error_lines(texts[OUTPUT_ENDS])
            fields["errors"] = list(lines.values())
            fields["signature"] = next(iter(lines), None) if command else None
        # a command passed that prints its own words
        is_passed = record.kind == "tool_result" and fields.get("outcome") == "success"
        if is_passed and command is not None and is_project_command(command):
            printed = "\n".join(texts.get(part, "") for part in _PRINTED)
            fields["passing_errors"] = extract_passing_errors(printed)
        fields["cut"] = lost
        if classes := fields.get("url_class"):  # a cut may have taken some of these URLs away
            whole = repr({name: value for name, value in fields.items() if name != "url_class"})
            fields["url_class"] = {url: each for url, each in classes.items() if url in whole}
        return record.with_fields(body=non_empty(**fields))

    def _key(self, command: str | None, paths: Sequence[str] | None) -> str | None:
        """Return the name of a step: the same for the same command, and for the same file."""
        if command:
            return command_key(command) or None
        if paths and self.tool_class in (*EDITING_CLASSES, "read"):
            return f"{self.tool_class} {'/'.join(paths[0].split('/')[-2:])}"[:300]
        return None


def without_texts(record: Record, problem: str) -> Record:
    """Return an event's record without any of its texts, with the `problem` that made them unreadable."""
    detail = {**record.body.detail, "problem": problem}
    return record.with_fields(body=record.body.without(PARTS).with_fields(detail=detail))


def non_empty(**fields: object) -> dict[str, object]:
    """Return those of `fields` that say something."""
    return {name: value for name, value in fields.items() if value not in (None, [], {}, "")}


def _place(fields: MutableMapping[str, Any], kept: Mapping[str, str]) -> None:
    """Put each kept text into its field of a body, the outputs of one step one below the other."""
    fields.update({name: kept[name] for name in _FIELDS if name in kept})
    if detail := {name: kept[name] for name in _DETAILS if name in kept}:
        fields["detail"] = {**fields.get("detail", {}), **detail}
    if "action" in kept:
        fields["actions"] = [kept["action"]]
    if text := "\n".join(kept[part] for part in _TEXTS if part in kept):
        fields["text"] = text


def _step(fields: Mapping[str, Any]) -> str:
    """Return the step as one line."""
    paths, tool = fields.get("paths"), fields.get("tool")
    what = fields.get("command") or (paths[0] if paths else fields.get("intent")) or ""
    return f"{tool}: {what}" if what else tool or ""
