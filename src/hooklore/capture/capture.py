"""The records that each event leaves behind."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import NamedTuple

from hooklore.agents.event import (
    EDITING_CLASSES,
    FILE_CLASSES,
    READ_CLASSES,
    TOOL_EVENTS,
    BackgroundTask,
    HookEvent,
    SlashCommand,
    ToolOutput,
)
from hooklore.agents.registry import agent_of
from hooklore.capture.composition import (
    OUTPUT_ENDS,
    PARTS,
    Composition,
    Parts,
    non_empty,
)
from hooklore.capture.excluded_folders import covers_any, is_file_kept_out, may_be_kept_out
from hooklore.capture.tool_output import change_of, describe_step, outcome_of, output_text
from hooklore.config import Settings
from hooklore.records.record import Body, Record, parse_flag
from hooklore.records.schema import SCHEMA_VERSION
from hooklore.shell.command import (
    command_key,
    find_written_file,
    is_memory_read_command,
    is_private_memory_command,
    may_print_file,
)
from hooklore.text.feedback_signal import classify_feedback

Recorded = tuple[str, str, Body]
"""Kind, basis and body of a record."""

_EXCLUDED = "excluded"
"""The detail of a step of which only the path is kept."""

_INTENT_CLASSES = frozenset(("command", "edit", "write", "agent", "web"))


class Capture(NamedTuple):
    """The record of an event, its texts whole and as they came, and how they are cut when they are redacted.

    Cuts and signatures are made of clean text, so that no secret is cut in two or signed.
    """

    record: Record
    composition: Composition


def capture_event(
    event: HookEvent, settings: Settings, ts: str, source: Mapping[str, str] | None = None
) -> Capture | None:
    """Return the record of an event at `ts` (RFC 3339, UTC), None where a rule keeps nothing.

    Left out are unknown events, reads unless `capture.reads`, the intent of tools
    that change nothing, prompts, answers and subagents without words, and the client's own summariser.
    An event that could not be parsed is recorded with its problem.
    """
    handler = _HANDLERS.get(event.event)
    if handler is None:
        return None
    parts = Parts()
    recorded = handler(event, settings, parts)
    told_enough = event.problem is None or event.tool_class is not None or event.is_summarizer
    if recorded is None and told_enough:
        return None
    kind, basis, body = recorded or (_KIND_OF_PROBLEM[event.event], "tool", _body("medium"))
    if event.problem:
        body = body.with_fields(detail={**body.detail, "problem": event.problem})
    texts, limits = parts.windows()
    is_step = event.event == "before_tool"
    composition = Composition(limits, event.tool_class, has_action=is_step)
    body = body.with_fields(**{PARTS: texts})
    source = source or {"system": agent_of(event.agent_id).source_system, "detail": "hook"}
    names = (event.agent_id, event.session_id, event.event, event.tool_use_id)
    has_own_name = event.event in TOOL_EVENTS and event.tool_use_id and event.session_id
    record = Record.of(
        v=SCHEMA_VERSION,
        ts=ts,
        stream="observation",
        kind=kind,
        delivery_id=event.delivery_id,
        natural_key="|".join(map(str, names)) if has_own_name else None,
        agent_id=event.agent_id,
        role=event.role,
        agent_type=event.agent_type,
        subagent_id=event.subagent_id,
        session_id=event.session_id,
        run_id=event.session_id,
        task_id=event.task_id,
        basis=basis,
        is_private=is_private_event(event) or None,
        source=source,
        body=body,
        expires_at=expiry(ts, settings.capture.keep_days),
    )
    return Capture(record, composition)


def _body(priority: str, **fields: object) -> Body:
    """Return the body of a record with `fields`, where `detail` may be among them."""
    return Body({"priority": priority, "detail": {}, **fields})


def _session_start(event: HookEvent, _: Settings, parts: Parts) -> Recorded:
    parts.add("model", event.model, cap="intent")
    parts.add("title", event.session_title, cap="intent")
    detail = non_empty(source=event.source, entrypoint=event.entrypoint)
    body = Body.of(priority="medium", agents=[event.agent_id], detail=detail)
    return "session_start", "tool", body


def _prompt(event: HookEvent, _: Settings, parts: Parts) -> Recorded | None:
    words = (event.text or "").strip()
    if event.slash and not words:
        return _slash(event.slash, parts)
    if words:
        parts.add("text", words, cap="prompt")
        detail = non_empty(
            private=event.private_parts or None,
            signal=classify_feedback(words),
            headless=event.is_headless or event.is_unproven or None,
        )
        return "prompt", "user", _body("high", detail=detail)
    if event.notification:
        return _notification(event.notification, parts)
    return None


def _slash(slash: SlashCommand, parts: Parts) -> Recorded:
    """Return the record of a slash command: something done, not something said."""
    parts.add("action", f"/{slash.name} {slash.arguments.strip()}".strip(), cap="command")
    return "prompt", "tool", _body("medium", detail={"slash": slash.name})


_ENDED = {"completed": "success", "failed": "failure", "killed": "partial", "stopped": "partial"}


def _notification(told: BackgroundTask, parts: Parts) -> Recorded:
    """Return the record of a background task's end, which comes as a prompt."""
    parts.add("text", told.summary, cap="output")
    parts.add("task", told.task, cap="intent")
    outcome = _ENDED.get(told.status, "unknown")
    return "task", "tool", _body("medium", outcome=outcome, detail={"state": "background"})


