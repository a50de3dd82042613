"""Read access: the one function that every read path calls for every record.

The same rules bind writing. A record made of others is limited to their common readers. A duplicate is
reported only to an agent that may know of the first.
"""

from collections.abc import Iterable

from hooklore.records.draft import Principal
from hooklore.records.memory_kind import memory_kind
from hooklore.records.record import Record, parse_flag
from hooklore.records.schema import UNTRUSTED

_ROLE_BEFORE_THE_REGISTRY = "general"


def may_read(record: Record, who: Principal) -> bool:
    """Return whether `who` may know that this record exists. Access does not change with time.

    The person may read all of their records, and a program those that are not private. An agent may read
    global records, its own, those of its present project, and those of a newer scope that it understands; with a
    token, those that the token opens.
    Private records, and those limited to another session or role, are excluded. Only the memories that an
    agent kept privately itself are told to it, and only when it asks: no hook puts them before a model.

    A record of no project (a session in `$HOME`) is visible only outside projects. Control records name
    others, hidden ones too, so agents may read only the names of projects.

    In a submodule the rules and decisions of the superprojects are read, too, where they are for everybody.
    """
    if who.person and not who.program:
        return True
    if parse_flag(record.is_private):
        # Who only names itself reads what somebody kept who only named itself so.
        is_its_own = record.stream == "memory" and record.agent_id == who.agent_id
        if not (who.asks and is_its_own and (record.self_named or not who.is_self_named)):
            return False
    if who.program:
        return True
    if record.stream == "control" and record.kind != "project_alias":
        return False
    return _is_visible(record, who) and _is_in_scope(record, who)


def _is_visible(record: Record, who: Principal) -> bool:
    visibility = record.visibility
    if visibility == "session":
        return record.session_id is not None and record.session_id == who.session_id
    if visibility == "agent-only":
        is_own = who.is_main_agent and record.agent_id == who.agent_id
        return record.role == who.role or (is_own and record.role == _ROLE_BEFORE_THE_REGISTRY)
    return bool(visibility == "public")


def _is_in_scope(record: Record, who: Principal) -> bool:
    scope = str(record.scope)
    if scope == "global" or scope in who.scopes:
        return who.reads_global
    if scope.startswith("project:"):
        is_here = record.project is not None and record.project == who.project
        return is_here or record.project in who.projects or _binds_submodule(record, who)
    if record.stream == "memory":
        return scope == f"agent:{who.agent_id}"
    return who.project is None and scope == f"agent:{who.agent_id}"


def _binds_submodule(record: Record, who: Principal) -> bool:
    """Return whether a record is a rule or a decision of a superproject, and for all who work there."""
    if record.project not in who.around or record.stream != "memory" or record.waits:
        return False
    is_open = record.visibility == "public" and not parse_flag(record.is_private)
    return is_open and memory_kind(record.kind).binds_submodules


def may_be_quoted_in(source: Record, made: Record) -> bool:
    """Return whether every reader of `made` may read `source` too, so that `made` may quote `source`."""
    if parse_flag(made.is_private):
        return True
    return (
        not parse_flag(source.is_private)
        and _is_visible_to_readers(source, made)
        and _is_in_scope_of_readers(source, made)
    )


def _is_visible_to_readers(source: Record, made: Record) -> bool:
    visibility = source.visibility
    if visibility == "public":
        return True
    name = {"session": "session_id", "agent-only": "role"}.get(str(visibility))
    if name is None or made.visibility != visibility:
        return False
    default = "general" if name == "role" else None
    audience = source.extra(name) or default
    return audience is not None and audience == (made.extra(name) or default)


def _is_in_scope_of_readers(source: Record, made: Record) -> bool:
    scope = str(source.scope)
    if scope == "global":
        return True
    if scope.startswith("project:"):
        same = source.project is not None and source.project == made.project
        return same and str(made.scope).startswith("project:")
    is_wider = made.stream == "memory" and source.stream != "memory"
    return scope == made.scope and not is_wider


_STRICTNESS = {"public": 0, "agent-only": 1, "session": 2}


def inherit_visibility(made: Record, sources: Iterable[Record]) -> Record:
    """Return `made` with the strictest visibility of itself and its sources, which it quotes.

    Where no agent may read all sources (two sessions, two roles, two places), the result is private and
    visible to the person alone.
    """
    found = list(sources)
    strictest = max(
        (str(each.visibility) for each in (made, *found)),
        key=lambda visibility: _STRICTNESS.get(visibility, len(_STRICTNESS)),
    )
    inherited = made.with_fields(visibility=strictest) if strictest != "public" else made
    if any(source.trust == UNTRUSTED for source in found):
        inherited = inherited.with_fields(trust=UNTRUSTED)
    if all(may_be_quoted_in(source, inherited) for source in found):
        return inherited
    return inherited.with_fields(is_private=True)


def may_reveal_duplicate(known: Record, repeated: Record) -> bool:
    """Return whether the writer of the memory `repeated` may learn that `known` exists.

    Two agents may state the same publicly. A memory with limited readers is a duplicate only of one by the
    same agent with the same limits.
    """
    audience = _audience(known)
    return audience == _audience(repeated) and (
        audience == (False, "public", None) or known.agent_id == repeated.agent_id
    )


def is_same_event(known: Record, repeated: Record) -> bool:
    """Return whether an event of the same name is the same event: names belong to one agent."""
    same_agent = known.agent_id == repeated.agent_id
    return same_agent and _audience(known) == _audience(repeated)


def _audience(record: Record) -> tuple[bool, str, object]:
    visibility = str(record.visibility)
    limited_to: object = None
    if visibility == "session":
        limited_to = record.session_id
    elif visibility == "agent-only":
        limited_to = record.role
    return parse_flag(record.is_private), visibility, limited_to
