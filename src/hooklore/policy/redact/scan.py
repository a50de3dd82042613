"""One text, all rules: the one place through which everything goes that is written down."""

import bisect
import functools
from collections.abc import Iterable, Iterator
from typing import Any

import re2

from hooklore.policy.redact.assigned import ASSIGNED, read_on
from hooklore.policy.redact.commands import COMMANDS, FLAGS, HEADERS
from hooklore.policy.redact.finding import MASK, Finding, Redacted, mask, masked, merged
from hooklore.policy.redact.material import ADDRESSES, PRIVATE_KEYS
from hooklore.policy.redact.pattern import Pattern, Rule, quiet
from hooklore.policy.redact.personal import CARDS, EMAILS, PHONES
from hooklore.policy.redact.spoken import ENGLISH, JAPANESE
from hooklore.policy.redact.vendors import VENDOR_TOKENS

RULES_VERSION = 1
"""Counts up with every change of a rule; what was kept under an older number is scanned again."""

_RULES: tuple[Rule, ...] = (
    PRIVATE_KEYS, VENDOR_TOKENS, ADDRESSES, ASSIGNED, FLAGS, COMMANDS, HEADERS, ENGLISH, JAPANESE,
    EMAILS, PHONES, CARDS,
)
_CHUNK = 64 * 1024
_OVERLAP = 4 * 1024
_ROUNDS = 6
_EXISTING = Pattern(MASK)
_RUN = Pattern(r"[A-Za-z0-9+/=_.~-]*")


def redact(text: str) -> Redacted:
    """`text` with a mask for each secret and personal detail, and where they stood.

    Redacting the result changes nothing. Time is linear in the length. Lone surrogates are kept.
    """
    findings = _findings(text)
    if not findings:
        return Redacted(text, ())
    united = merged(findings)
    for _ in range(_ROUNDS):
        result = masked(text, united)
        more = _findings(result)
        if not more:
            return Redacted(result, tuple(united))
        united = merged((*united, *_in_original(more, united)))
    whole = (Finding(united[0].rule, 0, len(text)),)
    return Redacted(masked(text, whole), whole)


def _findings(text: str) -> list[Finding]:
    """What the rules find in one pass, in characters, outside of masks."""
    raw = text.encode("utf-8", "replace")
    spans = [span for place in sorted(_gates().Match(raw) or ()) for span in _run(_RULES[place], raw)]
    if not spans:
        return []
    spans = _outside_masks(raw, spans)
    if len(raw) == len(text):
        return [Finding(*span) for span in spans]
    place_of = _characters(raw, {edge for _, first, last in spans for edge in (first, last)})
    return [Finding(rule, place_of[first], place_of[last]) for rule, first, last in spans]


@functools.cache
def _gates() -> Any:
    """One pass over a text that says which rules are worth running."""
    gates = re2.Set.SearchSet(quiet())
    for rule in _RULES:
        gates.Add(rule.gate)
    gates.Compile()
    return gates


def _run(rule: Rule, raw: bytes) -> Iterator[tuple[str, int, int]]:
    """What one rule finds, in bytes; what reaches a window's end is read on beyond it."""
    for start, end in ((0, len(raw)),) if rule.whole else _windows(raw):
        for name, first, last in rule.find(raw, start, end):
            if last == end < len(raw):
                yield name, first, read_on(_RUN, raw, last, len(raw))
            elif last > first:
                yield name, first, last


def _windows(raw: bytes) -> Iterator[tuple[int, int]]:
    """Bounded, overlapping stretches of a long text: a secret on a border lies whole in the next."""
    start = 0
    while start + _CHUNK < len(raw):
        yield start, start + _CHUNK
        start += _CHUNK - _OVERLAP
        while raw[start] & 0xC0 == 0x80:  # not inside a character
            start -= 1
    yield start, len(raw)


def _outside_masks(
    raw: bytes, spans: list[tuple[str, int, int]]
) -> list[tuple[str, int, int]]:
    """The spans that are not a mask, or a part of one."""
    if b"[REDACTED:" not in raw:
        return spans
    masks = [match.span() for match in _EXISTING.compiled.finditer(raw)]
    starts = [first for first, _ in masks]

    def outside(span: tuple[str, int, int]) -> bool:
        place = bisect.bisect_right(starts, span[1]) - 1
        return place < 0 or span[2] > masks[place][1]

    return [span for span in spans if outside(span)]


def _characters(raw: bytes, edges: set[int]) -> dict[int, int]:
    """Byte offset to character offset, for each edge, in one walk."""
    places: dict[int, int] = {}
    before = characters = 0
    for edge in sorted(edges):
        characters += len(raw[before:edge].decode("utf-8", "replace"))
        places[edge], before = characters, edge
    return places


def _in_original(more: Iterable[Finding], united: list[Finding]) -> Iterator[Finding]:
    """Findings of the masked text, moved to where they stand in the text before masking."""
    begins: list[int] = []
    ends: list[int] = []
    shift = 0
    for rule, start, end in united:
        begins.append(start + shift)
        shift += len(mask(rule)) - (end - start)
        ends.append(end + shift)
    for rule, start, end in more:
        left = bisect.bisect_right(begins, start) - 1
        right = bisect.bisect_left(begins, end) - 1
        yield Finding(
            rule, _moved(start, left, united, ends, 1), _moved(end, right, united, ends, 2)
        )


def _moved(place: int, index: int, united: list[Finding], ends: list[int], edge: int) -> int:
    """A place of the masked text in the original; inside a mask it is that edge of what it hides."""
    if index < 0:
        return place
    if place < ends[index] or (edge == 2 and place == ends[index]):
        return united[index][edge]
    return united[index].end + place - ends[index]
