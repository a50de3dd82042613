"""The tables of seed 000 §10 and §14: `memory_events`, and `memory_pins` as a view of pinned events."""

from typing import Any

import orjson

from hooklore.index.record_keys import key_hash, scope_key, version_line_key
from hooklore.prompt.pin_rule import (
    extract_pin_text,
    is_auto_pinned,
    may_be_pinned,
    pin_length_problem,
)
from hooklore.records import keys
from hooklore.records.record import Record

MEMORY_TABLES = """
CREATE TABLE memory_events (
    pos INTEGER PRIMARY KEY, event_id TEXT NOT NULL, agent_id TEXT NOT NULL, run_id TEXT,
    scope TEXT NOT NULL, kind TEXT NOT NULL, dedupe_key TEXT, confidence TEXT NOT NULL,
    basis TEXT NOT NULL, content_md TEXT NOT NULL, source TEXT NOT NULL, supersedes TEXT,
    ttl_days INTEGER NOT NULL, created_at TEXT NOT NULL, expires_at TEXT, waits TEXT,
    pin_md TEXT, pin_by_itself INTEGER NOT NULL, line INTEGER NOT NULL, gone INTEGER NOT NULL,
    pinned INTEGER NOT NULL, unpinned INTEGER NOT NULL
);
CREATE TABLE memory_heads (
    line INTEGER PRIMARY KEY, place INTEGER NOT NULL, pos INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX memory_heads_of_place ON memory_heads (place, pos);
CREATE VIEW memory_pins AS
SELECT event_id, agent_id, scope, kind, dedupe_key, pin_md, created_at, expires_at
FROM (
    SELECT e.*,
        (SELECT max(k.pos) FROM keys k WHERE k.key = e.pinned) AS pinned_at,
        (SELECT max(k.pos) FROM keys k WHERE k.key = e.unpinned) AS unpinned_at
    FROM memory_heads h JOIN memory_events e ON e.pos = h.pos
    WHERE e.pin_md IS NOT NULL AND NOT EXISTS (SELECT 1 FROM keys k WHERE k.key = e.gone)
)
WHERE CASE WHEN pinned_at IS NULL AND unpinned_at IS NULL THEN pin_by_itself
    ELSE coalesce(pinned_at, -1) > coalesce(unpinned_at, -1) END
ORDER BY event_id DESC;
"""
"""`memory_heads` has the newest version of every line of memories, which is current unless it was ended."""

Head = tuple[int, int, int]
"""Line, place and position of the newest memory of a line."""

COLUMNS = 22

ADD_HEAD = """
INSERT INTO memory_heads VALUES (?, ?, ?) ON CONFLICT (line) DO UPDATE SET
place = excluded.place, pos = max(pos, excluded.pos)
"""


def memory_line_key(record: Record) -> str:
    """Return the key of a memory's line: by its `dedupe_key`, or by its id if it has none."""
    return version_line_key(record) or f"memory-id:{record.id}"


def memory_head(pos: int, record: Record) -> Head | None:
    """Return the head that this memory becomes, or None for a memory that waits for approval."""
    if record.waits:
        return None
    return key_hash(memory_line_key(record)), key_hash(keys.memories_at(scope_key(record))), pos


def memory_row(pos: int, record: Record) -> tuple[Any, ...]:
    """Return the row of a memory in `memory_events`."""
    line = memory_line_key(record)
    can_be_pinned = may_be_pinned(record) and pin_length_problem(record) is None
    return (
        pos,
        record.id,
        record.agent_id,
        record.run_id,
        record.scope,
        record.kind,
        record.dedupe_key,
        record.confidence,
        (record.basis or "tool"),
        record.body.content_md,
        orjson.dumps(record.source or {}).decode(),
        record.supersedes,
        int(record.ttl_days or 0),
        record.ts,
        record.expires_at,
        record.waits,
        extract_pin_text(record) if can_be_pinned else None,
        int(is_auto_pinned(record)),
        key_hash(line),
        key_hash(keys.end_of(record.id)),
        key_hash(keys.pinning_of("pin", line)),
        key_hash(keys.pinning_of("unpin", line)),
    )
