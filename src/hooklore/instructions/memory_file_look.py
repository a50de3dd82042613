"""Compare an agent's memory folder with what memory has of it: its files are that agent's own word."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace

from hooklore.agents.memory_files import MemoryFiles
from hooklore.broker.broker import Broker
from hooklore.errors import RecordInvalid
from hooklore.index.lookup_cache import evict_oldest
from hooklore.index.record_keys import scope_key
from hooklore.instructions.agent_memory_files import MAX_CHARACTERS, Section, read_sections
from hooklore.instructions.memory_folder import (
    ChangingFile,
    FolderState,
    SeenFolders,
    Stamp,
    find_state,
    read_file,
)
from hooklore.instructions.stated_kind import OTHER_KIND, state_kind
from hooklore.memories.archive import archive_records
from hooklore.memories.control_draft import draft_control
from hooklore.memories.labels import fit_labels
from hooklore.memories.write_gate import remember
from hooklore.records import keys
from hooklore.records.draft import PERSON, Principal, ProjectKeys
from hooklore.records.record import FROM_A_MEMORY_FILE, Body, Record, is_from_memory_file
from hooklore.records.standing import is_confirmed
from hooklore.redaction import redact
from hooklore.redaction.private_parts import without_private

FILE_GONE = "its memory file is gone"
"""The reason of an archiving of what an agent's file no longer says. It stands again when the file says it."""

MOST_A_LOOK = 100
"""Memories that one look writes. The next look goes on."""

_MAX_KNOWN = 4_000
"""Memories of an agent that are looked through for those of its files."""

_ENDED_AT_ONCE = 20
_READ_ON = 8 * 1024
"""Characters behind those that are kept, which are read for the secrets that begin before."""

_MAX_ENDERS = 4
_KINDS = {"feedback": "preference"}
"""The kind by the client's word for a sort of memory, where that word leaves no doubt."""


@dataclass(frozen=True, slots=True)
class LookContext:
    """The event at which a folder is looked at: who writes, its project, its delivery, and where files may be.

    `session` is the session in which what changed was written, None where no session of this look did.
    """

    who: Principal
    keys: ProjectKeys | None
    delivery_id: str
    tops: tuple[str, ...]
    session: str | None = None


def look_at_memory_files(
    broker: Broker, files: MemoryFiles, transcript: str, context: LookContext, seen: SeenFolders
) -> Iterator[int]:
    """Take what changed in the agent's memory folder into memory, and yield after each step how much was written.

    What the agent read before it wrote a file is known of the session alone in which the look finds it changed:
    such a memory waits as any word after a foreign text does. At a start that session is over, each of its answers
    and its end had a look of their own, and what is found stands as the agent's word. Raise HookloreError.
    """
    state = find_state(files.find_folders(transcript, context.tops), files.names)
    if state is None:
        return  # no folder, and no place for one
    project = broker.project_of(context.keys)
    place = f"project:{project.id}" if project else f"agent:{context.who.agent_id}"
    name = f"{place}|{state.path}"
    before = seen.get(name)
    if before == state.files:
        return
    look = _Look(broker, files, context, state, place)
    yield from look.run(before or {})
    if look.has_ended:
        # What one file no longer says another one may: its text was no news while that memory stood.
        look = _Look(broker, files, context, state, place)
        yield from look.run({})
    seen[name] = look.taken
    evict_oldest(seen)


