"""The response to a request: text for a model, the same as JSON, or a problem and its hint."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import orjson

from hooklore.errors import HookloreError
from hooklore.prompt.frame import sanitize_for_prompt


@dataclass(frozen=True, slots=True)
class Response:
    """The answer to a request.

    `text` is for a model: what memory holds is framed. `content` has the same as JSON, each memory with its
    id and the flag `private`. Without `success` the `problem` says the cause and the `hint` the next step.
    """

    success: bool
    text: str = ""
    content: Mapping[str, Any] = field(default_factory=dict)
    problem: str = ""
    hint: str = ""

    def to_json(self) -> bytes:
        """Return the response as the answer to a frame."""
        return orjson.dumps({
            "success": self.success, "text": self.text, "content": dict(self.content),
            "problem": self.problem, "hint": self.hint,
        })  # fmt: skip


def refuse(error: HookloreError) -> Response:
    """Return the response to a request that failed as expected, on one line each and without markup."""
    return Response(
        success=False, problem=sanitize_for_prompt(str(error)), hint=sanitize_for_prompt(error.fix)
    )


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
        given["success"], given["text"], given["content"], given["problem"], given["hint"]
    )
