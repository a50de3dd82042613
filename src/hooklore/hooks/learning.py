"""What a hook call teaches, taken when its answer has gone out (row HK-14)."""

import os
from typing import TYPE_CHECKING

from hooklore.broker import Broker
from hooklore.hooks import answers
from hooklore.instructions.agent_memory_files import is_agent_memory_file
from hooklore.records.event import HookEvent

if TYPE_CHECKING:
    from hooklore.hooks.runner import Pending


def may_teach(pending: "Pending") -> bool:
    """Whether there may be something to learn: a recorded prompt, or an agent's memory file written."""
    event = pending.event
    if event is None or not pending.drafts:
        return False
    if event.event == "prompt":
        return pending.drafts[0].record.basis == "user"
    return (
        event.event == "after_tool"
        and event.tool_class in ("edit", "write")
        and bool(event.paths)
        and is_agent_memory_file(event.paths[0])
    )


def learn_from_call(broker: Broker, pending: "Pending") -> int:
    """Offer what a call teaches to the write gate; how much that was. May raise HookloreError.

    A prompt is taken as it was recorded: redacted, without what is private and what is our own.
    """
    event = pending.event
    if event is None or not may_teach(pending) or _is_known(pending):
        return 0
    from hooklore.instructions.learner import (
        LearningContext,
        learn_from_memory_file,
        learn_from_prompt,
    )

    moment = LearningContext(
        answers.identify_principal(broker, event, pending), pending.keys, pending.delivery.id
    )
    body = pending.drafts[0].record.body
    if event.event == "prompt":
        return len(learn_from_prompt(broker, str(body.text or ""), moment))
    if body.detail.get("excluded") or body.outcome != "success":
        return 0
    new, old = _written(event)
    return len(learn_from_memory_file(broker, new, old, os.path.basename(event.paths[0]), moment))


def warm_learning() -> None:
    """Compile the rules: it takes a seventh of a second, so it is done at once neither here nor there."""
    import hooklore.instructions.learner  # noqa: F401
    from hooklore.instructions import extract

    extract.compile_evidence_tables()


def release_learning() -> None:
    """Let go of what the rules take in memory until somebody types again."""
    from hooklore.instructions import extract

    extract.release_evidence_tables()


def _is_known(pending: "Pending") -> bool:
    """Handed in a second time, by a retry or another registration: it has been learnt from."""
    return bool(pending.receipts) and all(r.status == "duplicate" for r in pending.receipts)


def _written(event: HookEvent) -> tuple[str, str]:
    """(what was written, what it replaces) of an edit or a write."""
    given = event.tool_input
    edits = given.get("edits") if isinstance(given.get("edits"), list) else [given]
    parts = [e for e in edits or () if isinstance(e, dict)]
    new = (e.get("new_string") or e.get("content") for e in parts)
    old = (e.get("old_string") for e in parts)
    return "\n".join(t for t in new if isinstance(t, str)), "\n".join(
        t for t in old if isinstance(t, str)
    )
