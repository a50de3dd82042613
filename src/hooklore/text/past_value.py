"""Find what a statement says is no longer so: `(was 200)`, `not in BoltDB`, `203 dpi is no longer supported`.

A later statement that names the value of an earlier one as past contradicts it in whatever words, where both are
about the same: the earlier one's topic and one more of its words are named again.
"""

import re
import unicodedata
from functools import lru_cache
from typing import Final

_READ: Final = 1_200
_PAST: Final = (
    re.compile(
        r"[(（](?:it )?(?:was|were|formerly|previously|before|not|no longer|旧|以前は|元は|前は)\b\s*[:：]?"
        r"(?P<past>[^()（）]{1,60})[)）]",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:not|no longer|instead of|rather than|in place of)\s+(?P<past>[^,.;()（）]{1,40})",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?:^|[,;.]\s+|\band\s+|\bwhile\s+)(?P<past>[^,.;()（）]{1,40}?)\s+(?:is|are|was|were|has been|have been)"
        r"\s+(?:now\s+)?(?:dropped|gone|removed|retired|abandoned|replaced|no longer\b)",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?P<past>[^、。はをが,;（）]{1,30})(?:では?なく|じゃなく|の代わりに|をやめ|は(?:もう)?(?:廃止|撤廃|使わな|捨て))"
    ),
)
_WORD: Final = re.compile(
    r"[a-z](?:[a-z0-9_+#.-]*[a-z0-9_+#])?|\d(?:[\d.:]*\d)?|[\u4e00-\u9fff々]+|[ァ-ヶー]{2,}"
)
_EMPTY: Final = frozenset(
    "a an the this that these those it its i we you they our your their is are was were be been being has have had "
    "do does did will would can could may might must should shall not no never always only just any more longer "
    "now still again directly by in on at to for from of with as via per and or but so then than if when use uses "
    "used using all every each".split()
)
_LEAST_SHARED: Final = 2


def names_as_past(earlier: str, later: str) -> bool:
    """Return whether a later statement says that the value of an earlier one is no longer so."""
    known, said = _words(earlier), _words(later)
    if not known or known[0] not in said:
        return False
    for past in _past_values(later):
        about = set(known) - past  # the topic of the earlier statement, with other words of it
        shared = sum(_is_among(word, said) for word in about)
        if known[0] in about and past <= set(known) and shared >= _LEAST_SHARED:
            return True
    return False


def _is_among(word: str, words: tuple[str, ...]) -> bool:
    """Return whether a word is one of `words`. A Japanese word may be a part of a compound."""
    return word in words or (not word.isascii() and any(word in each for each in words))


@lru_cache(maxsize=512)
def _past_values(text: str) -> tuple[frozenset[str], ...]:
    """Return the words of each thing that a text says is no longer so."""
    plain = unicodedata.normalize("NFKC", text[:_READ])
    found = (frozenset(_words(each["past"])) for form in _PAST for each in form.finditer(plain))
    return tuple(words for words in found if words)


@lru_cache(maxsize=512)
def _words(text: str) -> tuple[str, ...]:
    """Return the words of a text that name something, in their order, without a plural."""
    plain = unicodedata.normalize("NFKC", text[:_READ]).lower()
    found = (word for word in _WORD.findall(plain) if word not in _EMPTY)
    return tuple(word.removesuffix("s") if len(word) > 3 else word for word in found)
