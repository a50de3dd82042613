"""Take a snapshot: pins, then recent memories, and the id under which both can be listed again."""

from typing import Annotated

from pydantic import Field

from hooklore.requests.arguments import Arguments, Names, Option
from hooklore.requests.memory_response import as_fields, list_memories
from hooklore.requests.request_context import RequestContext
from hooklore.requests.response import Response
from hooklore.requests.results import Snapshot
from hooklore.requests.verb import Verb
from hooklore.retrieval.snapshot import take_snapshot

_TOKENS = 6_000
_MOST_SCOPES = 32


class SnapshotArguments(Arguments):
    """The arguments of `snapshot`."""

    scopes: Annotated[
        Names, Option("--scope", "SCOPE", "of this scope (again for another); all of yours else")
    ] = Field(default=(), max_length=_MOST_SCOPES)
    limit_recent: Annotated[int, Option("--limit-recent", "N", "so many recent memories")] = Field(
        default=50, ge=0, le=200
    )


def answer_snapshot(asked: RequestContext, given: SnapshotArguments) -> Response:
    """Return the memories that a run begins with (seed 000 §4)."""
    taken = take_snapshot(
        asked.broker, asked.who, list(given.scopes) or None, given.limit_recent, noted=False
    )
    asked.note([taken.draft_access(asked.who)])
    heading = f"snapshot {taken.snapshot_id} {taken.ruleset_stamp}"
    text, _ = list_memories([*taken.pins.records, *taken.recent], heading, _TOKENS)
    content = {
        "snapshot_id": taken.snapshot_id,
        "ruleset_stamp": taken.ruleset_stamp,
        "created_at": taken.ts,
        "pins": [as_fields(record) for record in taken.pins.records],
        "recent": [as_fields(record) for record in taken.recent],
        "checks": [as_fields(record) for record, _ in taken.checks],
    }
    return Response(success=True, text=text or heading, content=content)


VERB = Verb(
    "snapshot",
    "Pins, then recent memories, and the id under which they can be listed again.",
    SnapshotArguments,
    answer_snapshot,
    Snapshot,
    tool="none",
)
