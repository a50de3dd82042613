"""List memories by their scope, kind, tags, time and status, in pages (seed 000 §5: query before a write)."""

import re
from typing import Annotated

from pydantic import Field

from hooklore.broker.leading import lead
from hooklore.errors import ArgumentInvalid
from hooklore.memories.scope import require_own_scope
from hooklore.records.memory_kind import MEMORY_KINDS
from hooklore.records.schema import SCOPE_PATTERN
from hooklore.requests.arguments import Arguments, Name, Names, OneOf
from hooklore.requests.memory_response import as_fields, list_memories
from hooklore.requests.request_context import RequestContext
from hooklore.requests.response import Response
from hooklore.requests.results import Recalled
from hooklore.requests.verb import Verb
from hooklore.retrieval.memory_query import MemoryFilter, list_page
from hooklore.text.parse_time import parse_time

_MOST = 32
_TOKENS = 6_000


class QueryArguments(Arguments):
    """The arguments of `query`."""

    scope: Name | None = Field(default=None, description="Exactly this scope.")
    scope_prefix: Name | None = Field(default=None, description="Scopes that begin so.")
    kind: Annotated[Names, Field(max_length=_MOST, description="One of these kinds.")] = ()
    tags: Annotated[Names, Field(max_length=_MOST, description="With all of these tags.")] = ()
    status: Annotated[str, OneOf(("active", "deprecated"))] = Field(
        default="active", description="`deprecated`: replaced or expired."
    )
    since: Name | None = Field(default=None, description="From this time on: a date, or `7d`.")
    until: Name | None = Field(default=None, description="Before this time.")
    limit: int = Field(default=50, ge=1, le=200)
    cursor: Name | None = Field(default=None, description="`next_cursor` of the page before.")


def answer_query(asked: RequestContext, given: QueryArguments) -> Response:
    """Return a page of memories, the newest first, and the cursor of the next page."""
    if given.scope and not re.fullmatch(SCOPE_PATTERN, given.scope):
        raise ArgumentInvalid("scope", "must be `global`, `project:<slug>` or `agent:<agent_id>`")
    require_own_scope(asked.who, given.scope or "")
    unknown = [kind for kind in given.kind if kind not in MEMORY_KINDS]
    if unknown:
        raise ArgumentInvalid("kind", f"must be of {', '.join(MEMORY_KINDS)}")
    wanted = MemoryFilter(
        given.scope or "", given.scope_prefix or "", tuple(given.kind), tuple(given.tags),
        "deprecated" if given.status == "deprecated" else "active",
        parse_time(given.since) if given.since else "", parse_time(given.until) if given.until else "",
    )  # fmt: skip
    page = list_page(asked.broker, asked.reader, wanted, given.limit, given.cursor or "")
    led = {record.id: record for record in lead(asked.reader, page.records)}
    records = [led.get(record.id, record) for record in page.records]
    text, told = list_memories(records, f"{len(records)} memories:", _TOKENS, asked.who)
    asked.record_listing(told)
    content = {
        "memories": [as_fields(record) for record in records],
        "next_cursor": page.next_cursor,
    }
    return Response(success=True, text=text or "no memories", content=content)


VERB = Verb(
    "query",
    "List memories by scope, kind, tags, time and status, in pages.",
    QueryArguments,
    answer_query,
    Recalled,
    tool="none",
)
