"""A request over HTTP: its parameters, its body, and the answer of memory."""

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import orjson
from starlette.requests import Request as HttpRequest
from starlette.responses import Response as HttpResponse

from hooklore.config import StoreLocation, load_settings
from hooklore.gateway.guard import Bearer, bearer_of
from hooklore.gateway.problem import Problem
from hooklore.memories.agent_registry import agents_of
from hooklore.requests.request import Caller
from hooklore.requests.response import Response
from hooklore.resident.async_asking import ask

CALLER_PARAMETERS = ("agent_id", "project", "session_id", "group", "ruleset")
"""Parameters that every request may have: who asks, where, in which session, for whom, by which rules."""

_LONGEST_KEY = 256
_FLAGS = {"true": True, "false": False}


@dataclass(frozen=True, slots=True)
class HttpCall:
    """One request: who sends it, and its parameters by their names."""

    place: StoreLocation
    bearer: Bearer
    parameters: Mapping[str, str]

    @classmethod
    def of(cls, request: HttpRequest, allowed: tuple[str, ...] = ()) -> "HttpCall":
        """Return what a request asks for.

        Raise Problem for a parameter that is not one of `allowed` or stands there twice, for another agent's
        name, and for another version of the rules.
        """
        given: dict[str, str] = {}
        for name, value in request.query_params.multi_items():
            if name in given or name not in (*allowed, *CALLER_PARAMETERS):
                cause = "stands there twice" if name in given else "is no parameter of this request"
                known = ", ".join((*allowed, *CALLER_PARAMETERS))
                raise _unprocessable(f"`{name[:60]}` {cause}", f"it takes: {known}")
            given[name] = value
        call = cls(request.app.state.place, bearer_of(request.scope), given)
        call.check_agent(given.get("agent_id"))
        call.check_ruleset(given.get("ruleset"))
        return call

    def check_agent(self, named: object) -> None:
        """Raise Problem for a request in the name of another agent than the token's (seed 000 §1)."""
        if named is None:
            return
        agents, own = agents_of(load_settings(self.place.config)), self.bearer.token.agent
        if not isinstance(named, str) or agents.canonical_id(named) != own:
            raise Problem(
                HTTPStatus.FORBIDDEN, f"the token is `{own}`'s, and the request names another agent",
                f"leave `agent_id` out, or say `{own}`",
            )  # fmt: skip

    def check_ruleset(self, stamp: object) -> None:
        """Raise Problem for rules of another major version than the store's (seed 000 §12)."""
        if stamp is None or stamp == "":
            return
        own = load_settings(self.place.config).curated.ruleset_stamp
        if not isinstance(stamp, str) or _major(stamp) != _major(own):
            told = stamp if isinstance(stamp, str) and stamp.isprintable() else "no text"
            raise Problem(
                HTTPStatus.CONFLICT, f"you follow `{told[:200]}`, and this memory `{own}`",
                "use a client for the rules of this memory, or update the memory",
                ruleset=told[:200], ruleset_stamp=own,
            )  # fmt: skip

    def take_own(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Return a body without what it says of who asks and by which rules. Raise Problem for another's."""
        self.check_ruleset(body.get("ruleset"))
        self.check_agent(body.get("agent_id"))
        return {name: body[name] for name in body if name not in ("ruleset", "agent_id")}

    def pick(self, *names: str) -> dict[str, object]:
        """Return those of the parameters that were given."""
        return {name: self.parameters[name] for name in names if name in self.parameters}

    async def answer(
        self, verb: str, arguments: Mapping[str, object], key: str | None = None
    ) -> Response:
        """Return the response of memory. Raise Problem for one without success."""
        response = await ask(self.place, verb, arguments, self.caller(), key)
        if not response.success:
            raise Problem.of(response)
        return response

    def caller(self) -> Caller:
        """Return who asks: the token's agent, and where it says it works. Raise Problem."""
        given = self.parameters
        group = _FLAGS.get(given.get("group", "false"))
        if group is None:
            raise _unprocessable("`group` is neither true nor false", "say `true` or `false`")
        return Caller(
            self.bearer.token.agent, given.get("session_id") or None, None, is_group=group,
            token=self.bearer.text, project=given.get("project") or None,
        )  # fmt: skip


async def read_object(request: HttpRequest) -> dict[str, Any]:
    """Return the body of a request, which must be an object. Raise Problem."""
    raw = await request.body()
    try:
        given = orjson.loads(raw) if raw else {}
        orjson.dumps(given)  # it reads what lies deeper than it writes
    except (ValueError, TypeError):
        cause = "the body is no JSON, or its lists lie too deep in each other"
        raise Problem(HTTPStatus.BAD_REQUEST, cause, "send an object") from None
    if not isinstance(given, dict):
        raise _unprocessable("the body is no object", "send an object")
    return given


def as_json(content: Mapping[str, Any], status: int = 200, **headers: str) -> HttpResponse:
    """Return an answer that no cache keeps."""
    told = {"Cache-Control": "no-store", **{n.replace("_", "-"): v for n, v in headers.items()}}
    return HttpResponse(orjson.dumps(dict(content)), status, told, "application/json")


def check_key(key: str) -> None:
    """Raise Problem for an idempotency key that is no short line."""
    if len(key) > _LONGEST_KEY or not key.isprintable():
        raise _unprocessable(
            f"an idempotency key is a line of at most {_LONGEST_KEY} characters",
            "send a shorter key",
        )


def split_list(text: object) -> list[str]:
    """Return the words of a parameter that is a list with commas."""
    return [word.strip() for word in str(text).split(",") if word.strip()]


def _major(stamp: str) -> str:
    """Return the major version of a stamp like `JARVIS_RULESET=v1.0`."""
    return stamp.rpartition("=")[2].strip().lower().removeprefix("v").partition(".")[0]


def _unprocessable(detail: str, action: str) -> Problem:
    return Problem(HTTPStatus.UNPROCESSABLE_ENTITY, detail, action, code="invalid")
