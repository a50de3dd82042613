"""List, search and show records: `hooklore list`, `search`, `show` and `last`."""

from dataclasses import asdict
from datetime import datetime
from typing import Annotated

import orjson
import typer

from hooklore.broker import fetch
from hooklore.broker.leading import lead
from hooklore.broker.principal_reader import Reader
from hooklore.cli import output
from hooklore.cli.indexing import index_missing
from hooklore.cli.memory.asker import asker
from hooklore.cli.store import opened
from hooklore.errors import HookloreError
from hooklore.memories.agent_registry import registered_agents
from hooklore.memories.session_memories import list_kept
from hooklore.prompt.frame import describe_basis, describe_contradiction
from hooklore.records.record import Record, parse_flag
from hooklore.records.standing import rung_of
from hooklore.retrieval import browse
from hooklore.retrieval.access_report import AccessReport, list_shown, newest_shown_session
from hooklore.retrieval.browse import RecordFilter, list_newest, newest_session
from hooklore.retrieval.notes import quotable_text
from hooklore.text.plural import format_count

Limit = Annotated[int, typer.Option("--limit", "-n", min=1, help="at most so many")]
Kinds = Annotated[
    list[str] | None,
    typer.Option("--kind", help="of this kind (again for another)", metavar="KIND"),
]
Stream = Annotated[
    str | None, typer.Option(help="observation, memory, synthesis or control", metavar="STREAM")
]
Session = Annotated[
    str | None, typer.Option(help="of this session (the beginning of its id)", metavar="ID")
]
Run = Annotated[
    str | None, typer.Option("--run", help="of this run (the beginning of its id)", metavar="ID")
]
Project = Annotated[
    str | None, typer.Option(help="of this project (its name or id)", metavar="NAME")
]
Since = Annotated[
    str | None, typer.Option(help="since then: `7d`, `12h`, `2026-01-31`", metavar="TIME")
]
Json = Annotated[bool, typer.Option("--json", help="one JSON object a line, whole records")]


def list_(
    *,
    limit: Limit = 20,
    kind: Kinds = None,
    stream: Stream = None,
    session: Session = None,
    run: Run = None,
    project: Project = None,
    since: Since = None,
    as_json: Json = False,
) -> None:
    """List records: memories, then what happened, each the newest first, by id, time, kind, scope, text.

    What was forgotten is left out, and control records unless they are asked for.
    """
    with opened() as broker:
        reader = broker.as_reader(asker(broker, None))
        wanted = RecordFilter(kind or (), stream, session, project, since, run).checked(reader)
        writers = registered_agents(broker.settings)
        found = browse.list_for_reading(reader, wanted, limit, writers)
        for record in lead(reader, found):
            print_record(record, as_json=as_json)
    if not found:
        output.say("nothing is recorded that fits")


def search(
    query: Annotated[str, typer.Argument(help="words; an exact id goes to `hooklore show`")],
    *,
    limit: Limit = 10,
    kind: Kinds = None,
    stream: Stream = None,
    session: Session = None,
    project: Project = None,
    since: Since = None,
    as_json: Json = False,
) -> None:
    """Search by words: memories, then what happened, each the best match first."""
    with opened() as broker:
        reader = broker.as_reader(asker(broker, None))
        wanted = RecordFilter(kind or (), stream, session, project, since).checked(reader)
        with index_missing(broker):
            writers = registered_agents(broker.settings)
            hits = browse.search_records(reader, query, wanted, limit, writers)
            scored = (record.with_fields(score=round(score, 3)) for score, record in hits)
            for record in lead(reader, scored):
                print_record(record, as_json=as_json)
        if broker.index_problem:
            output.say(f"warning: {broker.index_problem}; only the newest records were searched")
            output.say("hint: run `hooklore rebuild`")
    if not hits:
        output.say("nothing found")


def print_record(record: Record, text: str | None = None, *, as_json: bool) -> None:
    """Print one record on stdout, as JSON or as a row with `text`, by default the record's own."""
    told = as_said(record) if text is None else text
    output.answer(with_privacy(record), output.row(record, told), as_json=as_json)


def say_rows(records: list[Record], most: int | None = None) -> None:
    """Print records on stderr, one a line, at most so many."""
    for record in records[:most]:
        output.say(output.row(record, text_of(record)))
    if most is not None and len(records) > most:
        output.say(f"… and {len(records) - most} more")


def as_said(record: Record) -> str:
    """Return the text of a record behind the name of the agent whose word it is, and what contradicts it."""
    is_agents_word = record.stream == "memory" and rung_of(record) == "agent"
    origin = describe_basis(record) if is_agents_word else ""
    known = ", ".join(filter(None, (origin, describe_contradiction(record))))
    return f"({known}) {text_of(record)}" if known else text_of(record)


def with_privacy(record: Record) -> Record:
    """Return a copy with `private`, also of a record from before that field (seed 001 FR-4)."""
    return record.with_fields(private=parse_flag(record.is_private))


