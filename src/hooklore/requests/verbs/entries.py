"""The verbs of seed 004 for both shelves: what they are called, who may, and what saves and proposes."""

from collections.abc import Iterator
from functools import partial
from typing import Any, Final

from hooklore.agents.agent import AgentPermission as Permission
from hooklore.errors import HookloreError
from hooklore.instructions.stated_kind import state_kind
from hooklore.memories.decisions.authorization import MAY_PROPOSE
from hooklore.memories.decisions.proposals import Act, propose
from hooklore.memories.dedupe_key import put_into_form
from hooklore.memories.entries import get_entry
from hooklore.records.draft import PERSON
from hooklore.records.record import Record
from hooklore.requests.request_context import RequestContext
from hooklore.requests.response import Response
from hooklore.requests.shelf import (
    GLOBAL,
    PROJECT,
    EntryArguments,
    FindArguments,
    KeyArguments,
    ListArguments,
    SaveArguments,
    Shelf,
)
from hooklore.requests.verb import EVERYBODY, Verb
from hooklore.requests.verbs.find_entries import (
    list_archive,
    list_entries,
    open_entry,
    search_archive,
    search_entries,
    summarize_archive,
    summarize_entries,
)
from hooklore.requests.verbs.remember import SOURCE, keep, respond_written


def save_entry(shelf: Shelf, asked: RequestContext, given: SaveArguments) -> Response:
    """Save an entry as the word of the agent, or of its user where a prompt backs it."""
    event = Record.of(
        content_md=given.content.strip(),
        dedupe_key=given.key,
        kind=state_kind(given.content, given.key),
        tags=list(given.tags) or None,
        scope="global" if shelf.name == "global" else None,
        confidence="high",
        source=SOURCE,
    )
    return respond_written(keep(asked.broker, event, asked.who, asked.keys), is_private=False)


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
    records = [each.record for each in shelf.archived(asked)]
    found = [r for r in records if r.dedupe_key == put_into_form(given.key) or r.id == given.key]
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
    ("search_{}memory_archive", "Search {archive}.", FindArguments, search_archive, _ENTRY),
    ("list_{}memory_archive", "List {archive}.", ListArguments, list_archive, _ENTRY),
    (
        "restore_from_{}memory_archive", "Propose to restore an entry of {archive}.",
        KeyArguments, propose_restoration, _DECIDED,
    ),
    ("get_{}memory_archive_summary", "Summarize {archive}.", EntryArguments, summarize_archive, _ENTRY),
)  # fmt: skip
"""Name, summary, arguments, function and permissions of each verb. `{}` is the shelf's part of the name."""


def _of_shelf(shelf: Shelf, part: str, whose: str) -> Iterator[Verb]:
    """Yield the verbs of one shelf, without the one that opens an entry by its key but for a project's."""
    for name, summary, arguments, answer, (permissions, more) in _ROWS:
        if part and answer is open_entry:
            continue
        words = summary.format(memory=whose.format("memory"), archive=whose.format("archive"))
        who = ", ".join(each.capitalize() for each in _ORDER if each in permissions)
        yield Verb(
            name.format(part), f"{words}{more} ({who})", arguments, partial(answer, shelf),
            permissions=permissions, writes=permissions is MAY_PROPOSE or answer is save_entry,
        )  # fmt: skip


VERBS: Final = (
    *_of_shelf(PROJECT, "", "the project's {}"),
    *_of_shelf(GLOBAL, "global_", "the {} of all projects"),
)
