"""A text that a person names, masked at each occurrence and in every escaped form."""

import json
import re
import unicodedata
from collections.abc import Iterable
from urllib.parse import quote, quote_plus

from hooklore.errors import HookloreError
from hooklore.redaction.finding import MASK_PATTERN, make_mask

LITERAL_RULE = "literal"
"""The name of the rule in masks, redaction records and the audit."""

MIN_LITERAL_LENGTH = 4
_MAX_ESCAPE_DEPTH = 3
"""JSON within a string within JSON, and once more, because a transcript quotes a tool's output."""

_MAX_ROUNDS = 8


class Literals:
    """Texts to be masked: exact, case included, in Unicode's composed and decomposed forms.

    JSON escapes of a text, up to three deep, and its URL encodings are masked too.
    """

    def __init__(
        self, texts: Iterable[str], vocabulary: Iterable[str] = (), *, rule: str = LITERAL_RULE
    ) -> None:
        """Store every form of `texts`. The words of the log's own format are `vocabulary`, `rule` names the mask.

        Raise `HookloreError`, which never echoes a text, for one of fewer than four characters. Raise it too for
        a part of a word of the format or of a mask, because no store could be free of that text.
        """
        self.rule = rule
        self._texts = tuple(dict.fromkeys(texts))
        for text in self._texts:
            _check(text, vocabulary)
        forms = {form for text in self._texts for form in _forms(text)}
        longest_first = sorted(forms, key=lambda form: (-len(form), form))
        # An existing mask is skipped, even if its rule's name contains one of the texts.
        self._pattern = re.compile("|".join([f"({MASK_PATTERN})", *map(re.escape, longest_first)]))
        self._forms = tuple(longest_first)
        self._raw = tuple(form.encode("utf-8", "surrogatepass") for form in longest_first)

    def __bool__(self) -> bool:
        return bool(self._texts)

    def may_occur_in(self, raw: bytes) -> bool:
        """Return whether `raw` is worth decoding: a form occurs in these bytes, or an escape could hide one."""
        return bool(self._texts) and (b"\\u" in raw or self.occur_in(raw))

    def occur_in(self, raw: bytes) -> bool:
        """Return whether one of the texts occurs in `raw`, in any of its forms."""
        return any(form in raw for form in self._raw)

    def occur_in_json(self, value: object) -> bool:
        """Return whether one of the texts occurs in a string or a name of a JSON value, in any of its forms."""
        pending = [value]
        while pending:
            item = pending.pop()
            if isinstance(item, str):
                if any(form in item for form in self._forms):
                    return True
            elif isinstance(item, dict):
                pending += item
                pending += item.values()
            elif isinstance(item, list | tuple):
                pending += item
        return False

    def is_one_of(self, text: str) -> bool:
        """Return whether `text` is exactly one of the texts."""
        return text in self._texts

    def masked(self, text: str, replacement: str | None = None) -> str:
        """Return `text` with `replacement`, by default a mask, for each occurrence.

        A second pass changes nothing.
        """
        if not self._texts:
            return text
        replacement = make_mask(self.rule) if replacement is None else replacement
        for _ in range(_MAX_ROUNDS):
            found = self._pattern.sub(lambda match: match[1] or replacement, text)
            if found == text:
                return text
            text = found
        return replacement  # each mask and the text beside it formed another occurrence


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
    """Return every way in which `text` may be written."""
    composed = unicodedata.normalize("NFC", text)
    forms = {text, composed, unicodedata.normalize("NFD", text)}
    raw = composed.encode("utf-8", "surrogatepass")
    forms |= {quote(raw, safe=""), quote(raw), quote_plus(raw)}
    newest = set(forms)
    for _ in range(_MAX_ESCAPE_DEPTH):
        newest = {escaped for form in newest for escaped in _escaped(form)} - forms
        forms |= newest
    return forms


def _escaped(text: str) -> set[str]:
    """Return the JSON string contents for `text`, as the usual writers escape them."""
    plain = json.dumps(text, ensure_ascii=False)[1:-1]
    ascii_only = json.dumps(text)[1:-1]
    upper = re.sub(r"\\u[0-9a-f]{4}", lambda found: "\\u" + found[0][2:].upper(), ascii_only)
    return {plain, ascii_only, upper, plain.replace("/", "\\/"), ascii_only.replace("/", "\\/")}
