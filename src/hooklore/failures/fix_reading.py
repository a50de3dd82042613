"""Judge a fix when it is read: by its record, by what came after it, and an older one by today's rules."""

from collections.abc import Iterable
from typing import Protocol

from hooklore.failures.fix_evidence import is_change, step_subject, weigh_steps
from hooklore.failures.fix_links import kind_of_fix, tell_fix
from hooklore.failures.fix_text import step_text
from hooklore.records import keys
from hooklore.records.record import Record

_MAX_RECURRENCES = 50
_MAX_BETWEEN = 80
_MAX_LINES = 3
_TOO_OFTEN = 2
"""Other sessions that see a failure again after its fix until the fix is no longer told."""
_MAX_STARTS = 6
_OLDER_FAILED = ". What made it pass: "
"""The words of a fix without `evidence` behind which its steps stand, whatever they do."""


class FailureReader(Protocol):
    """The records that one reader may see: who reads them stands above this package."""

    def history(self, key: str, limit: int = 100) -> list[Record]:
        """Return at most `limit` records under `key`, newest first, also those that are not in force."""

    def find(self, prefix: str) -> list[Record]:
        """Return the records whose id begins with `prefix`."""

    def distinctive_lines(self, failure: Record) -> list[str]:
        """Return the normalised lines that identify `failure`, the most telling first."""


def quotable_fix_text(fix: Record) -> str:
    """Return the text of a fix that a model may be shown without a look at its sources.

    That of an older version is what failed alone, for nothing has judged its steps.
    """
    text = str(fix.body.text or "")
    return text if fix.body.evidence else text.partition(_OLDER_FAILED)[0]


def read_fix(reader: FailureReader, fix: Record) -> Record | None:
    """Return a fix as it is told, None when nothing shows that its steps mended anything.

    The record of an older version is judged by today's rules, as far as its sources tell.
    """
    if fix.body.evidence is None:
        return _judge_again(reader, fix)
    return fix if fix.body.evidence != "none" else None


_EVIDENCE = {
    "touched": "its steps touch what the failure names",
    "repaired": "the command was repaired",
    "none": "nothing shows that a step mended it",
}


def describe_evidence(reader: FailureReader, record: Record, *, is_person: bool) -> list[str]:
    """Return in words why the steps of a fix count, and which other steps there were; [] for another record.

    Steps that undo, delete, force or skip are told where `is_person`, and no model.
    """
    if record.kind != "fix" or record.body.evidence is None:
        return []
    told = [f"evidence: {_EVIDENCE.get(record.body.evidence, 'unknown')}"]
    told += [
        f"tried in vain: {step_text(step.body)}"
        for step in find_records(reader, record.body.in_vain)
    ]
    hidden = find_records(reader, record.body.evasive) if is_person else []
    return [
        *told,
        *(f"undoes or skips, so no model is shown it: {step_text(s.body)}" for s in hidden),
    ]


def step_ids(fix: Record) -> list[str]:
    """Return the ids of the steps that made a failure pass, in their order."""
    others = {*fix.body.failures, *fix.body.in_vain}
    return [id_ for id_ in fix.body.sources if id_ not in others][: fix.body.steps or 0]


def _judge_again(reader: FailureReader, fix: Record) -> Record | None:
    failures = find_records(reader, sorted(fix.body.failures, reverse=True))
    others = find_records(reader, [id_ for id_ in fix.body.sources if id_ not in fix.body.failures])
    if not failures or not others or not fix.body.steps:
        return None
    passed = others[-1]
    found = weigh_steps(failures, others, passed, reader.distinctive_lines(failures[0]))
    if found.kind == "none":
        return None
    sentence = tell_fix(failures[0], found)
    body = fix.body.with_fields(
        text=sentence.text,
        tells_error=sentence.tells_error,
        sources=[record.id for record in (*failures, *found.steps, passed)],
        steps=len(found.steps),
        evidence=found.kind,
        fix_kind=kind_of_fix(found),
        in_vain=[record.id for record in found.in_vain],
    )
    return fix.with_fields(body=body)


