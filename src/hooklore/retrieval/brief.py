"""Select what an agent is told before its first prompt: pins, checks, standing rules, fixes, the last session."""

from hooklore.broker.broker import Broker
from hooklore.broker.fix_links import has_steps, select_fixes_for_brief
from hooklore.broker.principal_reader import Reader
from hooklore.index import keys
from hooklore.memories.brief_sections import (
    CHECKS_HEADING,
    PINNED_HEADING,
    render_check_notes,
    render_pin_notes,
)
from hooklore.memories.daily_notes import DAILY_HEADING, render_daily_notes
from hooklore.memories.pins import list_memories, reader_places, select_pins
from hooklore.prompt.frame import Section
from hooklore.records.memory_kind import STANDING_KINDS
from hooklore.records.record import Record
from hooklore.retrieval.applicability import is_for_agent_type
from hooklore.retrieval.failures import has_noteworthy_command
from hooklore.retrieval.notes import NoteRenderer, has_state, quotable_text, render_state_note
from hooklore.retrieval.query import RecallQuery

STANDING_HEADING = "Preferences, policies and constraints:"
FIXES_HEADING = "What failed here before, and what made it pass:"
STATE_HEADING = "Where this session stood before its compaction:"
LAST_SESSION_HEADING = "How the last session ended:"
TITLES_HEADING = "Also known (`hooklore show ID` opens one):"

_MAX_FIXES = 8
_READ_FIXES = 60
_READ_SESSION_ENDS = 20
_READ_SINCE_COMPACTION = 40


class Brief:
    """The sections of a brief, for a session or for a subagent."""

    def __init__(self, broker: Broker, notes: NoteRenderer) -> None:
        self._broker = broker
        self._notes = notes

    def render_sections(self, reader: Reader, query: RecallQuery, shown: set[str]) -> list[Section]:
        """Return the sections with their notes, without records that the context was `shown`."""
        branch = reader.principal.branch
        memories = list_applicable_memories(reader)
        pinned = list(select_pins(reader, memories).records)
        pinned_ids = {record.id for record in pinned}
        # A memory for some files waits until a step or a prompt names one.
        others = [r for r in memories if not r.body.paths and r.id not in pinned_ids]
        standing = [r for r in others if r.kind in STANDING_KINDS]
        checks = render_check_notes(reader, self._broker.now(), shown)
        sections = [
            (PINNED_HEADING, render_pin_notes(_new(pinned, shown), self._notes.rendered)),
            (CHECKS_HEADING, checks),
            (STATE_HEADING, _render_state(reader, query)),
            (STANDING_HEADING, self._notes.render_notes(_new(standing, shown), branch)),
            (FIXES_HEADING, self._notes.render_notes(_new(_list_fixes(reader), shown), branch)),
        ]
        if query.trigger == "session_start":
            titles = [r for r in others if r.kind not in STANDING_KINDS]
            sections += self._session_sections(reader, query, shown, titles)
        return sections

    def _session_sections(
        self, reader: Reader, query: RecallQuery, shown: set[str], titles: list[Record]
    ) -> list[Section]:
        """Return the sections that only a session begins with."""
        last = _new(_find_last_session(reader, query), shown)
        rendered = self._notes.rendered
        daily = render_daily_notes(self._broker, rendered) if query.source != "resume" else []
        return [
            (LAST_SESSION_HEADING, self._notes.render_notes(last, reader.principal.branch)),
            (DAILY_HEADING, daily),
            (TITLES_HEADING, self._notes.render_titles(_new(titles, shown))),
        ]


def list_applicable_memories(reader: Reader) -> list[Record]:
    """Return the memories in force of the reader's places that are for its type of agent."""
    memories = list_memories(reader, reader_places(reader.principal))
    return [r for r in memories if is_for_agent_type(r, reader.principal.agent_type)]


def _render_state(reader: Reader, query: RecallQuery) -> list[tuple[str, str]]:
    """Return (id, note) of what the session saved before the compaction that it begins again after."""
    if query.source != "compact" or query.trigger != "session_start" or not query.session_id:
        return []
    for record in reader.lookup(keys.in_session(query.session_id), _READ_SINCE_COMPACTION):
        if record.kind == "compaction" and record.body.detail.get("phase") == "before":
            note = render_state_note(record, reader.principal.branch)
            return [(record.id, note)] if has_state(record) else []
    return []


def _list_fixes(reader: Reader) -> list[Record]:
    """Return the fixes of the project that a session should know before it begins, one for each command."""
    project = reader.principal.project
    found = reader.lookup(keys.of_kind("fix", project), _READ_FIXES) if project else []
    fixes = select_fixes_for_brief([r for r in found if has_noteworthy_command(r) and has_steps(r)])
    by_command: dict[str, Record] = {}
    for fix in fixes:
        by_command.setdefault(str(fix.body.key), fix)
    return list(by_command.values())[:_MAX_FIXES]


def _find_last_session(reader: Reader, query: RecallQuery) -> list[Record]:
    """Return the end of the last other session in the project, or its last answer."""
    project = reader.principal.project
    if not project:
        return []
    for kind in ("session_end", "answer"):
        for record in reader.lookup(keys.of_kind(kind, project), _READ_SESSION_ENDS):
            if record.session_id != query.session_id and quotable_text(record):
                return [record]
    return []


def _new(records: list[Record], shown: set[str]) -> list[Record]:
    return [r for r in records if r.id not in shown]
