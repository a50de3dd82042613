"""Append what a request brings, one event or several, each once (seed 000 MUST-5)."""

import asyncio
import contextlib
import sqlite3
import time
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, Final
from weakref import WeakValueDictionary

import anyio
import orjson

from hooklore.config import StoreLocation
from hooklore.gateway.http_call import HttpCall, check_key
from hooklore.gateway.problem import Problem
from hooklore.gateway.replies import KeyedWrite, KeyReused, Replies, Reply, name_write
from hooklore.requests.response import Response

MOST_EVENTS: Final = 50
_OF_THE_REQUEST: Final = ("idempotency_key", "ruleset")
"""Fields of a body that are about the request, and no part of the event."""

_TOLD: Final = ("warnings", "scope", "private", "waits", "supersedes", "conflict")


class Appender:
    """Appends events, and gives the reply of the first time to a write that comes again."""

    def __init__(self, place: StoreLocation) -> None:
        self._place = place
        self._replies: Replies | None = None
        self._under_way: WeakValueDictionary[tuple[str, str], asyncio.Lock] = WeakValueDictionary()

    async def append(self, call: HttpCall, body: Mapping[str, Any], key: str | None) -> Reply:
        """Return the reply to one event, or to a batch (`{"events": [...]}`). Raise Problem."""
        call.check_ruleset(body.get("ruleset"))
        key = self._key(key, body.get("idempotency_key"))
        content = {name: body[name] for name in body if name not in _OF_THE_REQUEST}
        if "events" not in content:
            return await self._append_one(call, content, key)
        events = content["events"]
        if not isinstance(events, list) or not 0 < len(events) <= MOST_EVENTS or len(content) > 1:
            raise _invalid(f"`events` must stand alone, a list of 1 to {MOST_EVENTS} events")
        results = [
            await self._try_one(call, event, f"{key}#{place}" if key else None)
            for place, event in enumerate(events)
        ]
        status = max(each["http_status"] for each in results)
        return Reply(status if status < 300 else HTTPStatus.MULTI_STATUS, {"results": results})

    async def _try_one(self, call: HttpCall, event: object, key: str | None) -> Mapping[str, Any]:
        """Return the outcome of one event of a batch: one that is refused holds up no other.

        Raise Problem where memory cannot be written: the whole batch comes again, and each event counts once.
        """
        try:
            if not isinstance(event, dict):
                raise _invalid("an event must be an object")
            given = {name: event[name] for name in event if name not in _OF_THE_REQUEST}
            own = self._key(None, event.get("idempotency_key")) or key
            reply = await self._append_one(call, given, own)
        except Problem as problem:
            if problem.status is HTTPStatus.SERVICE_UNAVAILABLE:
                raise
            return {"http_status": problem.status.value, **problem.to_json(), "event_id": None}
        return {"http_status": reply.status, **reply.content}

    async def _append_one(self, call: HttpCall, event: Mapping[str, Any], key: str | None) -> Reply:
        call.check_agent(event.get("agent_id"))
        if key is None:
            return _reply_of(await self._ask(call, event, None))
        token = call.bearer.token.id
        lock = self._under_way.setdefault((token, key), asyncio.Lock())
        async with lock:
            return await self._append_keyed(call, event, token, key)

    async def _append_keyed(
        self, call: HttpCall, event: Mapping[str, Any], token: str, key: str
    ) -> Reply:
        body = orjson.dumps([event, dict(call.parameters)], option=orjson.OPT_SORT_KEYS)
        write = await anyio.to_thread.run_sync(self._begin, token, key, body)
        if write.reply is not None:
            return write.reply
        try:
            name = name_write(call.bearer.token.agent, key, body)
            reply = _reply_of(await self._ask(call, event, name))
        except Problem as problem:
            if problem.status is not HTTPStatus.SERVICE_UNAVAILABLE:
                await self._settle(self._opened().drop, write)
            raise
        await self._settle(self._opened().finish, write, reply)
        return reply

    async def _settle(self, settle: Callable[..., None], *given: object) -> None:
        """Write down what became of a key. Where that fails, the log still knows the write by its name."""
        with contextlib.suppress(OSError, sqlite3.Error):
            await anyio.to_thread.run_sync(settle, *given)

    async def _ask(self, call: HttpCall, event: Mapping[str, Any], name: str | None) -> Response:
        whole = {"agent_id": call.bearer.token.agent, **event}
        return await call.answer("append", {"event": whole}, name)

    def _begin(self, token: str, key: str, body: bytes) -> KeyedWrite:
        try:
            return self._opened().begin(token, key, body, time.time())
        except KeyReused:
            raise Problem(
                HTTPStatus.UNPROCESSABLE_ENTITY, "this idempotency key came with another body",
                "send another key with this body", code="key_reused",
            ) from None  # fmt: skip
        except (OSError, sqlite3.Error):
            raise Problem(
                HTTPStatus.SERVICE_UNAVAILABLE, "the replies to earlier writes cannot be read",
                "run `hooks doctor`, then send it again with the same key", code="unavailable",
                headers={"Retry-After": "5"},
            ) from None  # fmt: skip

    def _opened(self) -> Replies:
        """Return the replies, opened by the first write with a key."""
        if self._replies is None:
            self._replies = Replies(self._place)
        return self._replies

    def _key(self, header: str | None, given: object) -> str | None:
        """Return the key of a write: a header's and a body's must agree."""
        if given is not None and not isinstance(given, str):
            raise _invalid("`idempotency_key` must be a text")
        if header and given and header != given:
            raise _invalid("the header and the body have different idempotency keys")
        key = header or given or None
        if key is not None:
            check_key(key)
        return key


def _reply_of(response: Response) -> Reply:
    content = response.content
    told = {name: content[name] for name in _TOLD if content.get(name) is not None}
    status = HTTPStatus.CREATED
    if content["status"] == "duplicate":
        status = HTTPStatus.OK
    elif content["status"] == "spooled":
        status = HTTPStatus.ACCEPTED
    hint = {"action": content["hint"]} if content.get("hint") else {}
    return Reply(
        status.value,
        {
            "event_id": content.get("id"), "status": content["status"],
            "dedupe_key": content.get("key"), **told, **hint,
        },
    )  # fmt: skip


def _invalid(detail: str) -> Problem:
    action = "see the schema of the request in `/openapi.json`"
    return Problem(HTTPStatus.UNPROCESSABLE_ENTITY, detail, action, code="invalid")