def find_records(reader: FailureReader, ids: Iterable[str]) -> list[Record]:
    """Return the records with these ids, as far as the reader may see them."""
    return [record for id_ in ids for record in reader.find(id_)[:1]]


def has_held(
    reader: FailureReader,
    fix: Record,
    before: str | None = None,
    asking_session: str | None = None,
) -> bool:
    """Return whether a failure stayed away after its fix, as long as nothing else changed.

    Without a change between them, the same failure in the session of the fix shows that it mended nothing.
    In another session the change may be missing, so that an edit has failed when two of them saw the
    failure again; `asking_session` does not count. An environment is set up anew for every session, so
    a command has failed only in its own session, or where it was tried again in vain. `before` is an id: only
    what is older counts, and all without it.
    """
    again = _recurrences(reader, fix, before)
    if not again:
        return True
    first = again[0]
    is_undone = fix.body.fix_kind == "edit" and _are_too_many(again, fix, asking_session)
    is_doubtful = first.session_id == fix.session_id or is_undone
    if is_doubtful and not _changed_between(reader, fix, first):
        return False
    return not _was_tried_in_vain(reader, fix, again)


def came_back(
    reader: FailureReader,
    fix: Record,
    before: str | None = None,
    asking_session: str | None = None,
) -> bool:
    """Return whether several other sessions saw a failure again after its fix, whatever changed between."""
    return _are_too_many(_recurrences(reader, fix, before), fix, asking_session)


def _are_too_many(again: list[Record], fix: Record, asking_session: str | None) -> bool:
    others = {failure.session_id for failure in again} - {fix.session_id, asking_session}
    return len(others) >= _TOO_OFTEN


def _recurrences(reader: FailureReader, fix: Record, before: str | None) -> list[Record]:
    """Return the same failures after a fix, oldest first: of its command, with one of its lines."""
    found = {
        failure.id: failure
        for line in fix.body.signatures[:_MAX_LINES]
        for failure in reader.history(keys.error_line(fix.project or "-", line), _MAX_RECURRENCES)
        if fix.id < failure.id
        and (before is None or failure.id < before)
        and failure.body.key == fix.body.key
    }
    return [found[id_] for id_ in sorted(found)]


def _changed_between(reader: FailureReader, fix: Record, failure: Record) -> bool:
    """Return whether a step changed anything between a fix and a failure; also where nobody can tell."""
    sessions = dict.fromkeys((fix.session_id, failure.session_id))
    between = [
        record
        for session in sessions
        for record in reader.history(keys.in_session(session), _MAX_BETWEEN)
        if fix.id < record.id < failure.id
    ]
    return any(map(is_change, between)) or _another_session_began(reader, fix, failure)


def _another_session_began(reader: FailureReader, fix: Record, failure: Record) -> bool:
    """Return whether a third session, on any branch, was at work between a fix and a failure."""
    if fix.session_id == failure.session_id:
        return False
    if fix.branch != failure.branch:
        return True
    starts = reader.history(keys.of_kind("session_start", fix.project or "-"), _MAX_STARTS)
    own = (fix.session_id, failure.session_id)
    return any(fix.id < s.id < failure.id and s.session_id not in own for s in starts)


def _was_tried_in_vain(reader: FailureReader, fix: Record, again: list[Record]) -> bool:
    """Return whether the newest session with two such failures took the fix's step between them."""
    last = again[-1].session_id
    of_last = [failure for failure in again if failure.session_id == last]
    if len(of_last) < 2:
        return False
    subjects = {step_subject(step) for step in find_records(reader, step_ids(fix))}
    steps = reader.history(keys.in_session(last), _MAX_BETWEEN)
    return any(
        of_last[0].id < step.id < of_last[-1].id
        and is_change(step)
        and step_subject(step) in subjects
        for step in steps
    )
