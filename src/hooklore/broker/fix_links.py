"""Link a failure to what made it pass, when it passes.

Text search finds an old failure again in .81 of real cases, but its fix in .04: the two share no
words. So the link is a record of its own, found by the failure's signature.
"""

from hooklore.agents.registry import is_edit_tool
from hooklore.index import keys
from hooklore.index.record_keys import command_stem_key
from hooklore.index.view import View
from hooklore.prompt.error_line import quotable_error_line
from hooklore.prompt.injection import is_prompt_injection
from hooklore.records.access import inherit_visibility
from hooklore.records.draft import Draft
from hooklore.records.record import Body, Record
from hooklore.records.schema import FixKind
from hooklore.shell.error_signature import normalize_error_line
from hooklore.text.token_estimate import truncate_text

_FAILURES = 8
_STEPS = 40
_REPAIR_WINDOW = 16
"""Records of a session between a failure and a repaired form of its command; later runs do not count."""
_KEPT_STEPS = 6
_SIGNATURES = 12
_CAUSE_OF_LESSON = 160
_PASSED = "What made it pass: "

_OLDER_COMMAND_SENTENCE = "What made it pass: ran `"
"""The words by which a fix without `fix_kind` says that a command made the failure pass."""


def draft_fix(view: View, passed: Record) -> Draft | None:
    """Return the draft of the link when `passed`, a success, ends failures; None when it ends none.

    A success ends the failures of the same command (`key`) in every session. Otherwise it ends, in its
    own session, recent failures of the same program and subcommand: `gh pr create` without a label.
    """
    body = passed.body
    if passed.kind != "tool_result" or body.outcome != "success" or not body.key:
        return None
    failed = view.lookup(keys.failing_step(passed.project or "-", body.key), _FAILURES)
    failures = _still_open(view, failed, passed) if failed else []
    if not failures and view.has(keys.errors_in(passed.session_id)):
        failures = _repaired(view, passed)
    return _draft(passed, failures, _steps(view, failures[0], passed)) if failures else None


def _repaired(view: View, passed: Record) -> list[Record]:
    """Return the session's open failures of the same stem, if `passed` came soon after the last."""
    stem = command_stem_key(passed)
    failed = view.lookup(stem, _FAILURES) if stem else []
    failures = _still_open(view, failed, passed)
    if not failures:
        return []
    since = view.lookup(keys.in_session(passed.session_id), _REPAIR_WINDOW)
    return failures if any(record.id == failures[0].id for record in since) else []


def _still_open(view: View, failures: list[Record], passed: Record) -> list[Record]:
    """Return those of `failures` before `passed` that nothing has ended yet. Both are newest first."""
    found = []
    for failure in failures:
        if failure.id > passed.id:
            continue
        if view.has(keys.fix_of(failure.id)):
            break
        if failure.body.outcome == "failure":
            found.append(failure)
    return found


def _steps(view: View, last: Record, passed: Record) -> list[Record]:
    """Return the successful steps between the last failure and the success, in the session that passed."""
    steps = []
    for record in view.lookup(keys.in_session(passed.session_id), _STEPS):
        if not last.id < record.id < passed.id or record.kind != "tool_result":
            continue
        if record.body.outcome == "success" and _changes(record):
            steps.append(record)
    return steps[::-1]


def _changes(record: Record) -> bool:
    is_edit = is_edit_tool(record.agent_id, record.body.tool)
    return is_edit or bool(record.body.command)


def _draft(passed: Record, failures: list[Record], steps: list[Record]) -> Draft:
    steps = ([s for s in steps if is_edit_tool(s.agent_id, s.body.tool)] or steps)[-_KEPT_STEPS:]
    if failures[0].body.key != passed.body.key:
        steps.append(passed)  # the command was repaired: how it runs now is the fix
    made = Record.of(
        **passed.pick(
            "agent_id", "role", "project", "scope", "branch", "session_id", "run_id", "task_id",
            "visibility", "is_private", "ts", "v", "expires_at",
        ),
        stream="synthesis",
        kind="fix",
        basis="tool",
        delivery_id=f"{passed.delivery_id}.fix",
        source={"system": "other", "detail": "fixes"},
        body={
            "text": _text(failures[0], passed, steps),
            "sources": list(dict.fromkeys(r.id for r in (*failures, *steps, passed))),
            "failures": [f.id for f in failures],
            "signatures": _signatures(failures),
            "steps": len(steps),
            "key": failures[0].body.key,
            "command": failures[0].body.command,
            "fix_kind": _fix_kind(steps),
            "outcome": "success",
        },
    )  # fmt: skip
    return Draft(inherit_visibility(made, [*failures, *steps, passed]))


