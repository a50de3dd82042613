"""The names in a piece of code that somebody may have spoken of."""

import re

MAX_IDENTIFIERS = 12
_LONGEST = 8_000
_SYMBOL = re.compile(
    r"\b(?:[A-Za-z][A-Za-z0-9]*_[A-Za-z0-9_]+|[a-z][a-z0-9]*[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*)\b"
)


def extract_identifiers(old: str, new: str) -> list[str]:
    """The compound names (`session_count`, `AgentLines`) of a change: first those only one side has.

    At most twelve, in the order in which they stand, of the first 8,000 characters of each side.
    """
    before, after = (dict.fromkeys(_SYMBOL.findall(side[:_LONGEST])) for side in (old, new))
    changed = [name for name in (*before, *after) if (name in before) != (name in after)]
    return list(dict.fromkeys((*changed, *before, *after)))[:MAX_IDENTIFIERS]
