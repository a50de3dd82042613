"""What a user tells an agent to do from now on: corrections and standing instructions (row HK-14).

By rule, without a model. In doubt it is none: a wrong preference hardens, a missed one is said again.
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
"""Sentences before one that may show what its prompt is about."""


@dataclass(frozen=True, slots=True)
class Instruction:
    """What the user said, word for word, and where in the prompt it stands.

    `is_explicit`: they asked for it to be remembered. `is_sure` is false where it may have been meant
    for once: it needs a person before it counts.
    """

    text: str
    start: int
    end: int
    kind: InstructionKind
    is_explicit: bool = False
    is_sure: bool = True


def extract_instructions(prompt: str) -> list[Instruction]:
    """The corrections and standing instructions in a prompt, in order, in Japanese and English.

    Not: questions, code, quotations, pasted text, reports of fact, orders for once, talk about others.
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
"""Columns."""
_HEDGED = re.compile(
    r"\b(?:why|maybe|perhaps|probably|i think|i guess|not sure)\b|かも|と思う|たぶん|多分|なぜ|どうして",
    re.IGNORECASE,
)


def compile_evidence_tables() -> None:
    """Make ready what weighs prompts."""
    for table in (english_weights.EVIDENCE_TABLE, japanese_weights.EVIDENCE_TABLE):
        table.warm()


def release_evidence_tables() -> None:
    """Let go of what weighs prompts: it takes megabytes, and most of the time nobody types."""
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
    """Whether it is said in a breath, without hedging.

    Of ten that two real projects' prompts taught as sure, the seven that were none were longer
    or asked why.
    """
    return display_width(text) <= _BREATH and not _HEDGED.search(text)


def _explicit(prompt: str, sentence: Sentence, start: int) -> Instruction | None:
    """All of the line after the word that asks to remember it."""
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
