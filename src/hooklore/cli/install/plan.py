"""The plan of one install: the edits of the agent's files, and the places for the manifest.

The hooks and the MCP server may stand in one file. Then the server lies on top: it is taken out before the
hooks are, so that each is undone to the bytes that it found.
"""

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from hooklore.agents.agent import Agent
from hooklore.agents.program_name import PROGRAM
from hooklore.agents.registration import (
    SERVER_NAME,
    Entry,
    Places,
    Registration,
    Scope,
    ServerRegistration,
)
from hooklore.cli.install.edit import SettingsEdit, read, with_ours, without_ours
from hooklore.cli.install.manifest import Manifest, Place

_Bytes = bytes | None


@dataclass(frozen=True, slots=True)
class InstallPlan:
    """The edits of an install. `server_edit` is that of another file than the hooks', where there is one.

    `server` is the place of the MCP server, None where none is registered. `lost_server` is the file of a
    server that goes.
    """

    edit: SettingsEdit
    place: Place
    server_edit: SettingsEdit | None = None
    server: Place | None = None
    lost_server: Path | None = None

    @property
    def edits(self) -> tuple[SettingsEdit, ...]:
        """Every edit, the hooks' file first."""
        return (self.edit, *([self.server_edit] if self.server_edit else []))

    def noted_in(self, manifest: Manifest) -> Manifest:
        """Return the manifest with the places of this plan."""
        manifest = manifest.with_place(self.place)
        if self.lost_server is not None:
            manifest = manifest.without_server(self.lost_server, self.place.agent)
        return manifest.with_server(self.server) if self.server is not None else manifest


@dataclass(frozen=True, slots=True)
class Planner:
    """Plans the files of one agent in one scope; `serves` says that the MCP server is wanted.

    `program` is what the agent's shell runs hooklore by.
    """

    agent: Agent
    scope: Scope
    places: Places
    manifest: Manifest
    permits: bool
    serves: bool
    program: str

    @property
    def registration(self) -> Registration:
        """The agent's registration, its permission rules for the program.

        A project's settings are shared by git, and the path of this home is no other's: the hook permits there.
        """
        program = PROGRAM if self.scope == "project" else self.program
        return permitting(self.agent.registration(), program)

    def plan(self, wanted: Mapping[str, Entry]) -> InstallPlan:
        """Return the plan that registers `wanted`, and the server. Raise SettingsError."""
        path = self.registration.settings_path(self.scope, self.places)
        server = self.registration.server
        server_path = server.settings_path(self.scope, self.places) if server else None
        if server is None or server_path is None:
            return self._hooks_alone(path, wanted)
        if server_path == path:
            return self._one_file(path, wanted, server)
        alone = self._hooks_alone(path, wanted)
        raw = read(server_path)
        added = self._added_keys(raw, server_path, server)
        after, place = self._with_server(raw, server_path, alone.place.line, server, added)
        edit = SettingsEdit(self.scope, server_path, raw, after)
        return InstallPlan(alone.edit, alone.place, edit, place, self._lost(server_path, place))

    def _hooks_alone(self, path: Path, wanted: Mapping[str, Entry]) -> InstallPlan:
        raw = read(path)
        after, place = self._with_hooks(raw, path, wanted)
        return InstallPlan(SettingsEdit(self.scope, path, raw, after), place)

    def _one_file(
        self, path: Path, wanted: Mapping[str, Entry], server: ServerRegistration
    ) -> InstallPlan:
        raw = read(path)
        added = self._added_keys(raw, path, server)
        after, place = self._with_hooks(raw, path, wanted)
        if after != raw:
            after, place = self._with_hooks(self._without_server(raw, path, server), path, wanted)
        after, served = self._with_server(after, path, place.line, server, added)
        edit = SettingsEdit(self.scope, path, raw, after)
        return InstallPlan(edit, place, None, served, self._lost(path, served))

    def _with_hooks(
        self, raw: _Bytes, path: Path, wanted: Mapping[str, Entry]
    ) -> tuple[_Bytes, Place]:
        line = self.registration.file.line(path, self.places)
        known = self.manifest.place(path, self.agent.id)
        place = known or Place(path=str(path), line=line, agent=self.agent.id)
        return with_ours(
            raw, place, wanted, self.registration,
            is_known=known is not None, permits=self.permits, serves=self._serves_here,
        )  # fmt: skip

    @property
    def _serves_here(self) -> bool:
        server = self.registration.server
        has_file = server is not None and server.settings_path(self.scope, self.places) is not None
        return self.serves and has_file

    def _with_server(
        self, raw: _Bytes, path: Path, line: str, server: ServerRegistration, added: Entry
    ) -> tuple[_Bytes, Place | None]:
        """Return the bytes with the server registered, or without the server where none is wanted."""
        if not self.serves:
            return self._without_server(raw, path, server), None
        known = self.manifest.server(path, self.agent.id)
        place = known or Place(path=str(path), line=line, agent=self.agent.id)
        permitted = server.permitted if self.permits else {}
        wanted = {SERVER_NAME: server.entry(self.places.home) | permitted | added}
        return with_ours(raw, place, wanted, server, is_known=known is not None)

    def _added_keys(self, raw: _Bytes, path: Path, server: ServerRegistration) -> Entry:
        """Return what the user added to our server's settings: it stays. Raise SettingsError."""
        form = server.format
        _, text = form.decode(raw or b"", str(path))
        if not self.serves or form.is_blank(text):
            return {}
        form.check(text, str(path))
        entry = dict(form.registered(text)).get(SERVER_NAME, {})
        ours = server.without_added(entry, self.places.home)
        return {key: value for key, value in entry.items() if key not in ours}

    def _without_server(self, raw: _Bytes, path: Path, server: ServerRegistration) -> _Bytes:
        known = self.manifest.server(path, self.agent.id)
        place = known or Place(path=str(path), line="", agent=self.agent.id)
        return without_ours(raw, place, server, is_known=known is not None)

    def _lost(self, path: Path, place: Place | None) -> Path | None:
        return path if place is None else None


def permitting(registration: Registration, *programs: str) -> Registration:
    """Return a registration whose permission rules are for `programs`."""
    rules = registration.permissions
    return (
        replace(registration, permissions=rules.for_programs(*programs)) if rules else registration
    )


def holding(registration: Registration, path: Path) -> AbstractContextManager[None]:
    """Return what keeps the client from writing to the server's file `path`."""
    return registration.server.hold(path) if registration.server else nullcontext()
