"""Recall what a question brings, by the ranking of the hooks."""

from hooklore.requests.arguments import RecallArguments
from hooklore.requests.asked import Asked
from hooklore.requests.response import Response
from hooklore.requests.told_memory import as_fields, list_memories, related_heading
from hooklore.retrieval.opening import find_for_question

_TOKENS = 700
NOTHING_FOUND = "nothing in memory answers that"


def answer_recall(asked: Asked, given: RecallArguments) -> Response:
    """Return the memories that a question brings, at most five, the best first."""
    found = find_for_question(asked.recall, asked.who, given.query)
    text, told = list_memories(found, related_heading(len(found)), _TOKENS, asked.who)
    asked.record_use([record.id for record in told], "recall")
    content = {"memories": [as_fields(record) for record in told]}
    return Response(success=True, text=text or NOTHING_FOUND, content=content)
