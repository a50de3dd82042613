"""Fetch one record, its project, and what ended or quotes it. Every answer passes `may_read`."""

from collections.abc import Iterator

from hooklore.broker import versions
from hooklore.broker.broker import Broker
from hooklore.broker.project_registry import Project, project_of_alias
from hooklore.errors import HookloreError
from hooklore.records import keys
from hooklore.records.access import may_read
from hooklore.records.draft import PERSON, Principal
from hooklore.records.record import Record

_MANY = 10_000


def list_projects(broker: Broker, who: Principal = PERSON) -> list[Project]:
    """Every project of the registry whose records `who` may see."""
    found: dict[str, Project] = {}
    for alias in broker.lookup(keys.ALL_ALIASES, who, _MANY):
        found[str(alias.project)] = project_of_alias(alias)
    return list(found.values())


def require_project(broker: Broker, name: str, who: Principal = PERSON) -> Project:
    """The project with this slug or id. Raises HookloreError."""
    for project in list_projects(broker, who):
        if name in (project.slug, project.id):
            return project
    raise HookloreError(
        f"could not find project `{name}`: nothing was recorded there",
        fix="run `hooklore project explain` in its folder",
    )


def get_record(broker: Broker, prefix: str, who: Principal = PERSON) -> Record:
    """The one record whose id begins so, forgotten or not. Raises NotFound, or says that there are more."""
    prefix = prefix.strip().lower()
    found = [r for r in broker.view.find(prefix) if may_read(r, who)] if prefix else []
    if len(found) > 1:
        raise HookloreError(
            f"could not choose a record: the ids of several begin with `{prefix}`",
            fix="give the id in full: `hooklore list` has it",
        )
    return broker.get(prefix, who)


def find_enders(broker: Broker, record: Record, who: Principal = PERSON) -> list[Record]:
    """What ended a record: a tombstone, an archiving, or what supersedes it; newest first."""
    found = broker.view.lookup(keys.end_of(record.id), 10)
    newer = versions.superseded_by(broker.view, record) if record.stream == "memory" else None
    if newer is not None and newer not in found:
        found = [newer, *found]
    return [other for other in found if may_read(other, who)]


def find_derived(broker: Broker, records: list[Record], who: Principal = PERSON) -> list[Record]:
    """What quotes these records and would keep telling of them: fixes, summaries, ends of sessions."""
    ids = {record.id for record in records}
    found: dict[str, Record] = {}
    for record in _quoting(broker, records, who):
        if record.id not in ids and (
            record.kind == "session_end" or ids & set(record.body.sources)
        ):
            found[record.id] = record
    return list(found.values())


_SESSION_SUMMARY_KINDS = ("answer", "error", "task", "tool_result")


def _quoting(broker: Broker, records: list[Record], who: Principal) -> Iterator[Record]:
    for project in {record.project or "-" for record in records}:
        for kind in ("fix", "summary"):
            yield from broker.lookup(keys.of_kind(kind, project), who, _MANY)
    for session in {r.session_id for r in records if r.kind in _SESSION_SUMMARY_KINDS}:
        for record in broker.lookup(keys.in_session(session), who, _MANY) if session else ():
            if record.kind == "session_end":
                yield record
