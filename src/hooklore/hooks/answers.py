"""The question that each event asks of memory, and the answer to it."""

import os
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from hooklore.agents.event import EDITING_CLASSES, RECALLING_EVENTS, HookEvent
from hooklore.agents.program_name import PROGRAM
from hooklore.agents.registry import agent_of
from hooklore.broker import Broker
from hooklore.broker.principal_reader import Reader
from hooklore.capture.missing_sessions import sessions_without_records
from hooklore.hooks import marks
from hooklore.hooks.keep_reminder import is_reminder_due, remind
from hooklore.hooks.pending import Pending, Shown, identify_principal
from hooklore.memories.decisions.approval_queue import is_in_places
from hooklore.memories.decisions.proposals import list_proposals
from hooklore.memories.pins import reader_places
from hooklore.memories.session_memories import list_told_pending, waiting_line
from hooklore.prompt.frame import sanitize_for_prompt
from hooklore.records import keys
from hooklore.records.draft import PERSON, Draft, Principal, ProjectKeys, RecallResult
from hooklore.records.record import Body
from hooklore.records.schema import SCHEMA_VERSION
from hooklore.retrieval.brief_parts import ids_of_part
from hooklore.retrieval.brief_text import BY_TOOL
from hooklore.retrieval.query import (
    GUARD,
    LONGEST_ASKING,
    RecallQuery,
    Superproject,
    context_key,
)
from hooklore.retrieval.recall import Recall
from hooklore.shell.command import command_key
from hooklore.text.code_identifiers import CodeChange, added_names, extract_identifiers
from hooklore.text.plural import format_count
from hooklore.text.project_paths import relative_to_root
from hooklore.text.work_references import may_name_work

_DESCRIBED = 1_000
_MOST_TASKS = 8
_LOOKED_BACK = 8
"""Turns of a session among which its last prompt but one is looked for."""

_RECALLING_TOOLS = ("command", "edit", "write", "agent", "web")

GUARD_NOTICE = (
    "hooklore did not let this step run: it breaks that rule, or failed the same way in its last two sessions, "
    "and that made it pass before. Run it again if it is meant as it is (setting recall.guard)."
)


def may_recall(event: HookEvent) -> bool:
    """Return whether this event's answer may put text in front of the model."""
    described = agent_of(event.agent_id).events.get(event.payload_event or event.wire_event)
    if described is None or not described.recalls:
        return False
    if event.event == "before_tool":
        return event.tool_class in _RECALLING_TOOLS
    return event.event in RECALLING_EVENTS


class HookReply(NamedTuple):
    """The answer to an event: text for the model, text for the user, and why a step must not run."""

    context: str | None = None
    notice: str | None = None
    refusal: str | None = None


def answer_event(broker: Broker, memory: Recall, pending: Pending) -> HookReply:
    """Return the answer to a recalling event.

    One `access` record names the notes that were shown, and the snapshot of a start that was shown
    nothing. It is appended when the answer has arrived. A prompt also brings the brief of its session,
    after its own notes, when the brief did not arrive before.
    """
    event = pending.event
    principal = identify_principal(broker, pending)
    reader = broker.as_reader(principal)
    query = build_query(reader, event, pending)
    query = replace(query, superprojects=_superprojects(broker, pending.keys))
    if event.forgets:
        memory.forget_session(query)
    if event.is_unheard:
        return HookReply()
    delivery, is_new = pending.delivery.id, pending.status == "stored"
    shown = Shown(query, memory.answer(query, principal, delivery, is_new=is_new), delivery)
    _note_shown(shown, pending)
    result = shown.result
    if result.refuses:
        return HookReply(refusal=f"{result.text}\n{GUARD_NOTICE}")
    if pending.owes_brief:
        brief = _late_brief(memory, query, principal, pending)
        _note_shown(brief, pending)
        context = "\n".join(filter(None, (result.text, brief.result.text)))
        late = brief.result
        return HookReply(context or None, f"late: {_told_line(late)}" if late.ids else None)
    more, notice = None, None
    is_typed = event.event == "prompt" and _may_keep(event)
    if event.event == "session_start":
        more, notice = _warning(reader, event), _notice(broker, principal, result)
    elif is_typed and broker.settings.recall.keep_line:
        is_due = is_reminder_due(reader, event.session_id, event.text or "")
        more = remind(_keep_tool(event, pending), pending.program) if is_due else None
    context = "\n".join(filter(None, (result.text, more)))
    return HookReply(context or None, notice)


def _note_shown(shown: Shown, pending: Pending) -> None:
    if shown.result.ids or shown.result.snapshot_id:
        pending.shown.append(shown)
        body = _access_body(pending.event, shown)
        pending.afterwards.append(_access(pending, f"{shown.delivery}.access", body))


