"""Print the memories that a run begins with, or an earlier snapshot again: `hooklore snapshot`."""

from dataclasses import asdict
from typing import Annotated

import typer

from hooklore.cli import output
from hooklore.cli.listing import as_said, print_shown_text, with_privacy
from hooklore.cli.memory.asker import Agent, Json, asker
from hooklore.cli.store import opened
from hooklore.cli.verb_command import with_arguments
from hooklore.requests.verbs.snapshot import VERB
from hooklore.retrieval import snapshot as snapshots
from hooklore.retrieval.snapshot import Snapshot
from hooklore.text.plural import format_count


@with_arguments(VERB)
def snapshot(
    snapshot_id: Annotated[
        str | None,
        typer.Argument(metavar="[SID]", help="an earlier one: list exactly what it told of"),
    ] = None,
    *,
    scopes: list[str] | None,
    limit_recent: int,
    agent: Agent = None,
    as_json: Json = False,
) -> None:
    """Print pins, then recent memories, and the id under which they can be listed again."""
    with opened() as broker:
        who = asker(broker, agent)
        if snapshot_id is not None:
            report = snapshots.replay_snapshot(broker, snapshot_id, who)
            kept = format_count(len(report.ids), "note")
            told = f"{output.local(report.ts)} {report.trigger}: {kept}"
            output.answer(asdict(report), told, as_json=as_json)
            if not as_json:
                print_shown_text(report)
                if not (report.ids or report.tokens):
                    output.say("there was nothing to tell")
            return
        taken = snapshots.take_snapshot(broker, who, scopes, limit_recent)
    if not as_json:
        _print(taken)
        return
    output.json({
        "snapshot_id": taken.snapshot_id,
        "ruleset_stamp": taken.ruleset_stamp,
        "created_at": taken.ts,
        "pinned_md": taken.pinned_md,
        "pins": [with_privacy(record) for record in taken.pins.records],
        "recent_events": [with_privacy(record) for record in taken.recent],
        "checks": [text for _, text in taken.checks],
    })  # fmt: skip


def _print(taken: Snapshot) -> None:
    output.data(f"snapshot {taken.snapshot_id} {taken.ruleset_stamp}")
    if taken.pinned_md:
        output.data(output.plain(taken.pinned_md))
    if taken.pins.left_out:
        output.say(f"{format_count(taken.pins.left_out, 'more pin')} than a page holds: unpin some")
    for _, text in taken.checks:
        output.data(f"! {output.one_line(text)}")
    for record in taken.recent:
        output.data(output.row(record, as_said(record)))
