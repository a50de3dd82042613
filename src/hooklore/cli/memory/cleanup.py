"""Keep memory tidy: `hooklore cleanup`, `consolidate` and `janitor`."""

import re
from contextlib import suppress
from typing import Annotated

import typer

from hooklore.broker import Broker
from hooklore.cli import output
from hooklore.cli.listing import text_of, with_privacy
from hooklore.cli.memory.asker import Json, Scope, asker, person_here
from hooklore.cli.memory.deciding import (
    Approve,
    Token,
    Yes,
    print_token,
    record_decision,
    require_approval,
    require_decider,
)
from hooklore.cli.store import here, opened
from hooklore.errors import LogError
from hooklore.maintenance import cleanup as cleaning
from hooklore.maintenance import janitor as inspection
from hooklore.maintenance.cleanup import CleanupCandidate, find_cleanup_candidates
from hooklore.maintenance.consolidation import ConsolidationResult
from hooklore.maintenance.consolidation import consolidate as merge_and_pin
from hooklore.maintenance.janitor import JanitorReport, load_janitor_report
from hooklore.maintenance.scrub import Scrub, apply_scrub
from hooklore.memories.archive_files import syncing_archive_files
from hooklore.memories.scope import named_places
from hooklore.text.parse_time import parse_time
from hooklore.text.plural import format_count, select_form

_ACT = "clean up"
_LISTED = 10
_GLOB = re.compile(r"\*|global|project|(project|agent):[a-z0-9._*?-]+")

Pattern = Annotated[
    str,
    typer.Option(
        "--scope",
        metavar="SCOPE",
        help="`global`, `project` (this folder's), `project:*`, `agent:*`, `agent:<agent_id>` and so on",
    ),
]


def cleanup(
    *,
    older_than: Annotated[
        str | None,
        typer.Option(
            "--older-than",
            metavar="TIME",
            help="neither said nor read since: `30d`, `12h`, `2w`; "
            "without it `unused_days` of `[curated]`, 90",
        ),
    ] = None,
    scope: Pattern = "*",
    yes: Yes = False,
    approve: Approve = None,
    token: Token = False,
    as_json: Json = False,
) -> None:
    """List memories that have expired or that nobody uses; `--yes` archives them.

    Nothing happens without a person: `--yes` works at a terminal, `--approve` takes a token. Pins,
    what has a life of its own (`--ttl-days`, 0 is for ever) and what matters much is left out. What
    was archived comes back with `hooklore restore`.
    """
    with opened() as broker:
        found = _candidates(broker, older_than, scope)
        ids = [each.record.id for each in found]
        if token and found:
            print_token(broker, _ACT, ids, as_json=as_json)
            return
        if not yes and approve is None:
            _print(found, as_json=as_json)
            return
        if found:
            require_approval(
                broker, _ACT, ids, question="Archive them?", refused="nothing was archived", yes=yes, token=approve,
                preview=lambda: _print(found, as_json=False, on_stderr=True),
            )  # fmt: skip
            with syncing_archive_files(broker):
                cleaning.clean_up(broker, found, person_here(broker))
    archived, named = format_count(len(ids), "memory"), select_form(len(ids), "it", "them")
    told = f"archived {archived}: `hooklore archive` lists {named}"
    output.answer({"archived": ids}, told, as_json=as_json)


def _candidates(broker: Broker, older_than: str | None, scope: str) -> list[CleanupCandidate]:
    if not _GLOB.fullmatch(scope):
        raise typer.BadParameter(
            "must be `global`, `project`, `project:<slug>` or `agent:<agent_id>`; `*` stands for any",
            param_hint="--scope",
        )
    who = asker(broker, None)
    before = parse_time(older_than) if older_than else None
    if scope != "project":
        return find_cleanup_candidates(broker, who, before=before, scope=scope)
    places = named_places(broker, who, scope) or []
    found = find_cleanup_candidates(broker, who, before=before, scope="project:*")
    return [each for each in found if f"project:{each.record.project}" in places]


def _print(found: list[CleanupCandidate], *, as_json: bool, on_stderr: bool = False) -> None:
    for each in found:
        if as_json:
            output.json({
                "reason": each.reason, "since": each.since, "event": with_privacy(each.record),
            })  # fmt: skip
            continue
        key = f"{each.record.dedupe_key} " if each.record.dedupe_key else ""
        text = f"({each.reason} since {each.since[:10]}) {key}{text_of(each.record)}"
        (output.say if on_stderr else output.data)(output.row(each.record, text))
    if not on_stderr and not found:
        output.say("nothing is to be cleaned up")
    elif not on_stderr:
        output.say(f"{len(found)} would be archived, nothing was: `--yes` at a terminal does it")


def consolidate(scope: Scope = None, as_json: Json = False) -> None:
    """Make one of what is said twice, record contradictions, and pin what proved useful.

    Useful is what bore on something in three sessions. A second run finds nothing to do.
    """
    with opened() as broker:
        confirmed, who = require_decider(broker, "consolidate memory"), person_here(broker)
        changes = merge_and_pin(broker, who, named_places(broker, who, scope))
        if changes.merged or changes.pinned:
            names = [record.id for record in changes.pinned]
            record_decision(broker, "consolidate memory", confirmed, names)
    if as_json:
        output.json({
            "conflicts": changes.conflicts,
            "merged": [{"id": lost.id, "into": kept.id} for lost, kept in changes.merged],
            "pinned": [record.id for record in changes.pinned],
        })  # fmt: skip
    else:
        _print_changes(changes)


def _print_changes(changes: ConsolidationResult) -> None:
    for lost, kept in changes.merged:
        output.data(f"merged {lost.id} into {kept.id}")
    for record in changes.pinned:
        output.data(f"pinned {record.id} {output.one_line(text_of(record))}")
    if changes.conflicts:
        recorded = format_count(changes.conflicts, "conflict")
        named = select_form(changes.conflicts, "it", "them")
        output.data(f"recorded {recorded}: `hooklore conflicts` lists {named}")
    if not (changes.merged or changes.pinned or changes.conflicts):
        output.say("nothing to consolidate")


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
        _print_report(found)


def _remove_certain(broker: Broker) -> None:
    """Remove private keys and vendors' tokens. While the resident indexes, its own look does that."""
    with suppress(LogError):
        apply_scrub(Scrub(broker, is_certain_only=True), broker.place)


def _print_report(found: JanitorReport) -> None:
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
