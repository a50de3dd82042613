"""Extract corrections and standing instructions from a user's prompt, by rule and without a model.

A doubtful sentence is no instruction: a wrong preference hardens, while a missed one is said again.
"""

import re
from dataclasses import dataclass

from hooklore.instructions.english import evidence_weights as english_weights
from hooklore.instructions.english.classifier import ENGLISH
from hooklore.instructions.evidence import SentenceContext
from hooklore.instructions.japanese import evidence_weights as japanese_weights
from hooklore.instructions.japanese.classifier import JAPANESE, is_japanese
from hooklore.instructions.language_rules import InstructionKind, LanguageRules
from hooklore.instructions.user_text import (
    MAX_PROMPT_LENGTH,
    Sentence,
    extract_user_sentences,
)
from hooklore.text.display_width import display_width

_LONGEST = 600
_BEFORE = 6
_LONG = 6
"""Sentences of a long prompt, and sentences before one that may show the topic of its prompt."""


@dataclass(frozen=True, slots=True)
class Instruction:
    """The user's own words, with their offsets in the prompt.

    `is_explicit` means that the user asked to remember the words. `is_sure` is false where they may
    hold for this task alone, so that a person has to approve them.
    """

    text: str
    start: int
    end: int
    kind: InstructionKind
    is_explicit: bool = False
    is_sure: bool = True


def extract_instructions(prompt: str) -> list[Instruction]:
    """Return the corrections and standing instructions of a prompt, in order, in Japanese and English.

    Questions, code, quotations, pasted text, reports, orders for one task and talk about others are
    left out.
    """
    prompt = prompt[:MAX_PROMPT_LENGTH]
    found: list[Instruction] = []
    is_corrected, taken = False, 0
    sentences = extract_user_sentences(prompt)
    for n, sentence in enumerate(sentences):
        if sentence.start < taken:
            continue
        around = _sentence_context(sentences, n)
        made = _classify(prompt, sentence, is_corrected, around)
        is_corrected = _rules(sentence).is_correction(sentence.text)
        if made is not None:
            found.append(made)
            taken = made.end
    return _distinct(found)


_BREATH = 110
"""Columns of a sentence that may be sure."""

_HEDGED = re.compile(
    r"\b(?:why|maybe|perhaps|probably|i think|i guess|not sure)\b|かも|と思う|たぶん|多分|なぜ|どうして",
    re.IGNORECASE,
)


def compile_evidence_tables() -> None:
    """Compile the tables that weigh prompts."""
    for table in (english_weights.EVIDENCE_TABLE, japanese_weights.EVIDENCE_TABLE):
        table.warm()


def release_evidence_tables() -> None:
    """Release the compiled tables: they take megabytes, and most of the time nobody writes a prompt."""
    for table in (english_weights.EVIDENCE_TABLE, japanese_weights.EVIDENCE_TABLE):
        table.rest()


def _sentence_context(sentences: list[Sentence], n: int) -> SentenceContext:
    beside = (*sentences[max(n - 1, 0) : n], *sentences[n + 1 : n + 2])
    return SentenceContext(
        [s.text for s in beside],
        [s.text for s in sentences[max(n - _BEFORE, 0) : n]],
        len(sentences) >= _LONG,
    )


def _classify(
    prompt: str, sentence: Sentence, is_corrected: bool, around: SentenceContext
) -> Instruction | None:
    rules = _rules(sentence)
    begin = rules.find_explicit_start(sentence.text)
    if begin is not None:
        return _explicit(prompt, sentence, sentence.start + begin)
    if rules.is_not_instruction(sentence.text, sentence.terminator):
        return None
    verdict = rules.verdict(sentence.text, is_corrected, around)
    if verdict is None:
        return None
    text = prompt[sentence.start : sentence.end]
    is_sure = verdict == "sure" and _is_plain(text)
    return Instruction(
        text, sentence.start, sentence.end, rules.kind(sentence.text), is_sure=is_sure
    )


def _is_plain(text: str) -> bool:
    """Return whether a sentence is short and without hedging.

    Prompts of two real projects gave ten sure instructions. Seven of them were none, and those were
    longer or asked why.
    """
    return display_width(text) <= _BREATH and not _HEDGED.search(text)


def _explicit(prompt: str, sentence: Sentence, start: int) -> Instruction | None:
    """Return the line after the words that ask to remember it, or None for a question or an empty line."""
    if sentence.terminator[:1] in ("?", "？"):
        return None
    while start < len(prompt) and prompt[start] in " \t\r\n:：,、。.":
        start += 1
    stop = prompt.find("\n", start)
    end = min(len(prompt) if stop < 0 else stop, start + _LONGEST)
    text = prompt[start:end].rstrip()
    if len(text) < 3:
        return None
    return Instruction(text, start, start + len(text), _rules(sentence).kind(text.lower()), True)


def _rules(sentence: Sentence) -> LanguageRules:
    return JAPANESE if is_japanese(sentence.text) else ENGLISH


def _distinct(found: list[Instruction]) -> list[Instruction]:
    return list({made.text: made for made in found}.values())
