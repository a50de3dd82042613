"""`hooklore run`: what one run recorded. (`hooks run` hands in an event.)"""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from hooklore.cli import output
from hooklore.cli.listing import text_of, with_privacy
from hooklore.cli.memory.asker import Agent, Json, asker
from hooklore.cli.store import opened

if TYPE_CHECKING:
    from hooklore.memories.runs import RunTotals


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
    from hooklore.memories.runs import compute_totals, list_run_records

    with opened() as broker:
        found = list_run_records(broker, run_id, asker(broker, agent))
    made = compute_totals(found)
    for record in () if counts else found:
        if as_json:
            output.json(with_privacy(record))
        else:
            output.data(output.row(record, text_of(record)))
    if as_json and counts:
        output.json(asdict(made))
    elif not as_json:
        (output.data if counts else output.say)(_told(made))


def _told(made: "RunTotals") -> str:
    waiting = f", {made.waiting} of them waiting" if made.waiting else ""
    slowest = f", the slowest answer {made.slowest_ms} ms" if made.recall_ms else ""
    return (
        f"writes: {made.writes} records, {made.memories} of them memories{waiting}\n"
        f"reads: {made.reads} times, {made.shown} records\n"
        f"latency: tools {made.tools_ms / 1000:.1f} s{slowest}\n"
        f"errors: {made.errors}"
    )
