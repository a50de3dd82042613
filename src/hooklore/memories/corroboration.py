"""Tell when a second agent says what a first one keeps: independent of it, and not as its echo."""

from typing import Final

from hooklore.broker.principal_reader import Reader
from hooklore.memories.agent_sessions import list_recent_sessions
from hooklore.memories.append import OF_ONE_LINE
from hooklore.prompt.title import title_of
from hooklore.records import keys
from hooklore.records.draft import Draft, Principal
from hooklore.records.record import Record, is_from_memory_file
from hooklore.records.schema import MAX_ALSO_SAID_BY
from hooklore.records.standing import rung_of
from hooklore.shell.own_command import reads_memory
from hooklore.text.similarity import is_same_text

_MAX_ACCESSES: Final = 200
_MAX_RECORDS: Final = 400
_OF_A_SPEAKER: Final = ("agent_id", "role", "session_id", "run_id", "source", "self_named")
_OF_A_VERSION: Final = OF_ONE_LINE | {"importance", "restores", "supersedes"}


def is_corroboration(owner: Reader, event: Record, known: Record) -> bool:
    """Return whether the event of an agent confirms what other agents keep on their own word.

    Its agent must be another one, and neither may be known by nothing but the name that it gave. Its session
    must be a known one which was not told the memory. A memory file confirms nothing: who wrote it may have been
    told in any session. `owner` reads as the store's owner.
    """
    if is_from_memory_file(event):
        return False
    if rung_of(event) != "agent" or rung_of(known) != "agent" or known.waits:
        return False
    names = names_of(known)
    if event.self_named or known.self_named or event.agent_id in names:
        return False
    if len(names) > MAX_ALSO_SAID_BY:
        return False
    is_open = event.session_id is not None and not owner.is_ended(known)
    return is_open and not _was_told(owner, event, known)


def as_corroborated(draft: Draft, known: Record) -> Draft:
    """Return the next version of `known`, as the word of a second agent too: nothing but the speaker is new."""
    said = {name: draft.record.extra(name) for name in _OF_A_SPEAKER}
    return Draft(_next(known).with_fields(**said, also_said_by=names_of(known)))


def names_of(known: Record) -> list[str]:
    """Return the agents that said a memory, the last one first."""
    return list(dict.fromkeys((str(known.agent_id), *known.also_said_by)))


def without_name(record: Record, agent_id: str) -> Record:
    """Return the next version of a memory, which `agent_id` no longer says as well."""
    left = [name for name in record.also_said_by if name != agent_id]
    delivery = f"{record.id}.without.{agent_id}"
    return _next(record).with_fields(also_said_by=left or None, delivery_id=delivery)


def with_name_again(record: Record, agent_id: str) -> Record:
    """Return the next version of a memory from which `agent_id` was taken by `without_name`."""
    delivery = f"{record.id}.with.{agent_id}"
    return _next(record).with_fields(
        also_said_by=[*record.also_said_by, agent_id][:MAX_ALSO_SAID_BY], delivery_id=delivery
    )


def is_without(record: Record, agent_id: str) -> bool:
    """Return whether a memory is the version that `without_name` made."""
    return str(record.extra("delivery_id") or "").endswith(f".without.{agent_id}")


def _next(record: Record) -> Record:
    return record.without(*_OF_A_VERSION).with_fields(supersedes=record.id)


def _was_told(owner: Reader, event: Record, known: Record) -> bool:
    """Return whether the session of an event was shown a memory, or could read all of it in its title.

    Of the agent's own sessions the last few count too, and what it asked without a session.
    """
    who = Principal(agent_id=str(event.agent_id), project=known.project)
    sessions = (event.session_id, None, *list_recent_sessions(owner, who))
    versions = {known.id, *(each.id for each in owner.earlier_versions(known))}
    for session in sessions:
        for access in owner.history(keys.shown_in(session), _MAX_ACCESSES):
            is_its_own = session is not None or access.agent_id == event.agent_id
            if is_its_own and not versions.isdisjoint(access.body.targets):
                return True
    of_session = owner.history(keys.in_session(event.session_id), _MAX_RECORDS)
    if any(r.id > known.id and reads_memory(str(r.body.command or "")) for r in of_session):
        return True
    is_later = not of_session or of_session[-1].id > known.id
    return is_later and is_same_text(title_of(known), known.body.content_md)
