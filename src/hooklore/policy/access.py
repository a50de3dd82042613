"""Who may read what: the one function that every read path asks (design rules 5 and 9)."""

from typing import Any

from hooklore.model.draft import Principal

Fields = dict[str, Any]


def may_read(record: Fields, who: Principal) -> bool:
    """Whether `who` may see that this record exists.

    The person sees everything of theirs. An agent sees what is global, its own, or of the project
    it works in, unless the record is private or kept to a session or a role. A record of no
    project (a session in `$HOME`) is seen only where there is no project either.
    """
    if who.person:
        return True
    if record.get("is_private"):
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
    if scope == "global":
        return True
    if scope.startswith("project:"):
        return record.get("project") is not None and record["project"] == who.project
    if record.get("stream") == "observation":
        return who.project is None and scope == f"agent:{who.agent_id}"
    return scope == f"agent:{who.agent_id}"
