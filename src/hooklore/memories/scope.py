"""Resolve the scope of a memory to a project, and a project to its scope."""

from hooklore.broker.broker import Broker
from hooklore.errors import ArgumentInvalid, Forbidden, HookloreError
from hooklore.records import keys
from hooklore.records.draft import PERSON, Draft, Principal, ProjectKeys
from hooklore.records.record import Record, parse_flag


class NoSuchProject(HookloreError):
    """Nothing is recorded of a project that is named."""

    code = "not_found"
    fix = "run `hooklore project explain` in its folder"

    def __init__(self, doing: str = "find that project") -> None:
        super().__init__(f"could not {doing}: nothing is recorded there")


def default_scope(
    broker: Broker, given: Record, who: Principal, project_keys: ProjectKeys | None
) -> str:
    """Return the scope of an event without one: in doubt the project (seed 004).

    Outside of a project, a person's event is global unless it is private. Any other is its agent's own.
    """
    if project_keys is not None:
        return f"project:{broker.registry.slug_of(project_keys)}"
    flag = "is_private" if "is_private" in given else "private"
    is_private = parse_flag(given.extra(flag))
    return "global" if who.person and not is_private else f"agent:{given.agent_id}"


def draft_in_scope(broker: Broker, fields: Record, project_keys: ProjectKeys | None) -> Draft:
    """Return the draft of a record in the project that its scope names.

    An unknown project is registered: an agent elsewhere may know of it before anybody works there.
    """
    scope = str(fields.scope)
    if not scope.startswith("project:"):
        return Draft(fields)
    slug = scope.removeprefix("project:")
    rest = fields.without("scope")
    if project_keys is not None and broker.registry.slug_of(project_keys) == slug:
        return Draft(rest, project_keys)
    project = find_project_id(broker, slug)
    if project is not None:
        return Draft(fields.with_fields(project=project))
    return Draft(rest, ProjectKeys((f"name:{slug}",), slug, ""))


def require_own_scope(who: Principal, scope: str) -> None:
    """Raise Forbidden for the scope of another agent's own memories (seed 000 §1)."""
    if not who.person and scope.startswith("agent:") and scope != f"agent:{who.agent_id}":
        raise Forbidden(
            f"could not read `{scope}`: it is another agent's own",
            fix=f"leave it out, or name `agent:{who.agent_id}`",
        )


def named_places(broker: Broker, who: Principal, scope: str | None) -> list[str] | None:
    """Return the places that a scope's name means, None for no name.

    Raise NoSuchProject for a project without records, ArgumentInvalid for any other name.
    """
    if scope is None:
        return None
    if scope == "project":
        return [_place_of_project(who.project)]
    if scope.startswith("project:"):
        return [_place_of_project(find_project_id(broker, scope.removeprefix("project:")))]
    if scope in ("global", *broker.settings.curated.scopes) or scope.startswith("agent:"):
        require_own_scope(who, scope)
        return [scope]
    allowed = "`global`, `project`, `project:<slug>` or `agent:<agent_id>`"
    raise ArgumentInvalid("scope", f"must be {allowed}")


def _place_of_project(project: str | None) -> str:
    if project is None:
        raise NoSuchProject
    return f"project:{project}"


def find_project_id(broker: Broker, slug: str) -> str | None:
    """Return the id of the project with this slug, whoever may read its records, or None."""
    for alias in broker.as_reader(PERSON).history(keys.with_slug(slug), 1):
        return str(alias.project)
    return None


def resolve_place(broker: Broker, draft: Draft) -> str:
    """Return the place of a draft's memory: `project:<id>`, else its scope, or "" for a new project."""
    if draft.keys is not None:
        project = broker.registry.find(draft.keys)
        return f"project:{project.id}" if project else ""
    given = draft.record.project
    return f"project:{given}" if given else draft.record.scope
