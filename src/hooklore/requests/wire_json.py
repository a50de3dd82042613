"""JSON for the socket, of values that a client may have read from any JSON text."""

from collections.abc import Mapping

import orjson

_LARGEST = 2**63


def encode_json(value: object) -> bytes:
    """Return a value as JSON. Half characters and numbers beyond 64 bits become texts that no verb takes."""
    try:
        return orjson.dumps(value)
    except TypeError:
        return orjson.dumps(_plain(value))


def _plain(value: object) -> object:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, Mapping):
        return {str(_plain(str(name))): _plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    is_known = value is None or isinstance(value, bool | float)
    is_small = isinstance(value, int) and -_LARGEST <= value < _LARGEST
    return value if is_known or is_small else str(value)