def _before_tool(event: HookEvent, settings: Settings, parts: Parts) -> Recorded | None:
    if event.tool_class not in _INTENT_CLASSES:
        return None
    body = _of_tool(event, settings, parts)
    if "intent" not in parts.texts:
        parts.add("intent", describe_step(event, body.detail.get("lines")))
    return "tool_intent", "tool", body


def _after_tool(event: HookEvent, settings: Settings, parts: Parts) -> Recorded | None:
    if event.tool_class in READ_CLASSES and not settings.capture.reads:
        return None
    outcome = outcome_of(event)
    body = _of_tool(event, settings, parts).with_fields(outcome=outcome)
    if event.tool_class in EDITING_CLASSES and event.call.paths:
        body = body.with_fields(artifacts=list(event.call.paths[:1]))
    if outcome == "failure":
        return _failed(event, parts, body, output_text(event).strip())
    if not body.detail.get(_EXCLUDED):
        body = _with_output(event, parts, body)
    return "tool_result", "tool", body


def _failure(event: HookEvent, settings: Settings, parts: Parts) -> Recorded:
    stopped_by = event.stopped_by
    outcome = "partial" if stopped_by else "failure"
    body = _of_tool(event, settings, parts).with_fields(outcome=outcome, stopped_by=stopped_by)
    return _failed(event, parts, body, event.text or "")


def _failed(event: HookEvent, parts: Parts, body: Body, output: str) -> Recorded:
    """Return the record of an error: its cause, its lines, and how to reproduce it.

    A tool that somebody stopped has no lines: its text says nothing of the project.
    """
    output = "" if body.detail.get(_EXCLUDED) else output
    parts.add("stderr", output)
    if not event.stopped_by:
        parts.add_ends(OUTPUT_ENDS, output)
    body = body.with_fields(
        priority="medium" if event.stopped_by else "critical",
        exit_status=event.exit_status,
        detail={**body.detail, "reproduce": non_empty(cwd=event.cwd, tool=event.tool)},
    )
    return "error", "tool", body


def _of_tool(event: HookEvent, settings: Settings, parts: Parts) -> Body:
    """Return the body that the intent, the result and the failure of a tool have in common.

    Of a file that is kept out it has the path alone; of a command that writes one, its name and the file.
    """
    call, is_kept_out = event.call, partial(may_be_kept_out, settings)
    command = call.command
    if command is not None and (written := find_written_file(command, is_kept_out)):
        command = f"{command_key(command).split(' ', 1)[0]} … > {written}"
    parts.add("intent", call.intent)
    parts.add("tool", event.tool, cap="intent")
    parts.add("command", command)
    cost = {"time_ms": event.duration_ms, "tokens": call.output.tokens if call.output else 0}
    body = _body("high", paths=list(call.paths[:20]), cost=cost)
    if (
        any(is_file_kept_out(settings, path) for path in call.paths)
        or covers_any(settings, call.paths)
        or (call.command is not None and may_print_file(call.command, is_kept_out))
    ):
        return body.with_fields(detail={_EXCLUDED: True})
    if event.tool_class in EDITING_CLASSES:
        change = change_of(event.call)
        lines = {"added": change.added, "removed": change.removed}
        return body.with_fields(detail={"lines": lines})
    if event.tool_class in READ_CLASSES:
        parts.add("pattern", event.call.pattern, cap="input")
        return body.with_fields(detail=non_empty(**event.call.counts))
    if event.tool_class == "agent":
        parts.add("agent_type", event.call.started_agent_type, cap="intent")
        parts.add("intent", event.call.intent or event.call.assignment)
    elif event.tool_class != "command":
        parts.add("input", event.call.arguments)
    return body


