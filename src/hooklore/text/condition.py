"""Read the condition of a rule: `when you touch the API, always …`, API を変更するときは必ず ….

Only conditions that a step can show are read: somebody works on a named thing, or runs a named command. A
condition about a state (`if you are unsure`, `when CI fails`) is left out, because no step shows a state.
"""

import re
from functools import lru_cache

from hooklore.late_pattern import compile_late
from hooklore.text.contradiction import is_negated

_STATE = (
    r"(?!(?:are|were|have|had|feel|think|want|need|see|get|find|know|like|can|can't|cannot|could|must|may|might|"
    r"should|do|don't|did|didn't|notice|hit|run into|being|having|feeling|thinking|seeing|getting|finding|"
    r"something|anything|nothing|everything)\b)"
)
"""No verb of a state, and no thing that looks like a verb in -ing."""

_END = r"(?=$|[,:;.!?\n]|\s(?:always|never|please|make sure|don't|do not)\b)"
_ENGLISH = compile_late(
    r"\b(?P<conjunction>when(?:ever)?|every time|each time|if|before|after|while)\s+"
    rf"(?:(?:you|we|i)(?:'re)?\s+{_STATE}[a-z][^,:;.!?\n]{{1,80}}?|{_STATE}[a-z]+ing\b[^,:;.!?\n]{{0,80}}?){_END}",
    re.IGNORECASE,
)
_OF_TIME = ("before", "after", "if")
"""Conjunctions that name, behind a prohibition, what is missing: `never deploy before you run the tests`."""

_JAPANESE = compile_late(
    r"(?:^|[。、\n])(?P<clause>[^。、が\n]{2,80}?)(?:とき|時|場合|際|前|後|たび)に?(?:は|も|、|必ず|毎回|常に|絶対)"
)
_WORD = compile_late(r"[A-Za-z0-9]+", re.ASCII)
_CAMEL = compile_late(r"(?<=[a-z0-9])(?=[A-Z])")
_MAX_READ = 600


def _stem(word: str) -> str:
    """Return a word without the ending of a plural, of -ing and of a last e."""
    if word.endswith("s") and not word.endswith("ss") and len(word) > 3:
        word = word[:-1]
    if word.endswith("ing") and len(word) > 5:
        word = word[:-3]
        word = word[:-1] if word[-1] == word[-2] else word
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


_EMPTY = frozenset(map(_stem,
    "a an the any all every each some our your my their its this that these those it them one something anything "
    "you we i when whenever time if before after while re new existing other another own of in on to for from with "
    "into at by under inside within and or as is be again file code module package folder directory project repo "
    "repository codebase part layer thing line touch edit change modify update write add create make work start "
    "begin finish use using run call do open remove delete rename refactor fix implement build set put move "
    "introduce prepare first then also".split()
))  # fmt: skip
"""Words that say nothing of the thing that is worked on."""


@lru_cache(maxsize=2048)
def find_condition_words(text: str) -> frozenset[str]:
    """Return the words by which a step shows that the condition of a rule holds.

    Return an empty set for a rule without a condition, and for a condition that no step shows.
    """
    text = text[:_MAX_READ]
    clauses = [found["clause"] for found in _JAPANESE.finditer(text)]
    for found in _ENGLISH.finditer(text):
        is_of_time = found["conjunction"].lower() in _OF_TIME
        if not (is_of_time and is_negated(text[: found.start()])):
            clauses.append(found[0])
    return frozenset().union(*map(find_content_words, clauses))


def find_content_words(clause: str) -> frozenset[str]:
    """Return the words of a clause that say what is worked on."""
    return frozenset(split_words(clause)) - _EMPTY


def split_words(text: str) -> list[str]:
    """Return the words of a text, of paths and of identifiers, in lower case and without their endings."""
    return [_stem(word.lower()) for word in _WORD.findall(_CAMEL.sub(" ", text))]
