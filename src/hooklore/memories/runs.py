"""A run's rows: everything that one run recorded, and was shown (seed 000 §6, row EV-03)."""

from dataclasses import dataclass
from datetime import datetime

from hooklore.broker.broker import Broker
from hooklore.errors import HookloreError
from hooklore.records import keys
from hooklore.records.access import may_read
from hooklore.records.draft import PERSON, Principal
from hooklore.records.record import Record

_MOST = 10_000
_SHORTEST = 4


@dataclass(frozen=True, slots=True)
class RunTotals:
    """What a run comes to.

    `writes` are records that it made, `memories` those of them that were said on purpose, `waiting`
    those of these that wait for a person. `reads` are times that it was shown something, `shown` how
    many records that were. `errors` are failures. `tools_ms` is what its tools took; `recall_ms` are
    milliseconds from an event to the note that its answer had gone out, one for each that is known.
    """

    writes: int
    memories: int
    waiting: int
    reads: int
    shown: int
    errors: int
    tools_ms: int
    recall_ms: tuple[int, ...]

    @property
    def slowest_ms(self) -> int | None:
        """The longest that an answer took."""
        return max(self.recall_ms, default=None)


def compute_totals(found: list[Record]) -> RunTotals:
    """Reads, writes, latency and errors of a run's rows (row AU-05)."""
    reads = [r for r in found if r.kind == "access"]
    writes = [r for r in found if r.stream != "control"]
    said = [r for r in writes if r.stream == "memory"]
    begun = {r.delivery_id: r.ts for r in writes if r.delivery_id}
    took = [_took(begun, read) for read in reads]
    return RunTotals(
        writes=len(writes),
        memories=len(said),
        waiting=sum(bool(r.waits) for r in said),
        reads=len(reads),
        shown=len({id_ for read in reads for id_ in read.body.targets}),
        errors=sum(r.kind == "error" or r.body.outcome == "failure" for r in writes),
        tools_ms=sum(_tool_ms(r) for r in writes),
        recall_ms=tuple(ms for ms in took if ms is not None),
    )


def _took(begun: dict[str, str], read: Record) -> int | None:
    begin = begun.get(str(read.body.delivery))
    if begin is None:
        return None
    passed = datetime.fromisoformat(read.ts) - datetime.fromisoformat(begin)
    return max(round(passed.total_seconds() * 1000), 0)


def _tool_ms(record: Record) -> int:
    cost = record.body.cost
    found = cost.get("time_ms") if isinstance(cost, dict) else None
    return found if isinstance(found, int) else 0


def list_run_records(broker: Broker, run: str, who: Principal = PERSON) -> list[Record]:
    """Every record of a run that `who` may see, oldest first, ended ones and what waits too.

    `run` is a run's id, or its beginning (four characters or more); a session's run has the
    session's id. Raises HookloreError for one that nothing is recorded of, or several begin with.
    """
    broker.refresh()
    found = _of(broker, run, who)
    if found:
        return found
    named = _beginning_with(broker, run, who) if len(run) >= _SHORTEST else []
    if len(named) > 1:
        raise HookloreError(
            f"could not choose a run: the ids of several begin with `{run}`",
            fix=f"give the id in full: `hooklore run {named[0]}`",
        )
    if not named:
        raise HookloreError(
            f"could not find run `{run}`: nothing is recorded of it",
            fix="run `hooklore list --kind session_start --json` for the ids",
        )
    return _of(broker, named[0], who)


def _of(broker: Broker, run: str, who: Principal) -> list[Record]:
    tags = (keys.in_session(run), keys.in_run(run), "waits")
    records = (r for tag in tags for r in broker.view.lookup(tag, _MOST))
    found = {r.id: r for r in records if r.run_id == run and may_read(r, who)}
    return [found[id_] for id_ in sorted(found)]


def _beginning_with(broker: Broker, prefix: str, who: Principal) -> list[str]:
    """At most two runs whose ids begin so, the newest first."""
    found: dict[str, None] = {}
    for record in broker.newest(who, ended=True):
        run = record.run_id
        if isinstance(run, str) and run.startswith(prefix):
            found.setdefault(run)
            if len(found) > 1:
                break
    return list(found)
