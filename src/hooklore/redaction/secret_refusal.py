"""What is said on purpose is refused when it holds a secret, not masked: a person can say it again (C14)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hooklore.records.record import Record
from hooklore.redaction import Finding, redact, redact_value

_AUTOMATIC = ("hook:", "import:")
"""Sources that nobody can ask to say it another way: they are masked."""

_SAID = ("body", "dedupe_key", "source", "branch", "agent_type")


@dataclass(frozen=True, slots=True)
class Refusal:
    """Where something stands that is not to be kept, in characters of that field; never what it is."""

    field: str
    rule: str
    start: int
    end: int

    def __str__(self) -> str:
        return f"{self.field}: {self.rule} at {self.start}-{self.end}"


def is_deliberate_memory(record: Record) -> bool:
    """Whether somebody states this memory, rather than a hook or an import that captures it."""
    detail = str(record.source_detail or "")
    return record.stream == "memory" and not detail.startswith(_AUTOMATIC)


def find_refusal(record: Record) -> Refusal | None:
    """Why a draft with these envelope fields is refused; None when it is not said on purpose, or clean.

    A bare word such as `password` is no reason (decision C13): values are.
    """
    if not is_deliberate_memory(record):
        return None
    for name in _SAID:
        label = "" if name == "body" else name
        found = _first(label, record.extra(name))
        if found is not None:
            return _innermost(label, record.extra(name), found)
    return None


def _first(label: str, value: Any) -> Finding | None:
    """The first thing found in a value that stands under this label."""
    findings = redact_value({label: value} if label else value)[1]
    return min(findings, key=lambda found: found.start, default=None)


def _innermost(path: str, value: Any, found: Finding) -> Refusal:
    """The string in which it stands; what only a pair gives away (a name and its value) is the pair."""
    while True:
        for name, label, held in _children(path, value):
            inner = _first(label, held)
            if inner is not None:
                path, value, found = name, held, inner
                break
        else:
            return Refusal(path or "body", found.rule, found.start, found.end)


def _children(path: str, value: Any) -> Iterator[tuple[str, str, Any]]:
    """(path, label, value) of what a value consists of; an element stands under its array's label."""
    if isinstance(value, dict):
        for name, held in value.items():
            yield f"{path}.{_shown(name)}".lstrip("."), str(name), held
    elif isinstance(value, list):
        for place, held in enumerate(value):
            yield f"{path}[{place}]", "", held


def _shown(name: Any) -> str:
    """A field's name, unless that is what is refused."""
    return str(name) if not redact(str(name)).findings else "a name"
