"""Print the present state of memory in numbers: `hooks status`."""

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hooklore import __version__
from hooklore.cli import output
from hooklore.cli.store import opened
from hooklore.errors import ResidentUnreachable
from hooklore.records.draft import PERSON
from hooklore.text.plural import format_count, select_form

if TYPE_CHECKING:
    from hooklore.broker import Broker
    from hooklore.broker.principal_reader import Reader
    from hooklore.broker.store_stats import DayStats, StoreStatus
    from hooklore.config import StoreLocation

_DAYS = 7


@dataclass(frozen=True, slots=True)
class ResidentState:
    """The status that the resident sent, None when none runs. `problem` says why none came."""

    answer: Mapping[str, Any] | None = None
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class PausedNames:
    """Pauses of memory: everywhere, in projects by slug, in sessions by id."""

    everywhere: bool
    projects: tuple[str, ...]
    sessions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StatusReport:
    """The numbers that `hooks status` prints. `days` are all days on which something was recorded."""

    resident: ResidentState
    path: str
    store: "StoreStatus"
    paused: PausedNames
    days: "tuple[DayStats, ...]"
    hooks: Mapping[str, str]

    @property
    def last_days(self) -> "tuple[DayStats, ...]":
        """The days that are printed one by one."""
        return self.days[-_DAYS:]

    @property
    def events(self) -> int:
        """The number of events in the store."""
        return sum(day.events for day in self.days)


def status(
    as_json: Annotated[bool, typer.Option("--json", help="as one JSON object")] = False,
) -> None:
    """Show the resident broker, the store, the last days in numbers, and when each hook last fired."""
    with opened() as broker:
        report = _report(broker)
    if as_json:
        _print_json(report)
    else:
        _print(report)


def _report(broker: "Broker") -> StatusReport:
    from hooklore.broker import store_stats

    reader = broker.as_reader(PERSON)
    days = store_stats.count_by_day(reader)
    return StatusReport(
        _resident(broker.place),
        str(broker.place.directory),
        store_stats.measure_store(broker),
        _paused(broker.place, reader),
        tuple(days),
        store_stats.last_hook_times(reader),
    )


def _resident(place: "StoreLocation") -> ResidentState:
    from hooklore.resident import call

    try:
        return ResidentState(call.request_status(place))
    except ResidentUnreachable as error:
        return ResidentState(problem=str(error))


def _paused(place: "StoreLocation", reader: "Reader") -> PausedNames:
    from hooklore.broker.fetch import list_projects
    from hooklore.hooks import pause

    paused = pause.load_pauses(place)
    slugs = {project.id: project.slug for project in list_projects(reader)}
    return PausedNames(
        paused.everywhere,
        tuple(sorted(slugs.get(id_, id_) for id_ in paused.projects)),
        tuple(sorted(paused.sessions)),
    )


def _print_json(report: StatusReport) -> None:
    resident = report.resident
    output.json({
        "version": __version__,
        "resident": resident.answer if resident.problem is None else {"error": resident.problem},
        "store": {"path": report.path, **asdict(report.store)},
        "paused": asdict(report.paused),
        "days": [asdict(day) for day in report.last_days],
        "events": report.events,
        "hooks": report.hooks,
    })  # fmt: skip


def _print(report: StatusReport) -> None:
    _print_state(report)
    output.data("")
    _print_days(report)
    if report.hooks:
        output.data("")
        _print_hooks(report.hooks)


def _print_state(report: StatusReport) -> None:
    """Print the resident, the store and what is paused, each on a line."""
    store = report.store
    output.table(
        [
            ("resident", _resident_line(report.resident)),
            (
                "store",
                f"{report.path}: {output.size(store.bytes)}, {format_count(report.events, 'event')}",
            ),
            ("index", store.problem or _index_line(store.unindexed)),
            ("spool", _waiting_line(store.spooled) if store.spooled else "empty"),
            (
                "quarantine",
                format_count(store.quarantined, "piece") if store.quarantined else "empty",
            ),
            ("paused", _paused_line(report.paused)),
        ]
    )


def _print_days(report: StatusReport) -> None:
    heading = ("day (UTC)", "events", "bytes", "tokens shown", "")
    rows = (
        (d.day, str(d.events), output.size(d.bytes), str(d.tokens), "") for d in report.last_days
    )
    output.table([heading, *rows])


def _print_hooks(last_fired: Mapping[str, str]) -> None:
    """Print when each hook last fired, the newest first."""
    fired = sorted(last_fired.items(), key=lambda item: item[1], reverse=True)
    rows = ((name, output.local(ts), output.since(ts)) for name, ts in fired)
    output.table([("hook", "last fired", ""), *rows])


def _waiting_line(spooled: int) -> str:
    return f"{format_count(spooled, 'batch')} {select_form(spooled, 'waits', 'wait')}"


def _index_line(unindexed: int) -> str:
    return (
        f"lacks {format_count(unindexed, 'event')}, read from the log"
        if unindexed
        else "up to date"
    )


def _resident_line(resident: ResidentState) -> str:
    if resident.problem is not None:
        return resident.problem
    answer = resident.answer
    if answer is None:
        return "none runs; the next hook starts one"
    line = (
        f"pid {answer['pid']}, version {answer['version']}, up {output.ago(time.time() - answer['started'])}, "
        f"{format_count(answer['served'], 'hook')} served, {format_count(answer['lag'], 'event')} not yet indexed"
    )
    if answer["version"] != __version__:
        line += f" (this is {__version__}: it leaves by itself)"
    return f"{line}; {answer['problem']}" if answer["problem"] else line


def _paused_line(paused: PausedNames) -> str:
    if paused.everywhere:
        return "everywhere; `hooks resume` ends it"
    parts = [f"project {name}" for name in paused.projects]
    parts += [f"session {id_}" for id_ in paused.sessions]
    return ", ".join(parts) or "nothing"
