"""A change of a file, and the identifiers in code that earlier sessions may have mentioned."""

import re
from typing import NamedTuple

MAX_IDENTIFIERS = 12
_MAX_LENGTH = 8_000
_SYMBOL = re.compile(
    r"\b(?:[A-Za-z][A-Za-z0-9]*_[A-Za-z0-9_]+|[a-z][a-z0-9]*[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*)\b"
)


class CodeChange(NamedTuple):
    """A file, the text that an edit takes out of it, and the text that the edit puts there."""

    path: str
    before: str
    after: str


def extract_identifiers(old: str, new: str) -> list[str]:
    """Return the compound names (`session_count`, `AgentLines`) of a change, first those of one side only.

    At most twelve are returned, in order of appearance in the first 8,000 characters of each side.
    """
    before, after = (dict.fromkeys(_SYMBOL.findall(side[:_MAX_LENGTH])) for side in (old, new))
    changed = [name for name in (*before, *after) if (name in before) != (name in after)]
    return list(dict.fromkeys((*changed, *before, *after)))[:MAX_IDENTIFIERS]


def find_identifiers(text: str) -> list[str]:
    """Return the compound names in the first 8,000 characters of a text."""
    return _SYMBOL.findall(text[:_MAX_LENGTH])


_WORD = re.compile(r"[A-Za-z][\w@-]*(?:\.[A-Za-z_]\w*)*")


def added_names(old: str, new: str) -> frozenset[str]:
    """Return the names of a change that the old side lacks, in lower case: `console.log`, and its parts."""
    before, after = (_names(side[:_MAX_LENGTH]) for side in (old, new))
    return after - before


def _names(text: str) -> frozenset[str]:
    whole = {name.lower() for name in _WORD.findall(text)}
    return frozenset(part for name in whole for part in (name, *name.split(".")))
