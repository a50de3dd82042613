"""Print what a run begins with, and what it recorded: `hooklore snapshot`, `profile` and `run`."""

from dataclasses import asdict
from typing import Annotated

import typer

from hooklore.cli import output
from hooklore.cli.listing import as_said, print_record, print_shown_text, with_privacy
from hooklore.cli.memory.asker import Agent, Json, asker
from hooklore.cli.store import opened
from hooklore.cli.verb_command import with_arguments
from hooklore.errors import HookloreError
from hooklore.memories.profile import build_profile
from hooklore.memories.runs import compute_totals, list_run_records
from hooklore.memories.scope import named_places
from hooklore.requests.verbs import profile as profile_verb
from hooklore.requests.verbs import snapshot as snapshot_verb
from hooklore.retrieval import snapshot as snapshots
from hooklore.retrieval.snapshot import Snapshot
from hooklore.text.plural import format_count, select_form


@with_arguments(snapshot_verb.VERB)
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
        _print_snapshot(taken)
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


def _print_snapshot(taken: Snapshot) -> None:
    output.data(f"snapshot {taken.snapshot_id} {taken.ruleset_stamp}")
    if taken.pinned_md:
        output.data(output.plain(taken.pinned_md))
    if taken.pins.left_out:
        output.say(f"{format_count(taken.pins.left_out, 'more pin')} than a page holds: unpin some")
    for _, text in taken.checks:
        output.data(f"! {output.one_line(text)}")
    for record in taken.recent:
        output.data(output.row(record, as_said(record)))


@with_arguments(profile_verb.VERB)
def profile(*, scope: str | None, agent: Agent = None, as_json: Json = False) -> None:
    """Print what memories say of you and your work, in blocks, each with its limit in characters.

    What goes beyond a limit is left out, and is an error that says what is used: exit status 1.
    """
    with opened() as broker:
        who = asker(broker, agent)
        blocks = build_profile(broker.as_reader(who), named_places(broker, who, scope))
    for block in blocks:
        used = f"{block.used:,} of {block.limit:,} characters"
        told = f"{block.label}: {block.description} ({used})"
        fields = {**asdict(block), "used": block.used, "problem": block.problem}
        output.answer(fields, told, as_json=as_json)
        if block.value and not as_json:
            output.data(output.plain(block.value))
    problems = [block.problem for block in blocks if block.problem]
    if problems:
        raise HookloreError(
            "; ".join(problems),
            fix="run `hooklore archive ID` for what matters least, or say it shorter",
        )


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
