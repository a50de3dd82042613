"""`hooks pause`: where neither recording nor recall happens until `hooks resume` (design rule 11)."""

import os
from dataclasses import dataclass
from pathlib import Path

import orjson

from hooklore.config import StoreLocation, read_owned_file
from hooklore.errors import StoreError


@dataclass(frozen=True, slots=True)
class PauseState:
    """What is paused: everything, projects by id, sessions by id."""

    everywhere: bool = False
    projects: frozenset[str] = frozenset()
    sessions: frozenset[str] = frozenset()

    def covers(self, session_id: str | None, project: str | None) -> bool:
        """Whether an event of this session in this project is left alone."""
        return self.everywhere or session_id in self.sessions or project in self.projects


def pause_path(place: StoreLocation) -> Path:
    """Where the pauses of a store are kept."""
    return place.directory / "paused.json"


def load_pauses(place: StoreLocation) -> PauseState:
    """What is paused now; nothing when there is no file. A damaged file pauses everything: a person wrote it.

    Where the store itself cannot be used nothing is paused: the hook then says so.
    """
    try:
        os.lstat(pause_path(place))
    except OSError:
        return PauseState()
    try:
        found = orjson.loads(read_owned_file(pause_path(place), follow=False))
        return PauseState(
            bool(found["everywhere"]), frozenset(found["projects"]), frozenset(found["sessions"])
        )
    except (OSError, ValueError, KeyError, TypeError):
        return PauseState(everywhere=True)


def save_pauses(place: StoreLocation, paused: PauseState) -> None:
    """Keep what is paused; the file goes when nothing is. Raises StoreError."""
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
    """The pauses, read again only when the file has changed: it is asked at every event."""

    def __init__(self, place: StoreLocation) -> None:
        self._place = place
        self._stamp: tuple[int, int] | None = (-1, -1)
        self._paused = PauseState()

    def current(self) -> PauseState:
        """What is paused now."""
        try:
            found = os.lstat(pause_path(self._place))
            stamp: tuple[int, int] | None = (found.st_ino, found.st_mtime_ns)
        except OSError:
            stamp = None
        if stamp != self._stamp:
            self._stamp, self._paused = stamp, load_pauses(self._place)
        return self._paused
