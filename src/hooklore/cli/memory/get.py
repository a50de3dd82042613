"""Print one entry by its key, or by a link to the entry: `hooklore get`."""

from typing import TYPE_CHECKING, Annotated

import typer

from hooklore.cli import output
from hooklore.cli.listing import with_privacy
from hooklore.cli.memory.asker import Agent, Json, Scope, asker, places_of
from hooklore.cli.store import opened
from hooklore.errors import HookloreError

if TYPE_CHECKING:
    from hooklore.broker import Broker
    from hooklore.memories.entries import MemoryEntry
    from hooklore.records.draft import Principal


def get(
    key: Annotated[
        str, typer.Argument(metavar="KEY", help="a key, a link `[[key]]`, or an id in full")
    ],
    *,
    scope: Scope = None,
    agent: Agent = None,
    versions: Annotated[
        bool, typer.Option("--versions", help="with what it replaced, the newest first")
    ] = False,
    offset: Annotated[int, typer.Option(min=0, metavar="N", help="leave out so many lines")] = 0,
    limit: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="at most so many lines")
    ] = None,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="as a file: key, tags and dates before the text")
    ] = False,
    as_json: Json = False,
) -> None:
    """Print the current version of an entry: of this project, else an agent's own, else everybody's."""
    from hooklore.memories.entries import get_entry
    from hooklore.memories.usage import record_use

    with opened() as broker:
        who = asker(broker, agent)
        name = _resolve_link(broker, key, who)
        places = places_of(broker, who, scope)
        found = get_entry(broker.as_reader(who), name, places, versions=versions)
        _report_broken_links(broker, str(found.record.body.content_md), who)
        record_use(broker, [found.record.id], who, "get")
    lines = str(found.record.body.content_md).split("\n")
    lines = lines[offset : None if limit is None else offset + limit]
    if as_json:
        _print_json(found, lines, versions=versions)
        return
    if markdown:
        output.exact(_markdown(found, lines))
        return
    for line in lines:
        output.data(output.plain(line))
    for older in found.versions:
        text = output.one_line(str(older.body.content_md))
        output.data(f"replaced: {older.id} {output.local(older.ts)} {text}")


def _resolve_link(broker: "Broker", key: str, who: "Principal") -> str:
    """Return `key`, or the id of the memory to which a link leads.

    Raise HookloreError with similar keys for a link that leads nowhere.
    """
    from hooklore.retrieval import links
    from hooklore.retrieval.wikilinks import parse_sole_link

    name = parse_sole_link(key)
    if name is None:
        return key
    record = links.resolve_link(broker.as_reader(who), name)
    if record is not None:
        return str(record.id)
    similar = links.suggest_keys(broker, name, who)
    raise HookloreError(
        f"could not follow `[[{name}]]`: no memory here has this key{_similar_keys(similar)}",
        fix=f"run `hooklore get {similar[0]}`" if similar else f"run `hooklore find {name}`",
    )


def _report_broken_links(broker: "Broker", text: str, who: "Principal") -> None:
    from hooklore.retrieval.links import find_broken_links

    for name, similar in find_broken_links(broker, text, who):
        output.say(f"warning: `[[{output.one_line(name)}]]` leads nowhere{_similar_keys(similar)}")


def _similar_keys(keys: list[str]) -> str:
    return f"; near: {', '.join(f'`{key}`' for key in keys)}" if keys else ""


def _markdown(found: "MemoryEntry", lines: list[str]) -> str:
    from hooklore.memories.markdown_entry import render_markdown_entry

    record = found.record
    return render_markdown_entry(
        str(record.dedupe_key or record.id),
        [str(tag) for tag in record.body.tags],
        found.created_at,
        found.updated_at,
        "\n".join(lines),
    )


def _print_json(found: "MemoryEntry", lines: list[str], *, versions: bool) -> None:
    record = found.record
    fields: dict[str, object] = {
        "key": record.dedupe_key,
        "content": "\n".join(lines),
        "tags": record.body.tags,
        "created_at": found.created_at,
        "updated_at": found.updated_at,
        "event": with_privacy(record),
    }
    if versions:
        fields["versions"] = [with_privacy(older) for older in found.versions]
    output.json(fields)
