"""Say what memory has, and where an entry is: `hooklore stats`, `tags`, `agents` and `find`."""

from typing import Annotated

import typer

from hooklore.broker import store_stats
from hooklore.cli import output
from hooklore.cli.listing import print_record, with_privacy
from hooklore.cli.memory.asker import Agent, Json, asker
from hooklore.cli.store import opened
from hooklore.memories import entries
from hooklore.memories.agent_registry import agents_of
from hooklore.memories.entries import locate_key
from hooklore.records.memory_kind import list_layers


def stats(as_json: Json = False) -> None:
    """Show the layers of memory: what happened, what is so, how it is done. An agent gets no counts."""
    with opened() as broker:
        counts = store_stats.count_by_kind(broker.as_reader(asker(broker, None)))
    if as_json:
        for kind, layer in list_layers().items():
            fields: dict[str, object] = {"layer": layer, "kind": kind}
            output.json(fields | ({"records": counts.get(kind, 0)} if counts else {}))
        return
    rows = [
        (layer, kind, str(counts.get(kind, 0)) if counts else "")
        for kind, layer in list_layers().items()
    ]
    output.table([("layer", "kind", "records"), *rows])


def tags(
    tag: Annotated[
        str | None, typer.Argument(metavar="[TAG]", help="list the memories with this tag")
    ] = None,
    *,
    agent: Agent = None,
    as_json: Json = False,
) -> None:
    """List the tags of memories with how many have each, or the memories of one tag."""
    with opened() as broker:
        who = asker(broker, agent)
        if tag is not None:
            for record in entries.list_tagged(broker.as_reader(who), tag):
                print_record(record, as_json=as_json)
            return
        counted = entries.count_tags(broker, who)
    if as_json:
        output.json(dict(counted))
    else:
        output.table((name, str(count)) for name, count in counted)


def agents(as_json: Json = False) -> None:
    """List the registered agents: their ids, roles and permissions, and their other names."""
    with opened() as broker:
        found, file = agents_of(broker.settings).agents.values(), str(broker.place.config)
    if as_json:
        for each in found:
            output.json({
                "agent_id": each.id, "role": each.role, "permission": each.permission,
                "aliases": list(each.aliases),
            })  # fmt: skip
        return
    rows = [(each.id, each.role, each.permission, ", ".join(each.aliases)) for each in found]
    output.table([("agent", "role", "permission", "also called"), *rows])
    output.say(f"hint: a table `[agents.<id>]` in `{file}` adds one, or changes one")


_REASONS = {
    "current": "here",
    "elsewhere": "in another scope",
    "waits": "not approved yet",
    "expired": "its time is over",
    "archived": "archived",
    "forgotten": "forgotten",
    "replaced": "replaced",
    "similar": "a key much like it",
}


def find(
    key: Annotated[str, typer.Argument(metavar="KEY", help="a key, or what you remember of it")],
    *,
    agent: Agent = None,
    as_json: Json = False,
) -> None:
    """Say where an entry is: another project, a near spelling, archived, replaced; with the command."""
    with opened() as broker:
        locations = locate_key(broker, key, asker(broker, agent))
    for location in locations:
        record, reason = location.record, location.reason
        if as_json:
            output.json(
                {"reason": reason, "command": location.command, "event": with_privacy(record)}
            )
        else:
            where = f"{record.dedupe_key} in {record.scope}: {_REASONS.get(reason, reason)}"
            output.data(f"{output.one_line(where)}: `{output.one_line(location.command)}`")
    if not locations:
        output.say(f"no key is like `{output.one_line(key)}`")
        output.say("hint: run `hooklore list --stream memory` for what there is")
        raise typer.Exit(1)
