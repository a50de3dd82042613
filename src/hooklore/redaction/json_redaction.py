"""Redaction of JSON values: every string, every key, and each value under a secret's name."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from hooklore.records.record import Json, strings_of
from hooklore.redaction.engine import find_clean, is_known_clean, redact
from hooklore.redaction.finding import Finding, make_mask
from hooklore.redaction.rules.assignments import is_quoted_secret
from hooklore.redaction.rules.candidate_checks import VARIABLE
from hooklore.redaction.rules.names import SecretKind, classify_secret_name

_RULE = "assigned"
_LARGE = 10**9
"""Numbers up to this can be neither a card nor a phone number."""

_LONGEST_NAME = 64
"""Characters of a name that is remembered: names repeat from event to event."""

_SHORT_NAME = 16

_LABELS = "name key Name Key ParameterKey ParameterName OptionName variable field".split()
_LABEL_NAMES = frozenset(_LABELS)
_HOLDERS = frozenset(
    ("value", "Value", "ParameterValue", "stringValue", "default", "content", "plaintext", "result")
)
"""Names of the members that name a value, and of those that hold it."""

_Slot = tuple[Any, Any, Any, str]
"""Container and place of a copied value, the value itself, and the name that it stands under."""


class _Reading(NamedTuple):
    """One reading of a value: whether a program printed its texts, and what was found in them so far."""

    is_printed: bool
    findings: list[Finding]
    masked: list[str]


def redact_value(
    value: object, *, is_printed: bool = False, masked: list[str] | None = None
) -> tuple[Any, tuple[Finding, ...]]:
    """Return a JSON value with every string and key redacted, and the findings.

    What comes back shares no object with `value` that was changed. It is `value` itself if nothing in it
    can change.

    A string under the name of a secret (`password`, `apiKey`, `Authorization`) is masked in any shape. The
    same holds for the argument of a flag (`["--token", …]`) and for the value of a pair
    (`{"name": "DB_PASSWORD", "value": …}`). Under the name of a password, numbers are masked too.

    `is_printed` says that a program printed the texts (`redact`). `masked` gains the texts that were masked. The
    offsets of a finding count in the string that held the finding. The walk does not recurse, so a value of any
    depth is accepted.
    """
    texts = _plain_texts(value)
    if is_printed:
        find_clean(_read_as_one(strings_of(value) if texts is None else texts))
    if texts is not None and all(is_known_clean(text, is_printed=is_printed) for text in texts):
        return value, ()
    reading = _Reading(is_printed, [], [] if masked is None else masked)
    root: list[Any] = [None]
    pending: list[_Slot] = [(root, 0, value, "")]
    while pending:
        target, slot, item, name = pending.pop()
        if isinstance(item, dict):
            copy: dict[str, Json] = {}
            target[slot] = copy
            pending += _entries(item, copy, name, reading)
        elif isinstance(item, list | tuple):
            target[slot] = [None] * len(item)
            pending += _elements(item, target[slot], name)
        else:
            target[slot] = _redact_leaf(item, name, reading)
    return root[0], tuple(reading.findings)


def _plain_texts(value: object) -> list[str] | None:
    """Return the texts of a JSON value in which no name and no number says more than the texts; None of another.

    Most events are such values, and a look at their texts is all that they need.
    """
    found: list[str] = []
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, str) and item[:1] != "-":
            found.append(item)
        elif isinstance(item, dict) and _has_plain_names(item):
            pending += item.values()
        elif isinstance(item, list):
            pending += item
        elif not (item is None or (isinstance(item, int | float) and abs(item) <= _LARGE)):
            return None
    return found


def _has_plain_names(item: dict[Any, Any]) -> bool:
    """Return whether no name of an object makes a secret of its value, by itself or beside another name."""
    if not (_HOLDERS.isdisjoint(item) or _LABEL_NAMES.isdisjoint(item)):
        return False
    return all(
        isinstance(name, str)
        and len(name) <= _LONGEST_NAME
        and (_says_nothing(name) or (_is_clean_name(name) and _is_harmless(name, child)))
        for name, child in item.items()
    )


def _is_harmless(name: str, child: object) -> bool:
    """Return whether a value is no secret, though its name announces one: `key`, `tokens`."""
    if isinstance(child, str):
        return not _is_secret_value(child, name)
    return isinstance(child, int) and classify_secret_name(name) is not SecretKind.PASSWORD


def _read_as_one(texts: Iterable[str]) -> list[str]:
    """Return the texts that are short enough to be read as one."""
    found: list[str] = []
    room = _READ_AS_ONE
    for text in texts:
        if room > 0 and _SHORTEST <= len(text) <= _LONGEST:
            room -= len(text)
            found.append(text)
    return found


_READ_AS_ONE = 8 * 1024
_SHORTEST, _LONGEST = 8, 4096
"""Characters of all texts that are read as one, and of the shortest and the longest among them."""


def redact_named_value(
    name: str, value: object, *, is_printed: bool = False, masked: list[str] | None = None
) -> tuple[Any, tuple[Finding, ...]]:
    """Return `value` redacted as the value of a field called `name`, and the findings.

    `masked` gains the texts that were masked.
    """
    held, findings = redact_value({name: value}, is_printed=is_printed, masked=masked)
    return held.get(name, value), findings


def _entries(
    item: dict[str, Json], copy: dict[str, Json], above: str, reading: "_Reading"
) -> Iterator[_Slot]:
    """Yield each value of an object that may change, with its name. Add all to `copy`, under redacted keys."""
    label = None
    if not _HOLDERS.isdisjoint(item):
        label = next((item[name] for name in _LABELS if isinstance(item.get(name), str)), None)
    for key, child in item.items():
        own = str(key)
        is_plain = len(own) <= _LONGEST_NAME and _says_nothing(own)
        unused = own if is_plain else _redact_text(own, reading)
        if unused in copy:
            unused = _unused_key(copy, unused)
        copy[unused] = child
        name = own
        if own in _HOLDERS and isinstance(label, str):
            name, is_plain = label, len(label) <= _LONGEST_NAME and _says_nothing(label)
        elif own in _HOLDERS and isinstance(child, str) and _holds_secret(child, above):
            name, is_plain = above, False
        if not (is_plain and _is_known_to_stay(child, reading)):
            yield copy, unused, child, name


def _holds_secret(text: str, above: str) -> bool:
    """Return whether a text is the secret of the object that holds it: `{"dbPassword": {"value": …}}`."""
    kind = classify_secret_name(above)
    return kind is not None and is_quoted_secret(kind, text.encode("utf-8", "replace"))


def _elements(item: list[Json] | tuple[Json, ...], copy: list[Json], name: str) -> Iterator[_Slot]:
    """Yield each value of an array under the name of the array, or of the flag before the value."""
    flag = ""
    for place, child in enumerate(item):
        label = flag if flag and not str(child).startswith("-") else name
        yield copy, place, child, label
        flag = child if isinstance(child, str) and child[:1] == "-" else ""


def _is_known_to_stay(value: Json, reading: "_Reading") -> bool:
    """Return whether a value is known to stay as it is under a name that says nothing."""
    if isinstance(value, str):
        return is_known_clean(value, is_printed=reading.is_printed)
    if isinstance(value, int):
        return abs(value) <= _LARGE
    return value is None or isinstance(value, float)


@lru_cache(maxsize=1024)
def _says_nothing(name: str) -> bool:
    """Return whether a name holds no secret, and announces none."""
    is_ordinary = classify_secret_name(name) is None and name.lower() != "pass"
    return is_ordinary and _is_clean_name(name)


@lru_cache(maxsize=1024)
def _is_clean_name(name: str) -> bool:
    """Return whether a name holds no secret itself. A short identifier in small letters never does."""
    is_short = len(name) <= _SHORT_NAME and name.islower() and name.isidentifier()
    return is_short or not redact(name).findings


def _redact_leaf(item: object, name: str, reading: "_Reading") -> object:
    if isinstance(item, str):
        is_secret = _is_secret_value(item, name)
        return _mask_whole(item, reading) if is_secret else _redact_text(item, reading)
    if isinstance(item, bool) or not isinstance(item, int | float):
        return item
    if classify_secret_name(name) is SecretKind.PASSWORD:
        return _mask_whole(str(item), reading)
    if isinstance(item, int) and abs(item) > _LARGE:
        text = _redact_text(str(item), reading)
        return item if text == str(item) else text
    return item


def _is_secret_value(text: str, name: str) -> bool:
    kind = classify_secret_name(name)
    if kind is not None and kind <= SecretKind.QUALIFIED:
        return name.lower().endswith("cookie") or is_quoted_secret(
            kind, text.encode("utf-8", "replace")
        )
    if name.lower() == "pass":  # often the number of tests that pass
        return is_quoted_secret(SecretKind.PASSWORD, text.encode("utf-8", "replace"))
    return kind is not None


def _redact_text(text: str, reading: "_Reading") -> str:
    if is_known_clean(text, is_printed=reading.is_printed):
        return text
    result = redact(text, is_printed=reading.is_printed)
    reading.findings.extend(result.findings)
    reading.masked.extend(text[found.start : found.end] for found in result.findings)
    return result.text


def _mask_whole(text: str, reading: "_Reading") -> str:
    """Return the mask of a value under a secret's name. A variable or placeholder is not masked."""
    stripped = text.strip()
    if not stripped or VARIABLE.occurs_in(stripped.encode("utf-8", "replace")):
        return _redact_text(text, reading)
    reading.findings.append(Finding(_RULE, 0, len(text)))
    reading.masked.append(stripped)
    return make_mask(_RULE)


def _unused_key(copy: dict[str, Json], name: str) -> str:
    """Return `name`, numbered if `copy` has a key that was masked to the same text."""
    unused, count = name, 2
    while unused in copy:
        unused, count = f"{name} {count}", count + 1
    return unused
