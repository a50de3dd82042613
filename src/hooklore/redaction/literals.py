"""A text that a person names, to be masked wherever it stands and however it is escaped there."""

import json
import re
import unicodedata
from collections.abc import Iterable
from urllib.parse import quote, quote_plus

from hooklore.errors import HookloreError
from hooklore.redaction.finding import MASK_PATTERN, make_mask

LITERAL_RULE = "literal"
"""The rule's name in masks, redaction records and the audit."""

MIN_LITERAL_LENGTH = 4
_DEPTH = 3
"""JSON within a string within JSON, and once more: a transcript quotes what a tool printed."""

_ROUNDS = 8


class Literals:
    """Texts to be masked. Exact, case included; in Unicode's composed and decomposed forms.

    Also as JSON escapes them, up to three deep, and as a URL does.
    """

    def __init__(self, texts: Iterable[str], vocabulary: Iterable[str] = ()) -> None:
        """`vocabulary` are words of the log's own format. Raises HookloreError, which never echoes a text.

        Refused is what has fewer than four characters, and what is part of a word of the format or
        of a mask: no store could be free of it.
        """
        self._texts = tuple(dict.fromkeys(texts))
        for text in self._texts:
            _check(text, vocabulary)
        forms = {form for text in self._texts for form in _forms(text)}
        longest_first = sorted(forms, key=lambda form: (-len(form), form))
        # A mask that stands there already is passed over, though a rule's name may be in a text.
        self._pattern = re.compile("|".join([f"({MASK_PATTERN})", *map(re.escape, longest_first)]))
        self._raw = tuple(form.encode("utf-8", "surrogatepass") for form in longest_first)

    def __bool__(self) -> bool:
        return bool(self._texts)

    def may_occur_in(self, raw: bytes) -> bool:
        """Whether these bytes are worth a look: a form stands in them, or escapes that could hide one."""
        return bool(self._texts) and (b"\\u" in raw or self.occur_in(raw))

    def occur_in(self, raw: bytes) -> bool:
        """Whether one of the texts stands in these bytes, in any of its forms."""
        return any(form in raw for form in self._raw)

    def is_one_of(self, text: str) -> bool:
        """Whether this is one of the texts, no more and no less."""
        return text in self._texts

    def masked(self, text: str, stands_for: str = make_mask(LITERAL_RULE)) -> str:
        """`text` with `stands_for` in place of each; a second pass changes nothing."""
        if not self._texts:
            return text
        for _ in range(_ROUNDS):
            found = self._pattern.sub(lambda match: match[1] or stands_for, text)
            if found == text:
                return text
            text = found
        return stands_for  # a text and a mask beside it went on making another one


def _check(text: str, vocabulary: Iterable[str]) -> None:
    if len(text.strip()) < MIN_LITERAL_LENGTH:
        raise HookloreError(
            f"could not scrub: a literal has fewer than {MIN_LITERAL_LENGTH} characters",
            fix="name the whole of what is to go",
        )
    if text in make_mask(LITERAL_RULE) * 2 or any(text in word for word in vocabulary):
        raise HookloreError(
            "could not scrub: a literal is part of a word of the log's own format",
            fix="name more of what stands around it",
        )


def _forms(text: str) -> set[str]:
    """Every way in which the text may be written."""
    composed = unicodedata.normalize("NFC", text)
    forms = {text, composed, unicodedata.normalize("NFD", text)}
    raw = composed.encode("utf-8", "surrogatepass")
    forms |= {quote(raw, safe=""), quote(raw), quote_plus(raw)}
    newest = set(forms)
    for _ in range(_DEPTH):
        newest = {escaped for form in newest for escaped in _escaped(form)} - forms
        forms |= newest
    return forms


def _escaped(text: str) -> set[str]:
    """The inside of a JSON string, as the usual writers write it."""
    plain = json.dumps(text, ensure_ascii=False)[1:-1]
    ascii_only = json.dumps(text)[1:-1]
    upper = re.sub(r"\\u[0-9a-f]{4}", lambda found: "\\u" + found[0][2:].upper(), ascii_only)
    return {plain, ascii_only, upper, plain.replace("/", "\\/"), ascii_only.replace("/", "\\/")}
