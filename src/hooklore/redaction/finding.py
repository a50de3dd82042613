"""What a rule found, and the text with masks in its place."""

from collections.abc import Iterable
from typing import NamedTuple

MASK_PATTERN = r"\[REDACTED:[a-z]{1,16}\]"
"""Shape of a mask. No rule's name is a word that names a secret, or a mask would be read as a key."""


class Finding(NamedTuple):
    """A secret or personal detail: the rule, and its place in the original text, in characters."""

    rule: str
    start: int
    end: int


class Redacted(NamedTuple):
    """A text without what was found in it; `findings` are in order and do not overlap."""

    text: str
    findings: tuple[Finding, ...]


def make_mask(rule: str) -> str:
    """The text that stands for something that `rule` found."""
    return f"[REDACTED:{rule}]"


def merge_findings(findings: Iterable[Finding]) -> list[Finding]:
    """Findings in order, overlapping ones united under the name of the first and longest."""
    united: list[Finding] = []
    for found in sorted(findings, key=_leftmost_longest):
        last = united[-1] if united else None
        if last is None or found.start >= last.end:
            united.append(found)
        elif found.end > last.end:
            united[-1] = last._replace(end=found.end)
    return united


def _leftmost_longest(found: Finding) -> tuple[int, int]:
    return found.start, -found.end


def apply_masks(text: str, findings: Iterable[Finding]) -> str:
    """`text` with a mask in place of each finding; findings are in order and do not overlap."""
    parts: list[str] = []
    kept = 0
    for rule, start, end in findings:
        parts += (text[kept:start], make_mask(rule))
        kept = end
    parts.append(text[kept:])
    return "".join(parts)
