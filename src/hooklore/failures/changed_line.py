"""The line of a change that tells most of it."""

import re

_PLAIN = re.compile(
    r"[+-]?\s*(?://|#(?!\[)|/?\*|--\s|<!--|import\b|from\b|use\b|using\b|package\b|require\b|\"\"\"|'''|\"[\w./@-]+\",?$)"
)
"""The beginning of a comment or of an import, which says little of a change."""


def changed_line(change: str, words: frozenset[str] = frozenset()) -> str:
    """Return the line of code that a change adds, with most of `words`, else one that it adds or removes."""
    lines = [" ".join(line.split()) for line in change.splitlines()]
    told = [line for line in lines if sum(map(str.isalnum, line)) > 2]
    added = [line for line in told if line[:1] != "-"]
    code = [line for line in added if not _PLAIN.match(line)]
    found = code or added or told
    return max(found, key=lambda line: sum(word in line.lower() for word in words), default="")
