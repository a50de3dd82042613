"""Tell the pins, which every session may read without a question."""

from hooklore.memories.pins import list_memories as list_memories_of
from hooklore.memories.pins import reader_places, select_pins
from hooklore.requests.arguments import NoArguments
from hooklore.requests.memory_response import as_fields, list_memories
from hooklore.requests.request_context import RequestContext
from hooklore.requests.response import Response
from hooklore.requests.results import Recalled
from hooklore.requests.verb import Verb

_TOKENS = 800
NO_PINS = "no memory is pinned"


def answer_pins(asked: RequestContext, _given: NoArguments) -> Response:
    """Return the pins that the agent may read, those first that a person pinned."""
    reader = asked.reader
    found = list_memories_of(reader, reader_places(asked.who))
    text, told = list_memories(select_pins(reader, found).records, "pinned:", _TOKENS)
    content = {"memories": [as_fields(record) for record in told]}
    return Response(success=True, text=text or NO_PINS, content=content)


VERB = Verb(
    "pins",
    "The pinned memories, which every session reads first.",
    NoArguments,
    answer_pins,
    Recalled,
    tool="none",
)
