"""Put memories that contradict each other into the one order of every way out: the leading one first.

Of the same speaker's memories the newer one leads, and a higher word leads a lower one (`Conflict.leader`). The
other is told behind it alone, marked with the leader's id and day. A reader who may not read the leader is told
no mark, for a mark would tell that there is one.
"""

from collections.abc import Iterable

from hooklore.broker.principal_reader import Reader
from hooklore.records import keys
from hooklore.records.record import Record

_MAX_CONFLICTS = 8
"""The newest conflicts of one memory that are looked at."""

_LONGEST_CHAIN = 1_000


def lead(reader: Reader, records: Iterable[Record]) -> list[Record]:
    """Return `records` in their order, but each that another contradicts behind that one, and marked.

    A leader that is not among `records` is put before the memory that it contradicts.
    """
    given = list(records)
    contested, known = _contested(reader, given), dict[str, Record]()
    found: dict[str, Record] = {}
    for record in given:
        leader = find_leader(reader, record, known) if record.id in contested else None
        if leader is not None:
            found.setdefault(leader.id, leader)
        found.setdefault(record.id, record if leader is None else _marked(record, leader))
    return list(found.values())


def find_leader(
    reader: Reader, record: Record, known: dict[str, Record] | None = None
) -> Record | None:
    """Return the memory that leads those which contradict a record, None for a record that leads itself.

    Of a circle, which only a foreign writer can make, the newest leads. `known` keeps the leaders that were found.
    """
    known = {} if known is None else known
    passed: dict[str, Record] = {}
    last: Record | None = record
    while last is not None and last.id not in passed and last.id not in known:
        passed[last.id] = last
        last = _next_leader(reader, last) if len(passed) < _LONGEST_CHAIN else None
    if last is not None:
        leader = known.get(last.id) or max(passed.values(), key=lambda each: str(each.id))
    else:
        leader = [*passed.values()][-1]
    known.update(dict.fromkeys(passed, leader))
    return None if leader.id == record.id else leader


def mark_as_told(reader: Reader, record: Record, moment: str) -> Record:
    """Return a record marked as it was told at a moment, by its leader of then."""
    leader = find_leader(reader, record) if _contested(reader, [record]) else None
    return _marked(record, leader) if leader is not None and leader.id < moment else record


def _contested(reader: Reader, records: list[Record]) -> set[str]:
    """Return the ids of those memories that are a side of any conflict, settled or not."""
    names = {keys.conflict_with(r.id): r.id for r in records if r.stream == "memory" and r.id}
    if not names or not reader.has(keys.ALL_CONFLICTS):
        return set()
    return {names[name] for name in reader.held(names)}


def _next_leader(reader: Reader, record: Record) -> Record | None:
    """Return the newest memory that leads a record in an open conflict of two standing memories."""
    found = [
        conflict.leader
        for each in reader.history(keys.conflict_with(record.id), _MAX_CONFLICTS)
        if (conflict := reader.load_conflict(each)) is not None
        and conflict.key is None
        and conflict.leader.id != record.id
    ]
    standing = reader.select_in_force(found)
    return max(standing, key=lambda each: str(each.id), default=None)


def _marked(record: Record, leader: Record) -> Record:
    return record.with_fields(contradicted_by=leader.id, contradicted_on=leader.ts[:10])
