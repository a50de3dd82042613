"""Select what an agent is told before its first prompt: pins and rules, open items, what came back, an index."""

import hashlib

from hooklore.broker.broker import Broker
from hooklore.broker.principal_reader import Reader
from hooklore.index.lookup_cache import evict_oldest
from hooklore.memories.daily_notes import DAILY_HEADING, render_daily_notes
from hooklore.memories.decisions.checks import list_checks
from hooklore.memories.live_scores import ScoreFile
from hooklore.memories.pins import reader_places
from hooklore.prompt.frame import MORE, fit_section
from hooklore.prompt.memory_part import gives_orders
from hooklore.prompt.note import Note, Section
from hooklore.records import keys
from hooklore.records.draft import PERSON
from hooklore.records.record import Record
from hooklore.records.standing import standing_of
from hooklore.retrieval.brief_memories import BriefMemories, list_brief_memories
from hooklore.retrieval.brief_parts import PART_NAMES, PartName, make_part, note_part
from hooklore.retrieval.brief_text import BriefText
from hooklore.retrieval.failures.open_failures import list_repeated
from hooklore.retrieval.left_work import BRIEF_TOKENS
from hooklore.retrieval.near_duplicates import drop_repeated
from hooklore.retrieval.notes import has_state, outcome_text
from hooklore.retrieval.open_items import render_open_items
from hooklore.retrieval.query import RecallQuery
from hooklore.retrieval.resumed_work import BranchWork
from hooklore.retrieval.topic_index import make_index

_MAX_REPEATED = 3
_READ_ENDS = 20
_READ_STEPS = 60
_READ_SINCE_COMPACTION = 40
_PART_TOKENS: dict[PartName, int] = {
    "state": 300, "branch": BRIEF_TOKENS, "open": 120, "since": 120,
    "again": 90, "checks": 150, "around": 150,
    "kept": 120,
}  # fmt: skip
"""Tokens of a part that pins and rules cannot take."""

_SHARE_AROUND = 3
"""One part in so many of a small brief is for what superprojects say."""

_INDEXED: tuple[PartName, ...] = ("pinned", "rules")
_IN_WHAT_IS_LEFT: tuple[PartName, ...] = (*_INDEXED, "around")

_UNCHANGING: tuple[PartName, ...] = ("pinned", "rules", "again", "around", "kept", "whole")

_MOST_TOLD_WHOLE = 20
"""Trusted memories beside rules that may be few enough to be told whole. Each text is read for that."""


