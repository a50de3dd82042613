"""Weigh the steps between a failure and the run that passed: which of them mended what failed."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from hooklore.agents.registry import is_edit_tool
from hooklore.failures.added_evasion import adds_evasion
from hooklore.failures.changed_line import changed_line
from hooklore.failures.equivalent_run import Relation, compare_runs, leading_steps
from hooklore.failures.error_signature import normalize_error_line
from hooklore.failures.evasion import is_evasive_change, is_evasive_command
from hooklore.failures.failure_names import FailureNames, failure_names
from hooklore.failures.rejected_words import find_correction, is_listed, lacks_file
from hooklore.failures.tool_repair import repairs_program
from hooklore.records.record import Body, Record
from hooklore.records.schema import FixEvidenceKind
from hooklore.shell.command import command_stem
from hooklore.shell.command_effect import (
    enters_folder,
    is_inspection,
    is_looking_command,
    only_records_changes,
)

_MAX_STEPS = 2
_MAX_VAIN = 2
_MAX_EVASIVE = 3


@dataclass(frozen=True, slots=True)
class FixEvidence:
    """Steps that made a failure pass, as far as its record tells.

    `steps` touch what the failure names, or are the repaired command. After those `in_vain` the same failure
    came again. Those that are `evasive` undo, delete, force or skip. With `kind` `none`
    there are no steps, and the last ones before the run that passed are `unproven`.
    """

    kind: FixEvidenceKind
    steps: tuple[Record, ...] = ()
    in_vain: tuple[Record, ...] = ()
    evasive: tuple[Record, ...] = ()
    unproven: tuple[Record, ...] = ()


def weigh_steps(
    failures: list[Record], between: list[Record], passed: Record, lines: Iterable[str]
) -> FixEvidence:
    """Return what made `failures` of one error pass, which are newest first.

    `between` are the records of the sessions from the first failure to `passed`, oldest first. `lines`
    identify the error: a run that still shows one of them has not ended it, nor one that passed with all of
    them, as no line is left then.
    """
    failure, wanted = failures[0], frozenset(lines)
    relation = compare_runs(failure.body, passed.body)
    is_nameless = not wanted and bool(failure.body.errors)
    is_correction = relation in (Relation.CORRECTED, Relation.CHOSEN)
    if (
        relation is None
        or is_nameless
        or _shows(passed.body, wanted)
        or not (is_correction or _may_be_mended(failure, between))
    ):
        return FixEvidence("none", unproven=_unproven(failure, between, passed))
    if is_correction:
        return _correction(failures, between, passed)
    gone = _first_run_without(failure, between, wanted)
    found = _weigh(failures, between, gone or passed, Relation.SAME if gone else relation)
    if found.kind == "none" and not found.evasive and gone:
        found = _weigh(failures, between, passed, Relation.SAME)
    if found.kind == "none":
        return replace(found, unproven=_unproven(failure, between, passed))
    return found


def _correction(failures: list[Record], between: list[Record], passed: Record) -> FixEvidence:
    """Return the evidence of a corrected command; none where nothing named the word that was chosen for it."""
    failure = failures[0]
    found = find_correction(failure.body, str(passed.body.command))
    since = [step.body for step in between if failure.id < step.id < passed.id]
    if (
        _is_evasive(failure)
        or found is None
        or not is_listed(found.chosen, (str(body.text or "") for body in since))
    ):
        return FixEvidence("none")
    if _is_evasive(passed) or adds_evasion(str(failure.body.command), str(passed.body.command)):
        return FixEvidence("none", evasive=(passed,))
    names = failure_names(failure.body)
    return FixEvidence("repaired", (passed,), _tried_in_vain(failures, between, names, [passed]))


def _may_be_mended(failure: Record, between: list[Record]) -> bool:
    """Return whether a failure of this command has a fix: what undoes or deletes has none.

    What only looks has one where its program was put in order: it was logged in, or initialised.
    """
    if _is_evasive(failure):
        return False
    commands = [str(step.body.command or "") for step in between if is_change(step)]
    is_looking = is_inspection(str(failure.body.command))
    return not is_looking or any(repairs_program(failure.body, command) for command in commands)


def _first_run_without(
    failure: Record, between: list[Record], lines: frozenset[str]
) -> Record | None:
    """Return the first later run of a failed command that failed in another way: the error was gone then."""
    for run in between:
        if run.kind == "error" and run.id > failure.id and run.body.key == failure.body.key:
            is_other = lines.isdisjoint(map(normalize_error_line, run.body.errors))
            return run if is_other and lines and run.body.errors else None
    return None


def _weigh(
    failures: list[Record], between: list[Record], end: Record, relation: Relation
) -> FixEvidence:
    """Return the evidence of the steps between the last failure and the run `end`."""
    failure = failures[0]
    names = failure_names(failure.body)
    since = [step for step in between if failure.id < step.id < end.id]
    related = [step for step in since if _bears(names, failure, step)]
    evasive = tuple(step for step in related if _evades(failure, step))[-_MAX_EVASIVE:]
    touching = [step for step in related if not _evades(failure, step)]
    if _is_evasive(end) or adds_evasion(str(failure.body.command), str(end.body.command)):
        return FixEvidence("none", evasive=(*evasive, end)[-_MAX_EVASIVE:])
    if evasive and (not touching or touching[-1].id < evasive[-1].id):
        return FixEvidence("none", evasive=evasive)
    vain = _tried_in_vain(failures, between, names, touching)
    if touching:
        return FixEvidence("touched", tuple(_distinct(touching)[-_MAX_STEPS:]), vain, evasive)
    # The steps that a run takes before the failed command, if any, bear on its failure.
    leading = leading_steps(str(failure.body.command), str(end.body.command))
    is_led_rightly = not leading or _mends(names, failure, leading, "")
    if relation is Relation.REPAIRED or (relation is Relation.WRAPS and is_led_rightly):
        return FixEvidence("repaired", (end,), vain)
    return FixEvidence("none")


def _bears(names: FailureNames, failure: Record, step: Record) -> bool:
    """Return whether a step changed what the failure names, or entered the folder of what was missing."""
    is_run = step.kind == "tool_result" and step.body.outcome == "success"
    if is_run and enters_folder(str(step.body.command or "")):
        return lacks_file(failure.body)
    return is_change(step) and _touches(names, failure, step)


def _mends(names: FailureNames, failure: Record, command: str, output: str) -> bool:
    return names.touched_by_command(command, output) or repairs_program(failure.body, command)


def _unproven(failure: Record, between: list[Record], passed: Record) -> tuple[Record, ...]:
    """Return the last steps before a run that passed: nothing shows that they mended anything."""
    steps = [
        step
        for step in between
        if failure.id < step.id < passed.id and step.kind == "tool_result"
        and (step.body.command or _is_edit(step)) and not _is_evasive(step)
    ]  # fmt: skip
    return tuple(([step for step in steps if _is_edit(step)] or steps)[-_MAX_STEPS:])


def is_change(step: Record) -> bool:
    """Return whether a step went well, as far as is known, and changed something."""
    if step.kind != "tool_result" or step.body.outcome not in ("success", "unknown"):
        return False
    return _is_edit(step) or bool(step.body.command and not is_looking_command(step.body.command))


def _is_edit(step: Record) -> bool:
    return is_edit_tool(step.agent_id, step.body.tool)


def _is_evasive(step: Record) -> bool:
    if step.body.command:
        return is_evasive_command(step.body.command)
    return is_evasive_change(_change(step.body))


def _evades(failure: Record, step: Record) -> bool:
    """Return whether a step evades by itself, or by what it adds to the command that failed."""
    before, after = str(failure.body.command), str(step.body.command or "")
    stem = command_stem(before)
    is_form = failure.body.key == step.body.key or (stem and stem == command_stem(after))
    return _is_evasive(step) or (bool(is_form) and adds_evasion(before, after))


def _touches(names: FailureNames, failure: Record, step: Record) -> bool:
    body = step.body
    if not body.command:
        paths = body.artifacts or body.paths
        is_near = step.session_id == failure.session_id
        change = _change(body)
        return any(names.touched_by_edit(path, change, is_near=is_near) for path in paths)
    is_record = only_records_changes(body.command)
    if is_record and not (only_records_changes(str(failure.body.command)) or _is_evasive(step)):
        return False
    return _mends(names, failure, body.command, str(body.text or ""))


def _change(body: Body) -> str:
    return str(body.change or body.text or "")


def _shows(run: Body, lines: frozenset[str]) -> bool:
    """Return whether the output of a run has a line that identifies the failure."""
    printed = str(run.text or "").splitlines() if lines else []
    return any(normalize_error_line(line) in lines for line in printed if line.strip())


def _tried_in_vain(
    failures: list[Record], between: list[Record], names: FailureNames, told: list[Record]
) -> tuple[Record, ...]:
    """Return steps that touch what the failure names, and after which the same failure came again."""
    first, last = failures[-1], failures[0]
    known = {step_subject(step) for step in told}
    vain = [
        step
        for step in between
        if first.id < step.id < last.id and is_change(step) and _touches(names, last, step)
        and not _is_evasive(step) and step_subject(step) not in known
    ]  # fmt: skip
    return tuple(_distinct(vain)[-_MAX_VAIN:])


def step_subject(step: Record) -> str:
    """Return the file or the command of a step: two steps with one subject are told once."""
    return str(step.body.key) if step.body.command else ",".join(step.body.artifacts)


def _distinct(steps: list[Record]) -> list[Record]:
    """Return the step of each subject that changed most, in their order."""
    most: dict[str, Record] = {}
    for step in steps:
        known = most.get(step_subject(step))
        if known is None or _size(step) >= _size(known):
            most[step_subject(step)] = step
    return sorted(most.values(), key=lambda step: step.id)


def _size(step: Record) -> int:
    return 0 if step.body.command else len(changed_line(_change(step.body)))
