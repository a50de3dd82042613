"""What each event asks of memory, and what is said about the answer."""

import os
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from hooklore.broker import Broker
from hooklore.broker.fix_links import failure_signatures
from hooklore.capture.missing_sessions import sessions_without_records
from hooklore.capture.tool_output import edit_before_after
from hooklore.prompt.frame import sanitize_for_prompt
from hooklore.records import keys
from hooklore.records.draft import Draft, Principal, RecallResult
from hooklore.records.event import RECALLING_EVENTS, HookEvent
from hooklore.records.record import Body
from hooklore.records.schema import SCHEMA_VERSION
from hooklore.retrieval.query import GUARD, RecallQuery, context_key
from hooklore.retrieval.recall import Recall
from hooklore.shell.command import command_key
from hooklore.text.code_identifiers import extract_identifiers
from hooklore.text.project_paths import relative_to_root

_DESCRIBED = 1_000
_LOOKED_BACK = 40
_RECALLING_TOOLS = ("command", "edit", "write", "agent", "web")

GUARD_NOTICE = (
    "hooklore did not let this command run: it failed the same way twice, and this made it pass. "
    "Run it again if it is meant to run as it is (setting recall.guard)."
)

if TYPE_CHECKING:
    from hooklore.hooks.runner import Pending


def may_recall(event: HookEvent) -> bool:
    """Whether this event's answer may put text in front of the model (design §4)."""
    if event.event == "before_tool":
        return event.tool_class in _RECALLING_TOOLS
    return event.event in RECALLING_EVENTS


class HookReply(NamedTuple):
    """What an event is answered with: for the model, for the user, and why the step is not to run."""

    context: str | None = None
    notice: str | None = None
    refusal: str | None = None


def answer_event(broker: Broker, memory: Recall, pending: "Pending") -> HookReply:
    """What a recalling event is answered with.

    What was shown is drafted as one `access` record, appended after the answer has gone out.
    """
    event = pending.event
    if event is None:
        return HookReply()
    who = identify_principal(broker, event, pending)
    asked = build_query(broker, event, pending, who)
    if event.source == "compact":
        memory.forget_session(asked)
    shown = memory.answer(asked, who, pending.delivery.id)
    if shown.ids:
        pending.afterwards.append(_access(event, asked, shown, pending))
    if shown.refuses:
        return HookReply(refusal=f"{shown.text}\n{GUARD_NOTICE}")
    context = "\n".join(filter(None, (shown.text, _warning(broker, event))))
    return HookReply(context or None, _notice(event, shown))


def identify_principal(broker: Broker, event: HookEvent, pending: "Pending") -> Principal:
    """Who asks: the agent, in this project and session."""
    project = broker.project_of(pending.keys)
    return Principal(
        agent_id=event.agent_id,
        role=event.extra.get("role", "general"),
        agent_type=_agent_type(event),
        session_id=event.session_id,
        project=project.id if project else None,
        branch=pending.keys.branch if pending.keys else None,
    )


def _agent_type(event: HookEvent) -> str | None:
    """The type of the agent that asks, or of the one that is about to be started (HK-10)."""
    started = event.tool_input.get("subagent_type") if event.tool_class == "agent" else None
    return event.agent_type or (started if isinstance(started, str) else None)


def build_query(
    broker: Broker, event: HookEvent, pending: "Pending", who: Principal
) -> RecallQuery:
    """What this event asks of memory."""
    root = pending.keys.root if pending.keys else "/"
    body = pending.drafts[0].record.body if pending.drafts else Body({})
    words = _described(event)
    if event.event == "prompt":
        words = "\n".join([event.text or "", *_new_tasks(broker, event, who)])
    if event.event == "failure":
        words = str(body.text or "")
    return RecallQuery(
        trigger=event.event,
        session_id=event.session_id,
        subagent_id=event.subagent_id,
        agent_type=who.agent_type,
        source=event.source,
        text=words,
        command=event.command,
        paths=tuple(relative_to_root(path, root) for path in event.paths),
        signatures=tuple(failure_signatures(body)) if event.event == "failure" else (),
        key=body.key or (command_key(event.command) if event.command else None),
    )


def _described(event: HookEvent) -> str:
    """What the agent says it is about to do, beside the command and the file; of an edit its names."""
    if event.event != "before_tool":
        return ""
    if event.tool_class in ("edit", "write"):
        return " ".join(extract_identifiers(*edit_before_after(event.tool_input)))
    said = (event.tool_input.get(name) for name in ("description", "query", "prompt"))
    return "\n".join(text[:_DESCRIBED] for text in said if isinstance(text, str))


def _new_tasks(broker: Broker, event: HookEvent, who: Principal) -> list[str]:
    """The tasks begun since the last prompt: a boundary that recalls anew (HK-12)."""
    found: list[str] = []
    prompts = 0
    for record in broker.lookup(keys.in_session(event.session_id), who, _LOOKED_BACK):
        prompts += record.kind == "prompt"
        if prompts > 1:
            break
        if record.kind == "task" and record.body.text:
            found.append(str(record.body.text))
    return found


def _access(event: HookEvent, asked: RecallQuery, shown: RecallResult, pending: "Pending") -> Draft:
    return Draft.of(
        pending.keys,
        v=SCHEMA_VERSION,
        stream="control",
        kind="access",
        delivery_id=f"{pending.delivery.id}.access",
        agent_id=event.agent_id,
        session_id=event.session_id,
        run_id=event.session_id,
        visibility="session",
        subagent_id=event.subagent_id,
        source={"system": "cli", "detail": "recall"},
        body=_access_body(event, asked, shown, pending),
    )


def _access_body(
    event: HookEvent, asked: RecallQuery, shown: RecallResult, pending: "Pending"
) -> Body:
    body = Body(
        {
            "targets": list(shown.ids),
            "tokens": shown.tokens,
            "trigger": asked.trigger,
            "context": context_key(replace(asked, trigger=GUARD) if shown.refuses else asked),
            "delivery": pending.delivery.id,
            "snapshot_id": shown.snapshot_id,
            "pinned": shown.pinned,
            "checked": shown.checked,
            "fresh": event.source == "compact",
        }
    )
    if shown.wake_up:
        body = body.with_fields(wake_up=shown.wake_up)
    return body.with_fields(refused=True) if shown.refuses else body


def _warning(broker: Broker, event: HookEvent) -> str | None:
    """A line when earlier sessions of this project left no records: captures have stopped."""
    if event.event != "session_start" or not event.transcript_path:
        return None
    silent = sessions_without_records(broker, event.transcript_path, event.session_id or "")
    if not silent:
        return None
    name = sanitize_for_prompt(os.path.basename(silent[0]))
    return (
        f"hooklore: captures had stopped: {len(silent)} earlier session(s) here left no records "
        f"(last: {name}); memory of them is missing; run `hooks doctor`"
    )


def _notice(event: HookEvent, shown: RecallResult) -> str | None:
    if event.event != "session_start" or not shown.ids:
        return None
    return f"{len(shown.ids)} notes, {shown.tokens} tokens · hooklore last"
