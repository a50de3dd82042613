"""List the records of one run: `hooklore run`. (`hooks run` hands in an event.)"""

from dataclasses import asdict
from typing import Annotated

import typer

from hooklore.cli import output
from hooklore.cli.listing import print_record
from hooklore.cli.memory.asker import Agent, Json, asker
from hooklore.cli.store import opened
from hooklore.memories.runs import compute_totals, list_run_records
from hooklore.text.plural import format_count, select_form


def run(
    run_id: Annotated[str, typer.Argument(metavar="RUN_ID", help="a run's id, or its beginning")],
    *,
    agent: Agent = None,
    counts: Annotated[
        bool, typer.Option("--totals", help="reads, writes, latency and errors alone")
    ] = False,
    as_json: Json = False,
) -> None:
    """List everything that a run recorded and was shown, the oldest first; a session is a run.

    What it comes to stands below: reads, writes, latency, errors.
    """
    with opened() as broker:
        found = list_run_records(broker.as_reader(asker(broker, agent)), run_id)
    totals = compute_totals(found)
    for record in () if counts else found:
        print_record(record, as_json=as_json)
    if as_json:
        if counts:
            output.json(asdict(totals))
        return
    waiting = f", {totals.waiting} of them waiting" if totals.waiting else ""
    slowest = f", the slowest answer {totals.slowest_ms} ms" if totals.recall_ms else ""
    memories = f"{totals.memories} of them {select_form(totals.memories, 'a memory', 'memories')}"
    said = (
        f"writes: {format_count(totals.writes, 'record')}, {memories}{waiting}\n"
        f"reads: {format_count(totals.reads, 'time')}, {format_count(totals.shown, 'record')}\n"
        f"latency: tools {totals.tools_ms / 1000:.1f} s{slowest}\n"
        f"errors: {totals.errors}"
    )
    (output.data if counts else output.say)(said)
