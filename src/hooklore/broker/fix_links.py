"""The link from a failure to what made it pass, stored when it passes.

Text search finds an old failure again (.81 of the time on real histories) but its fix only .04: the
two share no words. So the link is a record of its own, found by the failure's signature.
"""

from typing import Any

from hooklore.index.keys import command_stem_key
from hooklore.index.view import View
from hooklore.records.access import inherit_visibility
from hooklore.records.draft import Draft
from hooklore.shell.error_signature import normalize_error_line
from hooklore.text.token_estimate import truncate_text

Fields = dict[str, Any]

_FAILURES = 8
_STEPS = 40
_REPAIR_WINDOW = 16
"""Records of a session between a failure and its command in another form: later it is another matter."""
_KEPT_STEPS = 6
_SIGNATURES = 12
_PASSED = "What made it pass: "
_EDIT_TOOLS = ("Edit", "Write", "MultiEdit", "NotebookEdit")


def draft_fix(view: View, passed: Fields) -> Draft | None:
    """The link to record when `passed`, a success, ends failures; None when it ends none.

    It ends those of the same command (key), wherever they were; else, in its own session, those of
    the same program and subcommand, soon after them: `gh pr create` without the label that failed.
    """
    body = passed["body"]
    if passed["kind"] != "tool_result" or body.get("outcome") != "success" or not body.get("key"):
        return None
    project = passed.get("project") or "-"
    failures = _open_failures(view, f"failing:{project}|{body['key']}", passed)
    if failures:
        return _draft(passed, failures, _steps(view, failures[0], passed))
    failures = _repaired(view, passed)
    return _draft(passed, failures, _steps(view, failures[0], passed)) if failures else None


def _repaired(view: View, passed: Fields) -> list[Fields]:
    """The open failures of the same stem in this session, if `passed` came soon after the last."""
    if not view.has(f"erred:{passed.get('session_id')}"):
        return []
    stem = command_stem_key(passed)
    failures = _open_failures(view, stem, passed) if stem else []
    if not failures:
        return []
    since = view.lookup(f"session:{passed['session_id']}", _REPAIR_WINDOW)
    return failures if any(record["id"] == failures[0]["id"] for record in since) else []


def _open_failures(view: View, tag: str, passed: Fields) -> list[Fields]:
    """Failures of this key before `passed` that nothing has ended yet, newest first."""
    found = []
    for failure in view.lookup(tag, _FAILURES):
        if failure["id"] > passed["id"]:
            continue
        if view.has(f"fixed:{failure['id']}"):
            break
        if failure["body"].get("outcome") == "failure":
            found.append(failure)
    return found


def _steps(view: View, last: Fields, passed: Fields) -> list[Fields]:
    """What was done between the last failure and the success, in the session that made it pass."""
    steps = []
    for record in view.lookup(f"session:{passed['session_id']}", _STEPS):
        if not last["id"] < record["id"] < passed["id"] or record["kind"] != "tool_result":
            continue
        if record["body"].get("outcome") == "success" and _changes(record["body"]):
            steps.append(record)
    return steps[::-1]


def _changes(body: Fields) -> bool:
    return body.get("tool") in _EDIT_TOOLS or bool(body.get("command"))


def _draft(passed: Fields, failures: list[Fields], steps: list[Fields]) -> Draft:
    steps = ([s for s in steps if s["body"].get("tool") in _EDIT_TOOLS] or steps)[-_KEPT_STEPS:]
    if failures[0]["body"].get("key") != passed["body"]["key"]:
        steps.append(passed)  # the command was repaired: how it runs now is the fix
    fields: Fields = {
        name: passed.get(name)
        for name in ("agent_id", "role", "project", "scope", "branch", "session_id", "run_id",
                     "task_id", "visibility", "is_private", "ts", "v")
    }  # fmt: skip
    fields.update(
        stream="synthesis",
        kind="fix",
        basis="tool",
        delivery_id=f"{passed.get('delivery_id')}.fix",
        source={"system": "other", "detail": "fixes"},
        body={
            "text": _text(failures[0], passed, steps),
            "sources": list(dict.fromkeys(r["id"] for r in (*failures, *steps, passed))),
            "failures": [f["id"] for f in failures],
            "signatures": _signatures(failures),
            "steps": len(steps),
            "key": failures[0]["body"]["key"],
            "command": failures[0]["body"].get("command"),
            "outcome": "success",
        },
    )
    made = {name: value for name, value in fields.items() if value is not None}
    return Draft(inherit_visibility(made, [*failures, *steps, passed]))


