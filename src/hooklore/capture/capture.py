"""The records that each event leaves behind."""

from collections.abc import Callable, Iterable

from hooklore.agents.event import (
    EDITING_CLASSES,
    TOOL_EVENTS,
    BackgroundTask,
    HookEvent,
    SlashCommand,
    ToolOutput,
)
from hooklore.agents.registry import agent_of
from hooklore.capture.tool_output import Change, change_of, outcome_of, output_text
from hooklore.capture.truncate import Redact, Truncator, matches_globs, without_private
from hooklore.config import Settings
from hooklore.instructions.feedback_signal import classify_feedback
from hooklore.records.draft import Draft
from hooklore.records.record import Body
from hooklore.records.schema import SCHEMA_VERSION
from hooklore.shell.command import (
    command_key,
    find_written_file,
    is_memory_read_command,
    may_print_file,
)
from hooklore.shell.error_signature import MAX_SIGNATURE_LENGTH, extract_error_lines

Recorded = tuple[str, str, Body]
"""Kind, basis and body of a record."""

_INTENT_CLASSES = frozenset(("command", "edit", "write", "agent", "web"))
_READ_CLASSES = frozenset(("read", "search"))
_FILE_CLASSES = EDITING_CLASSES | _READ_CLASSES


def capture_event(
    event: HookEvent, settings: Settings, ts: str, redact: Redact = lambda text: text
) -> list[Draft]:
    """Return the records of an event at `ts` (RFC 3339, UTC): one, or none by a stated rule.

    Left out are unknown events, excluded projects, reads unless `capture.reads`, the intent of tools
    that change nothing, prompts, answers and subagents without words, and the client's own summariser.
    An event that could not be parsed is recorded with its problem. `redact` sees each text before the
    text is cut and before an error's signature is made.
    """
    handler = _HANDLERS.get(event.event)
    if handler is None or is_excluded(event, settings):
        return []
    keeper = Truncator(redact)
    recorded = handler(event, settings, keeper)
    if recorded is None and not _is_kept_for_its_problem(event):
        return []
    kind, basis, body = recorded or (_KIND_OF_PROBLEM[event.event], "tool", _empty("medium"))
    if event.problem:
        body = body.with_fields(detail={**body.detail, "problem": event.problem})
    if keeper.cut:
        body = body.with_fields(cut=keeper.cut)
    return [_draft(event, ts, kind, basis, Body(_non_empty(**body.to_json())))]


def _is_kept_for_its_problem(event: HookEvent) -> bool:
    """Return whether a handler may have found nothing to record because the payload is damaged."""
    told_enough = event.tool_class is not None or event.is_summarizer
    return event.problem is not None and not told_enough


def is_excluded(event: HookEvent, settings: Settings) -> bool:
    """Return whether the event's folder is one where nothing is recorded or recalled."""
    globs = settings.capture.exclude_projects
    folders = (event.cwd, event.project_dir)
    return bool(globs) and any(folder and _lies_in(folder, globs) for folder in folders)


def _lies_in(folder: str, globs: Iterable[str]) -> bool:
    wide = [glob.rstrip("/") for glob in globs]
    return matches_globs(folder, wide) or matches_globs(
        folder + "/", [glob + "/*" for glob in wide]
    )


def _draft(event: HookEvent, ts: str, kind: str, basis: str, body: Body) -> Draft:
    return Draft.of(
        v=SCHEMA_VERSION,
        ts=ts,
        stream="observation",
        kind=kind,
        delivery_id=event.delivery_id,
        natural_key=_natural_key(event),
        agent_id=event.agent_id,
        role=event.role,
        agent_type=event.agent_type,
        subagent_id=event.subagent_id,
        session_id=event.session_id,
        run_id=event.session_id,
        task_id=event.task_id,
        basis=basis,
        source={"system": agent_of(event.agent_id).source_system, "detail": "hook"},
        body=body,
    )


