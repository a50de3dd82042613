"""The summary of a session's end: results, unresolved points, next actions (seed 003).

What tools showed is told apart from what the agent said. An agent may claim that a test passes.
"""

from collections.abc import Iterable

from hooklore.agents.registry import DEFAULT_AGENT_ID, is_edit_tool
from hooklore.broker import Broker
from hooklore.broker.principal_reader import Reader
from hooklore.capture.session_goal import find_goal
from hooklore.failures.fix_reading import find_records, read_fix, step_ids
from hooklore.failures.fix_text import failing_text, format_lesson
from hooklore.failures.project_failure import is_project_failure
from hooklore.prompt.error_line import must_pass, quotable_error_line
from hooklore.records import keys as record_keys
from hooklore.records.access import may_be_quoted_in
from hooklore.records.draft import PERSON, ProjectKeys
from hooklore.records.record import Body, Record
from hooklore.shell.command import is_check_command, is_test_command
from hooklore.shell.own_command import is_own_command
from hooklore.text.token_estimate import truncate_text

_RECORDS = 400
_LINES = 6


def with_summary_sections(
    broker: Broker, record: Record, keys: ProjectKeys | None = None
) -> Record:
    """Return the record of a session's end or of a compaction, its sections filled from the session's records.

    `sections` are `results`, `unresolved` and `next_actions` (seed 003) as tools showed them, `failures` the
    ids of the checks that it left failing. `agent_said`
    holds the agent's last `answer`, the `decisions` of its words, and what it leaves: `next_actions`, `blocked`,
    `waiting` for the person, `ideas`, with what was done `since` it named them. The
    session's goal stands beside them, and `lessons` tell what ended its errors. A record that fewer may
    read than the end itself is left out: a private answer, an answer kept to a role or a session, work in
    another project. `keys` say where the session ends. A compaction is named, so that the log takes it
    once. Raise StoreUnreadable.
    """
    session = record.session_id
    reader = broker.as_reader(PERSON)
    end = _placed(broker, record, keys)
    found = reader.lookup(record_keys.in_session(session), _RECORDS) if session else []
    records = [each for each in found if may_be_quoted_in(each, end)]
    body = _with_sections(record.body, reader, records)
    made = {"goal": find_goal(reader, end), "lessons": summarize_lessons(reader, records)}
    body = body.with_fields(**{name: value for name, value in made.items() if value})
    record = record.with_fields(body=body)
    if record.kind != "compaction" or not session:
        return record
    return record.with_fields(natural_key=_compaction_name(record, found))


def _with_sections(body: Body, reader: Reader, records: list[Record]) -> Body:
    """Return the body with what tools showed in a session's records, and with what the agent said there."""
    from hooklore.retrieval.left_steps import find_left_steps, read_answers

    read = read_answers(records)
    left, failing = find_left_steps(records, read), _unresolved(reader, records)
    has_named = bool(left.tasks or left.said)
    refused = _refused(records)
    decisions = (line for id_, p in read.items() if id_ not in refused for line in p.decisions)
    texts = (r.body.text for r in records if r.kind == "answer")
    answer = next((text for text in texts if isinstance(text, str)), "")
    claim = truncate_text(" ".join(answer.split()), 300)
    said = {
        "decisions": list(dict.fromkeys(decisions))[:_LINES],
        "unresolved": left.unresolved,
        "listed": left.listed,
        "since": left.since,
        "ended": [left.ended] if left.ended else [],
    }
    said.update({str(status): lines for status, lines in left.said.items()})
    return body.with_fields(
        failures=_failing_checks(reader, records),
        sections={
            "results": _results(records),
            "unresolved": failing,
            "next_actions": left.tasks if has_named else [must_pass(line) for line in failing[:2]],
        },
        agent_said={"answer": [claim] if claim else []}
        | {name: told for name, told in said.items() if told},
    )


def _compaction_name(compaction: Record, records: list[Record]) -> str:
    """Return the name of the event before a compaction: the last thing that the session did before it.

    The client gives this event no name, and sends it again for a compaction that failed or that another
    registration has delivered. Only what came since makes a compaction another one, or other words of the
    user about it. `records` are the session's, newest first.
    """
    for record in records:
        if record.delivery_id == compaction.delivery_id and record.natural_key:
            return record.natural_key
    last = next((record.id for record in records if _is_work(record, compaction)), "-")
    return f"{compaction.agent_id}|{compaction.session_id}|before_compaction|{last}"


