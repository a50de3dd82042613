"""Render the parts of a brief: pins, checks, the state before a compaction, rules, open items, failures."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, get_args

from hooklore.broker.principal_reader import Reader
from hooklore.failures.fix_text import failing_text
from hooklore.memories.decisions.checks import describe_check
from hooklore.memories.pins import format_pin
from hooklore.prompt.error_line import quotable_error_line
from hooklore.prompt.frame import make_excerpt, make_note, sanitize_for_prompt
from hooklore.prompt.note import Note, Section, make_section
from hooklore.prompt.pin_rule import is_auto_pinned
from hooklore.records.record import Record
from hooklore.retrieval.failures.open_failures import list_open_checks
from hooklore.retrieval.left_work import HEADING, left_notes
from hooklore.retrieval.notes import outcome_text, quotable_text, state_notes

PartName = Literal[
    "pinned",
    "checks",
    "state",
    "rules",
    "open",
    "since",
    "again",
    "branch",
    "around",
    "kept",
    "whole",
]
PART_NAMES: tuple[PartName, ...] = get_args(PartName)
"""The parts that have records, in the order of reading. A record of what was shown counts them in this order,
so that a new part stands last."""

_HEADINGS: dict[PartName, str] = {
    "pinned": "Pinned",
    "checks": "Contradictory or out of date (check before you rely on it)",
    "state": "Where this session stood before its compaction",
    "rules": "Rules",
    "open": "Left open",
    "since": "What another session did since",
    "again": "Failed the same way in the last two sessions that ran it",
    "branch": HEADING,
    "around": "Rules and decisions of the superproject",
    "kept": "Decisions and rules that agents keep",
    "whole": "Known",
}
_MAX_CHARACTERS = 400
_MAX_WHOLE = 16 * 1024
"""Characters of a memory that is told whole or not at all."""


def make_part(name: PartName, notes: list[Note]) -> Section:
    """Return a part of a brief under its heading."""
    return make_section(_HEADINGS[name], notes)


def ids_of_part(name: PartName, ids: Sequence[str], counts: Sequence[int]) -> list[str]:
    """Return those of a brief's ids that stand in a part, by how many each part has."""
    place = PART_NAMES.index(name)
    begin = sum(counts[:place])
    return list(ids[begin : begin + counts[place]]) if place < len(counts) else []


def note_part(
    name: PartName,
    reader: Reader,
    records: list[Record],
    branch: str | None,
    before: str | None = None,
) -> list[Note]:
    """Return the notes of a part's records; those of open items are made where they are found.

    `branch` is that of the session which reads them. `before` is the id up to which fixes count.
    """
    if name == "branch":
        return left_notes(reader, records, branch, before)
    notes: list[Note] = []
    for record in records:
        if name == "state":
            # The checks that the session left failing, each error once.
            failing: dict[str, str] = {}
            for failure in list_open_checks(reader, record, before):
                text = failing_text(failure.body)
                failing.setdefault(quotable_error_line(failure.body) or text, text)
            notes += state_notes(record, branch, list(failing.values()))
            continue
        note = make_note(record, _text_in(name, reader, record), reader_branch=branch)
        if name == "around":
            note = replace(note, origin=(sanitize_for_prompt(str(record.scope)), *note.origin))
        notes.append(note)
    return notes


def _text_in(name: PartName, reader: Reader, record: Record) -> str:
    if name == "pinned" or (name == "rules" and is_auto_pinned(record)):
        return format_pin(record)
    if name == "checks":
        return describe_check(reader, record)
    if name == "since":
        return make_excerpt(outcome_text(record), _MAX_CHARACTERS // 2)
    return make_excerpt(quotable_text(record), _MAX_WHOLE if name == "whole" else _MAX_CHARACTERS)
