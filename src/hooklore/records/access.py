"""Who may read what: the one function that every read path asks (design rules 5 and 9).

Beside it what follows from it for writing: what is made of others has the readers that all of them
share, and a repeat is known only to those who may know of the first.
"""

from collections.abc import Iterable

from hooklore.records.draft import Principal
from hooklore.records.privacy import parse_flag
from hooklore.records.record import Record
from hooklore.records.schema import UNTRUSTED


def may_read(record: Record, who: Principal) -> bool:
    """Whether `who` may see that this record exists. Time changes nothing about it (decision C26).

    The person sees everything of theirs. An agent sees what is global, its own, of the project it
    works in, or of a newer scope that it understands, unless the record is private or kept to a
    session or a role. A record of no project (a session in `$HOME`) is seen only where there is no
    project either. Control records name others, hidden ones too: agents see only how projects are
    called.
    """
    if who.person:
        return True
    if parse_flag(record.is_private):
        return False
    if record.stream == "control" and record.kind != "project_alias":
        return False
    return _is_visible(record, who) and _is_in_scope(record, who)


def _is_visible(record: Record, who: Principal) -> bool:
    visibility = record.visibility
    if visibility == "session":
        return record.session_id is not None and record.session_id == who.session_id
    if visibility == "agent-only":
        return bool(record.role == who.role)
    return bool(visibility == "public")


def _is_in_scope(record: Record, who: Principal) -> bool:
    scope = str(record.scope)
    if scope == "global" or scope in who.scopes:
        return True
    if scope.startswith("project:"):
        return record.project is not None and record.project == who.project
    if record.stream == "memory":
        return scope == f"agent:{who.agent_id}"
    return who.project is None and scope == f"agent:{who.agent_id}"


def may_be_quoted_in(source: Record, made: Record) -> bool:
    """Whether everybody who may read `made` may read `source` too, so that it may quote it."""
    if parse_flag(made.is_private):
        return True
    return (
        not parse_flag(source.is_private)
        and _is_seen_with(source, made)
        and _is_in_scope_with(source, made)
    )


def _is_seen_with(source: Record, made: Record) -> bool:
    seen = source.visibility
    if seen == "public":
        return True
    name = {"session": "session_id", "agent-only": "role"}.get(str(seen))
    if name is None or made.visibility != seen:
        return False
    default = "general" if name == "role" else None
    kept_to = source.extra(name) or default
    return kept_to is not None and kept_to == (made.extra(name) or default)


def _is_in_scope_with(source: Record, made: Record) -> bool:
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
    """`made` with the strictest visibility of itself and its sources, which it quotes.

    Where no agent may read all of them (two sessions, two roles, two places) it is private: then
    it is for the person alone.
    """
    found = list(sources)
    strictest = max(
        (str(each.visibility) for each in (made, *found)),
        key=lambda visibility: _STRICTNESS.get(visibility, len(_STRICTNESS)),
    )
    kept = made.with_fields(visibility=strictest) if strictest != "public" else made
    if any(source.trust == UNTRUSTED for source in found):
        kept = kept.with_fields(trust=UNTRUSTED)
    if all(may_be_quoted_in(source, kept) for source in found):
        return kept
    return kept.with_fields(is_private=True)


def may_reveal_duplicate(known: Record, said: Record) -> bool:
    """Whether who says the memory `said` again may be told that `known` is there already.

    Two agents may say the same to everybody; what is kept from some is a repeat only of what the
    same agent kept from the same.
    """
    first = _kept_from(known)
    return first == _kept_from(said) and (
        first == (False, "public", None) or known.agent_id == said.agent_id
    )


def is_same_event(known: Record, again: Record) -> bool:
    """Whether an event of the same name is the same: names are an agent's own."""
    same_agent = known.agent_id == again.agent_id
    return same_agent and _kept_from(known) == _kept_from(again)


def _kept_from(fields: Record) -> tuple[bool, str, object]:
    visibility = str(fields.visibility)
    kept_to: object = None
    if visibility == "session":
        kept_to = fields.session_id
    elif visibility == "agent-only":
        kept_to = fields.role
    return parse_flag(fields.is_private), visibility, kept_to
