"""The lessons of a hook call, taken when its answer has gone out."""

from pathlib import Path
from typing import TYPE_CHECKING

from hooklore.agents.event import EDITING_CLASSES, HookEvent
from hooklore.agents.registry import agent_of
from hooklore.broker import Broker
from hooklore.config import read_owned_file
from hooklore.hooks import answers
from hooklore.instructions.agent_memory_files import is_agent_memory_file
from hooklore.redaction import redact
from hooklore.redaction.private_parts import without_private

if TYPE_CHECKING:
    from hooklore.hooks.runner import Pending


def may_teach(pending: "Pending") -> bool:
    """Return whether there may be something to learn: a prompt typed, or an agent's memory file written.

    A session whose prompts no person types teaches nothing, nor does a prompt that the client wrote.
    """
    event = pending.event
    if event is None or not pending.drafts or not event.is_interactive:
        return False
    if event.event == "prompt":
        is_clients = event.slash is not None or event.notification is not None
        return pending.drafts[0].record.basis == "user" and not is_clients
    return (
        event.event == "after_tool"
        and event.tool_class in EDITING_CLASSES
        and bool(event.paths)
        and is_agent_memory_file(event.paths[0])
    )


def learn_from_call(broker: Broker, pending: "Pending") -> int:
    """Offer the lessons of a call to the write gate and return their number. May raise HookloreError.

    A prompt is taken as it was recorded: redacted, without its private parts and hooklore's own text. Of
    it only the text counts that was typed.
    """
    event = pending.event
    if event is None or not may_teach(pending) or _is_known(pending):
        return 0
    from hooklore.instructions.learner import (
        LearningContext,
        MemoryFile,
        learn_from_memory_file,
        learn_from_prompt,
    )

    context = LearningContext(
        answers.identify_principal(broker, event, pending), pending.keys, pending.delivery.id
    )
    body = pending.body
    if event.event == "prompt":
        typed = agent_of(event.agent_id).typed_text(str(body.text or ""))
        return len(learn_from_prompt(broker, typed, context))
    if body.detail.get("excluded") or body.outcome != "success":
        return 0
    old, new, is_whole = _versions_of_file(event)
    # Redact the text whole: a line of it may be half of an address.
    file = MemoryFile(event.paths[0], redact(new).text, is_whole)
    return len(learn_from_memory_file(broker, redact(old).text, file, context))


def _versions_of_file(event: HookEvent) -> tuple[str, str, bool]:
    """Return a memory file before and after an edit, and whether the whole of the file is known.

    The file itself is read, because an edit tells of its own lines alone.
    """
    before, after = event.call.before_and_after
    try:
        raw = read_owned_file(Path(event.paths[0]), follow=False)
    except (OSError, ValueError):
        return before, after, event.tool_class == "write"
    text = without_private(raw.decode("utf-8", "replace"))[0]
    old = text
    for edit in reversed(event.call.edits):
        if edit.after:
            old = old.replace(edit.after, edit.before, 1)
    return ("" if event.tool_class == "write" else old), text, True


def _is_known(pending: "Pending") -> bool:
    """Return whether a call was delivered before, by a retry or by another registration."""
    return bool(pending.receipts) and all(r.status == "duplicate" for r in pending.receipts)
