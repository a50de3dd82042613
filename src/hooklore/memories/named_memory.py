"""Find the memories that a reader names: by key, by id or its beginning, by title, by topic.

A name comes from an index that was written earlier, so a memory that has ended since is told apart from
one that never was.
"""

import re
import shlex
from collections.abc import Iterable
from functools import cached_property

from hooklore.broker.broker import Broker
from hooklore.broker.principal_reader import Reader
from hooklore.errors import HookloreError
from hooklore.memories.entries import end_reason, find_current
from hooklore.memories.pins import places_with_superprojects
from hooklore.prompt.frame import sanitize_for_prompt
from hooklore.prompt.memory_part import gives_orders
from hooklore.prompt.title import fold_title, title_of, topic_of
from hooklore.records import keys
from hooklore.records.ids import short_id
from hooklore.records.record import Record
from hooklore.text.near_names import find_near_names
from hooklore.text.token_estimate import truncate_text
from hooklore.text.unicode_cleaning import strip_invisible

_TOPIC_PREFIX = "topic:"
"""The beginning of a name that means every memory of a topic."""

_LONGEST = 300
"""Characters of a name. No key and no title is longer."""

_SCANNED = 2_000
"""Memories of one place, the newest, whose titles are compared."""

_SEARCHED = 20
"""Memories that share words with a name, the best first, whose titles are compared before all others."""

_NEAR = 3
_COMPARED = 300
"""Titles that are compared letter by letter for the nearest ones."""

_SHORTEST_START = 2
_ID = re.compile(r"[0-9a-f]{8}[0-9a-f-]{0,28}|[0-9a-z]{8}", re.IGNORECASE)
"""The beginning of an id, or a short id."""
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

    code = "not_found"

    def __init__(self, name: str, cause: str, near: Iterable[str] = ()) -> None:
        shown = truncate_text(sanitize_for_prompt(name), 80)
        titles = [f"“{title}”" for title in near]
        nearest = f"; near: {', '.join(titles)}" if titles else ""
        super().__init__(
            f"could not find `{shown}`: {cause}{nearest}",
            fix=f"run `hooklore find {shlex.quote(shown)}`",
        )