def _with_output(event: HookEvent, parts: Parts, body: Body) -> Body:
    """Return the body of a step that went well. A changed text is recorded with the result alone."""
    if event.tool_class in EDITING_CLASSES:
        parts.add("change", change_of(event.call).text)
    if event.tool_class in FILE_CLASSES:
        return body
    command, tool = event.call.command, event.tool or ""
    if is_memory_read_command(command) if command is not None else "hooklore" in tool.lower():
        return body.with_fields(detail={**body.detail, "echo": True})  # it is recorded already
    output = event.call.output or ToolOutput()
    if event.tool_class == "command":
        parts.add("stdout", output.text)
        parts.add("stderr", output.errors)
    else:
        parts.add("output", output.text)
    return body


def _answer(event: HookEvent, _: Settings, parts: Parts) -> Recorded | None:
    if not (event.text or "").strip():
        return None
    parts.add("text", event.text, cap="answer")
    return "answer", "inferred", _body("high")


def _answer_failed(event: HookEvent, _: Settings, parts: Parts) -> Recorded:
    told = (*event.failure_details, event.text)
    output = "\n".join(part for part in told if part is not None)
    kind, basis, body = _failed(event, parts, _body("critical"), output)
    return kind, basis, body.with_fields(outcome="failure")


def _agent_start(event: HookEvent, _: Settings, __: Parts) -> Recorded:
    return "subagent_start", "tool", _body("medium", agents=[event.agent_id])


def _agent_stop(event: HookEvent, _: Settings, parts: Parts) -> Recorded | None:
    if event.is_summarizer:
        return None
    parts.add("text", event.text, cap="answer")
    return "subagent_stop", "inferred", _body("high")


def _task(event: HookEvent, _: Settings, parts: Parts) -> Recorded:
    done = event.event == "task_completed"
    described = (event.text, event.task_description)
    parts.add("description", "\n".join(part for part in described if part))
    parts.add("task", event.task, cap="intent")
    detail = {"state": "completed" if done else "created"}
    return "task", "tool", _body("medium", outcome="success" if done else None, detail=detail)


def _before_compaction(event: HookEvent, _: Settings, parts: Parts) -> Recorded:
    parts.add("text", event.text, cap="prompt")
    body = _body("medium", detail=non_empty(trigger=event.source, phase="before"))
    return "compaction", "user" if (event.text or "").strip() else "tool", body


def _after_compaction(event: HookEvent, _: Settings, parts: Parts) -> Recorded:
    parts.add("text", event.text, cap="summary")
    body = _body("medium", detail=non_empty(trigger=event.source, phase="after"))
    return "compaction", "inferred", body


def _session_end(event: HookEvent, _: Settings, __: Parts) -> Recorded:
    """Return the record of a session's end. Its sections are filled from the session's records."""
    totals = agent_of(event.agent_id).token_totals
    tokens = totals(event.transcript_path) if event.transcript_path else {}
    body = _body(
        "high",
        sections={"results": [], "unresolved": [], "next_actions": []},
        tokens=tokens,
        cost={"tokens": tokens.get("input", 0) + tokens.get("output", 0), "time_ms": 0},
        detail=non_empty(reason=event.source),
    )
    return "session_end", "tool", body


_Handler = Callable[[HookEvent, Settings, Parts], Recorded | None]
_HANDLERS: dict[str, _Handler] = {
    "session_start": _session_start,
    "prompt": _prompt,
    "before_tool": _before_tool,
    "after_tool": _after_tool,
    "failure": _failure,
    "answer": _answer,
    "answer_failed": _answer_failed,
    "agent_start": _agent_start,
    "agent_stop": _agent_stop,
    "task_created": _task,
    "task_completed": _task,
    "before_compaction": _before_compaction,
    "after_compaction": _after_compaction,
    "session_end": _session_end,
}

_KIND_OF_PROBLEM = {
    "prompt": "prompt",
    "before_tool": "tool_intent",
    "after_tool": "tool_result",
    "answer": "answer",
    "agent_stop": "subagent_stop",
}
"""The kind of a record whose payload could not be parsed, for the handlers that leave things out."""


def is_private_event(event: HookEvent) -> bool:
    """Return whether an event says that its text is private: a tool's argument, or an option of `hooklore`."""
    commands = [event.call.command] if event.call.command is not None else []
    if event.slash and event.slash.name.startswith("hooklore:"):
        commands.append(f"hooklore {event.slash.arguments}")
    return parse_flag(event.call.stated_privacy) or any(map(is_private_memory_command, commands))


def expiry(ts: str, days: int) -> str | None:
    """Return when an observation of the moment `ts` expires, RFC 3339 in UTC; None of 0 days: never."""
    if not days:
        return None
    end = datetime.fromisoformat(ts) + timedelta(days=days)
    return end.isoformat(timespec="milliseconds").replace("+00:00", "Z")
