"""Where a memory is to go: a scope's name becomes a project, and the other way round."""

from hooklore.broker.broker import Broker
from hooklore.records import keys
from hooklore.records.draft import Draft, Principal, ProjectKeys
from hooklore.records.privacy import parse_flag
from hooklore.records.record import Record


def default_scope(broker: Broker, given: Record, who: Principal, keys: ProjectKeys | None) -> str:
    """The scope of what comes without one: when in doubt the project (seed 004); a private one's agent."""
    if keys is not None:
        known = broker.registry.find(keys) or broker.registry.resolve(keys)
        return f"project:{known.slug}"
    flag = "is_private" if "is_private" in given else "private"
    is_private = parse_flag(given.extra(flag))
    return "global" if who.person and not is_private else f"agent:{given.agent_id}"


def draft_in_scope(broker: Broker, fields: Record, keys: ProjectKeys | None) -> Draft:
    """The draft of these fields in the project that their scope names.

    A project that nobody has worked in yet is made: an agent elsewhere may know of it first.
    """
    scope = str(fields.scope)
    if not scope.startswith("project:"):
        return Draft(fields)
    slug = scope.removeprefix("project:")
    rest = fields.without("scope")
    if keys is not None and _slug_of(broker, keys) == slug:
        return Draft(rest, keys)
    project = find_project_id(broker, slug)
    if project is not None:
        return Draft(fields.with_fields(project=project))
    return Draft(rest, ProjectKeys((f"name:{slug}",), slug, ""))


def find_project_id(broker: Broker, slug: str) -> str | None:
    """The id of the project with this name."""
    for alias in broker.view.lookup(keys.with_slug(slug), 1):
        return str(alias.project)
    return None


def resolve_place(broker: Broker, draft: Draft) -> str:
    """The place that a draft's memory will have: `project:<id>`, else its scope; empty of a new project."""
    if draft.keys is not None:
        project = broker.registry.find(draft.keys)
        return f"project:{project.id}" if project else ""
    given = draft.record.project
    return f"project:{given}" if given else draft.record.scope


def _slug_of(broker: Broker, keys: ProjectKeys) -> str:
    return (broker.registry.find(keys) or broker.registry.resolve(keys)).slug
