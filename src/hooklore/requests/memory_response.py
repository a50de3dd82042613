"""Memories as a request tells of them: lines in a frame for a model, and the same as JSON."""

from collections.abc import Sequence

from hooklore.prompt.emotion import tell_emotion
from hooklore.prompt.frame import (
    describe_contradiction,
    make_note,
    name_other_project,
    render_frame,
    sanitize_for_prompt,
    show_text,
)
from hooklore.prompt.memory_part import tell_part, tell_tags
from hooklore.prompt.title import title_of
from hooklore.records.draft import Principal
from hooklore.records.ids import short_id
from hooklore.records.record import Record, parse_flag
from hooklore.requests.response import Response
from hooklore.retrieval.notes import quotable_text
from hooklore.retrieval.opening import quote_in_full
from hooklore.text.token_estimate import truncate_to_tokens

_ANYBODY = Principal()
_LINE_TOKENS = 90
_LIST_TOKENS = 6_000
NOTHING_FOUND = "nothing in memory answers that"


def list_memories(
    records: Sequence[Record], heading: str, budget: int = _LIST_TOKENS, who: Principal = _ANYBODY
) -> tuple[str, list[Record]]:
    """Return framed, numbered lines of `records` under a heading, and the records that fit.

    A line says the day, the text, and in brackets the emotion, the origin, another project than its reader's,
    what contradicts it and `private: true` or `private: false` (seed 001 §5.2), then the id and the kind.
    """
    numbered = enumerate(records, start=1)
    lines = [(record.id, _line(place, record, who)) for place, record in numbered]
    text, ids = render_frame([(heading, lines)], budget)
    told = set(ids)
    return text, [record for record in records if record.id in told]


def quote_whole(records: Sequence[Record]) -> str:
    """Return records in full, framed."""
    notes = [(record.id, quote_in_full(record, _ANYBODY, _LIST_TOKENS)) for record in records]
    return render_frame([("", notes)], 2 * _LIST_TOKENS)[0]


def respond_found(
    records: Sequence[Record], who: Principal, budget: int = _LIST_TOKENS
) -> tuple[Response, list[Record]]:
    """Return the response that tells of search results (seed 001 §5.2), and the records that fit into it."""
    count = len(records)
    heading = f"{count} related {'memory' if count == 1 else 'memories'}:"
    text, told = list_memories(records, heading, budget, who)
    content = {"memories": [as_fields(record) for record in told]}
    return Response(success=True, text=text or NOTHING_FOUND, content=content), told


def as_fields(record: Record) -> dict[str, object]:
    """Return a record as JSON: a text that gives orders to agents is left out of it, too."""
    is_memory = record.stream == "memory"
    marks = record.pick("contradicted_by", "contradicted_on") if record.contradicted_by else {}
    emotion = tell_emotion(record)
    return (marks | {"emotion": emotion} if emotion else marks) | {
        "id": record.id,
        "short_id": short_id(record.id),
        "private": parse_flag(record.is_private),
        "kind": record.kind,
        "key": record.dedupe_key,
        "title": tell_part(record, title_of(record)) if is_memory else None,
        "text": show_text(record, quotable_text(record)),
        "tags": tell_tags(record) if is_memory else [],
        "agent_id": record.agent_id,
        "scope": record.scope,
        "ts": record.ts,
    }


def _line(place: int, record: Record, who: Principal) -> str:
    note = make_note(record, truncate_to_tokens(quotable_text(record), _LINE_TOKENS))
    day, *origin = note.origin
    emotion, kind = tell_emotion(record), sanitize_for_prompt(str(record.kind))
    told = (
        f"emotion: {emotion}" if emotion else "",
        " · ".join(filter(None, origin)),
        name_other_project(record, who),
        describe_contradiction(record),
        f"private: {'true' if parse_flag(record.is_private) else 'false'}",
    )
    about = ", ".join(filter(None, told))
    return f"{place}. [{day}] {note.text} ({about}) [{short_id(record.id)} · {kind}]"
