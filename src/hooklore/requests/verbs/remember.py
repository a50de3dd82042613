"""Keep a memory on purpose, as the word of the agent that asks."""

from hooklore.errors import HookloreError
from hooklore.memories.deliberate_write import write_as
from hooklore.memories.write_report import describe_write
from hooklore.memories.write_result import WriteResult
from hooklore.records.record import Record
from hooklore.requests.asked import Asked
from hooklore.requests.remember_arguments import RememberArguments
from hooklore.requests.response import Response

SOURCE = {"system": "other", "detail": "request"}
"""The true source of what comes by a request."""


def answer_remember(asked: Asked, given: RememberArguments) -> Response:
    """Keep a memory and say where it went. What no prompt of its user's backs stands as the agent's word."""
    return respond_written(write_as_agent(asked, given.to_event(SOURCE)), is_private=given.private)


def write_as_agent(asked: Asked, event: Record, *, is_strict: bool = False) -> WriteResult:
    """Write an event as the word of the agent that asks, in its project. Raise HookloreError if it is lost."""
    result = write_as(asked.broker, event, asked.who, asked.keys, is_strict=is_strict)
    if result.status == "lost":
        raise HookloreError(f"could not keep it: {result.reason}", fix="send the request again")
    return result


def respond_written(result: WriteResult, *, is_private: bool) -> Response:
    """Return the response to a write: where the memory is, or why it is refused."""
    content = {**result.as_fields(), "private": is_private}
    if not result.is_accepted:
        problem, hint = f"could not keep it: {result.reason}", str(result.hint or "")
        return Response(success=False, content=content, problem=problem, hint=hint)
    lines = describe_write(result, str, is_private=is_private)
    return Response(success=True, text="\n".join(lines), content=content)