class _Look:
    """One comparison of a folder with the memory of a place."""

    def __init__(
        self,
        broker: Broker,
        files: MemoryFiles,
        context: LookContext,
        state: FolderState,
        place: str,
    ) -> None:
        self._broker, self._files, self._context = broker, files, context
        self._state, self._place = state, place
        self._folder = _digest(state.path)
        self.taken: dict[str, Stamp] = {}
        self.has_ended = False
        self._written = 0

    def run(self, before: dict[str, Stamp]) -> Iterator[int]:
        """End what is gone, then take the files that are not as they were `before`."""
        # The memories of this agent's files in this place, ended ones too, the newest first.
        owner, agent = self._broker.as_reader(PERSON), self._context.who.agent_id
        written = owner.history(keys.kept_by(agent), _MAX_KNOWN)
        known = [r for r in written if is_from_memory_file(r) and scope_key(r) == self._place]
        yield from self._end_gone(known)
        for name, stamp in self._state.files.items():
            if before.get(name) == stamp:
                self.taken[name] = stamp
            elif self._written < MOST_A_LOOK:
                yield from self._take(name, stamp, known)

    def _thread(self, name: str) -> str:
        """Return the name under which the memories of a file are known. Folders name people, so they are hashed."""
        return f"file-{self._folder}-{_digest(name)}"

    def _take(self, name: str, stamp: Stamp, known: list[Record]) -> Iterator[int]:
        """Take one file. One that changes while it is read is taken by the next look."""
        try:
            text = read_file(self._state, name)
        except ChangingFile:
            return
        self.taken[name] = stamp
        yield 0
        sections = [] if text is None else self._sections(text, name)
        yield 0
        older = f"file-{_digest(f'{self._state.path}/{name}')}"
        of_file = [r for r in known if r.source.get("thread_id") in (self._thread(name), older)]
        yield from self._end(
            [r for r in of_file if not any(_is_part(r, s.heading) for s in sections)]
        )
        for section in sections:
            written = self._offer(section, name, of_file, known)
            self._written += written
            yield written

    def _sections(self, text: str, name: str) -> list[Section]:
        """Return the sections of a file, redacted. Of a file with a form of its client's own its parts are read."""
        public, split = without_private(text)[0], self._files.split
        parts = split(name, public, self._context.tops) if split else None
        if parts is None:
            return read_sections(_redacted(public), name)
        clean = tuple((redact(heading).text, _redacted(part)) for heading, part in parts)
        return read_sections("", name, clean)

    def _offer(
        self, section: Section, name: str, of_file: list[Record], known: list[Record]
    ) -> int:
        """Offer a section to the write gate unless memory has it, and return 1 where something was written."""
        earlier = next((r for r in of_file if _is_part(r, section.heading)), None)
        is_unchanged = earlier is not None and earlier.source.get("text") == section.digest
        # What ended with its file, and by nothing else, is offered again.
        if earlier and is_unchanged and set(self._reasons_of_end(earlier.id)) != {FILE_GONE}:
            return 0
        same = next((r for r in known if r.body.content_md == section.text), None)
        if same is not None and self._is_taken_away(same):
            return 0
        record = self._memory_of(section, name)
        if earlier is not None and not earlier.waits:
            record = record.with_fields(supersedes=earlier.id)
        status = self._remember(record)
        is_written = status not in ("", "duplicate", "lost")
        if earlier is None:
            return int(is_written)
        if earlier.waits and is_written:
            self._end_waiting([earlier])
        elif status in ("duplicate", "updated") and earlier.body.content_md != section.text:
            sum(self._end([earlier]))  # its file says something else, which another memory has
        return int(is_written)

    def _is_taken_away(self, record: Record) -> bool:
        """Return whether a memory was ended by anything but its files: a person took it back, or replaced it."""
        owner = self._broker.as_reader(PERSON)
        if owner.is_in_force(record) or record.waits:
            return False
        enders = owner.history(keys.end_of(record.id), _MAX_ENDERS)
        return any(e.body.reason != FILE_GONE and not is_from_memory_file(e) for e in enders)

    def _reasons_of_end(self, id_: str) -> list[str | None]:
        """Return why a memory ended, once for each record that ended it."""
        enders = self._broker.as_reader(PERSON).history(keys.end_of(id_), _MAX_ENDERS)
        return [ender.body.reason for ender in enders]

    def _memory_of(self, section: Section, name: str) -> Record:
        who, thread = self._context.who, self._thread(name)
        kind = state_kind(section.text)
        if kind == OTHER_KIND:  # its words show none, the client's own sort of memory may
            kind = _KINDS.get(section.type, kind)
        event = f"{self._context.delivery_id}.{thread}.{_digest(section.heading)}.{section.digest}"
        return Record.of(
            agent_id=who.agent_id,
            role=who.role,
            session_id=self._context.session,
            run_id=self._context.session,
            idempotency_key=f"event-{_digest(event)}",
            kind=kind,
            content_md=section.text,
            title=section.title or None,
            when=list(section.phrases) or None,
            confidence="med",
            source={
                "system": "cli",
                "detail": f"{FROM_A_MEMORY_FILE}:{redact(name).text}"[:200],
                "thread_id": thread,
                "message_id": _part_of(section.heading),
                "text": section.digest,
            },
        )

    def _remember(self, record: Record) -> str:
        """Keep a memory as the agent's word and return its status, "" for none.

        What is no label, or what a second redaction finds, is left out.
        """
        context, (record, _) = self._context, fit_labels(record)
        who = replace(context.who, session_id=context.session)
        texts = ((n, redact(str(record.extra(n) or "")).text) for n in ("content_md", "title"))
        masked = record.without("when").with_fields(**{name: text or None for name, text in texts})
        for said in (record, masked):
            try:
                result = remember(self._broker, said.to_json(), who, context.keys, word="agent")
            except RecordInvalid:
                continue
            if result.status != "refused":
                return result.status
        return ""

    def _end_gone(self, known: list[Record]) -> Iterator[int]:
        """End the memories of files that are gone, and the guesses of an older version about other files."""
        threads = {self._thread(name) for name in self._state.files}
        own = f"file-{self._folder}-"
        gone = []
        for record in known:
            thread = str(record.source.get("thread_id") or "")
            is_own = thread.startswith(own) and thread not in threads and self._state.is_whole
            is_older = thread.count("-") < 2 and bool(record.waits)
            if is_own or is_older:
                gone.append(record)
        yield from self._end(gone)

    def _end(self, records: list[Record]) -> Iterator[int]:
        """Archive what stands of these memories, end the waiting of the others, and yield how many, in steps.

        What a person approved, or brought back though the file is gone, is theirs and stays.
        """
        reader = self._broker.as_reader(PERSON)
        left = []
        for each in records:
            # A person restored what had ended with its file.
            is_brought_back = each.restores and FILE_GONE in self._reasons_of_end(each.restores)
            if not (is_confirmed(each) or is_brought_back or reader.is_ended(each)):
                left.append(each)
        self.has_ended |= bool(left)
        for begin in range(0, len(left), _ENDED_AT_ONCE):
            batch = left[begin : begin + _ENDED_AT_ONCE]
            standing = [r for r in batch if not r.waits]
            if standing:
                archive_records(self._broker, standing, FILE_GONE)
            self._end_waiting([r for r in batch if r.waits])
            yield len(batch)

    def _end_waiting(self, records: list[Record]) -> None:
        drafts = [
            draft_control(
                "supersede", r.scope, Body({"targets": [r.id], "reason": FILE_GONE}),
                detail=FROM_A_MEMORY_FILE, project=r.project, basis="tool",
            )
            for r in records
        ]  # fmt: skip
        if drafts:
            self._broker.append(drafts)
            self._broker.refresh()


def _redacted(text: str) -> str:
    """Return the beginning of a text as it may be kept, redacted before it is cut: no secret is cut in two."""
    public = redact(text[: MAX_CHARACTERS + _READ_ON]).text
    is_read_whole = len(text) <= MAX_CHARACTERS + _READ_ON
    # Of a text that is longer, the end of what was read may be half of a secret.
    safe = len(public) if is_read_whole else len(public) - _READ_ON // 2
    kept = min(safe, MAX_CHARACTERS)
    if len(public) <= kept:
        return public
    ends = (public.rfind(mark, 0, kept) for mark in ("\n", " "))
    return public[: next((end for end in ends if end > kept // 2), kept)]


def _part_of(heading: str) -> str | None:
    """Return the name under which a section is known in its file. A heading may be redacted, so it is hashed."""
    return f"part-{_digest(heading)}" if heading else None


def _is_part(record: Record, heading: str) -> bool:
    """Return whether a memory is of the section with this heading, which older versions kept as it is."""
    return (record.source.get("message_id") or None) in (heading or None, _part_of(heading))


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogateescape"), digest_size=8).hexdigest()
