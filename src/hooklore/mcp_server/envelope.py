"""The envelope of a message: a line of the client becomes messages for the SDK, and errors for all else.

The SDK drops what it cannot read, and takes a request whose id has a wrong type for a notification. Here each
line that has an id gets one answer, with the code that JSON-RPC 2.0 gives it. A message without an id is never
answered, not even a broken one: nobody waits for it.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from mcp.types import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCNotification,
    JSONRPCRequest,
    RequestId,
)
from mcp.types.version import LATEST_HANDSHAKE_VERSION

Part = JSONRPCRequest | JSONRPCNotification | JSONRPCError
"""A message for the SDK, or the answer to what is none."""

_VERSION: Final = "2.0"
_BLANK = " \t\r\n"
_RESPONSE = ("result", "error")
_UNNAMED: Final = {"name": "", "version": ""}


@dataclass(frozen=True, slots=True)
class ReadLine:
    """The parts of one line. Those of a batch are answered together."""

    parts: tuple[Part, ...] = ()
    is_batch: bool = False


def read_line(line: str) -> ReadLine:
    """Return the parts of a line, none for a blank one."""
    if not line.strip(_BLANK):
        return ReadLine()
    constants: list[str] = []
    try:
        value = json.loads(line, parse_constant=constants.append)
    except (ValueError, RecursionError):
        return ReadLine((_error(PARSE_ERROR, "Parse error: the line is no JSON", None),))
    if constants:
        # Python's JSON has these words. The client that writes them waits for its own id all the same.
        problem = f"Parse error: JSON has no {constants[0]}"
        return ReadLine((_error(PARSE_ERROR, problem, _id_of(value)),))
    if isinstance(value, list) and value:
        return ReadLine(tuple(_parts(value)), is_batch=True)
    return ReadLine(tuple(_parts([value])))


def _parts(values: list[object]) -> Iterator[Part]:
    for value in values:
        part = _part(value)
        if part is not None:
            yield part


def _part(value: object) -> Part | None:
    """Return one message, or the error for it. Return None for what nobody waits for an answer to."""
    if not isinstance(value, dict):
        return _invalid("a message is an object", None)
    if "id" not in value:
        return _notification(value)
    if "method" not in value and any(name in value for name in _RESPONSE):
        return None  # a response: this server asks its client nothing
    return _request(value)


def _notification(value: Mapping[str, object]) -> JSONRPCNotification | None:
    method, params = value.get("method"), _without_null(value.get("params"))
    if value.get("jsonrpc") != _VERSION or not isinstance(method, str):
        return None
    if not isinstance(params, dict):
        return None
    return JSONRPCNotification(jsonrpc=_VERSION, method=method, params=params)


def _request(value: Mapping[str, object]) -> JSONRPCRequest | JSONRPCError:
    id_, method = _id_of(value), value.get("method")
    if id_ is None:
        return _invalid("`id` must be a text or an integer", None)
    if value.get("jsonrpc") != _VERSION:
        return _invalid(f'`jsonrpc` must be "{_VERSION}"', id_)
    if not isinstance(method, str):
        return _invalid("`method` must be a text", id_)
    params = _without_null(value.get("params"))
    if isinstance(params, list):
        return _error(INVALID_PARAMS, "Invalid params: `params` must be an object", id_)
    if not isinstance(params, dict):
        return _invalid("`params` must be an object", id_)
    if method == "initialize":
        params = _fill_in_handshake(params)
    return JSONRPCRequest(jsonrpc=_VERSION, id=id_, method=method, params=params)


def _fill_in_handshake(params: Mapping[str, object]) -> dict[str, object]:
    """Return params with the newest version, no capabilities and no name where the client tells none."""
    info = params.get("clientInfo", {})
    if isinstance(info, dict):
        info = _UNNAMED | {name: each for name, each in info.items() if each is not None}
    lacking = {"protocolVersion": LATEST_HANDSHAKE_VERSION, "capabilities": {}}
    return {**lacking, **params, "clientInfo": info}


def _without_null(params: object) -> object:
    """Return the params without what is null in them or in their `_meta`, for null is what a client leaves out."""
    if params is None:
        return {}
    if not isinstance(params, dict):
        return params
    return {
        name: _without_null(each) if name == "_meta" else each
        for name, each in params.items()
        if each is not None
    }


def _id_of(value: object) -> RequestId | None:
    """Return the id of a message, None where it has none of a valid type. 7.0 is the integer 7 in JSON."""
    found = value.get("id") if isinstance(value, dict) else None
    if isinstance(found, float) and found.is_integer():
        return int(found)
    is_valid = isinstance(found, str | int) and not isinstance(found, bool)
    return found if is_valid else None


def _invalid(problem: str, id_: RequestId | None) -> JSONRPCError:
    return _error(INVALID_REQUEST, f"Invalid Request: {problem}", id_)


def _error(code: int, message: str, id_: RequestId | None) -> JSONRPCError:
    return JSONRPCError(jsonrpc=_VERSION, id=id_, error=ErrorData(code=code, message=message))
