"""Reading JSON that may be damaged: whole when it can be, piece by piece when it cannot."""

import json
import re
from typing import Any

import orjson

from hooklore.agents.fitting import replace_surrogates

_LONGEST_NUMBER = 19
_HEAD = 64 * 1024
_LAST_WORD = re.compile(r"[^\s\u3000-\u9fff\uac00-\ud7af]+\Z")
"""A word that a cut may have halved, in any script that puts blanks between words."""

_HALF_ESCAPE = re.compile(rb"\\(?:u[0-9a-fA-F]{0,3})?\Z")


def parse_lenient_json(payload: bytes) -> tuple[Any, str | None]:
    """(the value, None), or (None, why it cannot be read). Never raises.

    Beyond JSON it takes: lone surrogates (U+FFFD afterwards), NaN and numbers of thousands of
    digits (null), invalid UTF-8, control characters in strings, a BOM, padding of NUL bytes, and
    text after the value.
    """
    try:
        return orjson.loads(payload), None
    except orjson.JSONDecodeError:
        pass
    text = payload.decode("utf-8", "replace").strip("\ufeff\x00 \t\r\n")
    if not text:
        return None, "empty"
    try:
        value, _ = _DECODER.raw_decode(text)
        clean = replace_surrogates(json.dumps(value, ensure_ascii=False))
        return orjson.loads(clean), None
    except RecursionError:
        return None, "nested too deeply"
    except ValueError:
        return None, "not JSON"


def _integer(digits: str) -> int | None:
    """Python refuses thousands of digits, and nothing we read has more than nineteen."""
    return int(digits) if len(digits) <= _LONGEST_NUMBER else None


_DECODER = json.JSONDecoder(strict=False, parse_int=_integer, parse_constant=lambda _: None)


def salvage_string(payload: bytes, key: str) -> str | None:
    """The first string under this key in the head of damaged JSON; None when there is none.

    A string that the end of the bytes cuts loses its last word: half of a secret would not be
    known as one.
    """
    head = payload[:_HEAD]
    pattern = (
        rb'(?<!\\)"' + re.escape(key.encode()) + rb'"\s{0,16}:\s{0,16}"([^"\\]*(?:\\.[^"\\]*)*)'
    )
    found = re.search(pattern, head, re.DOTALL)
    if found is None:
        return None
    raw, whole = found[1], head[found.end(1) : found.end(1) + 1] == b'"'
    value, problem = parse_lenient_json(b'"' + _HALF_ESCAPE.sub(b"", raw) + b'"')
    if problem or not isinstance(value, str):
        return None
    return value if whole else _LAST_WORD.sub("", value.rstrip("\ufffd"))
