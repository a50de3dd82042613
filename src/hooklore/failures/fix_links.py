"""Link a failure to what made it pass, when it passes.

Text search finds an old failure again in .81 of real cases, but its fix in .04: the two share no
words. So the link is a record of its own, found by the failure's signature.
"""

from hooklore.agents.registry import is_edit_tool
from hooklore.failures.common_lines import distinctive_lines
from hooklore.failures.equivalent_run import compare_runs, contains_run
from hooklore.failures.fix_evidence import FixEvidence, weigh_steps
from hooklore.failures.fix_text import FixSentence, ended_sentence, fix_sentence, repair_sentence
from hooklore.failures.project_failure import is_project_failure
from hooklore.records import keys
from hooklore.records.access import inherit_visibility
from hooklore.records.draft import Draft
from hooklore.records.key_lookup import KeyLookup
from hooklore.records.record import Body, Record
from hooklore.records.schema import FixKind

_MAX_FAILURES = 8
_MAX_STEPS = 160
"""Records of a session that are read for steps: a step leaves its intent and its result."""
_REPAIR_WINDOW = 24
"""Records of a session between a failure and a repaired form of its command; later runs do not count."""
_MAX_SIGNATURES = 12
_MAX_ERRORS = 3
"""Errors of one command that one run ends, each linked to its own fix."""


def draft_fixes(view: KeyLookup, passed: Record) -> list[Draft]:
    """Return the drafts of the links when `passed`, a success, ends failures: one for each error.

    A success ends the failures of the same command (`key`) in every session. Of its own session it also
    ends failures of which it runs the repaired command, or another check, where the steps explain it.
    """
    body = passed.body
    is_success = passed.kind == "tool_result" and body.outcome == "success"
    if not (is_success and body.key and body.command):
        return []
    drafts: list[Draft] = []
    for failures in _by_error(view, _ended(view, passed)):
        between = _records_between(view, failures, passed)
        lines = _lines(view, failures)
        found = weigh_steps(failures, between, passed, lines)
        if _is_end(view, passed, failures[0], found):
            body = _body(passed, failures, lines, found)
            drafts.append(_draft(passed, failures, found, body, len(drafts)))
    return drafts


def _is_end(view: KeyLookup, passed: Record, failure: Record, found: FixEvidence) -> bool:
    """Return whether a success ends a failure: of its own command, or by evidence."""
    if failure.body.key == passed.body.key:
        return True
    if contains_run(failure.body, passed.body):
        return found.kind != "none" or not found.evasive
    if any(is_edit_tool(step.agent_id, step.body.tool) for step in found.unproven):
        return True
    return found.kind != "none" and _is_soon(view, failure, found)


def failure_keys(passed: Record) -> tuple[str, str]:
    """Return the keys of the failures that a success may end: those of its command, and of its session."""
    return (
        keys.failing_step(passed.project or "-", passed.body.key),
        keys.errors_in(passed.session_id),
    )


def _ended(view: KeyLookup, passed: Record) -> list[Record]:
    """Return the open failures that a success may have ended, newest first."""
    wanted = failure_keys(passed)
    held = view.held(wanted)  # one question: most commands that pass end nothing
    found = {r.id: r for key in wanted if key in held for r in view.lookup(key, _MAX_FAILURES)}
    return [
        failure
        for _, failure in sorted(found.items(), reverse=True)
        if failure.id < passed.id
        and is_project_failure(failure)
        and compare_runs(failure.body, passed.body) is not None
        and not view.has(keys.fix_of(failure.id))
    ]


def _by_error(view: KeyLookup, failures: list[Record]) -> list[list[Record]]:
    """Return failures of one error together, newest first. What is beyond the last error joins it."""
    groups: dict[str, list[Record]] = {}
    for failure in failures:
        name = next(iter(distinctive_lines(view, failure)), str(failure.body.key))
        is_new = name not in groups and len(groups) >= _MAX_ERRORS
        groups.setdefault(next(reversed(groups)) if is_new else name, []).append(failure)
    return list(groups.values())


def _lines(view: KeyLookup, failures: list[Record]) -> list[str]:
    found = (line for failure in failures for line in distinctive_lines(view, failure))
    return list(dict.fromkeys(found))[:_MAX_SIGNATURES]


def _records_between(view: KeyLookup, failures: list[Record], passed: Record) -> list[Record]:
    """Return what the sessions of a failure and of its end recorded between them, oldest first."""
    sessions = dict.fromkeys((passed.session_id, failures[0].session_id))
    found = {
        record.id: record
        for session in sessions
        for record in view.lookup(keys.in_session(session), _MAX_STEPS)
        if failures[-1].id < record.id < passed.id
    }
    return [found[id_] for id_ in sorted(found)]


def _is_soon(view: KeyLookup, failure: Record, found: FixEvidence) -> bool:
    """Return whether a repaired command ran soon after the failure; other evidence has time."""
    if found.kind != "repaired":
        return True
    recent = view.lookup(keys.in_session(failure.session_id), _REPAIR_WINDOW)
    return any(record.id == failure.id for record in recent)


def _draft(
    passed: Record, failures: list[Record], found: FixEvidence, body: Body, number: int
) -> Draft:
    told = [*found.steps, *found.in_vain, *found.unproven]
    made = Record.of(
        **passed.pick(
            "agent_id", "role", "project", "scope", "branch", "session_id", "run_id", "task_id",
            "visibility", "is_private", "ts", "v", "expires_at",
        ),
        stream="synthesis",
        kind="fix",
        basis="tool",
        delivery_id=f"{passed.delivery_id}.fix{number or ''}",
        source={"system": "other", "detail": "fixes"},
        body=body,
    )  # fmt: skip
    return Draft(inherit_visibility(made, [*failures, *told, passed]))


def _body(passed: Record, failures: list[Record], lines: list[str], found: FixEvidence) -> Body:
    first = failures[0]
    sentence = tell_fix(first, found)
    return Body({
        "text": sentence.text,
        "tells_error": sentence.tells_error,
        "sources": _ids([*failures, *found.in_vain, *found.unproven, *found.steps, passed]),
        "failures": _ids(failures),
        "signatures": lines,
        "steps": len(found.steps),
        "in_vain": _ids(found.in_vain),
        "evasive": _ids(found.evasive),
        "key": first.body.key,
        "command": first.body.command,
        "fix_kind": kind_of_fix(found),
        "evidence": found.kind,
        "outcome": "success",
    })  # fmt: skip


def tell_fix(failure: Record, found: FixEvidence) -> FixSentence:
    """Return the sentence that tells what made a failure pass."""
    if found.kind == "none":
        return ended_sentence(failure.body)
    steps, in_vain = ([step.body for step in part] for part in (found.steps, found.in_vain))
    if found.kind == "repaired":
        return repair_sentence(failure.body, steps[0], in_vain)
    return fix_sentence(failure.body, steps, in_vain)


def _ids(records: list[Record] | tuple[Record, ...]) -> list[str]:
    return list(dict.fromkeys(record.id for record in records))


def kind_of_fix(found: FixEvidence) -> FixKind:
    """Return what the first of the steps is; a failure that passed without any went away on a later run."""
    if not found.steps:
        return "rerun"
    first = found.steps[0]
    return "edit" if is_edit_tool(first.agent_id, first.body.tool) else "command"
