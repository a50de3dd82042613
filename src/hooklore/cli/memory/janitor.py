"""List pins, expired memories, contradictions and secrets in the store: `hooklore janitor`."""

import contextlib
from typing import Annotated

import typer

from hooklore.broker.broker import Broker
from hooklore.cli import output
from hooklore.cli.listing import text_of
from hooklore.cli.memory.asker import Json, asker
from hooklore.cli.store import here, opened
from hooklore.errors import LogError
from hooklore.maintenance import janitor as inspection
from hooklore.maintenance.janitor import JanitorReport, load_janitor_report
from hooklore.maintenance.scrub import Scrub, apply_scrub
from hooklore.text.plural import format_count

_LISTED = 10


def janitor(
    *,
    last: Annotated[
        bool, typer.Option("--last", help="what was found last, without looking again")
    ] = False,
    as_json: Json = False,
) -> None:
    """Look through memory: pins, what may be cleaned up, conflicts, secrets by today's rules.

    It deletes nothing; each line names the command that does something about it. One looks at a
    time; the resident does after a session has ended, else once a day, when nothing else is to be done.
    """
    if last:
        _print_last(as_json=as_json)
        return
    with opened() as broker:
        if not broker.place.log.exists():
            output.say("nothing is recorded yet")
            return
        with inspection.hold_janitor_lock(broker.place):
            moment = broker.now()
            found = inspection.inspect_store(
                broker, asker(broker, None), remove_certain=lambda: _remove_certain(broker)
            )
            fields = {"ts": moment, **found.as_fields()}
            inspection.save_janitor_report(broker.place, fields)
    if as_json:
        output.json(fields)
    else:
        _print(found)


def _remove_certain(broker: Broker) -> None:
    """Remove private keys and vendors' tokens. While the resident indexes, its own look does that."""
    with contextlib.suppress(LogError):
        apply_scrub(Scrub(broker, is_certain_only=True), broker.place)


def _print(found: JanitorReport) -> None:
    more = f", {found.pins.left_out} more do not fit" if found.pins.left_out else ""
    output.data(f"pins: {len(found.pins.records)}{more}: `hooklore snapshot`")
    output.data(f"to clean up: {len(found.candidates)}: `hooklore cleanup`")
    for each in found.candidates[:_LISTED]:
        text = f"({each.reason} since {each.since[:10]}) {text_of(each.record)}"
        output.data(f"  {output.row(each.record, text)}")
    output.data(f"conflicts: {len(found.conflicts)}: `hooklore conflicts`")
    for conflict in found.conflicts[:_LISTED]:
        output.data(f"  {conflict.id} {output.one_line(conflict.key or str(conflict.subject))}")
    if found.proposed:
        output.data(f"to share: {found.proposed}: `hooklore pending`")
    rules = ", ".join(f"{count} {rule}" for rule, count in found.rules.items())
    output.data(f"secrets: {rules or 'none'}: `hooklore scrub`")
    for where in (*found.secrets, *found.places):
        output.data(f"  {output.one_line(where)}")
    if found.damaged:
        output.data(f"  {format_count(found.damaged, 'damaged line')} of the log")


def _print_last(*, as_json: bool) -> None:
    found = load_janitor_report(here())
    if found is None:
        output.say("nobody has looked yet")
        output.say("hint: run `hooklore janitor`")
        raise typer.Exit(1)
    if as_json:
        output.json(found)
        return
    output.data(f"looked {output.since(str(found.get('ts', '')))}")
    for name in ("pins", "candidates", "conflicts", "secrets"):
        output.data(f"{name}: {len(found.get(name, ()))}")
