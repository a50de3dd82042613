"""Take a snapshot: pins, then recent memories, and the id under which both can be listed again."""

from typing import Annotated

from pydantic import Field

from hooklore.broker.leading import lead
from hooklore.prompt.frame import describe_contradiction, make_note
from hooklore.prompt.pin_rule import extract_pin_text
from hooklore.records.record import Record
from hooklore.requests.arguments import Arguments, Name, Names, Option
from hooklore.requests.memory_response import as_fields, list_memories
from hooklore.requests.request_context import RequestContext
from hooklore.requests.response import Response
from hooklore.requests.results import Snapshot
from hooklore.requests.verb import Verb
from hooklore.retrieval.snapshot import replay_snapshot, take_snapshot

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
    snapshot_id: Annotated[
        Name | None, Option(metavar="[SID]", help="an earlier one: list exactly what it told of")
    ] = None


def answer_snapshot(asked: RequestContext, given: SnapshotArguments) -> Response:
    """Return the memories that a run begins with (seed 000 §4), or what an earlier snapshot told of."""
    if given.snapshot_id:
        return _list_again(asked, given.snapshot_id)
    taken = take_snapshot(
        asked.broker, asked.who, list(given.scopes) or None, given.limit_recent, noted=False
    )
    note = (
        asked.broker.append if asked.who.token else asked.note
    )  # who is elsewhere may ask at once
    note([taken.draft_access(asked.who)])
    heading = f"snapshot {taken.snapshot_id} {taken.ruleset_stamp}"
    text, _ = list_memories([*taken.pins.records, *taken.recent], heading, _TOKENS)
    content = {
        "snapshot_id": taken.snapshot_id,
        "ruleset_stamp": taken.ruleset_stamp,
        "created_at": taken.ts,
        "pinned_md": "\n".join(f"- {_pin_text(record)}" for record in taken.pins.records),
        "pins": [as_fields(record) for record in taken.pins.records],
        "recent": [as_fields(record) for record in taken.recent],
        "checks": [as_fields(record) for record, _ in taken.checks],
    }
    return Response(success=True, text=text or heading, content=content)


def _pin_text(record: Record) -> str:
    """Return a pin in one line, as safe for a model as in every other list."""
    mark = describe_contradiction(record)
    text = make_note(record, extract_pin_text(record)).text
    return f"{text} ({mark})" if mark else text


def _list_again(asked: RequestContext, snapshot_id: str) -> Response:
    """Return an earlier snapshot: all of its ids in their order, and the memories that stand today."""
    report = replay_snapshot(asked.broker, snapshot_id, asked.who)
    reader = asked.reader
    found = [record for id_ in report.ids for record in reader.select_in_force(reader.find(id_))]
    records = lead(reader, found)
    heading = f"snapshot {snapshot_id} of {report.ts}"
    text, _ = list_memories(records, heading, _TOKENS)
    content = {
        "snapshot_id": snapshot_id,
        "created_at": report.ts,
        "ids": list(report.ids),
        "memories": [as_fields(record) for record in records],
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
