"""The body of a record, composed of the texts that redaction has left of an event."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from hooklore.agents.event import EDITING_CLASSES
from hooklore.capture.truncate import Limit, cut_action, cut_parts
from hooklore.failures.error_signature import extract_error_lines, extract_passing_errors
from hooklore.records.record import Body, Json, Record
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
        body = _placed(record.body.without(PARTS), kept)
        body = body.with_fields(key=self._key(body))
        if self.has_action:
            action, size = cut_action(_step(body))
            body = body.with_fields(actions=[action] if action else [])
            lost |= {"action": size} if size else {}
        if OUTPUT_ENDS in texts:
            lines = extract_error_lines(texts[OUTPUT_ENDS])
            signature = next(iter(lines), None) if body.command else None
            body = body.with_fields(errors=list(lines.values()), signature=signature)
        if _passed(record.kind, body):
            printed = "\n".join(texts.get(part, "") for part in _PRINTED)
            body = body.with_fields(passing_errors=extract_passing_errors(printed))
        body = _with_kept_urls(body.with_fields(cut=lost))
        return record.with_fields(body=Body(non_empty(**body.to_json())))

    def _key(self, body: Body) -> str | None:
        """Return the name of a step: the same for the same command, and for the same file."""
        if body.command:
            return command_key(body.command) or None
        if body.paths and self.tool_class in (*EDITING_CLASSES, "read"):
            return f"{self.tool_class} {'/'.join(body.paths[0].split('/')[-2:])}"[:300]
        return None


def without_texts(record: Record, problem: str) -> Record:
    """Return an event's record without any of its texts, with the `problem` that made them unreadable."""
    detail = {**record.body.detail, "problem": problem}
    return record.with_fields(body=record.body.without(PARTS).with_fields(detail=detail))


def non_empty(**fields: object) -> dict[str, object]:
    """Return those of `fields` that say something."""
    return {name: value for name, value in fields.items() if value not in (None, [], {}, "")}


def _placed(body: Body, kept: Mapping[str, str]) -> Body:
    """Return the body with each kept text in its field, and the outputs of one step one below the other."""
    detail = {name: kept[name] for name in _DETAILS if name in kept}
    fields: dict[str, Json] = {name: kept[name] for name in _FIELDS if name in kept}
    if detail:
        fields["detail"] = {**body.detail, **detail}
    if "action" in kept:
        fields["actions"] = [kept["action"]]
    text = "\n".join(kept[part] for part in _TEXTS if part in kept)
    return body.with_fields(**fields, text=text) if text else body.with_fields(**fields)


def _passed(kind: str, body: Body) -> bool:
    """Return whether a command passed that prints its own words."""
    if kind != "tool_result" or body.outcome != "success":
        return False
    return body.command is not None and is_project_command(body.command)


def _step(body: Body) -> str:
    """Return the step as one line."""
    what = body.command or (body.paths[0] if body.paths else body.intent) or ""
    return f"{body.tool}: {what}" if what else body.tool or ""


def _with_kept_urls(body: Body) -> Body:
    """Return the body without the classes of URLs that a cut has taken away."""
    classes: Mapping[str, str] = body.extra("url_class") or {}
    if not classes:
        return body
    texts = repr(body.without("url_class").to_json())
    kept = {url: found for url, found in classes.items() if url in texts}
    return body.with_fields(url_class=kept)
