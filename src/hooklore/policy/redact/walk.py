"""Redaction of JSON values: every string, every key, and whatever stands under a secret's name."""

from typing import Any

from hooklore.policy.redact.checks import is_variable
from hooklore.policy.redact.finding import Finding, mask
from hooklore.policy.redact.names import Kind, names_a_secret
from hooklore.policy.redact.scan import redact

_NAMED = "assigned"
_LARGE = 10**9
"""Smaller numbers can be no card and no phone."""


def redact_value(value: Any) -> tuple[Any, tuple[Finding, ...]]:
    """A copy of a JSON value with every string and key redacted, and what was found.

    A string under a name that names a secret (`password`, `apiKey`, `Authorization`) is masked
    whatever its shape; under a password's name a number is too. Offsets count in the string in
    which the finding stood. Any depth: it does not recurse.
    """
    findings: list[Finding] = []
    root: list[Any] = [None]
    pending: list[tuple[Any, Any, Any, Kind | None]] = [(root, 0, value, None)]
    while pending:
        target, slot, item, kind = pending.pop()
        if isinstance(item, dict):
            copy: dict[str, Any] = {}
            target[slot] = copy
            for key, held in item.items():
                name = _unused(copy, _text(str(key), findings))
                copy[name] = None
                pending.append((copy, name, held, names_a_secret(str(key))))
        elif isinstance(item, list | tuple):
            target[slot] = [None] * len(item)
            pending += ((target[slot], place, held, kind) for place, held in enumerate(item))
        else:
            target[slot] = _leaf(item, kind, findings)
    return root[0], tuple(findings)


def _leaf(item: Any, kind: Kind | None, findings: list[Finding]) -> Any:
    if isinstance(item, str):
        return _named(item, findings) if kind and kind > Kind.VAGUE else _text(item, findings)
    if isinstance(item, bool) or not isinstance(item, int | float):
        return item
    if kind is Kind.PASSWORD:
        return _named(str(item), findings)
    if isinstance(item, int) and abs(item) > _LARGE:
        text = _text(str(item), findings)
        return item if text == str(item) else text
    return item


def _text(text: str, findings: list[Finding]) -> str:
    result = redact(text)
    findings += result.findings
    return result.text


def _named(text: str, findings: list[Finding]) -> str:
    """A value under a secret's name: masked as a whole, but for what stands for a value."""
    stripped = text.strip()
    if not stripped or is_variable(stripped.encode("utf-8", "replace")):
        return _text(text, findings)
    findings.append(Finding(_NAMED, 0, len(text)))
    return mask(_NAMED)


def _unused(copy: dict[str, Any], name: str) -> str:
    """`name`, told apart from one that was masked to the same text."""
    unused, count = name, 2
    while unused in copy:
        unused, count = f"{name} {count}", count + 1
    return unused
