"""The body of a record, composed of the texts that redaction has left of an event.

Texts are cut to byte limits, never inside a word.
"""

import re
from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from hooklore.agents.event import EDITING_CLASSES
from hooklore.failures.error_signature import extract_error_lines, extract_passing_errors
from hooklore.prompt.echo import strip_echo
from hooklore.records.record import Record
from hooklore.shell.command import command_key, is_project_command
from hooklore.text.unicode_cleaning import is_plain_ascii

BYTE_LIMITS = {
    "prompt": 8192,
    "answer": 8192,
    "summary": 8192,
    "description": 2048,
    "command": 1024,
    "intent": 512,
    "stderr": 1024,
    "stdout": 512,
    "change": 400,
    "input": 2048,
    "output": 512,
}
"""Bytes of UTF-8 that are kept of each part of an event."""

_FROM_END = frozenset(("stderr", "stdout"))
"""Parts whose end is kept: there a program reports its result."""

_WINDOW = 16 * 1024
_SEARCHED = 1 << 20
"""Characters of a text that are searched for our own text. Of a longer text only the kept part is."""

_END = 32 * 1024
_ANSI = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_VISIBLE = "".join(map(chr, range(0x21, 0x7F)))


class Limit(NamedTuple):
    """The share of a part that is kept: at most `most` bytes of its `size`, from its beginning or its end."""

    most: int
    from_end: bool
    size: int


@dataclass(slots=True)
class Parts:
    """The texts of one event under the names of their parts, as they came."""

    texts: dict[str, str] = field(default_factory=dict)
    ends: dict[str, str] = field(default_factory=dict)
    caps: dict[str, str] = field(default_factory=dict)

    def add(self, part: str, text: str | None, *, cap: str | None = None) -> None:
        """Take a text as `part`, to be kept up to the byte limit of `cap`."""
        if text:
            self.texts[part] = text
            self.caps[part] = cap or part

    def add_ends(self, part: str, text: str) -> None:
        """Take the beginning and the end of an output, where errors stand. They have no limit."""
        self.ends[part] = text

    def windows(self) -> tuple[dict[str, str], dict[str, Limit]]:
        """Return each text as it is to be redacted, and the limit that it is cut to afterwards.

        Of what is longer than 16 KiB only that much is taken. Our own text in it is left out.
        """
        texts = {
            part: strip_echo(text) if len(text) <= _SEARCHED else text
            for part, text in self.texts.items()
        }
        limits = {part: _limit(text, self.caps[part]) for part, text in texts.items() if text}
        raw = {
            part: _cut(texts[part], _WINDOW, from_end=limit.from_end)
            for part, limit in limits.items()
        }
        raw |= {part: _both_ends(text) for part, text in self.ends.items()}
        # Most texts have nothing of ours, and an output is two parts.
        clean = {text for part, text in texts.items() if text is self.texts[part]}
        plain = {
            text: text if text in clean and is_plain_ascii(text) else strip_echo(_plain(text))
            for text in raw.values()
        }
        return {part: plain[text] for part, text in raw.items()}, limits


def _limit(text: str, cap: str) -> Limit:
    return Limit(BYTE_LIMITS[cap], cap in _FROM_END, _size(text))


def _both_ends(text: str) -> str:
    if len(text) <= 2 * _END:
        return text
    head = _cut(text[:_END], _END, from_end=False)
    tail = _cut(text[-_END:], _END, from_end=True)
    return f"{head.rstrip(_VISIBLE)}\n{tail.lstrip(_VISIBLE)}"


def cut_action(text: str) -> tuple[str, int]:
    """Return what is kept of the line that names a step, and the bytes that it lost."""
    kept, lost = cut_parts({"action": text}, {"action": _limit(text, "intent")})
    return kept.get("action", ""), lost.get("action", 0)


def cut_parts(
    texts: Mapping[str, str], limits: Mapping[str, Limit]
) -> tuple[dict[str, str], dict[str, int]]:
    """Return the kept text of each part that has a limit, and the bytes that each cut part lost."""
    kept: dict[str, str] = {}
    lost: dict[str, int] = {}
    for part, limit in limits.items():
        window = texts.get(part, "")
        text = _cut(window, limit.most, from_end=limit.from_end)
        if text:
            kept[part] = text
        if limit.size > _WINDOW or len(text) < len(window):
            lost[part] = max(1, limit.size - _size(text))
    return kept, lost


def _size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))


def _plain(text: str) -> str:
    """Return a text without colours and control characters; lines end in a newline only."""
    if is_plain_ascii(text):
        return text
    return _CONTROL.sub("", _ANSI.sub("", text.replace("\r\n", "\n").replace("\r", "\n")))


def _cut(text: str, limit: int, *, from_end: bool) -> str:
    """Return at most `limit` bytes of a text's beginning, or end, without the word that the cut halves.

    Words are what stands between blanks, or beside letters that are not ASCII: Japanese has no
    blanks, and no secret has Japanese.
    """
    if _size(text) <= limit:
        return text
    raw = text.encode("utf-8", "replace")
    if from_end:
        kept = raw[-limit:].decode("utf-8", "ignore")
        before = raw[-limit - 1 : -limit]
        return (kept.lstrip(_VISIBLE) if _in_word(before) else kept).lstrip()
    kept = raw[:limit].decode("utf-8", "ignore")
    return (kept.rstrip(_VISIBLE) if _in_word(raw[limit : limit + 1]) else kept).rstrip()


def _in_word(byte: bytes) -> bool:
    return b"\x21" <= byte <= b"\x7e"


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
