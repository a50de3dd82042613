"""What the rules of one language answer about a sentence."""

from collections.abc import Callable
from typing import Literal, NamedTuple

from hooklore.instructions.evidence import Around, Verdict

Kind = Literal["preference", "constraint", "workflow"]


class Rules(NamedTuple):
    """The rules of a language; every sentence comes in lower case.

    `explicit`: where the thing to remember begins, None when nobody asks for that. `is_none`: a
    question, a report, talk about others (sentence and the sign after it). `verdict`: whether it
    instructs for longer than once, after a sentence that corrected or not, between the sentences
    around it. `is_correction`: it only says "no".
    """

    explicit: Callable[[str], int | None]
    is_none: Callable[[str, str], bool]
    verdict: Callable[[str, bool, Around], Verdict | None]
    kind: Callable[[str], Kind]
    is_correction: Callable[[str], bool]
