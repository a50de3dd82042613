"""`hooks status`: what memory does now, in numbers."""

import time
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hooklore import __version__
from hooklore.cli import output
from hooklore.cli.store import opened
from hooklore.errors import ResidentUnreachable

if TYPE_CHECKING:
    from hooklore.broker import Broker
    from hooklore.broker.store_stats import DayStats
    from hooklore.config import StoreLocation

_DAYS = 7


def status(
    as_json: Annotated[bool, typer.Option("--json", help="as one JSON object")] = False,
) -> None:
    """Show the resident broker, the store, the last days in numbers, and when each hook last fired."""
    from hooklore.broker import store_stats

    with opened() as broker:
        days = store_stats.count_by_day(broker)
        found = {
            "version": __version__,
            "resident": _resident(broker.place),
            "store": {
                "path": str(broker.place.directory),
                **asdict(store_stats.measure_store(broker)),
            },
            "paused": _paused(broker),
            "days": [asdict(day) for day in days[-_DAYS:]],
            "events": sum(day.events for day in days),
            "hooks": store_stats.last_hook_times(broker),
        }
    if as_json:
        output.json(found)
        return
    _print(found, days[-_DAYS:])


def _resident(at: "StoreLocation") -> dict[str, Any] | None:
    from hooklore.resident import call

    try:
        return call.request_status(at)
    except ResidentUnreachable as error:
        return {"error": str(error)}


def _paused(broker: "Broker") -> dict[str, Any]:
    from hooklore.broker.fetch import list_projects
    from hooklore.hooks import pause

    paused = pause.load_pauses(broker.place)
    names = {project.id: project.slug for project in list_projects(broker)}
    return {
        "everywhere": paused.everywhere,
        "projects": sorted(names.get(id_, id_) for id_ in paused.projects),
        "sessions": sorted(paused.sessions),
    }


def _print(found: dict[str, Any], days: "list[DayStats]") -> None:
    store = found["store"]
    output.table(
        [
            ("resident", _resident_line(found["resident"])),
            ("store", f"{store['path']}: {output.size(store['bytes'])}, {found['events']} events"),
            ("index", store["problem"] or _index_line(store["unindexed"])),
            ("spool", f"{store['spooled']} batches wait" if store["spooled"] else "empty"),
            ("quarantine", f"{store['quarantined']} pieces" if store["quarantined"] else "empty"),
            ("paused", _paused_line(found["paused"])),
        ]
    )
    output.data("")
    heading = ("day (UTC)", "events", "bytes", "tokens shown", "")
    numbers = ((d.day, str(d.events), output.size(d.bytes), str(d.tokens), "") for d in days)
    output.table([heading, *numbers])
    if found["hooks"]:
        output.data("")
        fired = sorted(found["hooks"].items(), key=lambda item: item[1], reverse=True)
        hooks = ((name, output.local(ts), output.since(ts)) for name, ts in fired)
        output.table([("hook", "last fired", ""), *hooks])


def _index_line(unindexed: int) -> str:
    return f"lacks {unindexed} events, read from the log" if unindexed else "up to date"


def _resident_line(found: dict[str, Any] | None) -> str:
    if found is None:
        return "none runs; the next hook starts one"
    if "error" in found:
        return str(found["error"])
    line = (
        f"pid {found['pid']}, version {found['version']}, up {output.ago(time.time() - found['started'])}, "
        f"{found['served']} hooks served, {found['lag']} events not yet indexed"
    )
    if found["version"] != __version__:
        line += f" (this is {__version__}: it leaves by itself)"
    return f"{line}; {found['problem']}" if found["problem"] else line


def _paused_line(paused: dict[str, Any]) -> str:
    if paused["everywhere"]:
        return "everywhere; `hooks resume` ends it"
    parts = [f"project {name}" for name in paused["projects"]]
    parts += [f"session {id_}" for id_ in paused["sessions"]]
    return ", ".join(parts) or "nothing"
