"""`hooklore snapshot`: what a run begins with, and what one was shown."""

from typing import TYPE_CHECKING, Annotated

import typer

from hooklore.cli import output
from hooklore.cli.listing import text_of, with_privacy
from hooklore.cli.memory.asker import Agent, Json, asker
from hooklore.cli.store import opened

if TYPE_CHECKING:
    from hooklore.retrieval.browse import AccessReport
    from hooklore.retrieval.snapshot import Snapshot


def snapshot(
    snapshot_id: Annotated[
        str | None,
        typer.Argument(metavar="[SID]", help="an earlier one: list exactly what it told of"),
    ] = None,
    *,
    scope: Annotated[
        list[str] | None,
        typer.Option(
            "--scope", metavar="SCOPE", help="of this scope (again for another); all of yours else"
        ),
    ] = None,
    limit: Annotated[
        int, typer.Option("--limit-recent", min=0, metavar="N", help="so many recent memories")
    ] = 50,
    agent: Agent = None,
    as_json: Json = False,
) -> None:
    """Print pins, then recent memories, and the id under which they can be listed again."""
    from hooklore.retrieval import snapshot as snapshots

    with opened() as broker:
        who = asker(broker, agent)
        if snapshot_id is not None:
            _print_shown(snapshots.replay_snapshot(broker, snapshot_id, who), as_json=as_json)
            return
        made = snapshots.take_snapshot(broker, who, scope, limit)
    if as_json:
        output.json(_fields(made))
    else:
        _print(made)


def _fields(made: "Snapshot") -> dict[str, object]:
    return {
        "snapshot_id": made.snapshot_id,
        "ruleset_stamp": made.ruleset_stamp,
        "created_at": made.ts,
        "pinned_md": made.pinned_md,
        "pins": [with_privacy(r) for r in made.pins.records],
        "recent_events": [with_privacy(r) for r in made.recent],
        "checks": [text for _, text in made.checks],
    }


def _print(made: "Snapshot") -> None:
    output.data(f"snapshot {made.snapshot_id} {made.ruleset_stamp}")
    if made.pinned_md:
        output.data(output.plain(made.pinned_md))
    if made.pins.left_out:
        output.say(f"{made.pins.left_out} more pins than a page holds: unpin some")
    for _, text in made.checks:
        output.data(f"! {output.one_line(text)}")
    for record in made.recent:
        output.data(output.row(record, text_of(record)))


def _print_shown(found: "AccessReport", *, as_json: bool) -> None:
    if as_json:
        output.json({name: getattr(found, name) for name in found.__slots__})
        return
    output.data(f"{output.local(found.ts)} {found.trigger}: {len(found.ids)} notes")
    if found.text:
        output.data(output.plain(found.text))
    for id_ in found.ended:
        output.data(f"(forgotten or replaced since: {id_})")
    for id_ in found.missing:
        output.data(f"(no longer in the log: {id_})")
