"""Classify English sentences as corrections and standing instructions.

Each rule needs the form of an instruction: an imperative at the beginning of a clause, `we` with a habit,
or a convention with `should`. It also needs evidence that the instruction outlasts this task.
"""

import re

from hooklore.instructions.english.evidence_weights import (
    LEAST,
    SURE,
    weigh_english_evidence,
)
from hooklore.instructions.english.exclusions import (
    KEEPS,
    LIKE_THIS,
    ONE_OFF,
    OPAQUE_ONLY,
    POLITE,
    QUESTION,
    REPORT,
    TASK,
    THE_ONE,
)
from hooklore.instructions.english.phrases import (
    AFTER_NO,
    CONSTRAINT,
    CORRECTION,
    CORRECTIONS,
    EXPLICIT,
    POSITIVES,
    UNSURE,
    WORKFLOW,
)
from hooklore.instructions.evidence import Certainty, SentenceContext, classify_evidence
from hooklore.instructions.language_rules import InstructionKind, LanguageRules

_ONCE = -3
_REPORTED = -6
_ONE_TASK = -4
_WORDED = 4
_PLAINLY = 7
_AFTER_NO = 3
_MOMENTARY = -1
"""Weights on the scale of the table in `evidence_weights`."""

_LASTING = frozenset(
    ("scope", "ours", "liking", "self", "roles", "again", "no", "swap", "around", "fact")
)
"""Kinds of evidence for an instruction that outlasts this task."""

_HURRIED = (
    (re.compile(r"’"), "'"),
    (
        re.compile(r"\b(do|does|did|wo|ca|is|are|was|should|must|could|would|have|has)nt\b"),
        r"\1n't",
    ),
    (re.compile(r"\blets\b"), "let's"),
    (re.compile(r"\bu\b"), "you"),
    (re.compile(r"\b(?:pls|plz|plse)\b"), "please"),
    (re.compile(r"\ba(?:l?w[ay]{1,3}a?s|llways|lwyas|wlays)\b"), "always"),
    (re.compile(r"\b(?:nevr|neever|nver)\b"), "never"),
    (re.compile(r"\bno(?:,? no)+\b"), "no"),
    (re.compile(r"\b(never|always|not) ever\b"), r"\1"),
    (re.compile(r"\bdon'?t you ever\b"), "don't"),
)


"""Spellings of people in a hurry, and the words that they mean."""


def _plain(text: str) -> str:
    for wording, meant in _HURRIED:
        text = wording.sub(meant, text)
    return text


def explicit(sentence: str) -> int | None:
    """Return the offset of the words to remember, or None when nobody asks for that."""
    found = EXPLICIT.search(sentence.replace("’", "'"))
    if found is None or QUESTION.match(sentence[: found.start()]):
        return None
    return min(found.end(), len(sentence))


def is_none(sentence: str, ender: str) -> bool:
    """Return whether a sentence is a question, or nothing but a quotation."""
    text = _plain(sentence)
    if OPAQUE_ONLY.match(text):
        return True
    if POLITE.search(text):
        return False
    return "?" in ender or "？" in ender or QUESTION.match(text) is not None


def _is_once(text: str) -> bool:
    text = LIKE_THIS.sub("", text)
    if ONE_OFF.search(text) is None and THE_ONE.search(text) is None:
        return False
    return KEEPS.search(text) is None


def verdict(sentence: str, is_corrected: bool, around: SentenceContext) -> Certainty | None:
    """Return how certain a sentence instructs for longer than this task, or None when it does not."""
    return classify_evidence(evidence(sentence, is_corrected, around), LEAST, SURE)


def evidence(sentence: str, is_corrected: bool, around: SentenceContext) -> dict[str, int]:
    """Return the weight of each kind of evidence. Phrases are searched only where they can decide."""
    text = _plain(sentence)
    found = weigh_english_evidence(text, around)
    if is_corrected:
        found["no"] = _AFTER_NO
    if sum(found.values()) + _PLAINLY < LEAST:
        return found
    _weigh_against(text, found)
    if "once" not in found and "reported" not in found and sum(found.values()) < SURE:
        found["worded"] = _worded(text, is_corrected)
    return found


def _weigh_against(text: str, found: dict[str, int]) -> None:
    if _is_once(text):
        found["once"] = min(found.get("once", 0), _ONCE)
    if REPORT.search(text):
        found["reported"] = _REPORTED
    if TASK.match(text) and not KEEPS.search(text) and "roles" not in found:
        found["task"] = min(found.get("task", 0), _ONE_TASK)
    if not _LASTING & found.keys():
        found["momentary"] = _MOMENTARY


def _worded(text: str, is_corrected: bool) -> int:
    """Return the weight of a phrase that is known for an instruction, or 0 without one."""
    if CORRECTIONS.search(text) or (is_corrected and AFTER_NO.match(text)):
        return _PLAINLY
    if POLITE.search(text):
        return _WORDED
    found = [m.start() for wording in POSITIVES if (m := wording.search(text))]
    if found:
        return 0 if TASK.match(text) and _within(text, min(found)) else _WORDED
    return _WORDED if UNSURE.match(text) else 0


def _within(text: str, at: int) -> bool:
    """Return whether a phrase describes the result of one task instead of the way to work."""
    return text[at : at + 1] not in ",:" and not KEEPS.search(text)


def kind(sentence: str) -> InstructionKind:
    """Return the kind of memory: a constraint forbids, a workflow says when, a preference does neither."""
    text = _plain(sentence)
    if CONSTRAINT.search(text):
        return "constraint"
    return "workflow" if WORKFLOW.search(text) else "preference"


def is_correction(sentence: str) -> bool:
    """Return whether a sentence only says that the answer before was wrong."""
    return CORRECTION.match(_plain(sentence)) is not None


ENGLISH = LanguageRules(explicit, is_none, verdict, kind, is_correction)
