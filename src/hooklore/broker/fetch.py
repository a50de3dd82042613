"""Fetch one record, its project, and what ended or quotes it."""

from collections.abc import Iterator

from hooklore.broker.principal_reader import Reader
from hooklore.broker.project_registry import Project, project_of_alias
from hooklore.errors import HookloreError
from hooklore.records import keys
from hooklore.records.record import Record

_MANY = 10_000


def list_projects(reader: Reader) -> list[Project]:
    """Return every project of the registry whose records the reader may see."""
    found: dict[str, Project] = {}
    for alias in reader.lookup(keys.ALL_ALIASES, _MANY):
        found[str(alias.project)] = project_of_alias(alias)
    return list(found.values())


def require_project(reader: Reader, name: str) -> Project:
    """Return the project with this slug or id. Raise HookloreError when there is none."""
    for project in list_projects(reader):
        if name in (project.slug, project.id):
            return project
    raise HookloreError(
        f"could not find project `{name}`: nothing was recorded there",
        fix="run `hooklore project explain` in its folder",
    )


def get_record(reader: Reader, prefix: str) -> Record:
    """Return the one record whose id begins with `prefix`, forgotten or not.

    Raise NotFound when there is none, HookloreError when there are several.
    """
    prefix = prefix.strip().lower()
    if len(reader.find(prefix)) > 1:
        raise HookloreError(
            f"could not choose a record: the ids of several begin with `{prefix}`",
            fix="give the id in full: `hooklore list` has it",
        )
    return reader.get(prefix)


def find_enders(reader: Reader, record: Record) -> list[Record]:
    """Return what ended a record, newest first: a tombstone, an archiving, a newer memory."""
    found = reader.history(keys.end_of(record.id), 10)
    newer = reader.superseded_by(record) if record.stream == "memory" else None
    return [newer, *found] if newer is not None and newer not in found else found


def find_derived(reader: Reader, records: list[Record]) -> list[Record]:
    """Return what quotes these records and would keep telling: fixes, conflicts, summaries, session ends."""
    ids = {record.id for record in records}
    found: dict[str, Record] = {}
    for record in _quoting(reader, records):
        if record.id not in ids and (
            record.kind == "session_end" or ids & set(record.body.sources)
        ):
            found[record.id] = record
    return list(found.values())


_SESSION_SUMMARY_KINDS = ("answer", "error", "task", "tool_result")


def _quoting(reader: Reader, records: list[Record]) -> Iterator[Record]:
    for project in {record.project or "-" for record in records}:
        for kind in ("fix", "summary"):
            yield from reader.lookup(keys.of_kind(kind, project), _MANY)
    for record in records:
        yield from reader.lookup(keys.conflict_with(record.id), _MANY)
    for session in {r.session_id for r in records if r.kind in _SESSION_SUMMARY_KINDS}:
        for record in reader.lookup(keys.in_session(session), _MANY) if session else ():
            if record.kind == "session_end":
                yield record
