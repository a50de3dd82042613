"""The response to a request: text for a model, the same as JSON, or a problem and its hint."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import orjson

from hooklore.errors import ErrorCode, HookloreError
from hooklore.prompt.frame import sanitize_for_prompt


@dataclass(frozen=True, slots=True)
class Response:
    """The answer to a request.

    `text` is for a model: what memory holds is framed. `content` has the same as JSON, each memory with its
    id and the flag `private`. Without `success` the `problem` says the cause, the `hint` the next step, and
    the `code` what kind of problem it is.
    """

    success: bool
    text: str = ""
    content: Mapping[str, Any] = field(default_factory=dict)
    problem: str = ""
    hint: str = ""
    code: ErrorCode | Literal["", "failed"] = ""

    def to_json(self) -> bytes:
        """Return the response as the answer to a frame."""
        return orjson.dumps({
            "success": self.success, "text": self.text, "content": dict(self.content),
            "problem": self.problem, "hint": self.hint, "code": self.code,
        })  # fmt: skip


def refuse(error: HookloreError) -> Response:
    """Return the response to a request that failed as expected, on one line each and without markup."""
    problem, hint = map(sanitize_for_prompt, (str(error), error.fix))
    return Response(success=False, problem=problem, hint=hint, code=error.code)


def name_ignored(response: Response, ignored: Sequence[str]) -> Response:
    """Return the response with what was ignored of the request's arguments."""
    if not ignored or not response.success:
        return response
    lines = "".join(f"\nignored: {sanitize_for_prompt(each)}" for each in ignored)
    content = {**response.content, "ignored": list(ignored)}
    return replace(response, text=f"{response.text}{lines}", content=content)


def parse_response(raw: bytes) -> Response:
    """Return the response of an answer. Raise ValueError for other bytes."""
    given = orjson.loads(raw)
    return Response(
        given["success"],
        given["text"],
        given["content"],
        given["problem"],
        given["hint"],
        given.get("code", ""),  # which a resident of an older version does not say
    )
