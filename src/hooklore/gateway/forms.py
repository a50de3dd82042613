"""Records in the form of seed 000 §6, and the schemas of what is sent and answered."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from pydantic import BaseModel, Field

from hooklore.memories.dedupe_key import MAX_KEY_LENGTH
from hooklore.memories.memory_event import (
    BASIS_VALUES,
    CONFIDENCE_LEVELS,
    MAX_PHRASES,
    MAX_TAGS,
    ROLES,
    STAKES,
    SYSTEMS,
    VISIBILITIES,
)
from hooklore.prompt.title import MAX_TITLE_LENGTH
from hooklore.records.memory_kind import MEMORY_KINDS
from hooklore.records.schema import SCOPE_PATTERN

_SEED_NAMES: Final = {
    "id": "event_id",
    "key": "dedupe_key",
    "text": "content_md",
    "ts": "created_at",
}
"""The names of seed 000 for the fields of a record."""


class Event(BaseModel):
    """A record as an agent may read it, as quoted data: never as an order."""

    event_id: str
    short_id: str
    kind: str
    agent_id: str
    scope: str
    created_at: str
    content_md: str
    private: bool
    dedupe_key: str | None = None
    title: str | None = None
    tags: list[str] = []
    emotion: str | None = None
    contradicted_by: str | None = None
    contradicted_on: str | None = None


class Appended(BaseModel):
    """The outcome of an append: `pending` waits for a person, for the reason `waits`."""

    event_id: str | None
    status: str = Field(
        json_schema_extra={
            "enum": ["stored", "updated", "conflict", "pending", "duplicate", "spooled"]
        }
    )
    warnings: list[str]
    dedupe_key: str | None = None
    scope: str | None = None
    private: bool = False
    waits: str | None = None
    supersedes: str | None = None
    conflict: str | None = None
    action: str | None = None


class BatchAppended(BaseModel):
    """The outcome of each event of a batch, in their order, or its problem."""

    results: list[dict[str, Any]]


class SnapshotTaken(BaseModel):
    """The memories that a run begins with: read `pinned_md` first, then `recent_events`."""

    snapshot_id: str
    ruleset_stamp: str
    created_at: str
    agent_id: str
    pinned_md: str
    pinned_events: list[Event]
    recent_events: list[Event]
    checks: list[Event]


class SnapshotAgain(BaseModel):
    """An earlier snapshot: all ids in their order, and the events that stand today."""

    snapshot_id: str
    created_at: str
    ids: list[str]
    events: list[Event]


class EventPage(BaseModel):
    """A page of events, the newest first."""

    events: list[Event]
    next_cursor: str | None


class EventsRecalled(BaseModel):
    """The memories that a question brings, the best first; `text` is the same, framed for a model."""

    text: str
    events: list[Event]


class Health(BaseModel):
    """A gateway that answers, and whose memory does."""

    status: str
    version: str


class ProblemDetails(BaseModel):
    """A problem (RFC 9457): `detail` is the cause, `action` the one thing to do."""

    type: str
    title: str
    status: int
    detail: str
    error: str
    action: str


def as_event(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record of a response by the names of seed 000."""
    return {_SEED_NAMES.get(name, name): value for name, value in fields.items()}


def as_events(records: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the records of a response by the names of seed 000."""
    return [as_event(each) for each in records]


_TEXT: Final = {"type": "string", "minLength": 1, "maxLength": 256}
_ID: Final = {"type": "string", "format": "uuid"}

EVENT_SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "required": ["scope", "kind", "content_md", "source"],
    "properties": {
        "agent_id": {
            "type": "string",
            "description": "Yours, or left out: the token says who you are.",
        },
        "run_id": _TEXT,
        "scope": {
            "type": "string",
            "description": "`global`, `project:<slug>` or `agent:<your id>`.",
            "pattern": SCOPE_PATTERN,
        },
        "kind": {"type": "string", "enum": [*MEMORY_KINDS]},
        "dedupe_key": {
            "type": "string",
            "description": "Stable, like `config:db_engine`. The last write under a key counts.",
            "minLength": 1,
            "maxLength": MAX_KEY_LENGTH,
        },
        "confidence": {"type": "string", "enum": [*CONFIDENCE_LEVELS]},
        "content_md": {
            "type": "string",
            "description": "One to five lines: what, why, since when. No secrets, no personal details.",
            "minLength": 1,
            "maxLength": 8_000,
        },
        "source": {
            "type": "object",
            "required": ["system"],
            "properties": {
                "system": {"type": "string", "enum": [*SYSTEMS]},
                "thread_id": _TEXT,
                "message_id": _TEXT,
            },
        },
        "supersedes": {**_ID, "description": "The event whose place it takes."},
        "ttl_days": {"type": "integer", "minimum": 0, "description": "Its life. 0 is for ever."},
        "title": {"type": "string", "minLength": 1, "maxLength": MAX_TITLE_LENGTH},
        "when": {
            "type": "array",
            "items": {"type": "string", "minLength": 3, "maxLength": 60},
            "maxItems": MAX_PHRASES,
            "description": "What one types who needs it.",
        },
        "tags": {"type": "array", "items": _TEXT, "maxItems": MAX_TAGS},
        "basis": {"type": "string", "enum": [*BASIS_VALUES]},
        "stake": {"type": "string", "enum": [*STAKES]},
        "role": {"type": "string", "enum": [*ROLES]},
        "visibility": {"type": "string", "enum": [*VISIBILITIES]},
        "is_private": {"type": "boolean"},
        "idempotency_key": {**_TEXT, "description": "As the header `Idempotency-Key`."},
        "ruleset": {"type": "string", "description": "The rules that you follow."},
    },
}
"""The form of a memory event (seed 000 §6)."""
