"""Refusal of a deliberate memory that holds a secret.

Captured text is masked instead, because a hook cannot rephrase and a person can.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from hooklore.records.record import Record
from hooklore.records.schema import RecordModel
from hooklore.redaction import Finding, redact, redact_value

_AUTOMATIC = ("hook:", "import:")
"""Prefixes of sources that cannot rephrase a text. Their secrets are masked."""

_STATED_FIELDS = ("body", "dedupe_key", "source", "branch", "agent_type")


@dataclass(frozen=True, slots=True)
class Refusal:
    """The span of a secret in a field, in characters, and its rule. The value itself is never included."""

    field: str
    rule: str
    start: int
    end: int

    def __str__(self) -> str:
        return f"{self.field}: {self.rule} at {self.start}-{self.end}"


def is_deliberate_memory(record: Record) -> bool:
    """Return whether a person or agent stated this memory, as against capture by a hook or an import."""
    if record.stream != "memory":
        return False
    return not str(record.source_detail or "").startswith(_AUTOMATIC)


def find_refusal(record: Record) -> Refusal | None:
    """Return why `record` is refused. Return None for a clean record, or one that is no deliberate memory.

    A bare word such as `password` is no reason, because refusing words also refuses "primary key" and
    "tokenizer". Only values are.
    """
    if not is_deliberate_memory(record):
        return None
    stated = record.to_json()
    unknown = (name for name in stated if name not in RecordModel.model_fields)
    for name in (*_STATED_FIELDS, *unknown):
        label = "" if name == "body" else name
        found = _first_finding(label, stated.get(name))
        if found is not None:
            return _locate_refusal(_field_name(label), stated.get(name), found)
    return None


def _first_finding(label: str, value: object) -> Finding | None:
    """Return the first finding in `value` under `label`, or None."""
    findings = redact_value({label: value} if label else value)[1]
    return min(findings, key=lambda found: found.start, default=None)


def _locate_refusal(path: str, value: object, found: Finding) -> Refusal:
    """Return the refusal of the innermost value that holds `found`.

    A secret that only a name and its value reveal together is located at their pair.
    """
    while True:
        for name, label, child in _children(path, value):
            inner = _first_finding(label, child)
            if inner is not None:
                path, value, found = name, child, inner
                break
        else:
            return Refusal(path or "body", found.rule, found.start, found.end)


def _children(path: str, value: object) -> Iterator[tuple[str, str, object]]:
    """Yield (path, label, value) of each child of `value`. An element stands under the label of its array."""
    if isinstance(value, dict):
        for name, child in value.items():
            yield f"{path}.{_field_name(name)}".lstrip("."), str(name), child
    elif isinstance(value, list):
        for place, child in enumerate(value):
            yield f"{path}[{place}]", "", child


def _field_name(name: object) -> str:
    """Return a field's name, or a substitute where the name itself is refused."""
    return str(name) if not redact(str(name)).findings else "a name"
