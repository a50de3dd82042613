"""What the rules of one language answer about a sentence."""

from collections.abc import Callable
from typing import Literal, NamedTuple

from hooklore.instructions.evidence import Certainty, SentenceContext

InstructionKind = Literal["preference", "constraint", "workflow"]


class LanguageRules(NamedTuple):
    """The rules of a language; every sentence comes in lower case.

    `explicit`: where the thing to remember begins, None when nobody asks for that. `is_none`: a
    question, a report, talk about others (sentence and the sign after it). `verdict`: whether it
    instructs for longer than once, after a sentence that corrected or not, between the sentences
    around it. `is_correction`: it only says "no".
    """

    find_explicit_start: Callable[[str], int | None]
    is_not_instruction: Callable[[str, str], bool]
    verdict: Callable[[str, bool, SentenceContext], Certainty | None]
    kind: Callable[[str], InstructionKind]
    is_correction: Callable[[str], bool]
