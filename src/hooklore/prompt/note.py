"""One quoted note, and a section of notes that says once what they have in common."""

from collections import Counter
from dataclasses import dataclass

from hooklore.records.ids import short_id

Section = tuple[str, list[tuple[str, str]]]
"""A heading, which may be empty, and notes as (record id, text)."""


@dataclass(frozen=True, slots=True)
class Note:
    """A text on one line with its origin: when, by which agent, on what basis.

    `id` is the record's, `origin` has a fixed number of parts, `remarks` are this note's alone. All of them
    are harmless already (`prompt/frame.sanitize_for_prompt`).
    """

    id: str
    text: str
    origin: tuple[str, ...]
    remarks: tuple[str, ...] = ()

    def render(self, common: tuple[str, ...] = ()) -> str:
        """Return the note's line. Of its origin it has the parts that are not in `common`."""
        known = common or ("",) * len(self.origin)
        differing = (own for own, said in zip(self.origin, known, strict=True) if own != said)
        source = " · ".join(filter(None, (short_id(self.id), *differing, *self.remarks)))
        return f"- {self.text} [{source}]" if source else f"- {self.text}"


def make_section(heading: str, notes: list[Note]) -> Section:
    """Return a section whose heading says what most of its notes have in common.

    Where two notes have one short id both are listed, for the id leads to both.
    """
    columns = zip(*(note.origin for note in notes), strict=True)
    # of each part of an origin the value that more than half of the notes share
    counts = (Counter(column).most_common(1)[0] for column in columns)
    common = tuple(value if 2 * count > len(notes) else "" for value, count in counts)
    shared = " · ".join(filter(None, common))
    told = f"{heading} ({shared}):" if shared else f"{heading}:"
    return told if notes else heading, [(note.id, note.render(common)) for note in notes]
