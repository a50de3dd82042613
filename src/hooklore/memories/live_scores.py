"""Keep the live scores of memories for a week: derived data beside the index, which a brief is ordered by.

The scores take seconds to compute, so that no hook waits for them, and an order that changed with every
showing would change the beginning of every session's context.
"""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import orjson

from hooklore.broker.broker import Broker
from hooklore.broker.fetch import list_projects
from hooklore.config import StoreLocation
from hooklore.errors import StoreError
from hooklore.index.generation import index_directory
from hooklore.index.memories import memory_line_key
from hooklore.log import files
from hooklore.memories.live_importance import compute_breakdowns
from hooklore.prompt.pin_rule import is_auto_pinned
from hooklore.records import keys
from hooklore.records.draft import PERSON
from hooklore.records.memory_kind import memory_kind
from hooklore.records.record import Record

_WEEK_SECONDS = 7 * 86_400
_MAX_MEMORIES = 2_000
_MAX_FIXES = 60
UNUSED_SESSIONS = 10
"""Showings in so many sessions without any use, after which a record leaves the brief."""


@dataclass(frozen=True, slots=True)
class LiveScores:
    """The live score of records by id, from 0 to 1, and the ids of those that sessions never used.

    `saved_at` is the time of the file that they were read from.
    """

    by_id: dict[str, float] = field(default_factory=dict)
    unused: frozenset[str] = frozenset()
    saved_at: float = 0.0

    def order(self, records: list[Record]) -> list[Record]:
        """Return records as a brief tells them: those without a score, the newest first, then by score."""
        new = [r for r in records if r.id not in self.by_id]
        new.sort(key=lambda r: r.id, reverse=True)
        known = [r for r in records if r.id in self.by_id]
        return [*new, *sorted(known, key=lambda r: (-self.by_id[r.id], r.id))]


class ScoreFile:
    """The scores of one store as a file, read again when it changes."""

    def __init__(self, place: StoreLocation) -> None:
        self._path = index_directory(place) / "scores.json"
        self._read_at = -1.0
        self._scores = LiveScores()

    def load(self) -> LiveScores:
        """Return the scores, none without a file that can be read."""
        try:
            changed = os.stat(self._path).st_mtime
            if changed != self._read_at:
                found = orjson.loads(files.read_regular(self._path))
                scores = {str(id_): float(score) for id_, score in found["scores"].items()}
                unused = frozenset(map(str, found["unused"]))
                self._scores, self._read_at = LiveScores(scores, unused, changed), changed
        except (OSError, ValueError, TypeError, AttributeError):
            return LiveScores()
        return self._scores

    def is_old(self) -> bool:
        """Return whether the scores are a week old, or there are none."""
        try:
            age = time.time() - os.stat(self._path).st_mtime
        except OSError:
            return True
        return not 0 <= age < _WEEK_SECONDS

    def save(self, scores: LiveScores) -> None:
        """Put new scores in the place of the old ones. Raise StoreError."""
        content = orjson.dumps({"scores": scores.by_id, "unused": sorted(scores.unused)})
        try:
            files.make_directory(self._path.parent)
            files.replace_file(self._path, content)
        except OSError as error:
            raise StoreError(str(self._path), error.strerror or str(error)) from None


def refresh_scores(broker: Broker, check_cancelled: Callable[[], None] = lambda: None) -> None:
    """Compute the scores of a store when they are a week old.

    Raise StoreError, or what `check_cancelled` raises.
    """
    kept = ScoreFile(broker.place)
    if kept.is_old():
        kept.save(compute_scores(broker, check_cancelled))


def compute_scores(
    broker: Broker, check_cancelled: Callable[[], None] = lambda: None
) -> LiveScores:
    """Return the scores of the memories and fixes that a brief may tell, and those that were never used."""
    reader = broker.as_reader(PERSON)
    marks = reader.pin_marks()
    projects = [project.id for project in list_projects(reader)]
    places = ["global", *(f"project:{id_}" for id_ in projects)]
    records = [r for p in places for r in reader.lookup(keys.memories_at(p), _MAX_MEMORIES)]
    for id_ in projects:
        records += reader.lookup(keys.of_kind("fix", id_), _MAX_FIXES)
    found = compute_breakdowns(broker, records, check_cancelled=check_cancelled)
    unused = set()
    for record in records:
        use = found[record.id].use
        is_unused = use.shown >= UNUSED_SESSIONS and not use.opened and not use.followed
        is_pinned = marks.get(memory_line_key(record), is_auto_pinned(record))
        if is_unused and not is_pinned and not memory_kind(record.kind).kept_unused:
            unused.add(record.id)
    return LiveScores({id_: each.score for id_, each in found.items()}, frozenset(unused))
