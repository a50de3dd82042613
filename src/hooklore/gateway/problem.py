"""Problem details of HTTP (RFC 9457): what went wrong, and the one thing to do."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

import orjson
from starlette.responses import Response as HttpResponse

from hooklore.errors import HookloreError
from hooklore.requests.response import Response, refuse

MEDIA_TYPE: Final = "application/problem+json"

STATUS_OF_CODE: Final[Mapping[str, HTTPStatus]] = {
    "invalid": HTTPStatus.UNPROCESSABLE_ENTITY,
    "secret": HTTPStatus.UNPROCESSABLE_ENTITY,
    "unauthorized": HTTPStatus.UNAUTHORIZED,
    "forbidden": HTTPStatus.FORBIDDEN,
    "not_found": HTTPStatus.NOT_FOUND,
    "unavailable": HTTPStatus.SERVICE_UNAVAILABLE,
    "failed": HTTPStatus.INTERNAL_SERVER_ERROR,
}
"""The status of each kind of problem that memory tells."""


class Problem(Exception):
    """A request that the gateway does not carry out: `detail` says the cause, `action` the next step."""

    def __init__(
        self,
        status: HTTPStatus,
        detail: str,
        action: str,
        *,
        code: str = "",
        headers: Mapping[str, str] | None = None,
        **members: object,
    ) -> None:
        super().__init__(detail)
        self.status, self.detail, self.action = status, detail, action
        self.code = code or status.phrase.lower().replace(" ", "_").replace("-", "_")
        self.headers, self.members = dict(headers or {}), members

    @classmethod
    def of(cls, response: Response) -> "Problem":
        """Return the problem of a response without success. A secret is named by its rule and its place alone."""
        status = STATUS_OF_CODE.get(response.code, HTTPStatus.UNPROCESSABLE_ENTITY)
        refusal = response.content.get("refusal")
        members = {"refusal": refusal} if refusal else {}
        headers = {"Retry-After": "5"} if status is HTTPStatus.SERVICE_UNAVAILABLE else {}
        return cls(
            status, response.problem, response.hint or "send another value", code=response.code or "invalid",
            headers=headers, **members,
        )  # fmt: skip

    @classmethod
    def of_error(cls, error: HookloreError) -> "Problem":
        """Return the problem of an expected error."""
        return cls.of(refuse(error))

    def to_json(self) -> dict[str, Any]:
        """Return the members of the problem."""
        return {
            "type": "about:blank",
            "title": self.status.phrase,
            "status": self.status.value,
            "detail": self.detail,
            "error": self.code,
            "action": self.action,
            **self.members,
        }

    def respond(self) -> HttpResponse:
        """Return the answer to the client."""
        headers = {"Cache-Control": "no-store", **self.headers}
        raw = orjson.dumps(self.to_json())
        return HttpResponse(raw, self.status.value, headers, MEDIA_TYPE)
