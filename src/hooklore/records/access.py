"""Who may read what: the one function that every read path asks (design rules 5 and 9).

Beside it what follows from it for writing: what is made of others has the readers that all of them
share, and a repeat is known only to those who may know of the first.
"""

from collections.abc import Iterable
from typing import Any

from hooklore.records.draft import Principal
from hooklore.records.privacy import parse_flag
from hooklore.records.record import UNTRUSTED

Fields = dict[str, Any]


def may_read(record: Fields, who: Principal) -> bool:
    """Whether `who` may see that this record exists. Time changes nothing about it (decision C26).

    The person sees everything of theirs. An agent sees what is global, its own, of the project it
    works in, or of a newer scope that it understands, unless the record is private or kept to a
    session or a role. A record of no project (a session in `$HOME`) is seen only where there is no
    project either. Control records name others, hidden ones too: agents see only how projects are
    called.
    """
    if who.person:
        return True
    if parse_flag(record.get("is_private")):
        return False
    if record.get("stream") == "control" and record.get("kind") != "project_alias":
        return False
    return _is_visible(record, who) and _is_in_scope(record, who)


def _is_visible(record: Fields, who: Principal) -> bool:
    visibility = record.get("visibility", "public")
    if visibility == "session":
        return record.get("session_id") is not None and record["session_id"] == who.session_id
    if visibility == "agent-only":
        return bool(record.get("role", "general") == who.role)
    return bool(visibility == "public")


def _is_in_scope(record: Fields, who: Principal) -> bool:
    scope = str(record.get("scope", ""))
    if scope == "global" or scope in who.scopes:
        return True
    if scope.startswith("project:"):
        return record.get("project") is not None and record["project"] == who.project
    if record.get("stream") == "memory":
        return scope == f"agent:{who.agent_id}"
    return who.project is None and scope == f"agent:{who.agent_id}"


def may_be_quoted_in(source: Fields, made: Fields) -> bool:
    """Whether everybody who may read `made` may read `source` too, so that it may quote it."""
    if parse_flag(made.get("is_private")):
        return True
    return (
        not parse_flag(source.get("is_private"))
        and _is_seen_with(source, made)
        and _is_in_scope_with(source, made)
    )


def _is_seen_with(source: Fields, made: Fields) -> bool:
    seen = source.get("visibility", "public")
    if seen == "public":
        return True
    name = {"session": "session_id", "agent-only": "role"}.get(str(seen))
    if name is None or made.get("visibility") != seen:
        return False
    default = "general" if name == "role" else None
    kept_to = source.get(name, default)
    return kept_to is not None and kept_to == made.get(name, default)


def _is_in_scope_with(source: Fields, made: Fields) -> bool:
    scope = str(source.get("scope", ""))
    if scope == "global":
        return True
    if scope.startswith("project:"):
        same = source.get("project") is not None and source["project"] == made.get("project")
        return same and str(made.get("scope", "")).startswith("project:")
    is_wider = made.get("stream") == "memory" and source.get("stream") != "memory"
    return scope == made.get("scope") and not is_wider


_STRICTNESS = {"public": 0, "agent-only": 1, "session": 2}


def inherit_visibility(made: Fields, sources: Iterable[Fields]) -> Fields:
    """`made` with the strictest visibility of itself and its sources, which it quotes.

    Where no agent may read all of them (two sessions, two roles, two places) it is private: then
    it is for the person alone.
    """
    found = list(sources)
    strictest = max(
        (str(each.get("visibility", "public")) for each in (made, *found)),
        key=lambda visibility: _STRICTNESS.get(visibility, len(_STRICTNESS)),
    )
    kept = {**made, "visibility": strictest} if strictest != "public" else made
    if any(source.get("trust") == UNTRUSTED for source in found):
        kept = {**kept, "trust": UNTRUSTED}
    if all(may_be_quoted_in(source, kept) for source in found):
        return kept
    return {**kept, "is_private": True}


def may_reveal_duplicate(known: Fields, said: Fields) -> bool:
    """Whether who says the memory `said` again may be told that `known` is there already.

    Two agents may say the same to everybody; what is kept from some is a repeat only of what the
    same agent kept from the same.
    """
    first = _kept_from(known)
    return first == _kept_from(said) and (
        first == (False, "public", None) or known.get("agent_id") == said.get("agent_id")
    )


def is_same_event(known: Fields, again: Fields) -> bool:
    """Whether an event of the same name is the same: names are an agent's own."""
    same_agent = known.get("agent_id") == again.get("agent_id")
    return same_agent and _kept_from(known) == _kept_from(again)


def _kept_from(fields: Fields) -> tuple[bool, str, object]:
    visibility = str(fields.get("visibility", "public"))
    kept_to: object = None
    if visibility == "session":
        kept_to = fields.get("session_id")
    elif visibility == "agent-only":
        kept_to = fields.get("role", "general")
    return parse_flag(fields.get("is_private")), visibility, kept_to
