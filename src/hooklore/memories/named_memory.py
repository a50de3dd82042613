"""Find the memories that a reader names: by key, by id or its beginning, by title, by topic.

A name comes from an index that was written earlier, so a memory that has ended since is told apart from
one that never was.
"""

import difflib
import re
from collections.abc import Iterable

from hooklore.broker.broker import Broker
from hooklore.broker.principal_reader import Reader
from hooklore.errors import HookloreError
from hooklore.index import keys
from hooklore.memories.entries import end_reason, find_current
from hooklore.memories.pins import reader_places
from hooklore.prompt.frame import is_blocked, sanitize_for_prompt
from hooklore.prompt.title import fold_title, title_of, topic_of
from hooklore.records.record import Record
from hooklore.text.token_estimate import truncate_text
from hooklore.text.unicode_cleaning import strip_invisible

TOPIC_PREFIX = "topic:"
"""The beginning of a name that means every memory of a topic."""

_LONGEST = 300
"""Characters of a name. No key and no title is longer."""

_SCANNED = 2_000
"""Memories of one place, the newest, whose titles are compared."""

_SEARCHED = 20
"""Older memories of one place, those that share words with a name, whose titles are compared."""

_NEAR = 3
_COMPARED = 300
"""Titles that are compared letter by letter for the nearest ones."""

_SHORTEST_START = 2
_SHORT_ID = 8
_ID = re.compile(r"[0-9a-f]{8}[0-9a-f-]{0,28}", re.IGNORECASE)
_ENDED = {
    "forgotten": "it has been forgotten",
    "archived": "it has been archived",
    "expired": "it has expired",
    "replaced": "it has been replaced",
    "answered": "it has been answered",
    "waits": "it waits for the user",
}


class NoSuchMemory(HookloreError):
    """A name leads to no memory, or to several. `near` are the titles that could be meant."""

    def __init__(self, name: str, cause: str, near: Iterable[str] = ()) -> None:
        shown = truncate_text(sanitize_for_prompt(name), 80)
        titles = [f"“{title}”" for title in near]
        nearest = f"; near: {', '.join(titles)}" if titles else ""
        super().__init__(
            f"could not find `{shown}`: {cause}{nearest}", fix=f"run `hooklore find {shown}`"
        )


def find_named(broker: Broker, reader: Reader, name: str) -> list[Record]:
    """Return the memories with this key, id or title: several when several have the same title.

    Keys come first, then ids, then titles, then the only title that begins so. Raise NoSuchMemory.
    """
    name, wanted = strip_invisible(name), fold_title(name)
    if not wanted or len(name) > _LONGEST:
        raise NoSuchMemory(
            name, "no memory has a name this long" if wanted else "the name is empty"
        )
    keyed = find_current(reader, name, reader_places(reader.principal))
    if keyed is not None:
        return [keyed]
    memories = _list_titled(reader, name)
    found = _by_id(reader, memories, wanted) or _by_title(memories, wanted)
    if found:
        return found
    raise NoSuchMemory(name, _why_not(broker, reader, name), _nearest(memories, wanted))


def list_topic(reader: Reader, topic: str) -> list[Record]:
    """Return the memories of a topic, newest first. Raise NoSuchMemory with the nearest topics."""
    topic, wanted = strip_invisible(topic), fold_title(topic)
    memories = [record for record in _list_titled(reader, topic) if not _is_blocked(record)]
    found = [record for record in memories if fold_title(topic_of(record)) == wanted]
    if not found:
        topics = {fold_title(topic_of(r)): sanitize_for_prompt(topic_of(r)) for r in memories}
        near = difflib.get_close_matches(wanted, topics, n=_NEAR) if wanted else []
        raise NoSuchMemory(topic, "no memory here has this topic", [topics[name] for name in near])
    return sorted(found, key=lambda record: record.id, reverse=True)


def short_ids(reader: Reader, records: Iterable[Record]) -> dict[str, str]:
    """Return for the id of each record its shortest beginning that leads to this record alone."""
    known = [record.id for record in _list_newest(reader)]
    return {record.id: _shorten(record.id, known) for record in records}