def _fix_kind(steps: list[Record]) -> FixKind:
    """Return what the first of the steps is; a failure that passed without any went away on a later run."""
    if not steps:
        return "rerun"
    return "edit" if is_edit_tool(steps[0].agent_id, steps[0].body.tool) else "command"


def _text(failure: Record, passed: Record, steps: list[Record]) -> str:
    body = failure.body
    named = body if body.command else body.with_fields(command=", ".join(passed.body.artifacts))
    told = failure_text(named)
    done = _join_steps([step.body for step in steps]) or "it passed on a later run"
    return f"{told}. {_PASSED}{done}"


def format_lesson(failure: Body, steps: list[Body]) -> str:
    """Return the cause of a failure and the steps that made it pass, on one line."""
    done = " ".join(_join_steps(steps).split())
    cause = _cause(failure)
    if is_prompt_injection(cause):  # or the whole record would be kept from every model
        cause = quotable_error_line(failure) or failure_text(failure)
    return f"{truncate_text(cause, _CAUSE_OF_LESSON)} → {done}"


def _cause(body: Body) -> str:
    """Return the first line of a failure that says something. It is kept, and no model is shown it."""
    lines = [str(line) for line in body.errors] or str(body.text or "").splitlines()
    return truncate_text(next((line.strip() for line in lines if line.strip()), "unknown"), 240)


def _join_steps(steps: list[Body]) -> str:
    return "; then ".join(step_text(step) for step in steps)


def failure_text(body: Body) -> str:
    """Return in words what failed, and the line that says why, where a model may be shown that line."""
    what = body.command or ", ".join(body.paths) or body.tool or "a step"
    line = quotable_error_line(body)
    return f"`{truncate_text(str(what), 160)}` failed" + (f": {line}" if line else "")


def failing_text(body: Body) -> str:
    """Return in words what fails until it is mended, and the line that says why."""
    what = body.command or ", ".join(body.artifacts) or body.tool or "?"
    line = quotable_error_line(body)
    return f"`{truncate_text(str(what), 120)}` fails" + (f": {line}" if line else "")


def select_fixes_for_brief(fixes: list[Record]) -> list[Record]:
    """Return those of `fixes`, newest first, that a session should know before it begins.

    Kept are fixes by a command of what failed in several sessions. An error that an edit ended rarely
    comes back, and a failure that came once is told when it fails again: of 700 fixes that began two real
    projects' sessions few were of use.
    """
    again = _recurring(fixes)
    return [
        fix for fix in fixes if is_command_fix(fix) and not again.isdisjoint(fix.body.signatures)
    ]


def _recurring(fixes: list[Record]) -> set[str]:
    """Return the lines that failures of several sessions share."""
    sessions: dict[str, set[str]] = {}
    for fix in fixes:
        for line in fix.body.signatures:
            sessions.setdefault(line, set()).add(str(fix.session_id))
    return {line for line, found in sessions.items() if len(found) > 1}


def is_command_fix(fix: Record) -> bool:
    """Return whether a command, not a change of files, made the failure pass."""
    return (fix.body.fix_kind or _older_fix_kind(fix)) == "command"


def _older_fix_kind(fix: Record) -> FixKind | None:
    """Return the kind of a fix of a version that wrote no `fix_kind`, by the sentence of that version.

    The line is read as it stands: a step in `log/line.py` would pass over every record of a rebuild, for
    the few fixes that a session's start asks about.
    """
    return "command" if _OLDER_COMMAND_SENTENCE in str(fix.body.text) else None


def has_steps(fix: Record) -> bool:
    """Return whether a fix names steps: a failure that went away by itself taught nothing."""
    return bool(fix.body.extra("steps"))


def _signatures(failures: list[Record]) -> list[str]:
    """Return every line by which a later failure can be known: .90 of real ones, by one line alone .76."""
    found = (line for failure in failures for line in failure_signatures(failure.body))
    return list(dict.fromkeys(found))[:_SIGNATURES]


def failure_signatures(body: Body) -> list[str]:
    """Return the normalised lines that say what failed, the most telling first."""
    if not body.signature:
        return []
    lines = (normalize_error_line(str(line)) for line in body.errors)
    return list(dict.fromkeys((str(body.signature), *lines)))


def step_text(body: Body) -> str:
    """Return one step in words: the command, or the file and its change."""
    if body.command:
        return f"ran `{truncate_text(str(body.extra('command')), 160)}`"
    path = ", ".join(body.artifacts) or "a file"
    change = body.change or body.text
    return f"{str(body.extra('tool') or 'edit').lower()} of {path}" + (
        f" ({truncate_text(str(change), 240)})" if change else ""
    )
