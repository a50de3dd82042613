"""Print memories by their keys, ids, titles or topics: `hooklore get`."""

from dataclasses import replace
from typing import Annotated, NamedTuple

import typer

from hooklore.broker import Broker
from hooklore.broker.leading import lead
from hooklore.cli import output
from hooklore.cli.listing import with_privacy
from hooklore.cli.memory.asker import Agent, Json, asker
from hooklore.cli.speaking import speaker
from hooklore.cli.store import opened
from hooklore.cli.verb_command import print_opened, with_arguments
from hooklore.errors import HookloreError
from hooklore.memories.archive_files import render_markdown_entry
from hooklore.memories.entries import MemoryEntry, get_entry
from hooklore.memories.named_memory import NamedMemories, parse_topic
from hooklore.memories.scope import named_places
from hooklore.memories.usage import record_use
from hooklore.prompt.frame import describe_contradiction
from hooklore.prompt.title import title_of
from hooklore.records.draft import Principal
from hooklore.records.ids import is_record_id, short_id
from hooklore.requests.verbs.get import VERB
from hooklore.retrieval import links
from hooklore.text.unicode_cleaning import strip_invisible


@with_arguments(VERB)
def get(
    names: list[str],
    *,
    scope: str | None,
    agent: Agent = None,
    versions: bool,
    offset: Annotated[int, typer.Option(min=0, metavar="N", help="leave out so many lines")] = 0,
    limit: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="at most so many lines")
    ] = None,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="as a file: key, tags and dates before the text")
    ] = False,
    as_json: Json = False,
) -> None:
    """Print memories by their names: of this project, else an agent's own, else everybody's.

    An agent gets them as quoted notes. Options print the text itself.
    """
    form = _Form(versions, offset, limit, markdown, as_json)
    if form == _Form() and scope is None and agent is None and speaker().kind == "agent":
        print_opened("get", names)
        return
    with opened() as broker:
        who = asker(broker, agent)
        places = named_places(broker, who, scope)
        memories = NamedMemories(broker, broker.as_reader(who))
        for name in names:
            topic = parse_topic(name)
            if topic is None:
                found = _find(broker, who, memories, name, places, versions=versions)
                _print_named(broker, who, found, form)
                continue
            for record in memories.list_topic(topic):
                output.data(f"{short_id(record.id)}  {output.one_line(title_of(record))}")


class _Form(NamedTuple):
    """The printed form of a memory: with its earlier versions, a part of its lines, as Markdown or JSON."""

    versions: bool = False
    offset: int = 0
    limit: int | None = None
    markdown: bool = False
    as_json: bool = False


def _find(
    broker: Broker,
    who: Principal,
    memories: NamedMemories,
    name: str,
    places: list[str] | None,
    *,
    versions: bool,
) -> list[MemoryEntry]:
    """Return the memories with a key or an id, else with a title. A scope has keys alone. Raise HookloreError."""
    reader = broker.as_reader(who)
    key = _resolve_link(broker, strip_invisible(name), who)
    if places is not None or is_record_id(key):
        named = [get_entry(reader, key, places).record]
    else:
        named = memories.find(key)
    return [
        replace(get_entry(reader, record.id, versions=versions), record=record)
        for record in lead(reader, named)
    ]


def _print_named(broker: Broker, who: Principal, found: list[MemoryEntry], form: _Form) -> None:
    for entry in found:
        text = str(entry.record.body.content_md)
        for link, similar in links.find_broken_links(broker, text, who):
            near = _similar_keys(similar)
            output.say(f"warning: `[[{output.one_line(link)}]]` leads nowhere{near}")
    record_use(broker, [entry.record.id for entry in found], who, "get")
    for entry in found:
        if len(found) > 1:
            mark = describe_contradiction(entry.record)
            output.say(f"{entry.record.id}{mark and f' ({mark})'}:")
        _print_entry(entry, form)


def _print_entry(found: MemoryEntry, form: _Form) -> None:
    record = found.record
    lines = str(record.body.content_md).split("\n")
    lines = lines[form.offset : None if form.limit is None else form.offset + form.limit]
    if form.as_json:
        older = [with_privacy(each) for each in found.versions]
        output.json({
            "key": record.dedupe_key,
            "content": "\n".join(lines),
            "tags": record.body.tags,
            "created_at": found.created_at,
            "updated_at": found.updated_at,
            "event": with_privacy(record),
            **({"versions": older} if form.versions else {}),
        })  # fmt: skip
    elif form.markdown:
        output.exact(render_markdown_entry(record, "\n".join(lines)))
    else:
        for line in lines:
            output.data(output.plain(line))
        for each in found.versions:
            text = output.one_line(str(each.body.content_md))
            output.data(f"replaced: {each.id} {output.local(each.ts)} {text}")


def _resolve_link(broker: Broker, key: str, who: Principal) -> str:
    """Return `key`, or the id of the memory to which a link leads. Raise HookloreError with similar keys."""
    name = links.parse_sole_link(key)
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


def _similar_keys(keys: list[str]) -> str:
    return f"; near: {', '.join(f'`{key}`' for key in keys)}" if keys else ""