def _natural_key(event: HookEvent) -> str | None:
    """Return the agent's own name of this event: only events of tools have one."""
    if event.event not in TOOL_EVENTS or not event.tool_use_id or not event.session_id:
        return None
    return f"{event.agent_id}|{event.session_id}|{event.event}|{event.tool_use_id}"


def _non_empty(**fields: object) -> dict[str, object]:
    """Return those of `fields` that say something."""
    return {name: value for name, value in fields.items() if value not in (None, [], {}, "")}


def _empty(priority: str) -> Body:
    return Body({"priority": priority, "detail": {}})


def _session_start(event: HookEvent, _: Settings, keeper: Truncator) -> Recorded:
    detail = _non_empty(
        source=event.source,
        entrypoint=event.entrypoint,
        model=keeper.keep("model", event.model, cap="intent"),
        title=keeper.keep("title", event.session_title, cap="intent"),
    )
    body = Body.of(priority="medium", agents=[event.agent_id], detail=detail)
    return "session_start", "tool", body


def _prompt(event: HookEvent, _: Settings, keeper: Truncator) -> Recorded | None:
    words, hidden = without_private(event.text or "")
    if event.slash and not words:
        return _slash(event.slash, keeper)
    if words:
        detail = _non_empty(private=hidden or None, signal=classify_feedback(words))
        text = keeper.keep("text", words, cap="prompt")
        return "prompt", "user", _empty("high").with_fields(text=text, detail=detail)
    if event.notification:
        return _notification(event.notification, keeper)
    return None


def _slash(slash: SlashCommand, keeper: Truncator) -> Recorded:
    """Return the record of a slash command: something done, not something said."""
    arguments, _ = without_private(slash.arguments)
    action = keeper.keep("action", f"/{slash.name} {arguments}".strip(), cap="command")
    body = _empty("medium").with_fields(actions=[action], detail={"slash": slash.name})
    return "prompt", "tool", body


_ENDED = {"completed": "success", "failed": "failure", "killed": "partial", "stopped": "partial"}


def _notification(told: BackgroundTask, keeper: Truncator) -> Recorded:
    """Return the record of a background task's end, which comes as a prompt."""
    body = _empty("medium").with_fields(
        text=keeper.keep("text", told.summary, cap="output"),
        outcome=_ENDED.get(told.status, "unknown"),
        task=keeper.keep("task", told.task, cap="intent"),
        detail={"state": "background"},
    )
    return "task", "tool", body


def _before_tool(event: HookEvent, settings: Settings, keeper: Truncator) -> Recorded | None:
    if event.tool_class not in _INTENT_CLASSES:
        return None
    body = _of_tool(event, settings, keeper)
    body = body.with_fields(actions=[_action(event, body, keeper)])
    return "tool_intent", "tool", body


def _after_tool(event: HookEvent, settings: Settings, keeper: Truncator) -> Recorded | None:
    if event.tool_class in _READ_CLASSES and not settings.capture.reads:
        return None
    outcome = outcome_of(event)
    body = _of_tool(event, settings, keeper).with_fields(outcome=outcome)
    if event.tool_class in EDITING_CLASSES and event.paths:
        body = body.with_fields(artifacts=list(event.paths[:1]))
    seen = "" if _is_secret(event, settings) else output_text(event).strip()
    if outcome == "failure":
        return _failed(event, keeper, body, seen)
    return "tool_result", "tool", _with_output(event, settings, keeper, body)


def _failure(event: HookEvent, settings: Settings, keeper: Truncator) -> Recorded:
    outcome = "partial" if event.interrupted else "failure"
    body = _of_tool(event, settings, keeper).with_fields(outcome=outcome)
    seen = "" if _is_secret(event, settings) else event.text or ""
    return _failed(event, keeper, body, seen)


