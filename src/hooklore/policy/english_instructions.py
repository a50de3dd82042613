"""Wordings of corrections and standing instructions in English.

Each rule asks for the form of an instruction (an imperative at the begin of a clause, `we` with a habit,
a convention with `should`), and for a sign that it is to hold longer than this one task.
"""

import re

from hooklore.policy.english_exceptions import (
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
from hooklore.policy.english_wordings import (
    AFTER_NO,
    CONSTRAINT,
    CORRECTION,
    CORRECTIONS,
    EXPLICIT,
    MAY,
    POSITIVES,
    UNSURE,
    WORKFLOW,
)
from hooklore.policy.instruction_rules import Kind, Rules, Verdict

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


"""What people type in a hurry, and how it is meant."""


def _plain(text: str) -> str:
    for wording, meant in _HURRIED:
        text = wording.sub(meant, text)
    return text


def may_instruct(prompt: str) -> bool:
    """A quick look at whether any word of an instruction stands there."""
    return MAY.search(prompt) is not None


def explicit(sentence: str) -> int | None:
    """Where the thing to remember begins."""
    found = EXPLICIT.search(sentence.replace("’", "'"))
    if found is None or QUESTION.match(sentence[: found.start()]):
        return None
    return min(found.end(), len(sentence))


def is_none(sentence: str, ender: str) -> bool:
    """Whether it is a question, a report, talk about others, or an order for once."""
    text = _plain(sentence)
    if OPAQUE_ONLY.match(text):
        return True
    if POLITE.search(text):
        return False
    if "?" in ender or "？" in ender or QUESTION.match(text):
        return True
    return _is_once(text) or REPORT.search(text) is not None


def _is_once(text: str) -> bool:
    text = LIKE_THIS.sub("", text)
    if ONE_OFF.search(text) is None and THE_ONE.search(text) is None:
        return False
    return KEEPS.search(text) is None


def verdict(sentence: str, is_corrected: bool) -> Verdict | None:
    """Whether it tells how something is to be done from now on."""
    text = _plain(sentence)
    if CORRECTIONS.search(text) or (is_corrected and AFTER_NO.match(text)):
        return "sure"
    if POLITE.search(text):
        return "sure"
    found = [m.start() for wording in POSITIVES if (m := wording.search(text))]
    if found:
        return None if TASK.match(text) and _within(text, min(found)) else "sure"
    return "unsure" if UNSURE.match(text) else None


def _within(text: str, at: int) -> bool:
    """Whether a wording stands inside an order for once: what is to be made, not how to work."""
    return text[at : at + 1] not in ",:" and not KEEPS.search(text)


def kind(sentence: str) -> Kind:
    """A constraint forbids, a workflow says when; the rest are preferences."""
    text = _plain(sentence)
    if CONSTRAINT.search(text):
        return "constraint"
    return "workflow" if WORKFLOW.search(text) else "preference"


def is_correction(sentence: str) -> bool:
    """Whether it says no more than that the answer before was wrong."""
    return CORRECTION.match(_plain(sentence)) is not None


ENGLISH = Rules(may_instruct, explicit, is_none, verdict, kind, is_correction)
