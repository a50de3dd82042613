"""Open memories by their keys, ids, titles or topics."""

from typing import Annotated

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from hooklore.memories.scope import named_places
from hooklore.requests.arguments import SCOPE, Arguments, Name, Names, Option
from hooklore.requests.memory_response import as_fields
from hooklore.requests.request_context import RequestContext
from hooklore.requests.response import Response
from hooklore.requests.results import Recalled
from hooklore.requests.verb import ChatWords, Verb
from hooklore.retrieval.opening import open_named


class GetArguments(Arguments):
    """The arguments of `get`."""

    names: Annotated[
        Names,
        Option(
            metavar="NAME...",
            help="a key, a link `[[key]]`, a title, an id or its beginning, or `topic:NAME`",
        ),
    ] = Field(min_length=1, max_length=20, description="Ids, keys, titles, or `topic:NAME`.")
    scope: Annotated[Name | None, SkipJsonSchema(), SCOPE] = None
    versions: Annotated[
        bool, SkipJsonSchema(), Option("--versions", help="with what it replaced, the newest first")
    ] = False


def answer_get(asked: RequestContext, given: GetArguments) -> Response:
    """Return the memories that the names lead to, and which names lead nowhere."""
    places = named_places(asked.broker, asked.who, given.scope)
    opened = open_named(asked.broker, asked.who, given.names, places, versions=given.versions)
    asked.record_use(list(opened.ids), "get")
    content: dict[str, object] = {
        "memories": [as_fields(record) for record in opened.records],
        "problems": opened.problems.splitlines(),
    }
    if opened.text:
        text = f"{opened.text}{opened.problems}".rstrip("\n")
        return Response(success=True, text=text, content=content)
    problem, _, hint = opened.problems.partition("\nhint: ")
    problem, hint = problem.removeprefix("error: "), hint.partition("\n")[0]
    return Response(success=False, content=content, problem=problem, hint=hint, code="not_found")


VERB = Verb(
    "get",
    "Open memories in full.",
    GetArguments,
    answer_get,
    Recalled,
    tool="every",
    chat=(ChatWords(("get", "見せて"), "NAME - open a memory by its id, key or title (見せて)"),),
)