def _failed(event: HookEvent, keeper: Truncator, body: Body, output: str) -> Recorded:
    """Return the record of an error: its cause, its signature, and how to reproduce it."""
    lines = {} if event.interrupted else extract_error_lines(keeper.head_and_tail(output))
    body = body.with_fields(
        priority="medium" if event.interrupted else "critical",
        text=keeper.keep("stderr", output),
        errors=list(lines.values()),
        signature=_signature(event, next(iter(lines), None)),
        exit_status=event.exit_status,
        detail={**body.detail, "reproduce": _non_empty(cwd=event.cwd, tool=event.tool)},
    )
    return "error", "tool", body


def _signature(event: HookEvent, line: str | None) -> str | None:
    """Return what identifies an error. A file tool's "not read yet" says something only of its file."""
    if line is None or event.tool_class not in _FILE_CLASSES:
        return line
    name = event.paths[0].rsplit("/", 1)[-1] if event.paths else ""
    return f"{event.tool_class} {name}: {line}"[:MAX_SIGNATURE_LENGTH] if name else None


def _of_tool(event: HookEvent, settings: Settings, keeper: Truncator) -> Body:
    """Return the body that the intent, the result and the failure of a tool have in common."""
    body = _empty("high").with_fields(
        intent=keeper.keep("intent", event.call.intent),
        tool=keeper.keep("tool", event.tool, cap="intent"),
        command=keeper.keep("command", _command(event, settings)),
        paths=list(event.paths[:20]),
        cost={
            "time_ms": event.duration_ms,
            "tokens": event.call.output.tokens if event.call.output else 0,
        },
    )
    body = body.with_fields(key=_key(event, body.command))
    if _is_secret(event, settings):
        return body.with_fields(detail={"excluded": True})
    return _with_input(event, keeper, body)


def _key(event: HookEvent, command: str | None) -> str | None:
    if command:
        return command_key(command) or None
    if event.paths and event.tool_class in (*EDITING_CLASSES, "read"):
        return f"{event.tool_class} {'/'.join(event.paths[0].split('/')[-2:])}"[:300]
    return None


def _with_input(event: HookEvent, keeper: Truncator, body: Body) -> Body:
    if event.tool_class in EDITING_CLASSES:
        change = change_of(event.call)
        lines = {"added": change.added, "removed": change.removed}
        return body.with_fields(detail={"lines": lines}, text=_shown(event, change, keeper))
    if event.tool_class in _READ_CLASSES:
        pattern = keeper.keep("pattern", event.call.pattern, cap="input")
        return body.with_fields(detail=_non_empty(**event.call.counts, pattern=pattern))
    if event.tool_class == "agent":
        return _with_agent_input(event, keeper, body)
    if event.tool_class != "command":
        given = keeper.keep("input", event.call.arguments)
        return body.with_fields(detail=_non_empty(input=given))
    return body


def _with_agent_input(event: HookEvent, keeper: Truncator, body: Body) -> Body:
    kind = keeper.keep("agent_type", event.call.started_agent_type, cap="intent")
    return body.with_fields(
        intent=body.intent or keeper.keep("intent", event.call.assignment),
        detail=_non_empty(agent_type=kind),
    )


def _shown(event: HookEvent, change: Change, keeper: Truncator) -> str | None:
    """Return the changed text, which is recorded once: with the result, not with the intent."""
    return keeper.keep("change", change.text) if event.event == "after_tool" else None


def _with_output(event: HookEvent, settings: Settings, keeper: Truncator, body: Body) -> Body:
    if event.tool_class in _FILE_CLASSES or _is_secret(event, settings):
        return body
    if is_echo(event):
        return body.with_fields(detail={**body.detail, "echo": True})
    output = event.call.output or ToolOutput()
    if event.tool_class == "command":
        parts = (keeper.keep("stdout", output.text), keeper.keep("stderr", output.errors))
        return body.with_fields(text="\n".join(part for part in parts if part))
    return body.with_fields(text=keeper.keep("output", output.text))


def is_echo(event: HookEvent) -> bool:
    """Return whether a tool shows what is recorded already: a command, or a tool, of hooklore."""
    if event.command is not None:
        return is_memory_read_command(event.command)
    return "hooklore" in (event.tool or "").lower()


