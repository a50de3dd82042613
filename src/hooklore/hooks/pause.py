"""The pauses of `hooks pause`: neither recording nor recall happens there until `hooks resume`."""

import os
from dataclasses import dataclass
from pathlib import Path

import orjson

from hooklore.config import StoreLocation, read_owned_file
from hooklore.errors import StoreError


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
        temporary.write_bytes(_encoded(paused))
        temporary.chmod(0o600)
        os.replace(temporary, path)
    except OSError as error:
        raise StoreError(str(path), error.strerror or str(error)) from None


def _encoded(paused: PauseState) -> bytes:
    return orjson.dumps(
        {
            "everywhere": paused.everywhere,
            "projects": sorted(paused.projects),
            "sessions": sorted(paused.sessions),
        }
    )


class PauseFile:
    """The pauses of a store, read again only when the file has changed: every event asks for them."""

    def __init__(self, place: StoreLocation) -> None:
        self._place = place
        self._stamp: tuple[int, int] | None = (-1, -1)
        self._paused = PauseState()

    def current(self) -> PauseState:
        """Return the pauses now."""
        try:
            found = os.lstat(pause_path(self._place))
            stamp: tuple[int, int] | None = (found.st_ino, found.st_mtime_ns)
        except OSError:
            stamp = None
        if stamp != self._stamp:
            self._stamp, self._paused = stamp, load_pauses(self._place)
        return self._paused
