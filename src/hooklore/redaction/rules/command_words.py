"""The words of a shell command, and those among them that have a secret's form."""

from collections.abc import Sequence
from typing import NamedTuple

from hooklore.redaction.finding import MASK_PATTERN
from hooklore.redaction.pattern import TextPattern
from hooklore.redaction.rules.candidate_checks import (
    DIGITS,
    LETTERS,
    is_base64_text,
    is_code,
    is_placeholder,
)
from hooklore.redaction.rules.published import begins_as_published, is_called_public, is_encrypted
from hooklore.redaction.rules.value_forms import Form, form_of


class Word(NamedTuple):
    """A word, or a sign between words, with its offsets in characters."""

    start: int
    end: int
    text: str

    def normal_form(self) -> str:
        """Return the word in lower case, each digit as 0, cut to its beginning if it is long."""
        known: str = _DIGIT.sub("0", self.text.lower())
        return known if len(known) <= _LONGEST else known[: _LONGEST - 2] + "~"


_DIGIT = TextPattern("[0-9]")
_LONGEST = 16
_WORD = TextPattern(
    MASK_PATTERN + r"|[^\s\"'`;|&<>(){}\[\],=:@/\\]+|[=:@/]+|[;|&]+|\n\s*|\\[nrt]?|[^\s]"
)
"""A run without signs of the shell, of a URL or of a pair; such signs; a line's end."""

_MAY_HAVE_FORM = TextPattern(r"[0-9!#$%*+?^~]|[a-z][A-Z]")


def split_command(text: str) -> list[Word]:
    """Return the words and signs of a command in order."""
    return [Word(found.start(), found.end(), found[0]) for found in _WORD.finditer(text)]


def formed_words(text: str, words: Sequence[Word]) -> list[tuple[int, Form]]:
    """Return the places of the words of a command that may be secrets, and their forms."""
    found = []
    for place, word in enumerate(words):
        if len(word.text) < _SHORTEST or not _MAY_HAVE_FORM.search(word.text):
            continue
        form = form_of(word.text.encode("utf-8", "replace"))
        if form >= Form.WORD_AND_DIGITS and not _is_open(text, word):
            found.append((place, form))
    return found


def _is_open(text: str, word: Word) -> bool:
    """Return whether a word with a secret's form is known to be none."""
    value = word.text.encode("utf-8", "replace")
    if is_placeholder(value) or is_code(value) or is_base64_text(value) or _NAME.search(word.text):
        return True
    if _is_part_of_run(text, word) or (_DIGEST.fullmatch(word.text) and _DIGESTS.search(text)):
        return True
    before = text[max(0, word.start - _BEFORE) : word.start].encode("utf-8", "replace")
    raw = before + text[word.start : word.end + _BEHIND].encode("utf-8", "replace")
    first = len(before)
    is_public = begins_as_published(value) or is_called_public(raw, first, first + len(value))
    return is_public or is_encrypted(raw, first)


_NAME = TextPattern(r"^ssh-|ed25519$|\.[A-Za-z0-9]{1,4}$|\(\)|^(?:[A-Za-z0-9]-[A-Za-z0-9]){2}")
"""The name of a file or of a kind of key, a call, or a class of characters (`A-Za-z0-9`)."""

_DIGEST = TextPattern(
    "(?:[0-9a-fA-F]{32}|[0-9a-fA-F]{40}|[0-9a-fA-F]{56}|[0-9a-fA-F]{64}|[0-9a-fA-F]{96,128})"
)
_DIGESTS = TextPattern(
    r"\b(?:md5|sha-?(?:1|2|224|256|384|512)|shasum|b2sum|b3sum|blake[23]|hashlib|checksum)"
)
"""The name of what makes or compares digests."""

_RUN = TextPattern("[A-Za-z0-9+/=_-]*")
_LONGEST_RUN = 40
"""Characters of a drawn run that is a key or public. The rules tell the two apart by the whole run."""


def _is_part_of_run(text: str, word: Word) -> bool:
    """Return whether a word is a piece between two `/` of base64."""
    before = text[max(0, word.start - _LONGEST_RUN) : word.start]
    head = len(before) - len(before.rstrip(_BASE64))
    behind = _RUN.match(text, word.end, word.end + _LONGEST_RUN)
    tail = behind.end() - behind.start() if behind else 0
    return bool(head or tail) and head + tail + word.end - word.start > _LONGEST_RUN


_BASE64 = (LETTERS + DIGITS).decode() + "+/=_-"

_BEFORE, _BEHIND = 4096, 48
"""Characters around a word that may open what is encrypted, or make the word the name of a file."""

_SHORTEST = 6