def _is_work(record: Record, compaction: Record) -> bool:
    """Return whether the session did something before a compaction, which may have been announced twice.

    A command of the client's own is nothing by itself.
    """
    is_before = record.kind == "compaction" and record.body.detail.get("phase") == "before"
    is_repeated = is_before and record.body.text == compaction.body.text
    has_done = record.stream == "observation" and "slash" not in record.body.detail
    return has_done and not is_repeated


def _placed(broker: Broker, record: Record, keys: ProjectKeys | None) -> Record:
    """Return the end's envelope as the log will have it: in its project, or the agent's own."""
    project = broker.project_of(keys)
    if project is not None:
        return record.with_fields(scope=f"project:{project.slug}", project=project.id)
    own = f"agent:{record.agent_id or DEFAULT_AGENT_ID}"
    return record if "scope" in record else record.with_fields(scope=own)


def _refused(records: list[Record]) -> set[str]:
    """Return the ids of the answers that the user's next prompt rejected or corrected."""
    found: set[str] = set()
    signal = None
    for record in records:
        if record.kind == "prompt":
            signal = record.body.detail.get("signal")
        elif record.kind == "answer" and isinstance(record.body.text, str):
            if signal in ("rejection", "correction"):
                found.add(record.id)
            signal = None
    return found


def _results(records: list[Record]) -> list[str]:
    """Return the files that were changed, then the commands that pass now."""
    ran = [r for r in records if r.kind == "tool_result" and r.body.outcome == "success"]
    changed = {p for r in ran if is_edit_tool(r.agent_id, r.body.tool) for p in r.body.artifacts}
    passing = [f"`{truncate_text(command, 120)}` passes" for command in _passing(records)[:_LINES]]
    return [f"changed {', '.join(sorted(changed)[:_LINES])}", *passing] if changed else passing


def _passing(records: list[Record]) -> list[str]:
    """Return the commands whose last run was a success, of those that run tests or had failed before."""
    last_runs: dict[str, Record] = {}
    failed: set[str] = set()
    for record in records:
        command = record.body.command
        if command and record.kind in ("tool_result", "error"):
            last_runs.setdefault(command, record)
            failed |= {command} if is_project_failure(record) else set()
    return [
        command
        for command, run in last_runs.items()
        if run.body.outcome == "success" and (command in failed or is_test_command(command))
    ]


def _failing_checks(reader: Reader, records: list[Record]) -> list[str]:
    """Return the ids of the checks that a session left failing, the newest first.

    What failed before the last check that passed was a step on the way.
    """
    found: list[str] = []
    for record in records:
        if not record.body.command or not is_check_command(record.body.command):
            continue
        if record.kind == "tool_result" and record.body.outcome == "success":
            break
        if is_project_failure(record) and not reader.has(record_keys.fix_of(record.id)):
            found.append(record.id)
    return found[:_LINES]


def _unresolved(reader: Reader, records: list[Record]) -> list[str]:
    """Return the failures of this session that nothing ended, newest first, each error once.

    A memory that was refused is no work of the project.
    """
    lines: dict[str, str] = {}
    for record in records:
        if not is_project_failure(record) or is_own_command(str(record.body.command)):
            continue
        if not reader.has(record_keys.fix_of(record.id)):
            line = failing_text(record.body)
            lines.setdefault(quotable_error_line(record.body) or line, line)
    return list(lines.values())[:_LINES]


_MAX_LESSONS = 6
_MAX_LESSON_CHARACTERS = 400


def summarize_lessons(reader: Reader, records: Iterable[Record]) -> str | None:
    """Return one line for each of the last fixes among `records`, which are newest first, or None.

    The lines are in the order of the fixes. A failure that went away by itself, or by a step that undoes or
    forces something, taught nothing.
    """
    read = (read_fix(reader, record) for record in records if record.kind == "fix")
    fixes = [fix for fix in read if fix is not None]
    lines = (_describe(reader, fix) for fix in fixes[:_MAX_LESSONS][::-1])
    return "\n".join(dict.fromkeys(line for line in lines if line)) or None


def _describe(reader: Reader, fix: Record) -> str:
    """Return what failed and what made it pass, or "" for a fix whose sources are gone."""
    failed = find_records(reader, fix.body.failures[:1])
    done = [step.body for step in find_records(reader, step_ids(fix))]
    if not failed or not done:
        return ""
    return truncate_text(format_lesson(failed[0].body, done), _MAX_LESSON_CHARACTERS)
