"""Register which project a folder belongs to. The registry lies in the log, so identity is data.

A project is an id with a unique slug and any number of keys (`remote:…`, `dir:…`). A key is recorded as a
`project_alias`, and the newest alias of a key counts. A folder belongs to a project by its `dir:` key. Its
remote is what the folder says of itself, and anybody can write that into an archive: the remote of a known
project is a claim, and the folder a project of its own until a person trusts the claim.
"""

import hashlib
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field

from hooklore.records import keys as record_keys
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
        """Return the project that the folder of these keys belongs to, or None."""
        return self._find_any(_own(redact_project_keys(keys).keys))

    def claimed(self, keys: ProjectKeys) -> Project | None:
        """Return the known project that a folder claims by its remote alone, or None."""
        keys = redact_project_keys(keys)
        found = self._find_any(tuple(key for key in keys.keys if key not in _own(keys.keys)))
        own = self._find_any(_own(keys.keys))
        return None if found is None or (own is not None and own.id == found.id) else found

    def _find_any(self, keys: tuple[str, ...]) -> Project | None:
        for key in keys:
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
            named = keys.keys if self.claimed(keys) is None else _own(keys.keys)
            return Project(
                hashlib.blake2b(named[0].encode("utf-8", "replace"), digest_size=8).hexdigest(),
                self._free_slug(keys.name),
                named,
            )
        new = tuple(k for k in keys.keys if k not in self._known and not self._is_recorded(k))
        return Project(found.id, found.slug, new)

    def slug_of(self, keys: ProjectKeys) -> str:
        """Return the slug of the project of these keys: the one that a new project will have, if need be."""
        found = self.find(keys)
        return found.slug if found else self._free_slug(redact_project_keys(keys).name)

    def learn(self, project: Project) -> None:
        """Remember the new keys of a project, which were recorded."""
        for key in project.new_keys:
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


def _own(keys: tuple[str, ...]) -> tuple[str, ...]:
    """Return the keys that a folder cannot choose: its paths, or all of them where it has none."""
    return tuple(key for key in keys if not key.startswith("remote:")) or keys


def make_slug(name: str) -> str:
    """Return a name as a slug of ASCII letters, digits, `.`, `_` and `-`; `project` when nothing is left."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9._-]+", "-", plain).strip("-._")[:48] or "project"
