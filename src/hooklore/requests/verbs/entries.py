"""The verbs of seed 004: entries of the caller's project, or of all projects, and what is archived of them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Final, Literal

from pydantic import Field

from hooklore.agents.agent import AgentPermission as Permission
from hooklore.broker.leading import lead
from hooklore.errors import HookloreError
from hooklore.instructions.stated_kind import state_kind
from hooklore.memories.archive import list_archived
from hooklore.memories.decisions.authorization import MAY_PROPOSE
from hooklore.memories.decisions.proposals import Act, propose
from hooklore.memories.dedupe_key import put_into_form
from hooklore.memories.entries import get_entry
from hooklore.memories.pins import list_memories as list_memories_at
from hooklore.prompt.memory_part import tell_tags
from hooklore.records.draft import PERSON
from hooklore.records.record import Record
from hooklore.requests.arguments import LONGEST_TEXT, EntryArguments, Name, Names, Question, Texts
from hooklore.requests.memory_response import as_fields, list_memories, quote_whole
from hooklore.requests.request_context import RequestContext
from hooklore.requests.response import Response
from hooklore.requests.verb import EVERYBODY, Verb
from hooklore.requests.verbs.remember import keep_asked, respond_written, source_of
from hooklore.retrieval.browse import search_memories_at
from hooklore.text.similarity import comparison_terms

_MAX_ENTRIES: Final = 10_000
_NOWHERE: Final = "project:-"
_MOST_TAGS: Final = 32
_MAX_TAGS: Final = 50


@dataclass(frozen=True, slots=True)
class Shelf:
    """The entries of one place, or those in its archive."""

    name: Literal["project", "global"]
    is_archive: bool = False

    def place(self, asked: RequestContext) -> str:
        """Return the place of the entries. Outside of a project, those of the project are the agent's own."""
        if self.name == "global":
            return "global"
        if asked.who.project:
            return f"project:{asked.who.project}"
        return f"agent:{asked.who.agent_id}" if asked.keys is None else _NOWHERE

    def entries(self, asked: RequestContext, tags: Iterable[str] = ()) -> list[Record]:
        """Return the entries that the agent may read and that have all of `tags`, the latest first."""
        places = [self.place(asked)]
        if self.is_archive:
            archived = list_archived(asked.broker, asked.who, places)
            return [each.record for each in archived if _has_tags(each.record, tags)]
        found = list_memories_at(asked.reader, places, _MAX_ENTRIES)
        return lead(asked.reader, (record for record in found if _has_tags(record, tags)))


def _has_tags(record: Record, tags: Iterable[str]) -> bool:
    return {*tags} <= {str(tag) for tag in record.body.tags}


class SaveArguments(EntryArguments):
    """The arguments of `save_to_memory`."""

    labels: ClassVar[frozenset[str]] = frozenset(("tags",))
    keeps: ClassVar[bool] = True

    key: str = Field(
        min_length=1,
        description="Lower-case ASCII, digits, `_`, `-` and `:`; at most 64 characters.",
    )
    content: str = Field(min_length=1, max_length=LONGEST_TEXT)
    tags: Texts = ()


class FindArguments(EntryArguments):
    """The arguments of a keyword search."""

    query: Question
    tags: Names = Field(default=(), max_length=_MOST_TAGS, description="Entries with all of these.")
    limit: int = Field(default=10, ge=1, le=100)


class ListArguments(EntryArguments):
    """The arguments of a list."""

    tags: Names = Field(default=(), max_length=_MOST_TAGS, description="Entries with all of these.")
    limit: int = Field(default=50, ge=1, le=200)


class KeyArguments(EntryArguments):
    """The arguments of a verb that acts on one entry."""

    key: Name


def save_entry(shelf: Shelf, asked: RequestContext, given: SaveArguments) -> Response:
    """Save an entry as the word of the agent, or of its user where a prompt backs it."""
    event = Record.of(
        content_md=given.content.strip(),
        dedupe_key=given.key,
        kind=state_kind(given.content, given.key),
        tags=list(given.tags) or None,
        scope="global" if shelf.name == "global" else None,
        confidence="high",
        source=source_of(asked),
    )
    return respond_written(keep_asked(asked, event), is_private=False)


