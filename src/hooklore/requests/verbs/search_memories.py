"""Search memory by words. It counts as no reading, but what a session was listed is known."""

from typing import Annotated

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from hooklore.broker.leading import lead
from hooklore.requests.arguments import Arguments, Name, Names, Question
from hooklore.requests.memory_response import respond_found
from hooklore.requests.request_context import RequestContext
from hooklore.requests.response import Response
from hooklore.requests.results import Recalled
from hooklore.requests.verb import Verb
from hooklore.retrieval.browse import RecordFilter, search_records

_MOST_KINDS = 32


class SearchArguments(Arguments):
    """The arguments of `search_memories`. Those that a model seldom needs are left out of its schema."""

    query: Question
    limit: int = Field(default=10, ge=1, le=50)
    kind: Annotated[Names, SkipJsonSchema()] = Field(default=(), max_length=_MOST_KINDS)
    stream: Annotated[Name | None, SkipJsonSchema()] = None
    session: Annotated[Name | None, SkipJsonSchema()] = None
    project: Annotated[Name | None, SkipJsonSchema()] = None
    since: Annotated[Name | None, SkipJsonSchema()] = None


def answer_search(asked: RequestContext, given: SearchArguments) -> Response:
    """Return the records that share words with the query, the best match first."""
    typed = RecordFilter(given.kind, given.stream, given.session, given.project, given.since)
    record_filter = typed.checked(asked.reader)
    hits = search_records(
        asked.reader, given.query, record_filter, given.limit, [asked.who.agent_id]
    )
    found = lead(asked.reader, (record for _, record in hits))[: given.limit]
    response, told = respond_found(found, asked.who)
    asked.record_listing(told)
    return response


VERB = Verb(
    "search_memories",
    "Search memory by words.",
    SearchArguments,
    answer_search,
    Recalled,
    tool="every",
)
