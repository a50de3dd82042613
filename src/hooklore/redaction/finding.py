"""A finding of a rule, and the text with a mask in place of each finding."""

from collections.abc import Iterable
from typing import NamedTuple

MASK_PATTERN = r"\[REDACTED:[a-z]{1,16}\]"
"""The pattern of a mask. No rule is named by a keyword of secrets, or its mask would look like a key."""


class Finding(NamedTuple):
    """A secret or personal detail: the rule, and its span in the original text, in characters."""

    rule: str
    start: int
    end: int


class Redacted(NamedTuple):
    """A text without its findings, and these findings, in order and without overlaps."""

    text: str
    findings: tuple[Finding, ...]


def make_mask(rule: str) -> str:
    """Return the text that replaces a finding of `rule`."""
    return f"[REDACTED:{rule}]"


def merge_findings(findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings in order, with overlapping ones merged under the rule of the first and longest."""
    merged: list[Finding] = []
    for found in sorted(findings, key=lambda found: (found.start, -found.end)):
        last = merged[-1] if merged else None
        if last is None or found.start >= last.end:
            merged.append(found)
        elif found.end > last.end:
            merged[-1] = last._replace(end=found.end)
    return merged


def apply_masks(text: str, findings: Iterable[Finding]) -> str:
    """Return `text` with a mask in place of each finding. The findings are in order and do not overlap."""
    parts: list[str] = []
    copied = 0
    for rule, start, end in findings:
        parts += (text[copied:start], make_mask(rule))
        copied = end
    parts.append(text[copied:])
    return "".join(parts)