class Brief:
    """The sections of a brief, for a session or for a subagent."""

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self._settings = broker.settings.recall
        self._rendered: dict[str, str] = {}
        self._scores = ScoreFile(broker.place)
        self._indexes: dict[str, tuple[list[str], int]] = {}
        self._notes_by_id: dict[str, Note] = {}
        self._branch_work = BranchWork()

    def compose(self, reader: Reader, query: RecallQuery, shown: set[str], room: int) -> BriefText:
        """Return the brief without records that the context was `shown`. `room` is left by the frame."""
        is_session = query.trigger == "session_start"
        scores = self._scores.load()
        memories = list_brief_memories(reader, scores, self._settings.brief_tokens)
        shown = shown | scores.unused | memories.from_files.get(query.loads_files_of, set())
        found = self._notes(reader, query, shown, memories)
        notes = {name: drop_repeated(part) for name, part in found.items()}
        text = BriefText(keep_tool=query.keep_tool, program=query.program)
        was_briefed = _was_briefed(self._broker, query)
        text.asks_to_keep = self._settings.keep_line and query.may_keep and not was_briefed
        room = self._fill(text, notes, room)
        if is_session and not was_briefed:
            shown |= _ids_of(found) - _ids_of(notes)
            room = self._add_known(text, memories, shown, reader, room)
        # A line says that there is more, where the index does not have it.
        by_title = _INDEXED if text.titles else ()
        left = {note.id for name in notes.keys() - by_title for note in notes[name]}
        if not left.issubset(text.ids):
            text.sections.append(("", [("", MORE)]))
        if is_session and query.source != "resume":
            daily = render_daily_notes(self._broker, self._rendered)
            text.sections.append(fit_section((DAILY_HEADING, daily), room)[0])
        return text

    def _notes(
        self, reader: Reader, query: RecallQuery, shown: set[str], memories: BriefMemories
    ) -> dict[PartName, list[Note]]:
        """Return the notes of each part, before any is left out for want of room."""
        places = reader_places(reader.principal)
        checks = [r for r, _ in list_checks(reader, places, reader.now(), only_new=True)]
        records: dict[PartName, list[Record]] = {
            "pinned": memories.pinned, "checks": checks, "state": _find_state(reader, query),
            "rules": memories.rules, "since": _find_since(reader, query),
            "again": list_repeated(reader, query.session_id)[:_MAX_REPEATED],
            "around": memories.around,
        }  # fmt: skip
        branch = reader.principal.branch
        told = {n: self._part(n, reader, _new(r, shown), branch) for n, r in records.items()}
        if query.trigger == "session_start":
            resumed = _new(self._branch_work.find(reader, query), shown)
            told["branch"] = self._part("branch", reader, resumed, branch)
            todos = _new(memories.todos, shown)
            left = render_open_items(reader, query.session_id, todos, records["state"])
            # What a session on this branch left open is told with the rest of its work.
            other = shown | {note.id for note in told["branch"]}
            told["open"] = [note for note in left if note.id not in other]
        else:
            # A subagent has no index that would name them.
            told["kept"] = self._part("kept", reader, _new(memories.kept, shown), branch)
        return told

    def _part(
        self, name: PartName, reader: Reader, records: list[Record], branch: str | None
    ) -> list[Note]:
        """Return the notes of a part; those of memories and repeated failures are made once."""
        if name not in _UNCHANGING:
            return note_part(name, reader, records, branch)
        notes: list[Note] = []
        for record in records:
            key = f"{name}|{record.id}|{record.contradicted_by}|{branch}"
            if key not in self._notes_by_id:
                (self._notes_by_id[key],) = note_part(name, reader, [record], branch)
                evict_oldest(self._notes_by_id)
            notes.append(self._notes_by_id[key])
        return notes

    def _fill(self, text: BriefText, notes: dict[PartName, list[Note]], room: int) -> int:
        """Add the parts to a text: those with tokens of their own, then pins and rules in what these leave.

        That of superprojects has tokens, and gets what all the others leave. Return the tokens that are left.
        """
        found: dict[PartName, Section] = {}
        kept: dict[PartName, int] = {}
        for name, limit in _PART_TOKENS.items():
            most = min(limit, room // _SHARE_AROUND if name == "around" else room)
            section, cost = fit_section(make_part(name, notes.get(name, [])), most)
            found[name], kept[name] = section, cost
            room -= cost if name != "state" else 0
        for name in _IN_WHAT_IS_LEFT:
            room += kept.get(name, 0)
            section, cost = fit_section(make_part(name, notes.get(name, [])), room)
            found[name] = section
            room -= cost
        told: set[str] = set()
        for name in (name for name in PART_NAMES if name in found):
            text.sections.append(found[name])
            ids = {id_ for id_, _ in found[name][1]} - told  # a record counts for its first part
            text.parts[name], told = len(ids), told | ids
        return room

    def _add_known(
        self, text: BriefText, memories: BriefMemories, shown: set[str], reader: Reader, room: int
    ) -> int:
        """Add all other memories: their texts, the newest first, where all are trusted and fit, else the titles.

        A text beside titles would lead what is newer. Return the tokens that are left of `room`.
        """
        told = shown.union(text.ids)
        others = [record for id_, record in memories.by_id.items() if id_ not in told]
        are_trusted = all(standing_of(record).trust != "low" for record in others)
        newest = sorted(others, key=lambda record: record.id, reverse=True)
        whole = newest if are_trusted and len(newest) <= _MOST_TOLD_WHOLE else []
        notes = self._part(
            "whole", reader, [r for r in whole if not gives_orders(r)], reader.principal.branch
        )
        section, cost = fit_section(make_part("whole", notes), room)
        if len(section[1]) < len(notes):
            section, cost = ("", []), 0
        text.sections.append(section)
        text.parts["whole"] = len(section[1])
        by_text = {id_ for id_, _ in section[1]}
        listed = [record for record in others if record.id not in by_text]
        ids = "".join(record.id for record in listed)
        key = hashlib.blake2b((text.program + ids).encode(), digest_size=16).hexdigest()
        if key not in self._indexes:
            self._indexes[key] = make_index(listed, self._settings.index_tokens, text.program)
            evict_oldest(self._indexes)
        lines, text.titles = self._indexes[key]
        text.sections.append((next(iter(lines), ""), [("", line) for line in lines[1:]]))
        return room - cost


def _ids_of(notes: dict[PartName, list[Note]]) -> set[str]:
    return {note.id for part in notes.values() for note in part}


def _was_briefed(broker: Broker, query: RecallQuery) -> bool:
    """Return whether a resumed session has an index and the line about keeping in its context already."""
    if query.source != "resume" or not query.session_id:
        return False
    accesses = broker.as_reader(PERSON).history(keys.shown_in(query.session_id), 200)
    return any(access.body.trigger == "session_start" for access in accesses)


def _find_state(reader: Reader, query: RecallQuery) -> list[Record]:
    """Return what the session saved before the compaction that it begins again after."""
    if query.source != "compact" or query.trigger != "session_start" or not query.session_id:
        return []
    for record in reader.lookup(keys.in_session(query.session_id), _READ_SINCE_COMPACTION):
        if record.kind == "compaction" and record.body.detail.get("phase") == "before":
            return [record] if has_state(record) else []
    return []


def _find_since(reader: Reader, query: RecallQuery) -> list[Record]:
    """Return the end of the last other session in the project since a resumed session did anything.

    It bears on the resumed one where it changed a file that this one changed or read.
    """
    project = reader.principal.project
    if query.source != "resume" or not project or not query.session_id:
        return []
    found = reader.lookup(keys.in_session(query.session_id), _READ_STEPS)
    own = [r for r in found if r.body.detail.get("source") != "resume"]
    ends = reader.lookup(keys.of_kind("session_end", project), _READ_ENDS)
    others = (end for end in ends if end.session_id != query.session_id and outcome_text(end))
    last = next(others, None)
    if last is None or not own or last.id < own[0].id:
        return []
    known = {path for record in own for path in (*record.body.paths, *record.body.artifacts)}
    steps = reader.lookup(keys.in_session(last.session_id), _READ_STEPS)
    return [last] if any(not known.isdisjoint(step.body.artifacts) for step in steps) else []


def _new(records: list[Record], shown: set[str]) -> list[Record]:
    return [r for r in records if r.id not in shown]
