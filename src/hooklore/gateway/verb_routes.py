"""A route for each verb of the table: its arguments as a body, its content and text as an answer."""

from collections.abc import Awaitable, Callable, Mapping

import orjson
from fastapi import APIRouter
from starlette.requests import Request as HttpRequest
from starlette.responses import Response as HttpResponse

from hooklore.gateway.http_call import HttpCall, as_json, check_key, read_object
from hooklore.gateway.replies import name_write
from hooklore.gateway.route_descriptions import describe_verb
from hooklore.requests.verb_table import all_verbs

PREFIX = "/v1/verbs"


def verb_router() -> APIRouter:
    """Return the routes of all verbs."""
    router = APIRouter(prefix=PREFIX)
    for verb in all_verbs().values():
        router.post(f"/{verb.name}", **describe_verb(verb))(_answer(verb.name))
    return router


def _answer(name: str) -> Callable[[HttpRequest], Awaitable[HttpResponse]]:
    async def answer(request: HttpRequest) -> HttpResponse:
        call = HttpCall.of(request)
        body = call.take_own(await read_object(request))
        key = request.headers.get("idempotency-key")
        response = await call.answer(name, body, _delivery_name(call, name, key, body))
        return as_json({**response.content, "text": response.text})

    return answer


def _delivery_name(
    call: HttpCall, verb: str, key: str | None, body: Mapping[str, object]
) -> str | None:
    """Return the name by which the log knows a write with a key: with another body it is another write."""
    if not key:
        return None
    check_key(key)
    parameters = dict(call.parameters)
    raw = orjson.dumps([verb, body, parameters], option=orjson.OPT_SORT_KEYS)
    return name_write(call.bearer.token.agent, key, raw)
