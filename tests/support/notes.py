"""Read what a model was shown: the origin of a note, which a heading may say for several."""

import re

_HEADING = re.compile(r"^[A-Z][^\[]*\((.*)\):$")


def line_with(told: str, words: str) -> str:
    """The one line of an answer that has these words."""
    (line,) = [line for line in told.splitlines() if words in line]
    return line


def origin_of(told: str, words: str) -> str:
    """What the heading over a note says, and what its own brackets say."""
    line = line_with(told, words)
    common = ""
    for other in told[: told.index(line)].splitlines():
        heading = _HEADING.match(other)
        common = heading[1] if heading else common if other.startswith("- ") else ""
    return f"{common} · {line[line.rindex('[') + 1 : -1]}"
