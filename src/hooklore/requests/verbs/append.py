"""Append a memory event in the form of seed 000 §6, as the word of the agent that asks."""

from collections.abc import Mapping
from typing import Any

import orjson
from pydantic import Field, field_validator

from hooklore.errors import Forbidden
from hooklore.memories.agent_registry import agents_of
from hooklore.memories.memory_event import MAX_ID_LENGTH
from hooklore.records.record import Record, parse_flag
from hooklore.requests.arguments import Arguments
from hooklore.requests.request_context import RequestContext
from hooklore.requests.response import Response
from hooklore.requests.results import Remembered
from hooklore.requests.verb import Verb
from hooklore.requests.verbs.remember import keep_asked, respond_written, source_of

_OF_THE_CALLER = ("system", "thread_id", "message_id")
"""The fields of the source that a caller sets. Its detail is kept as a claim: ours is the way by which it came."""


class AppendArguments(Arguments):
    """The arguments of `append`."""

    event: dict[str, Any] = Field(min_length=1, max_length=64)

    @field_validator("event")
    @classmethod
    def _require_json(cls, event: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the event. Raise ValueError for what Python has and a line cannot: half a character."""
        try:
            orjson.dumps(event)
        except TypeError as error:
            raise ValueError(str(error)) from None
        return event


def answer_append(asked: RequestContext, given: AppendArguments) -> Response:
    """Append an event and say where it went. Raise RecordInvalid for an event of another form."""
    event = Record(given.event)
    named = event.extra("agent_id")
    agents = agents_of(asked.broker.settings)
    if isinstance(named, str) and agents.canonical_id(named) != asked.who.agent_id:
        raise Forbidden(
            f"could not append it: `{asked.who.agent_id}` asks, and the event names another agent",
            fix="name yourself as `agent_id`",
        )
    source = event.extra("source")
    if isinstance(source, dict):
        told = {name: source[name] for name in _OF_THE_CALLER if name in source}
        detail = source.get("detail")
        is_name = isinstance(detail, str) and 0 < len(detail.strip()) <= MAX_ID_LENGTH
        claim = {"claim": detail} if is_name else {}
        event = event.with_fields(source={**told, **claim, "detail": source_of(asked)["detail"]})
    is_private = parse_flag(event.extra("is_private") or event.extra("private"))
    result = keep_asked(asked, event, is_strict=True)
    return respond_written(result, is_private=is_private)


VERB = Verb(
    "append",
    "Append a memory event in the form of seed 000 §6.",
    AppendArguments,
    answer_append,
    Remembered,
    writes=True,
    tool="none",
)
