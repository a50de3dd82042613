"""Check the stable key of a memory: its form, and that it has a meaning (seed 000 §6a)."""

import hashlib
import re
import unicodedata

from hooklore.records.memory_kind import MEMORY_KINDS

MAX_KEY_LENGTH = 64
"""Characters of a key, checked apart from its form: the seed's overlong example has the right form."""

_FORM = re.compile(r"[a-z0-9_-]+(?::[a-z0-9_-]+)?")
"""The seed's pattern with one `:` after a kind, as all good examples of the seed have it."""

_SEPARATED = re.compile(r"[a-z0-9\s:._/\\-]*")
_NO_LETTERS = re.compile(r"[^a-z0-9_]+")
_WORD = re.compile(r"[a-z]+")
_MEANINGLESS = frozenset(
    "abc abcd asdf bar baz data entry foo info item key memo misc new note qwerty stuff temp test "
    "thing things tmp untitled value xxx xyz".split()
)
_HEX = re.compile(r"(?=[a-f]*\d)[0-9a-f]{6,}")


def validate_dedupe_key(key: str) -> tuple[str, str] | None:
    """Return (code, problem) of an invalid key, or None for a valid one. The problem never quotes the key."""
    if not key:
        return "dedupe_key_empty", "it is empty"
    if len(key) > MAX_KEY_LENGTH:
        return "dedupe_key_too_long", f"{len(key)} characters, at most {MAX_KEY_LENGTH}"
    if not key.isascii():
        return "dedupe_key_not_ascii", "letters outside a-z"
    if key != key.lower():
        return "dedupe_key_upper_case", "upper case letters"
    if _FORM.fullmatch(key) is None:
        return "dedupe_key_form", "only a-z, 0-9, `_`, `-` and one `:` after a kind"
    return None


def put_into_form(name: str) -> str:
    """Return the key that a name means: the name itself if it is a key, else its letters in the form of one.

    Names are one key where they differ in case, width and the signs between words (`labels.dpi`, `Labels DPI`).
    All else that the form has no place for (Japanese letters, `C++`, what is too long) is told apart by a hash.
    Return "" for a blank name.
    """
    if validate_dedupe_key(name) is None:
        return name
    folded = unicodedata.normalize("NFKC", name).strip().lower()
    prefix, colon, rest = folded.partition(":")
    parts = (_hyphenated(prefix), _hyphenated(rest)) if colon else (_hyphenated(folded),)
    key = ":".join(filter(None, parts))
    if not folded or (_SEPARATED.fullmatch(folded) and key and len(key) <= MAX_KEY_LENGTH):
        return key
    digest = hashlib.blake2b(folded.encode("utf-8", "replace"), digest_size=4).hexdigest()
    sign = ":" if key in MEMORY_KINDS else "-"
    return f"{key[: MAX_KEY_LENGTH - len(digest) - 1].strip('-_:') or 'key'}{sign}{digest}"


def _hyphenated(name: str) -> str:
    return _NO_LETTERS.sub("-", name).strip("-_")


def lint_dedupe_key(key: str) -> list[str]:
    """Return warnings about a valid key.

    `weak_key` means that the name says nothing, `unknown_prefix` that the prefix is no kind.
    """
    prefix, colon, name = key.rpartition(":")
    found = ["weak_key"] if _is_weak(name) else []
    if colon and prefix not in MEMORY_KINDS:
        found.append("unknown_prefix")
    return found


def _is_weak(name: str) -> bool:
    """Return whether a name has no meaningful word: only signs, numbers or placeholders."""
    if _HEX.fullmatch(name.replace("-", "").replace("_", "")):
        return True
    words = [word for word in _WORD.findall(name) if len(word) > 1]
    return all(word in _MEANINGLESS for word in words)