def text_of(record: Record) -> str:
    """Return the text of a record for one line: its words, its command and failure, or its file."""
    body = record.body
    if record.stream == "control":
        targets = body.targets
        return f"record {targets[0]}" if len(targets) == 1 else format_count(len(targets), "record")
    parts = [quotable_text(record)]
    if record.kind == "error" and (printed := (*body.errors, body.signature)[0]):
        parts = [str(body.command or body.tool or ""), str(printed)]
    elif body.tool and body.paths:
        parts.insert(0, f"{body.tool} {body.paths[0]}")
    elif body.tool and body.command:
        parts = [f"{body.tool}: {body.command}"]
    return " · ".join(part for part in parts if part)


def show(
    prefix: Annotated[str, typer.Argument(metavar="ID", help="an id, or its beginning")],
    as_json: Annotated[bool, typer.Option("--json", help="the record as JSON")] = False,
) -> None:
    """Show one record in full."""
    with opened() as broker:
        reader = broker.as_reader(asker(broker, None))
        record = fetch.get_record(reader, prefix)
        enders = fetch.find_enders(reader, record)
    if as_json:
        output.json(with_privacy(record), indent=True)
        return
    for name, value in record.to_json().items():
        if name != "body":
            output.data(f"{name}: {_value(value, '')}")
    output.data(f"origin: {output.one_line(describe_basis(record))}")
    for ender in enders:
        if ender.stream == "memory":
            output.data(f"superseded_by: {ender.id}")
        output.data(f"ended: by {ender.kind} {ender.id} of {output.local(ender.ts)}")
    output.data("")
    for name, value in record.body.to_json().items():
        output.data(f"{output.one_line(name)}: {_value(value, '    ')}")


def _value(value: object, margin: str) -> str:
    """Return a string as it is, its lines indented by `margin` where there are several; any other value as JSON."""
    if not isinstance(value, str):
        return output.plain(orjson.dumps(value).decode())
    lines = output.plain(value).split("\n")
    return lines[0] if len(lines) == 1 else "".join(f"\n{margin}{line}" for line in lines)


def last(
    session: Annotated[
        str | None,
        typer.Option(help="this session instead of the newest (its id, or its beginning)"),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object a line")] = False,
) -> None:
    """Show what the model was shown in the newest session, in order, word for word but for the index of titles."""
    with opened() as broker:
        reader = broker.as_reader(asker(broker, None))
        chosen = _session(reader, session)
        reports = list_shown(reader, chosen) if chosen else []
        kept = _kept(reader, chosen) if chosen and not as_json else []
        if chosen is None:
            output.say("no session is recorded yet")
        elif not reports:
            output.say(f"session {chosen} was shown nothing")
            earlier = newest_shown_session(reader)
            if earlier not in (None, chosen):
                output.say(
                    f"hint: run `hooklore last --session {earlier}` for the last one that was"
                )
    for report in reports:
        _print_access_report(report, as_json=as_json)
    for line in kept:
        output.data(line)


def _kept(reader: Reader, session: str) -> list[str]:
    """Return a line for each memory that a session kept, the waiting ones last."""
    standing, waiting = list_kept(reader, session)
    own = (f"kept by {r.agent_id} itself" if rung_of(r) == "agent" else "kept" for r in standing)
    kept = (*zip(own, standing, strict=True), *(("waits for you", record) for record in waiting))
    return [f"{how}: {output.row(record, text_of(record))}" for how, record in kept]


def _session(reader: Reader, prefix: str | None) -> str | None:
    """Return the id that begins with `prefix`, else the newest session's, if any. Raise HookloreError."""
    if prefix is None:
        return newest_session(reader)
    for record in list_newest(reader, RecordFilter(session=prefix)):
        return str(record.session_id)
    raise HookloreError(
        f"could not find session `{prefix}`: nothing is recorded of it",
        fix="run `hooklore list --kind session_start --json` for the ids",
    )


_TRIGGERS = {
    "session_start": "at its start",
    "prompt": "at a prompt",
    "before_tool": "before a tool",
    "failure": "at a failure",
    "agent_start": "at the start of a subagent",
}


def _print_access_report(report: AccessReport, *, as_json: bool) -> None:
    if as_json:
        output.json(asdict(report))
        return
    subagent = f" (subagent {report.subagent_id})" if report.subagent_id else ""
    ts = datetime.fromisoformat(report.ts).astimezone().strftime("%Y-%m-%d %H:%M:%S")
    trigger = _TRIGGERS.get(report.trigger, report.trigger)
    trigger += ", late, with a prompt" * report.is_late
    counts = f"{format_count(len(report.ids), 'note')}, {format_count(report.tokens, 'token')}"
    said = counts if report.delivered else "the brief did not arrive in time"
    output.data(f"{ts} session {report.session_id}{subagent}, {trigger}: {said}")
    print_shown_text(report)
    output.data("")


def print_shown_text(report: AccessReport) -> None:
    """Print the text that a model was shown, then the ids of notes that are ended or missing by now."""
    if report.text:
        output.data(output.plain(report.text))
    for id_ in report.ended:
        output.data(f"(forgotten or replaced since: {id_})")
    for id_ in report.missing:
        output.data(f"(no longer in the log: {id_})")
