"""Count what a reader wrote behind the items of a replay."""

import json
from collections import Counter
from pathlib import Path
from typing import Final

from tests.replay.reading import HEADING, LABEL

WORDS: Final = ("bears", "noise", "misleads")


class LabelsInvalidError(ValueError):
    """A file with labels that cannot be counted."""

    def __init__(self, path: Path, cause: str) -> None:
        super().__init__(f"error: could not count labels of {path}: {cause}")


def read_labels(path: Path) -> dict[str, str]:
    """Return the word of each item, by the item's id and hook; raise LabelsInvalidError.

    `path` is a text of `--read` that a reader filled in.
    """
    labels: dict[str, str] = {}
    item = ""
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if line.startswith(HEADING):
            item = line.removeprefix(HEADING)
            if item in labels:
                raise LabelsInvalidError(path, f"line {number}: {item} stands twice")
        elif item and line.startswith(LABEL):
            labels[item] = line.removeprefix(LABEL).strip()
            if labels[item] not in WORDS:
                raise LabelsInvalidError(
                    path, f"line {number}: {labels[item]!r} is none of {WORDS}"
                )
    if not labels:
        raise LabelsInvalidError(path, "it has no items")
    return labels


def count(labels: dict[str, str]) -> str:
    """Return as JSON how many items have each word, in all and by hook."""
    found: dict[str, Counter[str]] = {"all": Counter(labels.values())}
    for item, word in labels.items():
        found.setdefault(item.split()[-1], Counter())[word] += 1
    table = {name: {word: each[word] for word in WORDS} for name, each in found.items()}
    return json.dumps(table, indent=1)
