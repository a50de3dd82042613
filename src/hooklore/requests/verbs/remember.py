"""Keep a memory on purpose, as the word of the agent that asks."""

from hooklore.errors import HookloreError
from hooklore.memories.agent_word import kind_of_key
from hooklore.memories.deliberate_write import write_as
from hooklore.memories.write_report import describe_write
from hooklore.memories.write_result import WriteResult
from hooklore.records.record import Record
from hooklore.requests.arguments import RememberArguments
from hooklore.requests.asked import Asked
from hooklore.requests.response import Response

SOURCE = {"system": "other", "detail": "request"}


def answer_remember(asked: Asked, given: RememberArguments) -> Response:
    """Keep a memory and say where it went. What no prompt of its user's backs stands as the agent's word."""
    event = Record.of(
        content_md=given.content.strip(),
        dedupe_key=given.key or None,
        kind=given.kind or kind_of_key(given.key),
        scope=_scope(asked, given.scope),
        is_private=given.private or None,
        title=given.title or None,
        when=list(given.when) or None,
        supersedes=given.supersedes or None,
        confidence="high",
        source=SOURCE,
    )
    return respond_written(write_as_agent(asked, event), is_private=given.private)


def write_as_agent(asked: Asked, event: Record) -> WriteResult:
    """Write an event as the word of the agent that asks, in its project. Raise HookloreError if it is lost."""
    result = write_as(asked.broker, event, asked.who, asked.keys)
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


def _scope(asked: Asked, name: str) -> str | None:
    return f"agent:{asked.who.agent_id}" if name == "agent" else name or None
