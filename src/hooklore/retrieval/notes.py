"""Notes: what a record says in front of a model, in the frame's words, with its id."""

from hooklore.broker.bounded_cache import evict_oldest
from hooklore.broker.fix_links import failure_text
from hooklore.prompt.frame import make_excerpt, render_note, render_title
from hooklore.records.draft import Principal
from hooklore.records.record import Body, Record
from hooklore.text.token_estimate import estimate_tokens

_LONGEST = 600
_LONGEST_TITLE = 70
"""Characters of a record that a note, and a title, quote."""
_TITLES = 20


class NoteRenderer:
    """(id, note) of records. `kept` is what was worded: a project's brief says the same in every session."""

    def __init__(self, room: int) -> None:
        """`room` is the largest budget in tokens."""
        self._room = room
        self.kept: dict[str, str] = {}

    def of(self, records: list[Record], who: Principal) -> list[tuple[str, str]]:
        """A note of each, until they are more than any budget holds."""
        notes: list[tuple[str, str]] = []
        cost = 0
        for record in records:
            if cost > self._room:
                break
            notes.append((record.id, self._note(record, who)))
            cost += estimate_tokens(notes[-1][1])
        return notes

    def render_titles(self, records: list[Record]) -> list[tuple[str, str]]:
        """A line of each of the first twenty, to be opened by its id."""
        return [(r.id, self._title(r)) for r in records[:_TITLES]]

    def _note(self, record: Record, who: Principal) -> str:
        key = f"{record.id}|{record.hash}|{who.branch}"
        if key not in self.kept:
            text = make_excerpt(quotable_text(record), _LONGEST)
            self.kept[key] = render_note(record, text, reader_branch=who.branch)
            evict_oldest(self.kept)
        return self.kept[key]

    def _title(self, record: Record) -> str:
        key = f"title|{record.id}|{record.hash}"
        if key not in self.kept:
            self.kept[key] = render_title(
                record, make_excerpt(quotable_text(record), _LONGEST_TITLE)
            )
            evict_oldest(self.kept)
        return self.kept[key]


def render_counted_notes(
    records: list[tuple[Record, int]], who: Principal
) -> list[tuple[str, str]]:
    """(id, note) of records, each with how many it stands for; not kept, for they answer one question."""
    return [
        (
            r.id,
            render_note(
                r, make_excerpt(quotable_text(r), _LONGEST), reader_branch=who.branch, count=count
            ),
        )
        for r, count in records
    ]


def quotable_text(record: Record) -> str:
    """What a note says of a record."""
    body = record.body
    if record.kind == "session_end":
        return _ending_text(body)
    if record.kind == "error":
        return failure_text(body)
    for name in ("content_md", "text", "lessons", "intent", "command"):
        text = body.extra(name)
        if isinstance(text, str) and text.strip():
            return text
    return ""


def _ending_text(body: Body) -> str:
    """The sections of a session's end; what an earlier one says already is not said again."""
    sections = body.sections
    told = ""
    for name in ("results", "decisions", "unresolved", "next_actions"):
        lines = [str(line) for line in sections.get(name, ()) if line]
        new = [line for line in lines if line.rstrip(".") not in told]
        if new:
            end = "" if not told else " " if told.endswith(".") else ". "
            told += f"{end}{name.replace('_', ' ')}: {'; '.join(new)}"
    return told
