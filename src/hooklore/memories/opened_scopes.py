"""The projects that a request names, and those that the scopes of a token open."""

import re
from dataclasses import dataclass

from hooklore.broker.broker import Broker
from hooklore.broker.fetch import list_projects
from hooklore.errors import ArgumentInvalid, Forbidden
from hooklore.memories.scope import find_project_id
from hooklore.records import keys
from hooklore.records.draft import PERSON, ProjectKeys

_PREFIX = "project:"
_SLUG = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_KEY = re.compile(r"(?:remote|dir):\S.{0,500}")
PROJECT_PATTERN = f"^(?:{_SLUG.pattern}|{_KEY.pattern})$"


@dataclass(frozen=True, slots=True)
class OpenedScopes:
    """The memories that a token opens: `projects` by their ids, and the global ones with `has_global`."""

    projects: tuple[str, ...]
    has_global: bool


def open_scopes(
    broker: Broker, scopes: tuple[str, ...], folder: ProjectKeys | None
) -> OpenedScopes:
    """Return what `scopes` open to an agent that works in `folder`; without scopes, everything that is shared.

    In a folder an agent reads the memories of this project, as everywhere. Raise Forbidden for a folder whose
    project the scopes do not open.
    """
    has_global = not scopes or "global" in scopes
    if folder is not None:
        place = f"{_PREFIX}{broker.registry.slug_of(folder)}"
        if scopes and place not in scopes:
            raise Forbidden(
                f"could not work in `{place}`: the token does not open it",
                fix=f"name one of: {', '.join(scopes)}",
            )
        return OpenedScopes((), has_global)
    owner = broker.as_reader(PERSON)
    if not scopes:
        return OpenedScopes(tuple(project.id for project in list_projects(owner)), has_global)
    slugs = [each.removeprefix(_PREFIX) for each in scopes if each.startswith(_PREFIX)]
    found = (find_project_id(broker, slug) for slug in slugs)
    return OpenedScopes(tuple(each for each in found if each is not None), has_global)


def named_project(broker: Broker, name: str) -> ProjectKeys:
    """Return what identifies the project of a slug, or of a key of its own. Raise ArgumentInvalid."""
    if _KEY.fullmatch(name):
        return ProjectKeys((name,), name.rsplit("/", 1)[-1], "")
    if not _SLUG.fullmatch(name):
        raise ArgumentInvalid("project", "it must be the slug of a project, like `memory-gateway`")
    for alias in broker.as_reader(PERSON).history(keys.with_slug(name), 1):
        return ProjectKeys((str(alias.body.key),), name, "")
    return ProjectKeys((f"name:{name}",), name, "")
