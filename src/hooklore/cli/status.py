"""Print the present state of memory in numbers: `hooks status`."""

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Annotated, Any

import typer

from hooklore import __version__
from hooklore.broker import Broker, store_stats
from hooklore.broker.fetch import list_projects
from hooklore.broker.store_stats import DayStats, StoreStatus
from hooklore.cli import output
from hooklore.cli.store import opened
from hooklore.errors import ResidentUnreachable
from hooklore.hooks import exclusions
from hooklore.records.draft import PERSON
from hooklore.resident import call
from hooklore.text.plural import format_count, select_form

_DAYS = 7


@dataclass(frozen=True, slots=True)
class StatusReport:
    """The numbers that `hooks status` prints. `days` are all days on which something was recorded.

    `resident` is the status that the resident sent, None when none runs, or a text that says why none came.
    `paused` names what is paused: everywhere, projects by slug, sessions by id.
    """

    resident: Mapping[str, Any] | str | None
    path: str
    store: StoreStatus
    paused: Mapping[str, Any]
    days: tuple[DayStats, ...]
    hooks: Mapping[str, str]

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
    if not as_json:
        _print(report)
        return
    resident = report.resident
    output.json({
        "version": __version__,
        "resident": {"error": resident} if isinstance(resident, str) else resident,
        "store": {"path": report.path, **asdict(report.store)},
        "paused": report.paused,
        "days": [asdict(day) for day in report.days[-_DAYS:]],
        "events": report.events,
        "hooks": report.hooks,
    })  # fmt: skip


def _report(broker: Broker) -> StatusReport:
    reader, paused = broker.as_reader(PERSON), exclusions.load_pauses(broker.place)
    slugs = {project.id: project.slug for project in list_projects(reader)}
    try:
        resident: Mapping[str, Any] | str | None = call.request_status(broker.place)
    except ResidentUnreachable as error:
        resident = str(error)
    return StatusReport(
        resident,
        str(broker.place.directory),
        store_stats.measure_store(broker),
        {
            "everywhere": paused.everywhere,
            "projects": sorted(slugs.get(id_, id_) for id_ in paused.projects),
            "sessions": sorted(paused.sessions),
        },
        tuple(store_stats.count_by_day(reader)),
        store_stats.last_hook_times(reader),
    )


def _print(report: StatusReport) -> None:
    store, events = report.store, format_count(report.events, "event")
    lacks = f"lacks {format_count(store.unindexed, 'event')}, read from the log"
    batches = format_count(store.spooled, "batch")
    waits = f"{batches} {select_form(store.spooled, 'waits', 'wait')}"
    pieces = format_count(store.quarantined, "piece")
    paused = [f"project {name}" for name in report.paused["projects"]]
    paused += [f"session {id_}" for id_ in report.paused["sessions"]]
    if report.paused["everywhere"]:
        paused = ["everywhere; `hooks resume` ends it"]
    output.table([
        ("resident", _resident_line(report.resident)),
        ("store", f"{report.path}: {output.size(store.bytes)}, {events}"),
        ("index", store.problem or (lacks if store.unindexed else "up to date")),
        ("spool", waits if store.spooled else "empty"),
        ("quarantine", pieces if store.quarantined else "empty"),
        ("paused", ", ".join(paused) or "nothing"),
    ])  # fmt: skip
    output.data("")
    days = report.days[-_DAYS:]
    rows = ((d.day, str(d.events), output.size(d.bytes), str(d.tokens), "") for d in days)
    output.table([("day (UTC)", "events", "bytes", "tokens shown", ""), *rows])
    if report.hooks:
        output.data("")
        fired = sorted(report.hooks.items(), key=lambda item: item[1], reverse=True)
        last = ((name, output.local(ts), output.since(ts)) for name, ts in fired)
        output.table([("hook", "last fired", ""), *last])


def _resident_line(answer: Mapping[str, Any] | str | None) -> str:
    if isinstance(answer, str):
        return answer
    if answer is None:
        return "none runs; the next hook starts one"
    served, lag = format_count(answer["served"], "hook"), format_count(answer["lag"], "event")
    line = (
        f"pid {answer['pid']}, version {answer['version']}, up {output.ago(time.time() - answer['started'])}, "
        f"{served} served, {lag} not yet indexed"
    )
    if answer["version"] != __version__:
        line += f" (this is {__version__}: it leaves by itself)"
    return f"{line}; {answer['problem']}" if answer["problem"] else line
