"""A finding of a rule, the text with a mask in place of each finding, and the texts that are known to have none."""

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


_MAX_HASHES = 4096


class CleanTextCache:
    """Hashes of texts, with a new hash key in each process. No text is stored."""

    def __init__(self) -> None:
        self._hashes: set[int] = set()

    def __contains__(self, text: str) -> bool:
        return hash(text) in self._hashes

    def add(self, text: str) -> None:
        """Remember `text`. A full cache is emptied first."""
        if len(self._hashes) >= _MAX_HASHES:
            self._hashes.clear()
        self._hashes.add(hash(text))

    def clear(self) -> None:
        """Forget all texts."""
        self._hashes.clear()
