"""Redaction of JSON values: every string, every key, and whatever stands under a secret's name."""

from collections.abc import Iterator
from typing import Any

from hooklore.redaction.engine import is_known_clean, redact
from hooklore.redaction.finding import Finding, make_mask
from hooklore.redaction.rules.assignments import is_quoted_secret
from hooklore.redaction.rules.candidate_checks import is_variable
from hooklore.redaction.rules.names import SecretKind, classify_secret_name

_RULE = "assigned"
_LARGE = 10**9
"""Smaller numbers can be no card and no phone."""


def redact_value(value: Any) -> tuple[Any, tuple[Finding, ...]]:
    """A copy of a JSON value with every string and key redacted, and what was found.

    A string under a name that names a secret (`password`, `apiKey`, `Authorization`) is masked
    whatever its shape, and so is what follows a flag (`["--token", …]`) and the value of a pair
    (`{"name": "DB_PASSWORD", "value": …}`); under a password's name a number is too. Offsets count
    in the string in which the finding stood. Any depth: it does not recurse.
    """
    findings: list[Finding] = []
    root: list[Any] = [None]
    pending: list[tuple[Any, Any, Any, str]] = [(root, 0, value, "")]
    while pending:
        target, slot, item, name = pending.pop()
        if isinstance(item, dict):
            copy: dict[str, Any] = {}
            target[slot] = copy
            pending += _entries(item, copy, findings)
        elif isinstance(item, list | tuple):
            target[slot] = [None] * len(item)
            pending += _elements(item, target[slot], name)
        else:
            target[slot] = _leaf(item, name, findings)
    return root[0], tuple(findings)


def _entries(
    item: dict[Any, Any], copy: dict[str, Any], findings: list[Finding]
) -> Iterator[tuple[Any, Any, Any, str]]:
    """Each value of an object, and the name under which it stands; fills `copy` with the keys."""
    label = item.get("name", item.get("key"))
    for key, held in item.items():
        unused = _unused(copy, _text(str(key), findings))
        copy[unused] = None
        name = label if key == "value" and isinstance(label, str) else str(key)
        yield copy, unused, held, name


def _elements(
    item: list[Any] | tuple[Any, ...], copy: list[Any], name: str
) -> Iterator[tuple[Any, Any, Any, str]]:
    """Each value of an array, under the array's own name or that of the flag before it."""
    flag = ""
    for place, held in enumerate(item):
        named = flag if flag and not str(held).startswith("-") else name
        yield copy, place, held, named
        flag = held if isinstance(held, str) and held[:1] == "-" else ""


def _leaf(item: Any, name: str, findings: list[Finding]) -> Any:
    if isinstance(item, str):
        return _named(item, findings) if _holds_secret(item, name) else _text(item, findings)
    if isinstance(item, bool) or not isinstance(item, int | float):
        return item
    if classify_secret_name(name) is SecretKind.PASSWORD:
        return _named(str(item), findings)
    if isinstance(item, int) and abs(item) > _LARGE:
        text = _text(str(item), findings)
        return item if text == str(item) else text
    return item


def _holds_secret(text: str, name: str) -> bool:
    kind = classify_secret_name(name)
    if kind is SecretKind.VAGUE:
        return name.lower().endswith("cookie") or is_quoted_secret(
            kind, text.encode("utf-8", "replace")
        )
    if name.lower() == "pass":  # of a test, as often as not
        return is_quoted_secret(SecretKind.PASSWORD, text.encode("utf-8", "replace"))
    return kind is not None


def _text(text: str, findings: list[Finding]) -> str:
    if is_known_clean(text):
        return text
    result = redact(text)
    findings += result.findings
    return result.text


def _named(text: str, findings: list[Finding]) -> str:
    """A value under a secret's name: masked as a whole, but for what stands for a value."""
    stripped = text.strip()
    if not stripped or is_variable(stripped.encode("utf-8", "replace")):
        return _text(text, findings)
    findings.append(Finding(_RULE, 0, len(text)))
    return make_mask(_RULE)


def _unused(copy: dict[str, Any], name: str) -> str:
    """`name`, told apart from one that was masked to the same text."""
    unused, count = name, 2
    while unused in copy:
        unused, count = f"{name} {count}", count + 1
    return unused
