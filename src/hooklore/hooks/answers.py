"""What each event asks of memory, and what is said about the answer."""

import os
from typing import TYPE_CHECKING

from hooklore.broker import Broker
from hooklore.broker.recall import Asked, Recall, context_of
from hooklore.hooks.silence import silent_sessions
from hooklore.model.draft import Draft, Principal, Shown
from hooklore.model.event import HookEvent
from hooklore.model.record import SCHEMA_VERSION
from hooklore.policy.signature import error_signature

if TYPE_CHECKING:
    from hooklore.hooks.runner import Pending


def recall(broker: Broker, memory: Recall, pending: "Pending") -> tuple[str | None, str | None]:
    """(context for the model, notice for the user) for a recalling event.

    What was shown is drafted as one `access` record, appended after the answer has gone out.
    """
    event = pending.event
    if event is None:
        return None, None
    who = principal(broker, event, pending)
    asked = question(event)
    if event.source == "compact":
        memory.forget_session(asked)
    shown = memory.answer(asked, who, pending.delivery.id)
    if shown.ids:
        pending.afterwards.append(_access(event, asked, shown, pending))
    context = "\n".join(filter(None, (shown.text, _warning(broker, event))))
    return context or None, _notice(event, shown)


def principal(broker: Broker, event: HookEvent, pending: "Pending") -> Principal:
    """Who asks: the agent, in this project and session."""
    project = broker.project_of(pending.keys)
    role = next((d.fields.get("role") for d in pending.drafts), None)
    return Principal(
        agent_id=event.agent_id,
        role=role or "general",
        agent_type=event.agent_type,
        session_id=event.session_id,
        project=project.id if project else None,
        branch=pending.keys.branch if pending.keys else None,
    )


def question(event: HookEvent) -> Asked:
    """What this event asks of memory."""
    is_failure = event.event == "failure"
    described = event.tool_input.get("description") if event.event == "before_tool" else None
    words = event.text if event.event == "prompt" else described
    return Asked(
        trigger=event.event,
        session_id=event.session_id,
        subagent_id=event.subagent_id,
        agent_type=event.agent_type,
        source=event.source,
        text=words if isinstance(words, str) else "",
        command=event.command,
        paths=event.paths,
        signature=error_signature(event.text or "") if is_failure else None,
        tool=event.tool,
    )


def _access(event: HookEvent, asked: Asked, shown: Shown, pending: "Pending") -> Draft:
    body = {
        "targets": list(shown.ids),
        "tokens": shown.tokens,
        "trigger": asked.trigger,
        "context": context_of(asked),
        "delivery": pending.delivery.id,
        "snapshot_id": shown.snapshot_id,
    }
    fields = {
        "v": SCHEMA_VERSION,
        "stream": "control",
        "kind": "access",
        "delivery_id": f"{pending.delivery.id}.access",
        "agent_id": event.agent_id,
        "session_id": event.session_id,
        "run_id": event.session_id,
        "subagent_id": event.subagent_id,
        "source": {"system": "cli", "detail": "recall"},
        "body": body,
    }
    return Draft({k: v for k, v in fields.items() if v is not None}, pending.keys)


def _warning(broker: Broker, event: HookEvent) -> str | None:
    """A line when earlier sessions of this project left no records: captures have stopped."""
    if event.event != "session_start" or not event.transcript_path:
        return None
    silent = silent_sessions(broker, event.transcript_path, event.session_id or "")
    if not silent:
        return None
    name = os.path.basename(silent[0])
    return (
        f"hooklore: captures had stopped: {len(silent)} earlier session(s) here left no records "
        f"(last: {name}); memory of them is missing; run `hooks doctor`"
    )


def _notice(event: HookEvent, shown: Shown) -> str | None:
    if event.event != "session_start" or not shown.ids:
        return None
    return f"{len(shown.ids)} notes, {shown.tokens} tokens · hooklore last"
