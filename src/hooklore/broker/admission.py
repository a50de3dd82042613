"""Check a record beyond its shape: its scope, its sources, its targets and what it supersedes."""

from collections.abc import Callable, Iterator

from hooklore.broker.versions import CONFIRMATION_FIELDS
from hooklore.errors import RecordInvalid
from hooklore.records.access import may_be_quoted_in
from hooklore.records.record import Record
from hooklore.records.schema import UNTRUSTED

FindById = Callable[[str], list[Record]]
"""Return the records whose id begins with a text."""

_PERSON = "person"
_RAISES = ("pin", "promotion", "approval")
"""Kinds that put a record before more readers."""

_LOWERS = ("reject", "resolve")
"""Approvals that say no, or that close a conflict."""


def check_admission(record: Record, find: FindById) -> Record:
    """Return the record unchanged. Raise RecordInvalid, which names fields and never echoes values.

    Refused are: another agent's own scope; text that orders agents about, for everybody (global) or
    put on top (pinned, promoted); a synthesis that rests on another of its kind: it would be its own
    evidence (seed 002, contaminated snippets); a replacement of another writer's memory that fewer may
    read.
    """
    problems = list(_problems(record, find))
    if problems:
        raise RecordInvalid(problems)
    return record


def _problems(record: Record, find: FindById) -> Iterator[str]:
    scope, body = str(record.scope), record.body
    if scope.startswith("agent:") and record.agent_id not in (
        scope.removeprefix("agent:"),
        _PERSON,
    ):
        yield "scope: it is another agent's own"
    if scope.startswith("global") and record.trust == UNTRUSTED:
        yield "scope: text that gives orders to agents is not for all projects"
    if record.stream == "control" and record.kind in _RAISES and body.verdict not in _LOWERS:
        for target in body.targets:
            if any(other.trust == UNTRUSTED for other in find(target)[:1]):
                yield f"body.targets: a {record.kind} of text that gives orders to agents"
    if record.stream == "synthesis":
        sources = (other for source in body.sources for other in find(source)[:1])
        if any(each.stream == "synthesis" and each.kind == record.kind for each in sources):
            yield f"body.sources: a {record.kind} is no evidence for another"
    if record.stream == "memory":
        yield from _of_named(record, find, "supersedes")
        yield from _of_named(record, find, "contradicts")


def _of_named(record: Record, find: FindById, field: str) -> Iterator[str]:
    """Yield problems of `field`: it must name a memory of the same scope that its writer may know of."""
    named = record.extra(field)
    if not named:
        return
    other = next(iter(find(str(named))), None)
    is_own = other is not None and record.agent_id in (_PERSON, other.agent_id)
    is_confirmed = any(record.extra(name) for name in CONFIRMATION_FIELDS)
    if other is None or other.stream != "memory" or not (is_own or may_be_quoted_in(other, record)):
        yield f"{field}: no memory has this id"
    elif _place(other) != _place(record):
        yield f"{field}: it is in another scope"
    elif field == "supersedes" and not (is_own or is_confirmed or may_be_quoted_in(record, other)):
        yield f"{field}: fewer may read this than the memory of another writer that it replaces"


def _place(record: Record) -> object:
    """Return the project's id, which survives a renaming, else the scope."""
    return record.project or record.scope