def _late_brief(
    memory: Recall, query: RecallQuery, principal: Principal, pending: Pending
) -> Shown:
    """Return the brief that did not reach the session of a prompt at its start."""
    pending.brings_brief = True
    asked = RecallQuery(
        "session_start",
        query.session_id,
        query.subagent_id,
        query.agent_type,
        may_keep=query.may_keep,
        keep_tool=_keep_tool(pending.event, pending) if query.may_keep else "",
        program=pending.program,
        begins_work=True,
        loads_files_of=query.loads_files_of,
    )
    delivery = f"{pending.delivery.id}.brief"
    return Shown(asked, memory.answer(asked, principal, delivery), delivery)


LONGEST_QUESTION = 16 * 1024
"""Characters of a prompt that are looked up. What is pasted behind them is recorded no more than they are."""


def build_query(reader: Reader, event: HookEvent, pending: Pending) -> RecallQuery:
    """Return the question that this event asks of memory."""
    root = pending.keys.root if pending.keys else "/"
    body = pending.body
    call, loads = event.call, agent_of(event.agent_id).loads_memory_files
    is_start = event.event == "session_start"
    is_edit = event.event == "before_tool" and event.tool_class in EDITING_CLASSES
    edits = call.edits if is_edit else ()
    words = ""
    if event.event == "prompt":
        words = "\n".join([(event.text or "")[:LONGEST_QUESTION], *_new_tasks(reader, event)])
    elif event.event == "failure":
        words = str(body.text or "")
    elif is_edit:
        words = " ".join(extract_identifiers(*call.before_and_after))
    elif event.event == "before_tool":
        # what the agent says about the step, beside command and file
        words = "\n".join(text[:_DESCRIBED] for text in call.described)
    return RecallQuery(
        trigger=event.event,
        session_id=event.session_id,
        subagent_id=event.subagent_id,
        agent_type=reader.principal.agent_type,
        source="startup" if event.forgets and event.source == "resume" else event.source,
        text=words,
        command=call.command,
        paths=tuple(relative_to_root(path, root) for path in call.paths),
        signatures=_identifying_lines(reader, event, pending),
        key=body.key or (command_key(call.command) if call.command else None),
        may_keep=_may_keep(event),
        keep_tool=_keep_tool(event, pending) if is_start and _may_keep(event) else "",
        program=pending.program if is_start else PROGRAM,
        added=added_names(*call.before_and_after) if is_edit else frozenset(),
        changes=tuple(CodeChange(each.path, each.before, each.after) for each in edits),
        own_words=_own_words(event),
        begins_work=is_start and event.source not in ("resume", "compact"),
        loads_files_of=(event.agent_id, reader.principal.project) if loads else ("", None),
    )


def _superprojects(broker: Broker, keys: ProjectKeys | None) -> tuple[Superproject, ...]:
    """Return how the known superprojects of a folder name its files."""
    if keys is None:
        return ()
    known = ((broker.project_of(each), each.root) for each in keys.around)
    return tuple(
        Superproject(project.id, root, relative_to_root(keys.root, root))
        for project, root in known if project is not None
    )  # fmt: skip


def _own_words(event: HookEvent) -> str:
    """Return the sentences of a prompt that the user typed, where they may name, or ask for, a piece of work."""
    text = event.text or ""
    if event.event != "prompt" or not (len(text) <= LONGEST_ASKING or may_name_work(text)):
        return ""
    from hooklore.text.user_text import extract_user_sentences

    text = agent_of(event.agent_id).typed_text(text[:LONGEST_QUESTION])
    return "\n".join(text[each.start : each.end] for each in extract_user_sentences(text))


def _identifying_lines(reader: Reader, event: HookEvent, pending: Pending) -> tuple[str, ...]:
    """Return the lines that identify a failure; none for another event."""
    receipt = pending.receipt
    if event.event != "failure" or receipt is None or receipt.record is None:
        return ()
    record, project = receipt.record, reader.principal.project
    if stored := reader.find(receipt.id)[:1] if receipt.id else []:
        record = stored[0]
    elif project:  # it is in no log yet: its place is that which the log would give it
        record = record.with_fields(project=project, scope=f"project:{project}")
    return tuple(reader.distinctive_lines(record))


def _may_keep(event: HookEvent) -> bool:
    """Return whether a person is there whose words the agent may keep, and the agent is not a subagent."""
    return event.is_interactive and not event.subagent_id


def _keep_tool(event: HookEvent, pending: Pending) -> str:
    """Return the tool by which the agent keeps memories, "" without one.

    The marks of the installer are read, no server asked: it may connect later than the session begins. A
    project's server hides the user's one of the same name, and any in the settings hides the plugin's.
    """
    from hooklore.agents.server_marks import find_servers

    home, folder = Path(pending.home), event.project_dir or event.cwd or ""
    places, mcp = find_servers(home, event.agent_id, folder), agent_of(event.agent_id).mcp
    is_in_settings = mcp.may_start()(home, folder) if "project" in places else "user" in places
    if is_in_settings:
        return BY_TOOL
    return mcp.plugin_tools.get("remember", "") if "plugin" in places else ""


