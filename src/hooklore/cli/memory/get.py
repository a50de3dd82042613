"""`hooklore get`: one entry by its key, or by a link to it."""

from typing import TYPE_CHECKING, Annotated, Any

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
        at = _followed(broker, key, who)
        found = get_entry(broker, at, who, places_of(broker, who, scope), versions=versions)
        _report_broken_links(broker, str(found.record.body.content_md), who)
        record_use(broker, [found.record.id], who, "get")
    lines = str(found.record.body.content_md).split("\n")
    shown = lines[offset : None if limit is None else offset + limit]
    if as_json:
        output.json(_fields(found, shown, versions=versions))
        return
    if markdown:
        output.exact(_file(found, shown))
        return
    for line in shown:
        output.data(output.plain(line))
    for older in found.versions:
        text = output.one_line(str(older.body.content_md))
        output.data(f"replaced: {older.id} {output.local(older.ts)} {text}")


def _followed(broker: "Broker", key: str, who: "Principal") -> str:
    """The key, or the id of what a link leads to. Raises HookloreError, which names keys like it."""
    from hooklore.retrieval import links
    from hooklore.retrieval.wikilinks import parse_sole_link

    name = parse_sole_link(key)
    if name is None:
        return key
    record = links.resolve_link(broker, name, who)
    if record is not None:
        return str(record.id)
    near = links.suggest_keys(broker, name, who)
    raise HookloreError(
        f"could not follow `[[{name}]]`: no memory here has this key{_like(near)}",
        fix=f"run `hooklore get {near[0]}`" if near else f"run `hooklore find {name}`",
    )


def _report_broken_links(broker: "Broker", text: str, who: "Principal") -> None:
    from hooklore.retrieval.links import find_broken_links

    for name, near in find_broken_links(broker, text, who):
        output.say(f"warning: `[[{output.one_line(name)}]]` leads nowhere{_like(near)}")


def _like(keys: list[str]) -> str:
    return f"; near: {', '.join(f'`{key}`' for key in keys)}" if keys else ""


def _file(found: "MemoryEntry", lines: list[str]) -> str:
    from hooklore.memories.markdown_entry import render_markdown_entry

    record = found.record
    return render_markdown_entry(
        str(record.dedupe_key or record.id),
        [str(tag) for tag in record.body.tags],
        found.created_at,
        found.updated_at,
        "\n".join(lines),
    )


def _fields(found: "MemoryEntry", lines: list[str], *, versions: bool) -> dict[str, Any]:
    record = found.record
    fields = {
        "key": record.dedupe_key,
        "content": "\n".join(lines),
        "tags": record.body.tags,
        "created_at": found.created_at,
        "updated_at": found.updated_at,
        "event": with_privacy(record),
    }
    return fields | ({"versions": [with_privacy(r) for r in found.versions]} if versions else {})
