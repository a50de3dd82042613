"""Register which project a folder belongs to. The registry lies in the log, so identity is data.

A project is an id with a unique slug and any number of keys (`remote:…`, `dir:…`). The first record
of a key is a `project_alias`; a folder with one known key gives its other keys to the same project.
"""

import hashlib
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field

from hooklore.index import keys as record_keys
from hooklore.records.draft import ProjectKeys
from hooklore.records.record import Record
from hooklore.redaction.record_redactor import redact_project_keys

LookupByTag = Callable[[str], list[Record]]


@dataclass(frozen=True, slots=True)
class Project:
    """A project with its stable id and its unique name. `new_keys` are the keys to be recorded."""

    id: str
    slug: str
    new_keys: tuple[str, ...] = field(default=())


def project_of_alias(alias: Record) -> Project:
    """Return the project that a `project_alias` record names."""
    return Project(str(alias.project), str(alias.body.slug))


class ProjectRegistry:
    """Find projects by key. Naming a new project is only correct under the log's lock."""

    def __init__(self, lookup: LookupByTag) -> None:
        self._lookup = lookup
        self._known: dict[str, Project] = {}

    def find(self, keys: ProjectKeys) -> Project | None:
        """Return the project that any of these keys belongs to, or None."""
        keys = redact_project_keys(keys)
        for key in keys.keys:
            if key in self._known:
                return self._known[key]
            for alias in self._lookup(record_keys.alias_of(key)):
                if alias.body.key == key:
                    found = project_of_alias(alias)
                    self._known[key] = found
                    return found
        return None

    def resolve(self, keys: ProjectKeys) -> Project:
        """Return the project of these keys, a new one when none is known, with its new keys."""
        keys = redact_project_keys(keys)
        found = self.find(keys)
        if found is None:
            return Project(_new_id(keys.keys[0]), self._free_slug(keys.name), keys.keys)
        new = tuple(k for k in keys.keys if k not in self._known and not self._is_recorded(k))
        return Project(found.id, found.slug, new)

    def slug_of(self, keys: ProjectKeys) -> str:
        """Return the slug of the project of these keys: the one that a new project will have, if need be."""
        found = self.find(keys)
        return found.slug if found else self._free_slug(redact_project_keys(keys).name)

    def learn(self, project: Project, keys: tuple[str, ...]) -> None:
        """Remember keys that were recorded."""
        for key in keys:
            self._known[key] = Project(project.id, project.slug)

    def forget(self) -> None:
        """Forget remembered keys, because recording them failed."""
        self._known.clear()

    def _is_recorded(self, key: str) -> bool:
        return any(a.body.key == key for a in self._lookup(record_keys.alias_of(key)))

    def _free_slug(self, name: str) -> str:
        base = make_slug(name)
        candidate, number = base, 1
        while any(a.body.slug == candidate for a in self._lookup(record_keys.with_slug(candidate))):
            number += 1
            candidate = f"{base}-{number}"
        return candidate


def make_slug(name: str) -> str:
    """Return a name as a slug of ASCII letters, digits, `.`, `_` and `-`; `project` when nothing is left."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9._-]+", "-", plain).strip("-._")[:48] or "project"


def _new_id(key: str) -> str:
    return hashlib.blake2b(key.encode("utf-8", "replace"), digest_size=8).hexdigest()
