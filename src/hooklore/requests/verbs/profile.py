"""Tell the profile of the user, which every session may read without a question."""

from typing import Annotated

from hooklore.memories.profile import build_profile
from hooklore.memories.scope import named_places
from hooklore.requests.arguments import SCOPE, Arguments, Name
from hooklore.requests.memory_response import as_fields, list_memories
from hooklore.requests.request_context import RequestContext
from hooklore.requests.response import Response
from hooklore.requests.results import Profile
from hooklore.requests.verb import Verb

_TOKENS = 2_400
NO_PROFILE = "no memory tells of the user yet"


class ProfileArguments(Arguments):
    """The arguments of `profile`."""

    scope: Annotated[Name | None, SCOPE] = None


def answer_profile(asked: RequestContext, given: ProfileArguments) -> Response:
    """Return the blocks of the profile, without private memories."""
    reader = asked.reader
    places = named_places(asked.broker, asked.who, given.scope)
    blocks = [block for block in build_profile(reader, places) if block.sources]
    sources = {block.label: [reader.get(id_) for id_ in block.sources] for block in blocks}
    heard = [list_memories(records, f"{label}:", _TOKENS) for label, records in sources.items()]
    content = {
        label: [as_fields(record) for record in records] for label, records in sources.items()
    }
    text = "\n".join(text for text, _ in heard if text)
    return Response(success=True, text=text or NO_PROFILE, content=content)


VERB = Verb(
    "profile",
    "The user's preferences, rules and facts that memories hold now.",
    ProfileArguments,
    answer_profile,
    Profile,
    tool="none",
)
