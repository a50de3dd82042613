"""Mask secrets in every file of the store: `hooklore scrub`."""

import getpass
import sys
from dataclasses import asdict
from typing import Annotated

import typer

from hooklore.api.queued_texts import queued_files, sending_nothing
from hooklore.broker import Broker
from hooklore.broker.store_stats import count_by_day
from hooklore.cli import output
from hooklore.cli.memory.deciding import decider
from hooklore.cli.progress import progress
from hooklore.cli.speaking import ask, speaker
from hooklore.cli.store import here, home, opened, without_resident
from hooklore.errors import HookloreError
from hooklore.maintenance.scrub import Scrub, ScrubReport, apply_scrub
from hooklore.memories import archive_files
from hooklore.records.draft import PERSON
from hooklore.resident import call
from hooklore.text.plural import format_count

_ATTEMPTS = 4
_PREVIEWED = 10


def scrub(
    literal: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TEXT",
            help="mask this text too, exactly as it is written; `-` reads it from stdin, one a line, "
            "so that it is not in the shell's history",
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="only say what would be changed")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="do not ask")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="as JSON")] = False,
) -> None:
    """Scan everything kept with today's rules, and mask what they find in every file of the store.

    Records stay, with their ids; the value goes, from log, index, spool, quarantine, archive, the
    resident's memory and the writes that wait here for a gateway. `audit.jsonl` says which record,
    which rule, who and when. A literal is found in either Unicode form, and as JSON or a URL
    escapes it; upper and lower case are different texts. Name it in a terminal of your own: what
    is said to an agent after the scrub is recorded anew.
    """
    literals = _literals(literal or [])
    with opened() as broker:
        work = Scrub(broker, literals, queued=queued_files(home()))
        events = sum(day.events for day in count_by_day(broker.as_reader(PERSON)))
        with progress("scanning", events) as advance:
            found = work.look(advance)
        if dry_run or not _is_confirmed(broker, found, yes=yes):
            _print(found, as_json=as_json)
            raise typer.Exit(0 if dry_run else 1)
        with sending_nothing(home()):
            done = without_resident(lambda: apply_scrub(work, broker.place), _ATTEMPTS)
        call.stop_resident(here())  # one that a hook has started meanwhile knows what was masked
        archive_files.sync_archive_files(broker)  # an archived memory's file is named for its key
    _print(done, as_json=as_json)


def _literals(given: list[str]) -> list[str]:
    """Return the literals to mask. `-` stands for the lines of stdin, or one typed unseen at a terminal."""
    texts = [text for text in given if text != "-"]
    if "-" not in given:
        return texts
    if sys.stdin.isatty():
        return [*texts, getpass.getpass("literal (not shown): ", sys.stderr)]
    typed = [line for line in sys.stdin.read().splitlines() if line]
    if not typed:
        raise HookloreError(
            "could not scrub: there is no literal on stdin",
            fix="give one a line, or `--literal TEXT`",
        )
    return [*texts, *typed]


def _is_confirmed(broker: Broker, found: ScrubReport, *, yes: bool) -> bool:
    """Return whether to go on: nothing is to change, or the person confirms the changes listed."""
    if found.is_clean:
        return True
    if speaker().kind == "person" and not yes:
        output.say(f"{_counted(found)}: {_rules(found)}")
        more = [f"… and {found.records - _PREVIEWED} more"] if found.records > _PREVIEWED else []
        for line in (*found.ids[:_PREVIEWED], *more, *map(output.one_line, found.places)):
            output.say(f"  {line}")
        if not ask("Mask it?", f"scrub {_counted(found)}"):
            output.say("nothing was changed")
            return False
    decider(broker, "scrub it", names=found.ids)
    return True


def _print(found: ScrubReport, *, as_json: bool) -> None:
    if as_json:
        output.json(asdict(found))
    elif found.is_clean:
        output.data(f"nothing to mask in {format_count(found.looked_at, 'line')} of the log")
    else:
        verb = "masked in" if found.written else "would be masked in"
        output.data(f"{_rules(found)}: {verb} {_counted(found)}")
    for path in found.left:
        output.say(f"`{output.one_line(path)}` holds a literal too: it is yours to edit")


def _rules(found: ScrubReport) -> str:
    return ", ".join(f"{count} {rule}" for rule, count in found.rules.items())


def _counted(found: ScrubReport) -> str:
    parts = [
        f"{format_count(found.records, 'record')} in {format_count(found.segments, 'segment')}"
    ]
    if found.damaged:
        parts.append(format_count(found.damaged, "damaged line"))
    if found.places:
        parts.append(f"{format_count(len(found.places), 'file')} beside the log")
    return ", ".join(parts)
