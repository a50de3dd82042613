"""Print memories by their keys, ids, titles or topics: `hooklore get`."""

from dataclasses import dataclass, replace
from typing import Annotated

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
from hooklore.memories.entries import MemoryEntry, get_entry
from hooklore.memories.markdown_entry import render_markdown_entry
from hooklore.memories.named_memory import NamedMemories, parse_topic
from hooklore.memories.scope import named_places
from hooklore.memories.usage import record_use
from hooklore.prompt.frame import describe_contradiction
from hooklore.prompt.title import title_of
from hooklore.records.draft import Principal
from hooklore.records.ids import is_record_id, short_id
from hooklore.requests.verbs.get import VERB
from hooklore.retrieval import links
from hooklore.retrieval.links import find_broken_links
from hooklore.retrieval.wikilinks import parse_sole_link
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
        asked = _Asked(broker, who, places, form)
        for name in names:
            asked.print_named(name)


@dataclass(frozen=True, slots=True)
class _Form:
    """The printed form of a memory: with its earlier versions, a part of its lines, as Markdown or JSON."""

    versions: bool = False
    offset: int = 0
    limit: int | None = None
    markdown: bool = False
    as_json: bool = False


class _Asked:
    """One command: who asks, in which places, and in which form the memories are printed."""

    def __init__(
        self, broker: Broker, who: Principal, places: list[str] | None, form: _Form
    ) -> None:
        self._broker, self._who, self._places, self._form = broker, who, places, form
        self._reader = broker.as_reader(who)
        self._memories = NamedMemories(broker, self._reader)

    def print_named(self, name: str) -> None:
        """Print the memories that a name leads to, or the titles of a topic. Raise HookloreError."""
        topic = parse_topic(name)
        if topic is not None:
            self._print_topic(topic)
            return
        found = self._find(name)
        for entry in found:
            _report_broken_links(self._broker, str(entry.record.body.content_md), self._who)
        record_use(self._broker, [entry.record.id for entry in found], self._who, "get")
        for entry in found:
            if len(found) > 1:
                mark = describe_contradiction(entry.record)
                output.say(f"{entry.record.id}{mark and f' ({mark})'}:")
            _print_entry(entry, self._form)

    def _find(self, name: str) -> list[MemoryEntry]:
        """Return the memories with a key or an id, else with a title. A scope has keys alone."""
        key = _resolve_link(self._broker, strip_invisible(name), self._who)
        if self._places is not None or is_record_id(key):
            named = [get_entry(self._reader, key, self._places).record]
        else:
            named = self._memories.find(key)
        versions = self._form.versions
        return [
            replace(get_entry(self._reader, record.id, versions=versions), record=record)
            for record in lead(self._reader, named)
        ]

    def _print_topic(self, topic: str) -> None:
        for record in self._memories.list_topic(topic):
            title = output.one_line(title_of(record))
            output.data(f"{short_id(record.id)}  {title}")


def _print_entry(found: MemoryEntry, form: _Form) -> None:
    lines = str(found.record.body.content_md).split("\n")
    lines = lines[form.offset : None if form.limit is None else form.offset + form.limit]
    if form.as_json:
        _print_json(found, lines, versions=form.versions)
        return
    if form.markdown:
        from hooklore.memories.archive_files import render_markdown_entry

        output.exact(render_markdown_entry(found.record, "\n".join(lines)))
        return
    for line in lines:
        output.data(output.plain(line))
    for older in found.versions:
        text = output.one_line(str(older.body.content_md))
        output.data(f"replaced: {older.id} {output.local(older.ts)} {text}")


def _resolve_link(broker: Broker, key: str, who: Principal) -> str:
    """Return `key`, or the id of the memory to which a link leads.

    Raise HookloreError with similar keys for a link that leads nowhere.
    """
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


def _report_broken_links(broker: Broker, text: str, who: Principal) -> None:
    for name, similar in find_broken_links(broker, text, who):
        output.say(f"warning: `[[{output.one_line(name)}]]` leads nowhere{_similar_keys(similar)}")


def _similar_keys(keys: list[str]) -> str:
    return f"; near: {', '.join(f'`{key}`' for key in keys)}" if keys else ""


def _markdown(found: MemoryEntry, lines: list[str]) -> str:
    record = found.record
    return render_markdown_entry(
        str(record.dedupe_key or record.id),
        [str(tag) for tag in record.body.tags],
        found.created_at,
        found.updated_at,
        "\n".join(lines),
    )


def _print_json(found: MemoryEntry, lines: list[str], *, versions: bool) -> None:
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
