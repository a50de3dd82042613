"""List the records of one run: those it wrote, and those it was shown (seed 000 §6)."""

from dataclasses import dataclass
from datetime import datetime

from hooklore.broker.principal_reader import Reader
from hooklore.errors import HookloreError
from hooklore.records import keys
from hooklore.records.record import Record
from hooklore.redaction.id_redaction import redact_id

_MAX_RECORDS = 10_000
_MIN_PREFIX_LENGTH = 4


@dataclass(frozen=True, slots=True)
class RunTotals:
    """Counts of one run's records, and its times in milliseconds.

    `writes` counts the records that the run made, `memories` those written on purpose, `waiting` the
    memories that wait for a person. `reads` counts the answers that showed something and every start,
    `shown` the records in them. `errors` counts failures. `tools_ms` is the time of its tools.
    `recall_ms` are the times from an event to its answer, as far as they are known.
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
        """The time of the slowest answer, or None when no time is known."""
        return max(self.recall_ms, default=None)


def compute_totals(found: list[Record]) -> RunTotals:
    """Return the reads, writes, times and errors of a run's records."""
    reads = [r for r in found if r.kind == "access" and (r.body.targets or r.body.snapshot_id)]
    writes = [r for r in found if r.stream != "control"]
    memories = [r for r in writes if r.stream == "memory"]
    started = {r.delivery_id: r.ts for r in writes if r.delivery_id}
    times = []
    for read in reads:
        begun = started.get(str(read.body.delivery))
        if begun is not None:
            passed = datetime.fromisoformat(read.ts) - datetime.fromisoformat(begun)
            times.append(max(round(passed.total_seconds() * 1000), 0))
    costs = (record.body.cost for record in writes)
    tools = (cost.get("time_ms") for cost in costs if isinstance(cost, dict))
    return RunTotals(
        writes=len(writes),
        memories=len(memories),
        waiting=sum(bool(r.waits) for r in memories),
        reads=len(reads),
        shown=len({id_ for read in reads for id_ in read.body.targets}),
        errors=sum(r.kind == "error" or r.body.outcome == "failure" for r in writes),
        tools_ms=sum(ms for ms in tools if isinstance(ms, int)),
        recall_ms=tuple(times),
    )


def list_run_records(reader: Reader, run: str) -> list[Record]:
    """Return every record of a run, oldest first, ended and waiting ones too.

    `run` is a run's id, or at least four characters of its beginning. A session's run has the session's
    id. Raise HookloreError for an unknown run, and for a beginning that several runs share.
    """
    run = redact_id(run)
    found = _records_of(reader, run)
    if found:
        return found
    named = _find_runs(reader, run) if len(run) >= _MIN_PREFIX_LENGTH else []
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
    return _records_of(reader, named[0])


def _records_of(reader: Reader, run: str) -> list[Record]:
    sources = (keys.in_session(run), keys.in_run(run), keys.ALL_WAITING)
    records = (r for key in sources for r in reader.history(key, _MAX_RECORDS))
    found = {r.id: r for r in records if r.run_id == run}
    return [found[id_] for id_ in sorted(found)]


def _find_runs(reader: Reader, prefix: str) -> list[str]:
    """Return at most two runs whose ids begin with `prefix`, the newest first."""
    found: dict[str, None] = {}
    for record in reader.newest(ended=True):
        run = record.run_id
        if isinstance(run, str) and run.startswith(prefix):
            found.setdefault(run)
            if len(found) > 1:
                break
    return list(found)
