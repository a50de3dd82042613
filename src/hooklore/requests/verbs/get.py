"""Open memories by their keys, ids, titles or topics."""

from hooklore.broker.leading import lead
from hooklore.requests.arguments import GetArguments
from hooklore.requests.asked import Asked
from hooklore.requests.response import Response
from hooklore.requests.told_memory import as_fields
from hooklore.retrieval.opening import open_named


def answer_get(asked: Asked, given: GetArguments) -> Response:
    """Return the memories that the names lead to, and which names lead nowhere."""
    opened = open_named(asked.broker, asked.who, given.names)
    asked.record_use(list(opened.ids), "get")
    reader = asked.reader
    content: dict[str, object] = {
        "memories": [as_fields(record) for record in lead(reader, map(reader.get, opened.ids))],
        "problems": opened.problems.splitlines(),
    }
    if opened.is_found:
        text = f"{opened.text}{opened.problems}".rstrip("\n")
        return Response(success=True, text=text, content=content)
    problem, _, hint = opened.problems.partition("\nhint: ")
    problem, hint = problem.removeprefix("error: "), hint.partition("\n")[0]
    return Response(success=False, content=content, problem=problem, hint=hint)
