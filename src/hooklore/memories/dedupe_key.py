"""The stable key of a memory: its form, and whether it means anything (seed 000 §6a, decision C1)."""

import re

from hooklore.records.schema import KINDS

MAX_KEY_LENGTH = 64
"""Characters; checked apart from the form (the seed's own overlong example has the right letters)."""

_FORM = re.compile(r"[a-z0-9_-]+(?::[a-z0-9_-]+)?")
_WORD = re.compile(r"[a-z]+")
_MEANINGLESS = frozenset(
    "abc abcd asdf bar baz data entry foo info item key memo misc new note qwerty stuff temp test "
    "thing things tmp untitled value xxx xyz".split()
)
_HEX = re.compile(r"(?=[a-f]*\d)[0-9a-f]{6,}")


def validate_dedupe_key(key: str) -> tuple[str, str] | None:
    """(code, what is wrong) of a key that is no key; None of one that is. It never repeats the key."""
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


def lint_dedupe_key(key: str) -> list[str]:
    """Warnings about a valid key: `weak_key` (it says nothing), `unknown_prefix` (its prefix is no kind)."""
    prefix, colon, name = key.rpartition(":")
    found = ["weak_key"] if _is_weak(name) else []
    if colon and prefix not in KINDS["memory"]:
        found.append("unknown_prefix")
    return found


def _is_weak(name: str) -> bool:
    """No word that stands for something: a row of signs, a number, or what people type when they test."""
    if _HEX.fullmatch(name.replace("-", "").replace("_", "")):
        return True
    words = [word for word in _WORD.findall(name) if len(word) > 1]
    return all(word in _MEANINGLESS for word in words)