def _is_secret(event: HookEvent, settings: Settings) -> bool:
    """Return whether the event touches a file of which only the path is kept."""
    globs = settings.capture.exclude
    if any(matches_globs(path, globs) for path in event.paths):
        return True
    return event.command is not None and may_print_file(event.command, _file_test(settings))


def _file_test(settings: Settings) -> Callable[[str], bool]:
    """Return a test for words of a command that name a file to keep out; globs of folders do not count."""
    globs = [glob for glob in settings.capture.exclude if not glob.endswith("/**")]
    return lambda word: matches_globs(word, globs)


def _command(event: HookEvent, settings: Settings) -> str | None:
    """Return the command, or only its name and its file when it writes a file to keep out."""
    if event.command is None:
        return None
    written = find_written_file(event.command, _file_test(settings))
    return (
        f"{command_key(event.command).split(' ', 1)[0]} … > {written}" if written else event.command
    )


def _action(event: HookEvent, body: Body, keeper: Truncator) -> str:
    what = body.command or (event.paths[0] if event.paths else body.intent) or ""
    return (
        keeper.keep("action", f"{event.tool}: {what}" if what else event.tool, cap="intent") or ""
    )


def _answer(event: HookEvent, _: Settings, keeper: Truncator) -> Recorded | None:
    if not (event.text or "").strip():
        return None
    text = keeper.keep("text", event.text, cap="answer")
    return "answer", "inferred", _empty("high").with_fields(text=text)


def _answer_failed(event: HookEvent, _: Settings, keeper: Truncator) -> Recorded:
    told = (*event.failure_details, event.text)
    output = "\n".join(part for part in told if part is not None)
    kind, basis, body = _failed(event, keeper, _empty("critical"), output)
    return kind, basis, body.with_fields(outcome="failure")


def _agent_start(event: HookEvent, _: Settings, __: Truncator) -> Recorded:
    return "subagent_start", "tool", _empty("medium").with_fields(agents=[event.agent_id])


def _agent_stop(event: HookEvent, _: Settings, keeper: Truncator) -> Recorded | None:
    if event.is_summarizer:
        return None
    text = keeper.keep("text", event.text, cap="answer")
    return "subagent_stop", "inferred", _empty("high").with_fields(text=text)


def _task(event: HookEvent, _: Settings, keeper: Truncator) -> Recorded:
    done = event.event == "task_completed"
    described = (event.text, event.task_description)
    body = _empty("medium").with_fields(
        text=keeper.keep("description", "\n".join(part for part in described if part)),
        outcome="success" if done else None,
        task=keeper.keep("task", event.task, cap="intent"),
        detail={"state": "completed" if done else "created"},
    )
    return "task", "tool", body


def _before_compaction(event: HookEvent, _: Settings, keeper: Truncator) -> Recorded:
    text = keeper.keep("text", event.text, cap="prompt")
    body = _empty("medium").with_fields(
        text=text, detail=_non_empty(trigger=event.source, phase="before")
    )
    return "compaction", "user" if text else "tool", body


def _after_compaction(event: HookEvent, _: Settings, keeper: Truncator) -> Recorded:
    body = _empty("medium").with_fields(
        text=keeper.keep("text", event.text, cap="summary"),
        detail=_non_empty(trigger=event.source, phase="after"),
    )
    return "compaction", "inferred", body


def _session_end(event: HookEvent, _: Settings, __: Truncator) -> Recorded:
    """Return the record of a session's end. Its sections are filled from the session's records."""
    totals = agent_of(event.agent_id).token_totals
    tokens = totals(event.transcript_path) if event.transcript_path else {}
    body = _empty("high").with_fields(
        sections={"results": [], "unresolved": [], "next_actions": []},
        tokens=tokens,
        cost={"tokens": tokens.get("input", 0) + tokens.get("output", 0), "time_ms": 0},
        detail=_non_empty(reason=event.source),
    )
    return "session_end", "tool", body


_Handler = Callable[[HookEvent, Settings, Truncator], Recorded | None]
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
