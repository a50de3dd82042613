"""How a session ended: results, what is unresolved, what comes next (seed 003, HK-06)."""

from collections.abc import Iterable

from hooklore.broker import Broker
from hooklore.capture.answer_sections import AnswerSections, extract_answer_sections
from hooklore.records import keys as record_keys
from hooklore.records.access import may_be_quoted_in
from hooklore.records.draft import PERSON, Draft, ProjectKeys
from hooklore.records.record import Body, Record
from hooklore.text.token_estimate import truncate_text

_RECORDS = 400
_LINES = 6
_ANSWERS = 40
"""Answers of a session that decisions are taken from, the newest: what is open is in the last alone."""


def with_summary_sections(broker: Broker, draft: Draft, keys: ProjectKeys | None = None) -> Draft:
    """The draft of a session's end, or of a compaction, with its sections filled from what was recorded.

    `results`, `unresolved` and `next_actions` (seed 003); `decisions` only where the answers name any.

    What fewer may read than the end itself (a private answer, one kept to a role or this session,
    work in another project) is left out of them. `keys` say where the session ends.
    """
    session = draft.record.session_id
    end = _placed(broker, draft, keys)
    found = broker.lookup(record_keys.in_session(session), PERSON, _RECORDS) if session else []
    records = [record for record in found if may_be_quoted_in(record, end)]
    told = [extract_answer_sections(text) for text in _answers(records)[:_ANSWERS]]
    last = told[0] if told else AnswerSections()
    failing = _unresolved(broker, records)
    sections = {
        "results": _results(records),
        "unresolved": _distinct(failing, last.unresolved),
        "next_actions": _next_actions(records, failing, last.next_actions),
    }
    refused = _refused(records)
    decisions = _distinct(*(parts.decisions for n, parts in enumerate(told) if n not in refused))
    if decisions:
        sections["decisions"] = decisions
    return draft.with_fields(body=draft.record.body.with_fields(sections=sections))


def _placed(broker: Broker, draft: Draft, keys: ProjectKeys | None) -> Record:
    """The end's envelope as the log will have it: in its project, or the agent's own."""
    record, project = draft.record, broker.project_of(keys)
    if project is not None:
        return record.with_fields(scope=f"project:{project.slug}", project=project.id)
    own = f"agent:{record.agent_id or 'claude'}"
    return record if "scope" in record else record.with_fields(scope=own)


def _answers(records: list[Record]) -> list[str]:
    """The final answers, the newest first."""
    texts = (r.body.text for r in records if r.kind == "answer")
    return [text for text in texts if isinstance(text, str)]


def _refused(records: list[Record]) -> set[int]:
    """Which answers, counted from the newest, the user's next prompt rejected or corrected."""
    found: set[int] = set()
    number, signal = 0, None
    for record in records:
        if record.kind == "prompt":
            signal = record.body.detail.get("signal")
        elif record.kind == "answer" and isinstance(record.body.text, str):
            if signal in ("rejection", "correction"):
                found.add(number)
            number, signal = number + 1, None
    return found


def _distinct(*lists: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(line for lines in lists for line in lines))[:_LINES]


def _results(records: list[Record]) -> list[str]:
    answers = _answers(records)
    changed = {p for r in records if _is_edit(r) for p in r.body.artifacts}
    lines = [truncate_text(" ".join(str(a).split()), 300) for a in answers[:1] if a]
    if changed:
        lines.append(f"changed {', '.join(sorted(changed)[:_LINES])}")
    return lines


def _is_edit(record: Record) -> bool:
    body = record.body
    return (
        record.kind == "tool_result"
        and body.outcome == "success"
        and body.tool in ("Edit", "Write", "MultiEdit", "NotebookEdit")
    )


def _unresolved(broker: Broker, records: list[Record]) -> list[str]:
    """Failures of this session that nothing ended, newest first, each once."""
    lines: dict[str, None] = {}
    for record in records:
        if record.kind != "error" or record.body.outcome != "failure":
            continue
        if not broker.view.has(record_keys.fix_of(record.id)):
            lines.setdefault(_failure_line(record.body))
    return list(lines)[:_LINES]


def _failure_line(body: Body) -> str:
    what = body.command or ", ".join(body.artifacts) or body.tool or "?"
    cause = body.signature or "unknown"
    return f"`{truncate_text(str(what), 120)}` fails: {truncate_text(str(cause), 120)}"


def _next_actions(records: list[Record], unresolved: list[str], told: tuple[str, ...]) -> list[str]:
    """Open tasks, then what the last answer names; with none of these what still fails."""
    open_tasks: dict[str, str] = {}
    for record in reversed(records):
        body = record.body
        if record.kind != "task" or not body.text:
            continue
        key = str(body.task or body.text)
        if body.outcome == "success":
            open_tasks.pop(key, None)
        else:
            open_tasks[key] = truncate_text(str(body.text), 160)
    lines = _distinct(open_tasks.values(), told)
    return lines or [line.replace("` fails: ", "` must pass: ", 1) for line in unresolved[:2]]