def propose_deletion(shelf: Shelf, asked: RequestContext, given: KeyArguments) -> Response:
    """Propose to delete the entry with a key. Raise HookloreError for a key without one."""
    found = get_entry(asked.reader, given.key, [shelf.place(asked)])
    if found.record.project in asked.who.around:
        raise HookloreError(
            f"could not propose to delete `{given.key}`: it is kept by the superproject",
            fix="ask in the superproject's own folder",
        )
    return _respond(asked, "delete", found.record)


def propose_restoration(shelf: Shelf, asked: RequestContext, given: KeyArguments) -> Response:
    """Propose to restore the archived entry with a key. Raise HookloreError for none, and for several."""
    key = put_into_form(given.key)
    found = [r for r in shelf.entries(asked) if r.dedupe_key == key or r.id == given.key]
    if len(found) != 1:
        cause = f"{len(found)} archived entries have" if found else "no archived entry has"
        raise HookloreError(
            f"could not restore `{given.key}`: {cause} this key",
            fix="list the archive for keys and ids, and name an id",
        )
    return _respond(asked, "restore", found[0])


def _respond(asked: RequestContext, act: Act, target: Record) -> Response:
    proposal = propose(asked.broker, act, target, asked.who.agent_id, asked.who.session_id)
    if asked.broker.as_reader(PERSON).is_ended(proposal):
        raise HookloreError(
            f"could not propose to {act} `{target.id}`: the user has said no to that already",
            fix="leave it as it is",
        )
    hint = f"a person decides: `hooklore approve {proposal.id}` or `hooklore reject {proposal.id}`"
    content = {"status": "proposed", "proposal": proposal.id, "act": act, "id": target.id}
    return Response(
        success=True, text=f"proposed to {act} {target.id}: it waits\n{hint}",
        content=content, hint=hint,
    )  # fmt: skip


def search_entries(shelf: Shelf, asked: RequestContext, given: FindArguments) -> Response:
    """Return the entries that share words with the query, the best match first."""
    if shelf.is_archive:  # which is in no index
        wanted = comparison_terms(given.query)
        scored = [(len(wanted & _terms(r)), r) for r in shelf.entries(asked, given.tags)]
        found = [r for score, r in sorted(scored, key=lambda item: -item[0]) if score]
    else:
        hits = search_memories_at(
            asked.reader,
            given.query,
            shelf.place(asked),
            given.limit,
            lambda record: _has_tags(record, given.tags),
        )
        found = lead(asked.reader, hits)
    return _respond_listed(asked, found, given.limit)


def list_entries(shelf: Shelf, asked: RequestContext, given: ListArguments) -> Response:
    """Return the latest entries, and how many there are."""
    return _respond_listed(asked, shelf.entries(asked, given.tags), given.limit)


def open_entry(shelf: Shelf, asked: RequestContext, given: KeyArguments) -> Response:
    """Return the whole entry with a key. Raise HookloreError for a key without one."""
    entry = get_entry(asked.reader, given.key, [shelf.place(asked)])
    asked.record_use([entry.record.id], "get")
    led = lead(asked.reader, [entry.record])
    fields = as_fields(led[-1])
    content = {**fields, "created_at": entry.created_at, "updated_at": entry.updated_at}
    return Response(success=True, text=quote_whole(led), content=content)


def _respond_listed(asked: RequestContext, found: Sequence[Record], limit: int) -> Response:
    count = len(found)
    heading = f"{count} {'entry' if count == 1 else 'entries'}:"
    text, told = list_memories(found[:limit], heading)
    asked.record_listing(told)
    content = {"count": count, "entries": [as_fields(record) for record in told]}
    return Response(success=True, text=text or "no entries", content=content)