def _text(failure: Fields, passed: Fields, steps: list[Fields]) -> str:
    named = {"command": ", ".join(passed["body"].get("artifacts", ()))}
    told = failure_text(named | {k: v for k, v in failure["body"].items() if v})
    done = "; then ".join(step_text(s["body"]) for s in steps) or "it passed on a later run"
    return f"{told}. {_PASSED}{done}"


def failure_text(body: Fields) -> str:
    """What failed, and the line that says why."""
    what = body.get("command") or ", ".join(body.get("paths") or ()) or body.get("tool") or "a step"
    return f"`{truncate_text(str(what), 160)}` failed: {_cause(body)}"


def select_fixes_for_brief(fixes: list[Fields]) -> list[Fields]:
    """Of these fixes, newest first, those that a session should know before it begins.

    Those of the last session that met a failure; and of what failed in several sessions what a
    command, not an edit, made pass. An error that an edit ended does not come back, mostly, and what
    failed once is told when it fails again: of 700 that two real projects' sessions began with few
    bore on what followed.
    """
    if not fixes:
        return []
    last = fixes[0]["session_id"]
    again = _recurring(fixes)
    return [
        fix
        for fix in fixes
        if fix["session_id"] == last
        or (is_command_fix(fix) and not again.isdisjoint(fix["body"].get("signatures", ())))
    ]


def _recurring(fixes: list[Fields]) -> set[str]:
    """The lines that failures of several sessions have."""
    sessions: dict[str, set[str]] = {}
    for fix in fixes:
        for line in fix["body"].get("signatures", ()):
            sessions.setdefault(line, set()).add(fix["session_id"])
    return {line for line, found in sessions.items() if len(found) > 1}


def is_command_fix(fix: Fields) -> bool:
    """Whether a command made it pass, not a change of files."""
    return f"{_PASSED}ran `" in str(fix["body"].get("text"))


def has_steps(fix: Fields) -> bool:
    """Whether a fix tells what was done: a failure that went away by itself taught nothing."""
    return bool(fix["body"].get("steps"))


def _cause(body: Fields) -> str:
    """The line that says most of what failed, as it stood."""
    lines = [str(line) for line in body.get("errors", ())] or str(
        body.get("text") or ""
    ).splitlines()
    return truncate_text(next((line.strip() for line in lines if line.strip()), "unknown"), 240)


def _signatures(failures: list[Fields]) -> list[str]:
    """Everything that a later failure of this sort can be known by: of real ones .90, by one line .76."""
    found = (line for failure in failures for line in failure_signatures(failure["body"]))
    return list(dict.fromkeys(found))[:_SIGNATURES]


def failure_signatures(body: Fields) -> list[str]:
    """The lines that say what failed, normalised, the most telling first."""
    if not body.get("signature"):
        return []
    lines = (normalize_error_line(str(line)) for line in body.get("errors", ()))
    return list(dict.fromkeys((str(body["signature"]), *lines)))


def step_text(body: Fields) -> str:
    """One step in words: the command, or the file and what changed in it."""
    if body.get("command"):
        return f"ran `{truncate_text(str(body['command']), 160)}`"
    path = ", ".join(body.get("artifacts", ())) or "a file"
    change = body.get("change") or body.get("text")
    return f"{str(body.get('tool', 'edit')).lower()} of {path}" + (
        f" ({truncate_text(str(change), 240)})" if change else ""
    )
