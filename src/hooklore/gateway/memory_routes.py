"""The routes of seed 000: snapshot, append, query, one event, recall. Each is a verb in the seed's form."""

import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request as HttpRequest
from starlette.responses import Response as HttpResponse

from hooklore.gateway.forms import as_event, as_events
from hooklore.gateway.http_call import HttpCall, as_json, read_object, split_list
from hooklore.gateway.problem import Problem
from hooklore.gateway.route_descriptions import describe

router = APIRouter(prefix="/v1/memory")

_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")
_WRITES = ["PUT", "PATCH", "DELETE"]


@router.get("/snapshot", **describe("snapshot"))
async def snapshot(request: HttpRequest) -> HttpResponse:
    """Return the pins and the recent memories that a run begins with."""
    call = HttpCall.of(request, ("scopes", "limit_recent"))
    given = call.pick("limit_recent")
    if "scopes" in call.parameters:
        given["scopes"] = split_list(call.parameters["scopes"])
    content = (await call.answer("snapshot", given)).content
    told: dict[str, Any] = {
        name: content[name] for name in ("snapshot_id", "ruleset_stamp", "created_at", "pinned_md")
    }
    return as_json({
        **told,
        "agent_id": call.bearer.token.agent,
        "pinned_events": as_events(content["pins"]),
        "recent_events": as_events(content["recent"]),
        "checks": as_events(content["checks"]),
    })  # fmt: skip


@router.get("/snapshots/{snapshot_id}", **describe("snapshot_again"))
async def snapshot_again(request: HttpRequest, snapshot_id: str) -> HttpResponse:
    """Return what a snapshot of this token told of."""
    call = HttpCall.of(request)
    if not snapshot_id.strip():  # which the verb reads as none, and takes a new snapshot
        raise _not_found("snapshot")
    content = (await call.answer("snapshot", {"snapshot_id": snapshot_id})).content
    told = {name: content[name] for name in ("snapshot_id", "created_at", "ids")}
    return as_json({**told, "events": as_events(content["memories"])})


@router.post("/append", **describe("append"))
async def append(request: HttpRequest) -> HttpResponse:
    """Append one event, or a batch of events, each once."""
    call = HttpCall.of(request)
    body = await read_object(request)
    key = request.headers.get("idempotency-key")
    reply = await request.app.state.appender.append(call, body, key)
    return as_json(reply.content, reply.status)


@router.get("/query", **describe("query"))
async def query(request: HttpRequest) -> HttpResponse:
    """Return a page of memories, the newest first."""
    names = (
        "scope", "scope_prefix", "kind", "tags", "status", "since", "until", "limit", "cursor"
    )  # fmt: skip
    call = HttpCall.of(request, names)
    given = call.pick(*names)
    given |= {name: split_list(given[name]) for name in ("kind", "tags") if name in given}
    content = (await call.answer("query", given)).content
    events = as_events(content["memories"])
    return as_json({"events": events, "next_cursor": content["next_cursor"]})


@router.get("/events/{event_id}", **describe("event"))
async def event(request: HttpRequest, event_id: str) -> HttpResponse:
    """Return one event by its id."""
    call = HttpCall.of(request)
    if not _ID.fullmatch(event_id):
        raise _not_found("event")
    content = (await call.answer("get", {"names": [event_id]})).content
    return as_json(as_event(_only(content)))


@router.api_route("/events", methods=["GET", "POST", *_WRITES], include_in_schema=False)
@router.api_route("/events/{event_id}", methods=_WRITES, include_in_schema=False)
async def never_change(event_id: str = "") -> HttpResponse:
    """Refuse to change an event: the log is append-only (seed 000 MUST-4)."""
    raise Problem(
        HTTPStatus.METHOD_NOT_ALLOWED, "an event is never changed or deleted",
        "append one that supersedes it: POST `/v1/memory/append`",
        headers={"Allow": "GET" if event_id else ""},
    )  # fmt: skip


@router.post("/recall", **describe("recall"))
async def recall(request: HttpRequest) -> HttpResponse:
    """Return what memory knows about a question."""
    call = HttpCall.of(request)
    response = await call.answer("recall", call.take_own(await read_object(request)))
    events = as_events(response.content["memories"])
    return as_json({"text": response.text, "events": events})


def _not_found(thing: str) -> Problem:
    action = "give the id in full, as it was answered"
    return Problem(HTTPStatus.NOT_FOUND, f"no {thing} has that id", action)


def _only(content: Mapping[str, Any]) -> Mapping[str, Any]:
    found: Mapping[str, Any] = content["memories"][0]
    return found
