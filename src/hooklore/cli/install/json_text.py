"""A JSON text and where everything in it stands, so that it can be edited without being rewritten.

Strict, as the real client is: it ignores a whole settings file that holds a comment, a trailing
comma, NaN or a control character (seen in 2.1.329), and accepts a byte order mark, repeated keys
(the last counts) and bytes that are not UTF-8.
"""

import json
from dataclasses import dataclass
from typing import Any, NoReturn

from hooklore.errors import SettingsError

_BLANK = " \t\r\n"
_BOM = b"\xef\xbb\xbf"


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _integer(digits: str) -> int | str:
    """Python refuses to convert thousands of digits; nobody computes with such a number here."""
    return int(digits) if len(digits) < 19 else digits


_DECODER = json.JSONDecoder(parse_int=_integer, parse_constant=_refuse_constant)


@dataclass(frozen=True, slots=True)
class Child:
    """A member of an object or an element of an array; `start` is the key's, or the element's.

    `key` is None in an array, and so `key_end` is `start`.
    """

    key: str | None
    start: int
    key_end: int
    value_start: int
    end: int
    value: Any


@dataclass(frozen=True, slots=True)
class Container:
    """An object or an array: where its brackets stand, and what is between them."""

    open: int
    close: int
    children: tuple[Child, ...]

    def last(self, key: str) -> Child | None:
        """The member of that name that counts: of repeated keys the last."""
        return next((each for each in reversed(self.children) if each.key == key), None)


def decode(raw: bytes, path: str) -> tuple[bytes, str]:
    """(byte order mark or nothing, text). Bytes that are not UTF-8 survive in it as surrogates."""
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise SettingsError(path, "it is UTF-16", fix=f"save `{path}` as UTF-8")
    mark = _BOM if raw.startswith(_BOM) else b""
    return mark, raw[len(mark) :].decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    """The bytes that `decode` came from."""
    return text.encode("utf-8", "surrogateescape")


def is_blank(text: str) -> bool:
    """Whether there is no JSON in it at all."""
    return not text.strip(_BLANK)


def check(text: str, path: str) -> None:
    """Raise SettingsError, with line and column, unless the client would read this text."""
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise SettingsError(path, _cause(text, error)) from None
    except ValueError as error:
        raise SettingsError(path, f"`{error}` is not JSON") from None
    except RecursionError:
        raise SettingsError(path, "it is nested too deeply") from None
    if not isinstance(value, dict):
        raise SettingsError(path, "it does not hold a JSON object")


def _cause(text: str, error: json.JSONDecodeError) -> str:
    """Where and why; a comment is named, for it is the commonest cause and looks harmless."""
    at = error.pos if error.msg.startswith("Invalid") else _skip(text, error.pos)
    line = text.count("\n", 0, at) + 1
    column = at - text.rfind("\n", 0, at)
    comment = text.startswith(("//", "/*"), at)
    why = "a comment" if comment else error.msg[:1].lower() + error.msg[1:].removesuffix(" at")
    return f"line {line} column {column}: {why}; Claude Code ignores this whole file"


def root(text: str) -> Container:
    """The top-level object of a text that passed `check`."""
    return container(text, _skip(text, 0))


def container(text: str, start: int) -> Container:
    """The object or array whose bracket stands at `start`, in a text that passed `check`."""
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
