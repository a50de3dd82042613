"""Define the questions that the rules of each language answer about a sentence."""

from collections.abc import Callable
from typing import Literal, NamedTuple

from hooklore.instructions.evidence import Certainty, SentenceContext

InstructionKind = Literal["preference", "constraint", "workflow"]


class LanguageRules(NamedTuple):
    """The rules of a language. Every sentence is given in lower case.

    `find_explicit_start` returns the offset of the words to remember, None when nobody asks for that.
    `is_not_instruction` is true for questions, reports and talk about others, by the sentence and its
    end mark. `verdict` returns how certain a lasting instruction is, by the sentence, whether the
    sentence before was a correction, and the context. `kind` is the kind of memory. `is_correction` is
    true for a sentence that only says "no".
    """

    find_explicit_start: Callable[[str], int | None]
    is_not_instruction: Callable[[str, str], bool]
    verdict: Callable[[str, bool, SentenceContext], Certainty | None]
    kind: Callable[[str], InstructionKind]
    is_correction: Callable[[str], bool]
