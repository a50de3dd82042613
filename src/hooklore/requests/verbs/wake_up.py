"""Tell an agent what a session begins with: the brief of the hooks, and the sentence about private memory."""

import uuid
from dataclasses import replace

from hooklore.broker.leading import lead
from hooklore.requests.arguments import NoArguments
from hooklore.requests.memory_response import as_fields
from hooklore.requests.request_context import RequestContext
from hooklore.requests.response import Response
from hooklore.requests.results import Recalled
from hooklore.requests.verb import Verb
from hooklore.retrieval.query import RecallQuery


def answer_wake_up(asked: RequestContext, _given: NoArguments) -> Response:
    """Return the brief of a session that begins now, and the option to keep something privately.

    The brief is asked for in a context of its own, so that the hooks of the session still tell it. As theirs,
    it has nothing private.
    """
    query = RecallQuery("session_start", session_id=f"wake-up {uuid.uuid4()}", source="startup")
    brief = asked.recall.answer(query, replace(asked.who, asks=False))
    asked.recall.forget_session(query)
    asked.record_use(list(brief.ids), "wake_up")
    reader, line = asked.reader, asked.broker.settings.wake_up.tool_line
    content = {
        "memories": [as_fields(record) for record in lead(reader, map(reader.get, brief.ids))],
        "snapshot_id": brief.snapshot_id,
        "option": line,
    }
    return Response(success=True, text="\n".join(filter(None, (brief.text, line))), content=content)


VERB = Verb(
    "wake_up",
    "What a session begins with: rules, open items, an index of titles.",
    NoArguments,
    answer_wake_up,
    Recalled,
    tool="every",
)
