"""Recall what a question brings, by the ranking of the hooks."""

from typing import Annotated

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from hooklore.requests.arguments import Arguments, Option, Question
from hooklore.requests.memory_response import respond_found
from hooklore.requests.request_context import RequestContext
from hooklore.requests.response import Response
from hooklore.requests.results import Recalled
from hooklore.requests.verb import ChatWords, Verb
from hooklore.retrieval.opening import find_for_question

_TOKENS = 700


class RecallArguments(Arguments):
    """The arguments of `recall`."""

    query: Annotated[Question, Option(metavar="QUERY", help="what you would ask an agent")]
    limit: Annotated[
        int | None, SkipJsonSchema(), Option("--limit", "N", "at most so many (10)")
    ] = Field(default=None, ge=1)


def answer_recall(asked: RequestContext, given: RecallArguments) -> Response:
    """Return the memories that a question brings, by default at most five, the best first."""
    found = find_for_question(asked.recall, asked.who, given.query, given.limit)
    response, told = respond_found(found, asked.who, _TOKENS)
    asked.record_use([record.id for record in told], "recall")
    return response


VERB = Verb(
    "recall",
    "Bring what memory knows about a question, and who said it.",
    RecallArguments,
    answer_recall,
    Recalled,
    tool="every",
    chat=(
        ChatWords(("recall", "思い出して", "検索"), "QUESTION - what memory knows (思い出して)"),
    ),
)
