"""End records for good, with a person's approval: `hooklore forget` and `delete`."""

from collections import Counter
from collections.abc import Iterable
from typing import Annotated

import typer

from hooklore.api.queued_texts import forget_queued
from hooklore.broker import Broker, fetch
from hooklore.cli import output
from hooklore.cli.listing import say_rows
from hooklore.cli.memory.archive import OfAgent, Since, Through, take_back
from hooklore.cli.memory.asker import Agent, Json, Scope, asker, person_here
from hooklore.cli.memory.deciding import (
    Approve,
    Token,
    Yes,
    print_token,
    refuse_outsiders,
    require_approval,
)
from hooklore.cli.store import home, opened, require_acknowledged
from hooklore.errors import HookloreError, NotFound
from hooklore.memories import deletion
from hooklore.memories.archive import is_archived, list_archived
from hooklore.memories.archive_files import syncing_archive_files
from hooklore.memories.scope import named_places
from hooklore.records.draft import PERSON, Draft
from hooklore.records.record import Body, Record
from hooklore.records.schema import SCHEMA_VERSION
from hooklore.redaction.id_redaction import redact_id
from hooklore.retrieval import browse
from hooklore.text.plural import format_count

TARGETS = 1_000
"""The most ids that one tombstone holds."""

_PREVIEWED = 10
_ACT = "forget them"


def forget(
    ids: Annotated[
        list[str] | None, typer.Argument(metavar="[ID]...", help="ids, or their beginnings")
    ] = None,
    session: Annotated[
        str | None, typer.Option(metavar="ID", help="everything of this session (its id in full)")
    ] = None,
    project: Annotated[
        str | None, typer.Option(metavar="NAME", help="everything of this project (name or id)")
    ] = None,
    agent: OfAgent = None,
    since: Since = None,
    *,
    through: Through = False,
    yes: Yes = False,
    approve: Approve = None,
    token: Token = False,
    as_json: Json = False,
) -> None:
    """Forget records: they are never recalled, listed or counted as known again.

    What was made from them (fixes, how a session ended) goes too, and so does what is in the
    archive, or waits on this machine for a gateway with the same words. The lines stay in the log
    as history; a tombstone ends them. At a terminal it asks; elsewhere it needs a token that a
    person got with `--token`.

    With `--agent` all that an agent kept is set aside instead, and `hooklore restore` with the same words
    brings it back.
    """
    if agent is not None:
        if ids or project or approve or token:
            raise typer.BadParameter(
                "takes `--since`, `--session` and `--through` alone", param_hint="--agent"
            )
        take_back(agent, since, session, through=through, yes=yes, as_json=as_json)
        return
    if since is not None or through:
        raise typer.BadParameter("goes with `--agent`", param_hint="--since, --through")
    if sum((bool(ids), bool(session), bool(project))) != 1:
        raise typer.BadParameter("give either ids, `--session` or `--project`")
    refuse_outsiders(_ACT, approve)
    with opened() as broker:
        reader = broker.as_reader(PERSON)
        chosen = _chosen(broker, ids or [], session and redact_id(session), project)
        derived = fetch.find_derived(reader, chosen)
        targets = [record.id for record in (*chosen, *derived)]
        if token:
            print_token(broker, _ACT, targets, as_json=as_json)
            return
        require_approval(
            broker, _ACT, targets, question="Forget them?", refused="nothing was forgotten",
            preview=lambda: _preview(chosen, derived), yes=yes, token=approve,
        )  # fmt: skip
        with syncing_archive_files(broker):
            require_acknowledged(broker.append(_tombstones(targets)), broker.place)
        forget_queued(home(), _texts((*chosen, *derived)))
    told = f"forgot {format_count(len(targets), 'record')}"
    output.answer({"forgotten": targets}, told, as_json=as_json)


def _chosen(
    broker: Broker, ids: list[str], session: str | None, project: str | None
) -> list[Record]:
    """Return the records to forget, newest first. Raise HookloreError when there are none."""
    reader = broker.as_reader(PERSON)
    if ids:
        named = [fetch.get_record(reader, prefix) for prefix in dict.fromkeys(ids)]
        for record in named:
            _require_forgettable(broker, record)
        return named
    id_ = fetch.require_project(reader, project).id if project else None
    newest = browse.list_newest(reader, browse.RecordFilter(session=session, project=id_))
    found = [record for record in newest if session is None or record.session_id == session]
    # Also what `hooklore restore` would bring back.
    archived = [each.record for each in list_archived(broker)]
    found += [r for r in archived if (r.session_id == session if session else r.project == id_)]
    if not found:
        raise NotFound(session or project or "")
    return found


def _require_forgettable(broker: Broker, record: Record) -> None:
    """Raise HookloreError for a control record, and NotFound for a record that has ended already."""
    if record.stream == "control":
        raise HookloreError(
            f"could not forget `{record.id}`: a {record.kind} says what happened to others",
            fix="name the records themselves: `hooklore list` has their ids",
        )
    reader = broker.as_reader(PERSON)
    if fetch.find_enders(reader, record) and not is_archived(broker, record):
        raise NotFound(record.id)


def _texts(records: Iterable[Record]) -> list[str]:
    """Return the words of records, each in the form in which it was said."""
    return [str(each.body.content_md or each.body.text or "") for each in records]


def _preview(chosen: list[Record], derived: list[Record]) -> None:
    say_rows(chosen[:_PREVIEWED])
    if len(chosen) > _PREVIEWED:
        kinds = Counter(record.kind for record in chosen[_PREVIEWED:])
        rest = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
        output.say(f"… and {len(chosen) - _PREVIEWED} more: {rest}")
    if derived:
        output.say(f"and {len(derived)} made from them:")
    say_rows(derived[:_PREVIEWED])


def _tombstones(targets: list[str]) -> list[Draft]:
    return [
        Draft.of(
            v=SCHEMA_VERSION,
            stream="control",
            kind="tombstone",
            agent_id="person",
            scope="global",
            basis="user",
            source={"system": "cli", "detail": "forget"},
            body=Body.of(targets=targets[start : start + TARGETS]),
        )
        for start in range(0, len(targets), TARGETS)
    ]


def delete(
    name: Annotated[str, typer.Argument(metavar="KEY|ID", help="an entry, also of the archive")],
    *,
    scope: Scope = None,
    agent: Agent = None,
    yes: Yes = False,
    approve: Approve = None,
    token: Token = False,
    as_json: Json = False,
) -> None:
    """Delete a memory: no restoring, it does not go to the archive. Its line stays in the log as history.

    At a terminal it asks; elsewhere it needs a token that a person got with `--token`.
    """
    refuse_outsiders("delete it", approve)
    with opened() as broker:
        who = asker(broker, agent) if agent is not None else person_here(broker)
        plan = deletion.plan_deletion(broker, name, who, named_places(broker, who, scope))
        if token:
            print_token(broker, "delete it", plan.ids, as_json=as_json)
            return
        require_approval(
            broker, "delete it", plan.ids, question="Delete it?", refused="nothing was deleted",
            preview=lambda: say_rows([plan.record, *plan.derived]), yes=yes, token=approve,
        )  # fmt: skip
        with syncing_archive_files(broker):
            deletion.delete_memory(broker, plan, who)
        forget_queued(home(), _texts((plan.record, *plan.derived)))
    output.answer({"deleted": plan.ids}, f"deleted {plan.record.id}", as_json=as_json)
