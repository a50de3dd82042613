"""Carry out a call of a tool: a request to the resident, and its response as the result of the call."""

from collections.abc import Mapping
from functools import partial

import anyio
from mcp.types import CallToolResult, TextContent
from orjson import JSONEncodeError

from hooklore.config import StoreLocation
from hooklore.errors import HookloreError
from hooklore.requests.request import Caller, Request
from hooklore.requests.response import Response, refuse
from hooklore.resident.asking import ask_resident

CONTENT_KEY = "hooklore/content"
"""The member of a result's `_meta` with ids and `private` as JSON.

Not `structuredContent`: two of three real clients hand their model that in place of the text.
"""

_SECONDS = 10.0

UNREACHABLE = Response(
    success=False,
    problem="could not reach the shared memory: its process does not answer",
    hint="run `hooks doctor`; until then do not answer from memory",
)
_UNWRITABLE = Response(
    success=False,
    problem="could not read the request: a number has more than 64 bits",
    hint="send a smaller number",
)
_FAILED = Response(
    success=False, problem="could not answer: the server failed", hint="run `hooks doctor`"
)


async def ask(place: StoreLocation, verb: str, arguments: Mapping[str, object],
              caller: Caller) -> Response:  # fmt: skip
    """Return the resident's response to a request. Never raises, but for its own cancellation.

    The wait is in a thread, so that many calls wait at once.
    """
    request = Request(verb, arguments, caller)
    try:
        answer = await anyio.to_thread.run_sync(
            partial(ask_resident, place, request, seconds=_SECONDS)
        )
    except HookloreError as error:
        return refuse(error)
    except JSONEncodeError:
        return _UNWRITABLE
    except Exception:
        # The words of an unexpected error may hold what the agent sent.
        return _FAILED
    return answer or UNREACHABLE


def tool_result(response: Response) -> CallToolResult:
    """Return a response as the result of a call: its text for the model, its content beside the text."""
    return CallToolResult(
        content=[TextContent(text=response_text(response))],
        is_error=not response.success,
        _meta={CONTENT_KEY: dict(response.content)} if response.content else None,
    )


def response_text(response: Response) -> str:
    """Return the text of a response, of one without success the problem and one thing to do."""
    if response.success:
        return response.text
    hint = f"\nhint: {response.hint}" if response.hint else ""
    return f"error: {response.problem}{hint}"
