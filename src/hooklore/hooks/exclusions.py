"""Tell what is neither recorded nor recalled: by a pause, an excluded folder, settings, an end that was told."""

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import orjson

from hooklore.agents.event import HookEvent
from hooklore.capture.excluded_folders import covers_any
from hooklore.config import StoreLocation, is_switched_off, read_environment, read_owned_file
from hooklore.errors import HookloreError, StoreError
from hooklore.records import keys as record_keys
from hooklore.records.draft import PERSON, ProjectKeys

if TYPE_CHECKING:
    from hooklore.broker import Broker


_DIRECTORY = "dir:"


@dataclass(frozen=True, slots=True)
class PauseState:
    """The pauses of a store: everything, projects by id, sessions by id."""

    everywhere: bool = False
    projects: frozenset[str] = frozenset()
    sessions: frozenset[str] = frozenset()

    def covers(self, session_id: str | None, project: str | None) -> bool:
        """Return whether an event of this session in this project is left alone."""
        return self.everywhere or session_id in self.sessions or project in self.projects


def pause_path(place: StoreLocation) -> Path:
    """Return the file that keeps the pauses of a store."""
    return place.directory / "paused.json"


def load_pauses(place: StoreLocation) -> PauseState:
    """Return the pauses now; none without a file. A damaged file pauses everything: a person wrote the file.

    Where the store itself cannot be used nothing is paused, and the hook reports the store.
    """
    try:
        os.lstat(pause_path(place))
    except OSError:
        return PauseState()
    try:
        found = orjson.loads(read_owned_file(pause_path(place), follow=False))
        return PauseState(
            bool(found["everywhere"]), _names(found["projects"]), _names(found["sessions"])
        )
    except (OSError, ValueError, KeyError, TypeError):
        return PauseState(everywhere=True)


def _names(given: object) -> frozenset[str]:
    """Return the names in a list. Raise TypeError for anything else, a text in the place of a list too."""
    if not isinstance(given, list) or not all(isinstance(name, str) for name in given):
        raise TypeError
    return frozenset(given)


def save_pauses(place: StoreLocation, paused: PauseState) -> None:
    """Write the pauses. Remove the file when there are none. Raise StoreError."""
    path = pause_path(place)
    try:
        if paused == PauseState():
            path.unlink(missing_ok=True)
            return
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        temporary = path.with_suffix(".tmp")
        names = {"projects": sorted(paused.projects), "sessions": sorted(paused.sessions)}
        temporary.write_bytes(orjson.dumps({"everywhere": paused.everywhere, **names}))
        temporary.chmod(0o600)
        os.replace(temporary, path)
    except OSError as error:
        raise StoreError(str(path), error.strerror or str(error)) from None


class MemoryOff(HookloreError):
    """An agent asks for memory where a person has switched it off."""

    code = "unavailable"

    def __init__(self, cause: str) -> None:
        super().__init__(
            f"could not use memory: {cause}", fix="go on without it; the user may change that"
        )


def is_excluded(broker: "Broker", keys: ProjectKeys | None, *folders: str | None) -> bool:
    """Return whether one of the folders, or the repository of the project, is an excluded one.

    A worktree may lie anywhere: its repository is the folder that the user has named.
    """
    if not broker.settings.capture.exclude_projects:
        return False
    if keys is None:
        return covers_any(broker.settings, folders)
    shared = [key.removeprefix(_DIRECTORY) for key in keys.keys if key.startswith(_DIRECTORY)]
    tops = (os.path.dirname(path) for path in shared if os.path.basename(path) == ".git")
    return covers_any(broker.settings, (*folders, keys.root, *shared, *tops))


def is_paused(
    broker: "Broker", paused: PauseState, session_id: str | None, keys: ProjectKeys | None
) -> bool:
    """Return whether a pause covers a session, or the project that its folder is or claims to be."""
    if not (paused.everywhere or paused.projects or paused.sessions):
        return False
    if keys is None:
        return paused.covers(session_id, None)
    registry = broker.registry
    # A pause of a project holds for a folder that may be a clone of the project, too.
    found = (registry.resolve(keys), registry.claimed(keys))
    return any(paused.covers(session_id, each.id) for each in found if each is not None)


def without_paused(
    broker: "Broker", keys: ProjectKeys | None, paused: PauseState
) -> ProjectKeys | None:
    """Return the keys of a folder without its superprojects that are paused: a submodule reads nothing of these."""
    if keys is None or not keys.around or not paused.projects:
        return keys
    around = tuple(each for each in keys.around if not is_paused(broker, paused, None, each))
    return replace(keys, around=around)


def require_memory_on(
    broker: "Broker", keys: ProjectKeys | None, session_id: str | None, folder: str | None
) -> None:
    """Raise `MemoryOff` where an agent that works in `folder` has no memory, as its hooks have none."""
    settings = broker.settings
    sessions = settings.sessions
    if {sessions.interactive, sessions.headless, sessions.subagents} == {"off"}:
        raise MemoryOff("the settings let no session have it")
    if is_excluded(broker, keys, folder):
        raise MemoryOff("the user has excluded this folder")
    if is_paused(broker, load_pauses(broker.place), session_id, keys):
        raise MemoryOff("the user has paused it")


def require_not_switched_off() -> None:
    """Raise `MemoryOff` where the environment of this process switches memory off."""
    if is_switched_off(read_environment()):
        raise MemoryOff("HOOKLORE_OFF is set")


def is_repeated_end(broker: "Broker", event: HookEvent) -> bool:
    """Return whether a session ends that did nothing since its last end: a client may tell one end several times.

    False where memory cannot be read.
    """
    if event.event != "session_end" or not event.session_id:
        return False
    try:
        newest = broker.as_reader(PERSON).lookup(record_keys.in_session(event.session_id), 1)
    except HookloreError:
        return False
    return bool(newest) and newest[0].kind == "session_end"
