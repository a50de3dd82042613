"""The lessons of a hook call, taken when its answer has gone out."""

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from hooklore.agents.event import EventName
from hooklore.agents.registry import agent_of
from hooklore.broker import Broker
from hooklore.hooks.pending import Pending, identify_principal
from hooklore.records.draft import ProjectKeys

if TYPE_CHECKING:
    from hooklore.instructions.memory_folder import SeenFolders

LOOKED_AT: tuple[EventName, ...] = ("session_start", "answer", "session_end")
"""The events at which the client's memory files are looked at: where a session may have left some, and its model
is done writing."""


def may_teach(pending: Pending) -> bool:
    """Return whether there may be something to learn: a prompt typed, or memory files that the agent has written.

    Prompts of a session in which no person types teach nothing, nor does a prompt that the client wrote. The
    agent's memory files are its own word, whoever types.
    """
    event = pending.event
    if pending.capture is None:
        return False
    if event.event == "prompt":
        is_clients = event.slash is not None or event.notification is not None
        is_typed = event.is_interactive and pending.capture.record.basis == "user"
        return is_typed and not is_clients
    if event.event not in LOOKED_AT or event.subagent_id or not event.transcript_path:
        return False
    return not pending.is_late and pending.is_from_client  # for the event tells where the files lie


def learn_from_call(broker: Broker, pending: Pending, seen: "SeenFolders") -> Iterator[int]:
    """Offer the lessons of a call to the write gate, and yield their number, in steps. May raise HookloreError.

    A prompt is taken as it was recorded: redacted, without its private parts and hooklore's own text. Of
    it only the text counts that was typed. `seen` are the memory folders as they were seen last.
    """
    if not may_teach(pending) or pending.status == "duplicate":
        return
    if pending.event.event == "prompt":
        yield _learn_from_prompt(broker, pending)
    else:
        yield from _learn_from_files(broker, pending, seen)


def _learn_from_prompt(broker: Broker, pending: Pending) -> int:
    from hooklore.instructions.learner import learn_from_prompt

    event = pending.event
    who = identify_principal(broker, pending)
    typed = agent_of(event.agent_id).typed_text(str(pending.body.text or ""))
    return len(learn_from_prompt(broker, typed, who, pending.keys, pending.delivery.id))


def _learn_from_files(broker: Broker, pending: Pending, seen: "SeenFolders") -> Iterator[int]:
    from hooklore.instructions.memory_file_look import LookContext, look_at_memory_files

    event = pending.event
    files = agent_of(event.agent_id).memory_files()
    if files is None:
        return
    context = LookContext(
        identify_principal(broker, pending),
        pending.keys,
        pending.delivery.id,
        _tops(pending.keys),
        event.session_id if event.event != "session_start" else None,
    )
    yield from look_at_memory_files(broker, files, event.transcript_path or "", context, seen)


def _tops(project: ProjectKeys | None) -> tuple[str, ...]:
    """Return the tops of a project's work trees: the main one, then the one that the session works in."""
    if project is None:
        return ()
    shared = (key.removeprefix("dir:") for key in project.keys if key.startswith("dir:"))
    mains = (os.path.dirname(path) for path in shared if os.path.basename(path) == ".git")
    return tuple(dict.fromkeys((*mains, project.root)))
