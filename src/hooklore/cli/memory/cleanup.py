"""Archive unused memories and merge repeated ones: `hooklore cleanup` and `consolidate`."""

import re
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
from hooklore.cli.store import opened
from hooklore.maintenance import cleanup as cleaning
from hooklore.maintenance.cleanup import CleanupCandidate, find_cleanup_candidates
from hooklore.maintenance.consolidation import ConsolidationResult
from hooklore.maintenance.consolidation import consolidate as merge_and_pin
from hooklore.memories.archive_files import syncing_archive_files
from hooklore.memories.scope import named_places
from hooklore.text.parse_time import parse_time
from hooklore.text.plural import format_count, select_form

_ACT = "clean up"
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
                broker, _ACT, ids, question="", refused="", yes=yes, token=approve,
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
