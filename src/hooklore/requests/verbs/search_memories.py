"""Search memory by words. It counts as no reading, but what a session was listed is known."""

from hooklore.broker.leading import lead
from hooklore.requests.arguments import SearchArguments
from hooklore.requests.asked import Asked
from hooklore.requests.response import Response
from hooklore.requests.told_memory import as_fields, list_memories, related_heading
from hooklore.requests.verbs.recall import NOTHING_FOUND
from hooklore.retrieval.browse import RecordFilter, search_records


def answer_search(asked: Asked, given: SearchArguments) -> Response:
    """Return the records that share words with the query, the best match first."""
    hits = search_records(
        asked.reader, given.query, RecordFilter(), given.limit, [asked.who.agent_id]
    )
    found = lead(asked.reader, (record for _, record in hits))[: given.limit]
    text, told = list_memories(found, related_heading(len(found)), who=asked.who)
    asked.record_listing(told)
    content = {"memories": [as_fields(record) for record in told]}
    return Response(success=True, text=text or NOTHING_FOUND, content=content)