def _new_tasks(reader: Reader, event: HookEvent) -> list[str]:
    """Return the tasks begun since the last prompt: each recalls anew, as a prompt does."""
    tasks = reader.lookup(keys.tasks_in(event.session_id), _MOST_TASKS)
    if not tasks:
        return []
    turns = reader.history(keys.turns_in(event.session_id), _LOOKED_BACK)
    prompts = [turn.id for turn in turns if turn.kind == "prompt"]
    before = prompts[1] if len(prompts) > 1 else ""
    return [str(task.body.text) for task in tasks if task.body.text and task.id > before]


def _access(pending: Pending, delivery: str, body: Body) -> Draft:
    """Return the record of an answer: of what was shown, or of a brief that did not arrive."""
    event = pending.event
    return Draft.of(
        pending.keys,
        v=SCHEMA_VERSION,
        stream="control",
        kind="access",
        delivery_id=delivery,
        agent_id=event.agent_id,
        session_id=event.session_id,
        run_id=event.session_id,
        visibility="session",
        subagent_id=event.subagent_id,
        source={"system": "cli", "detail": "recall"},
        body=body,
    )


def _access_body(event: HookEvent, shown: Shown) -> Body:
    query, result, delivery = shown
    body = Body({
        "targets": list(result.ids),
        "tokens": result.tokens,
        "trigger": query.trigger,
        "context": context_key(replace(query, trigger=GUARD) if result.refuses else query),
        "delivery": delivery,
        "snapshot_id": result.snapshot_id,
        "parts": list(result.parts),
        "titles": result.titles,
        "fresh": event.forgets,
    })  # fmt: skip
    is_start = query.trigger == "session_start"
    asked = ids_of_part("checks", result.ids, result.parts) if is_start else ()
    told = (
        ("late", is_start and event.event == "prompt", True),
        ("asked", is_start and not event.is_headless, asked),
        ("keep_line", result.asks_to_keep, result.keep_tool or True),
        ("program", query.program != PROGRAM, query.program),
        ("wake_up", result.wake_up, result.wake_up),
        ("bare", result.is_bare, True),
        ("refused", result.refuses, True),
    )
    return body.with_fields(**{name: value for name, is_told, value in told if is_told})


def _warning(reader: Reader, event: HookEvent) -> str | None:
    """Return a line at a session's start when earlier ones left no records: captures have stopped."""
    if not event.transcript_path:
        return None
    silent = sessions_without_records(
        reader,
        event.transcript_path,
        event.session_id or "",
        agent_of(event.agent_id).session_of_transcript,
    )
    if not silent:
        return None
    name = sanitize_for_prompt(os.path.basename(silent[0]))
    return (
        f"hooklore: captures had stopped: {format_count(len(silent), 'earlier session')} here left no records "
        f"(last: {name}); memory of them is missing; run `hooks doctor`"
    )


def _notice(broker: Broker, principal: Principal, result: RecallResult) -> str | None:
    """Return the line for the user at a session's start: what was told, and what waits for the user."""
    places = reader_places(principal)
    proposed = [proposal.target for proposal in list_proposals(broker)]
    pending = [*list_told_pending(broker.as_reader(PERSON)), *proposed]
    waiting = [record for record in pending if is_in_places(record, places)]
    told = _told_line(result) if result.ids else ""
    return " · ".join(filter(None, (told, waiting_line(len(waiting))))) or None


def _told_line(result: RecallResult) -> str:
    notes, tokens = format_count(len(result.ids), "note"), format_count(result.tokens, "token")
    return f"{notes}, {tokens} · hooklore last"


def settle_answer(
    broker: Broker, memory: Recall, pending: Pending, *, has_arrived: bool
) -> list[Draft]:
    """Return the records to append now that an answer has, or has not, reached its agent.

    Notes that did not arrive count as never shown. The brief of a session's start is owed then.
    """
    event = pending.event
    is_start = event.event == "session_start"
    if has_arrived and not event.is_unheard:
        if is_start or pending.brings_brief:
            marks.settle_brief(broker.place, event.session_id)
        return pending.afterwards
    for shown in pending.shown:
        memory.withdraw(*shown)
    return _owe_brief(broker, memory, pending) if is_start else []


def _owe_brief(broker: Broker, memory: Recall, pending: Pending) -> list[Draft]:
    """Return the record of a brief that did not arrive, unless a prompt has brought it already."""
    event, place = pending.event, broker.place
    if not pending.is_late:
        marks.owe_brief(place, event.session_id)
    elif not marks.owes_brief(place, event.session_id):
        return []
    query = RecallQuery(event.event, event.session_id, event.subagent_id)
    if event.forgets:
        memory.forget_session(query)
    missed = Body.of(
        targets=[], tokens=0, trigger=event.event, context=context_key(query), delivered=False,
        fresh=event.forgets,
    )  # fmt: skip
    return [_access(pending, f"{pending.delivery.id}.missed", missed)]
