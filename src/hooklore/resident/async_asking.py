"""Ask the resident without holding up an event loop: the wait is in a thread."""

from collections.abc import Mapping
from functools import partial

import anyio
from orjson import JSONEncodeError

from hooklore.config import StoreLocation
from hooklore.errors import HookloreError
from hooklore.requests.request import Caller, Request
from hooklore.requests.response import Response, refuse
from hooklore.resident.asking import ask_resident

_SECONDS = 10.0

UNREACHABLE = Response(
    success=False,
    problem="could not reach the shared memory: its process does not answer",
    hint="run `hooks doctor`; until then do not answer from memory",
    code="unavailable",
)
_UNWRITABLE = Response(
    success=False,
    problem="could not read the request: a number has more than 64 bits",
    hint="send a smaller number",
    code="invalid",
)
_FAILED = Response(
    success=False,
    problem="could not answer: the server failed",
    hint="run `hooks doctor`",
    code="failed",
)


async def ask(
    place: StoreLocation,
    verb: str,
    arguments: Mapping[str, object],
    caller: Caller,
    key: str | None = None,
) -> Response:
    """Return the resident's response to a request. Never raises, but for its own cancellation.

    The wait is in a thread, so that many calls wait at once.
    """
    request = Request(verb, arguments, caller, key)
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