def _shorten(id_: str, known: list[str]) -> str:
    for length in (_SHORT_ID, 13, 18, 23):
        if not any(other != id_ and other.startswith(id_[:length]) for other in known):
            return id_[:length]
    return id_


def _list_titled(reader: Reader, name: str) -> list[Record]:
    """Return the memories in force whose titles are compared, newest first."""
    found = {record.id: record for record in _list_newest(reader)}
    if len(found) >= _SCANNED:
        found |= {record.id: record for record in _share_words(reader, name)}
    return list(found.values())


def _list_newest(reader: Reader) -> list[Record]:
    places = reader_places(reader.principal)
    return [r for place in places for r in reader.lookup(keys.memories_at(place), _SCANNED)]


def _share_words(reader: Reader, name: str, *, ended: bool = False) -> list[Record]:
    """Return memories that share words with a name; with `ended` also those that something ended."""
    places = (place.removeprefix("project:") for place in reader_places(reader.principal))
    bins = [f"memory|{place}" for place in places]
    hits = reader.search(reader.terms(name), bins, _SEARCHED, ended=ended)
    return [record for _, record in hits if record.stream == "memory"]


def _by_id(reader: Reader, memories: list[Record], wanted: str) -> list[Record]:
    """Return the record whose id begins so: a memory before another record. Raise NoSuchMemory for several."""
    if not _ID.fullmatch(wanted):
        return []
    found = [record for record in memories if record.id.startswith(wanted)]
    if not found:
        found = [r for r in reader.find(wanted) if r.stream != "control" and reader.is_in_force(r)]
    if len(found) > 1:
        titles = (f"{_shown_title(record)} [{record.id}]" for record in found[:_SEARCHED])
        raise NoSuchMemory(wanted, "several ids begin so", titles)
    return found


def _by_title(memories: list[Record], wanted: str) -> list[Record]:
    """Return the memories with this title or key, else the only one whose title begins so."""
    titles = [(fold_title(title_of(record)), record) for record in memories]
    exact = [r for title, r in titles if wanted in (title, fold_title(str(r.dedupe_key or "")))]
    if exact or len(wanted) < _SHORTEST_START:
        return exact
    begun = [record for title, record in titles if title.startswith(wanted)]
    if len(begun) > 1:
        near = (_shown_title(record) for record in begun[: 2 * _NEAR])
        raise NoSuchMemory(wanted, "several titles begin so", near)
    return begun


def _why_not(broker: Broker, reader: Reader, name: str) -> str:
    """Return why a name leads nowhere: a memory of this name has ended, or there is none."""
    wanted = fold_title(name)
    named = [r for r in _share_words(reader, name, ended=True) if fold_title(title_of(r)) == wanted]
    if _ID.fullmatch(wanted):
        named = [record for record in reader.find(wanted) if record.stream != "control"]
    if len(named) > 1 and _ID.fullmatch(wanted):
        return "no memory with this key, id or title is here"
    reasons = [end_reason(broker, r) for r in named if _may_be_told(reader, r)]
    ended = next((_ENDED[reason] for reason in reasons if reason in _ENDED), None)
    return ended or "no memory with this key or title is here"


def _may_be_told(reader: Reader, record: Record) -> bool:
    """Return whether the reader may know of a memory that waits: its writer and the person may."""
    who = reader.principal
    return not record.waits or who.person or record.agent_id == who.agent_id


def _nearest(memories: list[Record], wanted: str) -> list[str]:
    """Return the titles nearest to a name, for an error's message."""
    shown = [record for record in memories[:_COMPARED] if not _is_blocked(record)]
    titles = {fold_title(title_of(record)): _shown_title(record) for record in shown}
    near = difflib.get_close_matches(wanted, titles, n=_NEAR, cutoff=0.5)
    near += [title for title in titles if wanted in title and title not in near]
    return [titles[title] for title in near[:_NEAR]]


def _shown_title(record: Record) -> str:
    return sanitize_for_prompt("[BLOCKED]" if _is_blocked(record) else title_of(record))


def _is_blocked(record: Record) -> bool:
    return is_blocked(record, f"{title_of(record)}\n{record.body.content_md or ''}")