def _terms(record: Record) -> frozenset[str]:
    body, key = record.body, record.dedupe_key or ""
    words = (key.replace("-", " ").replace("_", " ").replace(":", " "), *map(str, body.tags))
    return comparison_terms(" ".join((body.title or "", body.content_md, *words)))


def summarize_entries(shelf: Shelf, asked: RequestContext, _given: EntryArguments) -> Response:
    """Return what the shelf holds that the agent may read."""
    records = shelf.entries(asked)
    days = sorted(str(record.created_at or record.ts) for record in records)
    counts = Counter(tag for record in records for tag in tell_tags(record))
    tags = dict(counts.most_common(_MAX_TAGS))
    curated = asked.broker.settings.curated
    content = {
        "count": len(records),
        "tags": tags,
        "oldest": days[0] if days else None,
        "newest": days[-1] if days else None,
        "limits": {
            "content": curated.content_limit,
            "run": curated.run_limit,
            "unused_days": curated.unused_days,
        },
    }
    lines = [f"entries: {len(records)}"]
    if days:
        lines.append(f"oldest: {days[0]}, newest: {days[-1]}")
    if tags:
        lines.append(f"tags: {', '.join(f'{name} ({count})' for name, count in tags.items())}")
    lines.append(
        f"limits: {curated.content_limit} characters of an entry, {curated.run_limit} entries at a prompt, "
        f"archived after {curated.unused_days} days without use"
    )
    return Response(success=True, text="\n".join(lines), content=content)


_ORDER: Final[tuple[Permission, ...]] = ("owner", "admin", "worker")
_ENTRY: Final = (EVERYBODY, "")
_DECIDED: Final = (MAY_PROPOSE, " It waits until a person approves it.")
_ROWS: Final[tuple[tuple[str, str, Any, Any, tuple[frozenset[Permission], str]], ...]] = (
    ("save_to_{}memory", "Save an entry to {memory}.", SaveArguments, save_entry, _ENTRY),
    ("retrieve_from_{}memory", "Search {memory} by keywords.", FindArguments, search_entries, _ENTRY),
    ("get_{}memory_entry", "Open an entry of {memory} by its key.", KeyArguments, open_entry, _ENTRY),
    ("list_{}memory_entries", "List the entries of {memory}.", ListArguments, list_entries, _ENTRY),
    (
        "delete_{}memory_entry", "Propose to delete an entry of {memory}, without the archive.",
        KeyArguments, propose_deletion, _DECIDED,
    ),
    ("get_{}memory_summary", "Summarize {memory}.", EntryArguments, summarize_entries, _ENTRY),
    ("search_{}memory_archive", "Search {archive}.", FindArguments, search_entries, _ENTRY),
    ("list_{}memory_archive", "List {archive}.", ListArguments, list_entries, _ENTRY),
    (
        "restore_from_{}memory_archive", "Propose to restore an entry of {archive}.",
        KeyArguments, propose_restoration, _DECIDED,
    ),
    ("get_{}memory_archive_summary", "Summarize {archive}.", EntryArguments, summarize_entries, _ENTRY),
)  # fmt: skip
"""Name, summary, arguments, function and permissions of each verb. `{}` is the shelf's part of the name."""


def _verbs_of(where: Literal["project", "global"], part: str, whose: str) -> Iterator[Verb]:
    """Yield the verbs of one place, without the one that opens an entry by its key but for a project's."""
    for name, summary, arguments, answer, (permissions, more) in _ROWS:
        if part and answer is open_entry:
            continue
        words = summary.format(memory=whose.format("memory"), archive=whose.format("archive"))
        who = ", ".join(each.capitalize() for each in _ORDER if each in permissions)
        shelf = Shelf(where, is_archive="{archive}" in summary)
        yield Verb(
            name.format(part), f"{words}{more} ({who})", arguments, partial(answer, shelf),
            permissions=permissions, writes=permissions is MAY_PROPOSE or answer is save_entry,
        )  # fmt: skip


VERBS: Final = (
    *_verbs_of("project", "", "the project's {}"),
    *_verbs_of("global", "global_", "the {} of all projects"),
)
