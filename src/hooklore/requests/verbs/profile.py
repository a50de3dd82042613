"""Tell what every session may read without a question: the pins, and the profile of the user."""

from hooklore.memories.pins import list_memories as list_memories_of
from hooklore.memories.pins import reader_places, select_pins
from hooklore.memories.profile import build_profile
from hooklore.requests.arguments import NoArguments
from hooklore.requests.asked import Asked
from hooklore.requests.response import Response
from hooklore.requests.told_memory import as_fields, list_memories

_PIN_TOKENS = 800
_PROFILE_TOKENS = 2_400
NO_PINS = "no memory is pinned"
NO_PROFILE = "no memory tells of the user yet"


def answer_pins(asked: Asked, _given: NoArguments) -> Response:
    """Return the pins that the agent may read, those first that a person pinned."""
    reader = asked.reader
    found = list_memories_of(reader, reader_places(asked.who))
    text, told = list_memories(select_pins(reader, found).records, "pinned:", _PIN_TOKENS)
    content = {"memories": [as_fields(record) for record in told]}
    return Response(success=True, text=text or NO_PINS, content=content)


def answer_profile(asked: Asked, _given: NoArguments) -> Response:
    """Return the blocks of the profile, without private memories."""
    reader = asked.reader
    blocks = [block for block in build_profile(reader) if block.sources]
    sources = {block.label: [reader.get(id_) for id_ in block.sources] for block in blocks}
    heard = [
        list_memories(records, f"{label}:", _PROFILE_TOKENS) for label, records in sources.items()
    ]
    content = {
        block.label: [as_fields(record) for record in sources[block.label]] for block in blocks
    }
    text = "\n".join(text for text, _ in heard if text)
    return Response(success=True, text=text or NO_PROFILE, content=content)
