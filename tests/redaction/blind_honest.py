"""A second set of honest lines, written after the rules and before any look at what they do with it.

Marks as in `lookalikes`: «hex:40», «b64:43», «url:43», «low:32», «alnum:24», «uuid», «digits:12».
"""

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from tests.redaction.draw import Draw
from tests.redaction.lookalikes import filled_in

_MARK = re.compile("«([a-zA-Z0-9]+)(?::([0-9]+))?»")

HONEST = (Path(__file__).parents[1] / "bench" / "honest_lines.txt").read_text("utf-8")


def honest_lines() -> Iterator[tuple[str, str]]:
    """(a name, the line), the same on every machine."""
    for number, line in enumerate(HONEST.strip("\n").split("\n")):
        yield "blind", filled(Draw(f"blind honest {number}"), line)


def filled(draw: Draw, line: str) -> str:
    """The line with values in place of its marks."""
    return _MARK.sub(partial(filled_in, draw), line)
