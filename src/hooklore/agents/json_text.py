"""A JSON text and the place of everything in it, so that the text can be edited without a rewrite.

Parsing is strict: trailing commas, NaN and control characters are errors, and comments where the client
takes none. A byte order mark, repeated keys (the last counts) and bytes that are not UTF-8 are accepted.
"""

import json
import re
from dataclasses import dataclass
from typing import Any, NoReturn

from hooklore.errors import SettingsError

_BLANK = " \t\r\n"
_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\r\n]*|/\*.*?\*/', re.DOTALL)
"""A string or a comment: whichever begins first is not part of the other."""

_INK = re.compile(r"[^\r\n]")
_BOM = b"\xef\xbb\xbf"


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _integer(digits: str) -> int | str:
    """Return a number, or its digits where Python would refuse to convert them."""
    return int(digits) if len(digits) < 19 else digits


_DECODER = json.JSONDecoder(parse_int=_integer, parse_constant=_refuse_constant)


@dataclass(frozen=True, slots=True)
class Child:
    """A member of an object or an element of an array. `start` is that of the key or of the element.

    In an array `key` is None and `key_end` is `start`.
    """

    key: str | None
    start: int
    key_end: int
    value_start: int
    end: int
    value: Any


@dataclass(frozen=True, slots=True)
class Container:
    """An object or an array: the offsets of its brackets, and the children between them."""

    open: int
    close: int
    children: tuple[Child, ...]

    def last(self, key: str) -> Child | None:
        """Return the member of that name that counts: of repeated keys the last."""
        return next((each for each in reversed(self.children) if each.key == key), None)


def decode(raw: bytes, path: str) -> tuple[bytes, str]:
    """Return the byte order mark or b"", and the text. Bytes that are not UTF-8 become surrogates."""
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise SettingsError(path, "it is UTF-16", fix=f"save `{path}` as UTF-8")
    mark = _BOM if raw.startswith(_BOM) else b""
    return mark, raw[len(mark) :].decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    """Return the bytes that `decode` came from."""
    return text.encode("utf-8", "surrogateescape")


def is_blank(text: str) -> bool:
    """Return whether there is no JSON in the text at all."""
    return not text.strip(_BLANK)


def blank_comments(text: str) -> str:
    """Return the text with blanks in place of its comments: all else stays where it is."""
    if "//" not in text and "/*" not in text:
        return text
    return _TOKEN.sub(
        lambda found: _INK.sub(" ", found[0]) if _is_comment(found) else found[0], text
    )


def comments(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return the spans of the comments between two offsets of a text."""
    found = (each for each in _TOKEN.finditer(text) if _is_comment(each))
    return [each.span() for each in found if start <= each.start() and each.end() <= end]


def _is_comment(found: re.Match[str]) -> bool:
    return found[0].startswith("/")


def check(text: str, path: str, consequence: str, *, allows_comments: bool = False) -> None:
    """Raise SettingsError, with line, column and `consequence`, unless this text is a JSON object."""
    text = blank_comments(text) if allows_comments else text
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise SettingsError(path, f"{_cause(text, error)}; {consequence}") from None
    except ValueError as error:
        raise SettingsError(path, f"`{error}` is not JSON") from None
    except RecursionError:
        raise SettingsError(path, "it is nested too deeply") from None
    if not isinstance(value, dict):
        raise SettingsError(path, "it does not hold a JSON object")


def _cause(text: str, error: json.JSONDecodeError) -> str:
    """Return place and cause. A comment is named: it is the commonest cause and looks harmless."""
    at = error.pos if error.msg.startswith("Invalid") else _skip(text, error.pos)
    line = text.count("\n", 0, at) + 1
    column = at - text.rfind("\n", 0, at)
    comment = text.startswith(("//", "/*"), at)
    why = "a comment" if comment else error.msg[:1].lower() + error.msg[1:].removesuffix(" at")
    return f"line {line} column {column}: {why}"


def root(text: str) -> Container:
    """Return the top-level object of a text that passed `check`."""
    text = blank_comments(text)
    return _container(text, _skip(text, 0))


def container(text: str, start: int) -> Container:
    """Return the object or array whose bracket stands at `start`, in a text that passed `check`."""
    return _container(blank_comments(text), start)


def _container(text: str, start: int) -> Container:
    is_object = text[start] == "{"
    closing = "}" if is_object else "]"
    found: list[Child] = []
    at = _skip(text, start + 1)
    while text[at] != closing:
        found.append(_child(text, at, is_object=is_object))
        at = _skip(text, found[-1].end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return Container(start, at, tuple(found))


def _child(text: str, start: int, *, is_object: bool) -> Child:
    key, key_end, value_start = None, start, start
    if is_object:
        key, key_end = _DECODER.raw_decode(text, start)
        value_start = _skip(text, _skip(text, key_end) + 1)
    value, end = _DECODER.raw_decode(text, value_start)
    return Child(key, start, key_end, value_start, end, value)


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in _BLANK:
        at += 1
    return at
