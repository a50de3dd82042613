"""Take in a chunk of a conversation."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import ClassVar

from pydantic import Field

from hooklore.requests.arguments import Arguments
from hooklore.requests.request_context import RequestContext
from hooklore.requests.response import Response
from hooklore.requests.results import Ingested
from hooklore.requests.verb import Verb

_MOST_MESSAGES = 1_000


class IngestArguments(Arguments):
    """The arguments of `ingest`. The first `overlap` messages end the chunk before."""

    other_names: ClassVar[Mapping[str, str]] = {"is_private": "private"}
    keeps: ClassVar[bool] = True

    session_id: str = Field(min_length=1, max_length=256)
    messages: list[object] = Field(max_length=_MOST_MESSAGES)
    overlap: int = Field(default=0, ge=0, le=_MOST_MESSAGES)
    private: bool = False


def answer_ingest(asked: RequestContext, given: IngestArguments) -> Response:
    """Keep the turns of a conversation that are not known yet, and say how many were."""
    # Few residents ever ingest, and the first hook of a session waits for a resident's imports.
    from hooklore.conversations.ingestion import ingest_messages
    from hooklore.conversations.message import read_messages

    done = ingest_messages(
        asked.broker, asked.who, asked.keys, given.session_id, read_messages(given.messages),
        overlap=given.overlap, is_private=given.private,
    )  # fmt: skip
    told = f"{done.stored} turns stored, {done.known} known already"
    return Response(success=True, text=told, content={**asdict(done), "private": given.private})


VERB = Verb(
    "ingest",
    "Take in a chunk of a conversation.",
    IngestArguments,
    answer_ingest,
    Ingested,
    writes=True,
    tool="none",
)