class NamedMemories:
    """The memories that one reader can name. Their titles are listed once for all names of a command."""

    def __init__(self, broker: Broker, reader: Reader) -> None:
        self._broker, self._reader = broker, reader
        self._places = places_with_superprojects(reader.principal)

    def find(self, name: str) -> list[Record]:
        """Return the memories with this key, id or title: several when several have the same title.

        Keys come first, then ids, then titles, then the only title that begins so. Raise NoSuchMemory.
        """
        name, wanted = strip_invisible(name), fold_title(name)
        if not wanted or len(name) > _LONGEST:
            cause = "no memory has a name this long" if wanted else "the name is empty"
            raise NoSuchMemory(name, cause)
        keyed = find_current(self._reader, name, self._places)
        if keyed is not None:
            return [keyed]
        found = self._by_id(wanted) or self._by_title(name, wanted)
        if found:
            return found
        raise NoSuchMemory(name, self._why_not(name, wanted), self._nearest(wanted))

    def list_topic(self, topic: str) -> list[Record]:
        """Return the memories of a topic, newest first. Raise NoSuchMemory with the nearest topics."""
        wanted = fold_title(topic)
        topics = [(fold_title(topic_of(record)), record) for record in self._newest]
        found = [r for name, r in topics if name == wanted and not gives_orders(r)]
        if not found:
            known = {name: sanitize_for_prompt(topic_of(record)) for name, record in topics}
            near = find_near_names(wanted, known, _NEAR) if wanted else []
            cause = "no memory here has this topic"
            raise NoSuchMemory(topic[:_LONGEST], cause, [known[name] for name in near])
        return sorted(found, key=lambda record: record.id, reverse=True)

    @cached_property
    def _newest(self) -> list[Record]:
        places, lookup = self._places, self._reader.lookup
        return [r for place in places for r in lookup(keys.memories_at(place), _SCANNED)]

    @cached_property
    def _titles(self) -> list[tuple[str, Record]]:
        return [(fold_title(title_of(record)), record) for record in self._newest]

    def _by_id(self, wanted: str) -> list[Record]:
        """Return the record whose id begins so, a memory before another record. Raise NoSuchMemory for several."""
        if not _ID.fullmatch(wanted):
            return []
        shared = [record for record in self._newest if short_id(record.id) == wanted]
        if shared:
            return shared
        found = [record for record in self._newest if record.id.startswith(wanted)]
        if not found:
            others = self._reader.find(wanted)
            in_force = self._reader.select_in_force(others)
            found = [record for record in in_force if record.stream != "control"]
        if len(found) > 1:
            titles = (f"{_shown_title(record)} [{record.id}]" for record in found[:_SEARCHED])
            raise NoSuchMemory(wanted, "several ids begin so", titles)
        return found

    def _by_title(self, name: str, wanted: str) -> list[Record]:
        """Return the memories with this title or key, else the only one whose title begins so."""
        # Two thousand memories are read from the disk in .3 s, those that share the title's words in .01 s.
        exact = [r for r in self._share_words(name) if fold_title(title_of(r)) == wanted]
        if not exact:
            # Keys are compared like titles here, with an empty one for a memory without.
            named = ((title, fold_title(r.dedupe_key or ""), r) for title, r in self._titles)
            exact = [record for title, key, record in named if wanted in (title, key)]
        if exact or len(wanted) < _SHORTEST_START:
            return exact
        begun = [record for title, record in self._titles if title.startswith(wanted)]
        if len(begun) > 1:
            near = (_shown_title(record) for record in begun[: 2 * _NEAR])
            raise NoSuchMemory(wanted, "several titles begin so", near)
        return begun

    def _share_words(self, name: str, *, ended: bool = False) -> list[Record]:
        """Return memories that share words with a name; with `ended` also those that something ended."""
        bins = [f"memory|{place.removeprefix('project:')}" for place in self._places]
        terms = self._reader.terms(name)
        hits = self._reader.search(terms, bins, _SEARCHED, ended=ended)
        return [record for _, record in hits if record.stream == "memory"]

    def _why_not(self, name: str, wanted: str) -> str:
        """Return why a name leads nowhere: a memory of this name has ended, or there is none."""
        begun = self._reader.find(wanted) if _ID.fullmatch(wanted) else []
        named = [r for r in begun if r.stream != "control"] if len(begun) == 1 else []
        if not named:
            found = self._share_words(name, ended=True)
            named = [record for record in found if fold_title(title_of(record)) == wanted]
            for place in self._places:
                named += self._reader.history(keys.version_line(place, name), 1)
        # Its writer and the person may know of a memory that waits.
        who = self._reader.principal
        told = (r for r in named if not r.waits or who.person or r.agent_id == who.agent_id)
        reasons = (end_reason(self._broker, record) for record in told)
        ended = next((_ENDED[reason] for reason in reasons if reason in _ENDED), None)
        return ended or "no memory with this key or title is here"

    def _nearest(self, wanted: str) -> list[str]:
        """Return the titles nearest to a name, for an error's message."""
        titles = dict(self._titles[:_COMPARED])
        near = find_near_names(wanted, titles, 2 * _NEAR, likeness=0.5)
        near += [title for title in titles if wanted in title and title not in near]
        shown = (titles[title] for title in near[: 2 * _NEAR])
        return [_shown_title(record) for record in shown if not gives_orders(record)][:_NEAR]


def _shown_title(record: Record) -> str:
    return sanitize_for_prompt("[BLOCKED]" if gives_orders(record) else title_of(record))


def parse_topic(name: str) -> str | None:
    """Return the topic of a name like `topic:shop`, None for another name."""
    folded = fold_title(name[: 2 * _LONGEST])
    return folded.removeprefix(_TOPIC_PREFIX) if folded.startswith(_TOPIC_PREFIX) else None
