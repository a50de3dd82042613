"""`hooks pause`: where neither recording nor recall happens until `hooks resume` (design rule 11)."""

import os
from dataclasses import dataclass
from pathlib import Path

import orjson

from hooklore.config import Place, read_own
from hooklore.errors import StoreError


@dataclass(frozen=True, slots=True)
class Paused:
    """What is paused: everything, projects by id, sessions by id."""

    everywhere: bool = False
    projects: frozenset[str] = frozenset()
    sessions: frozenset[str] = frozenset()

    def covers(self, session_id: str | None, project: str | None) -> bool:
        """Whether an event of this session in this project is left alone."""
        return self.everywhere or session_id in self.sessions or project in self.projects


def path_of(place: Place) -> Path:
    """Where the pauses of a store are kept."""
    return place.directory / "paused.json"


def load(place: Place) -> Paused:
    """What is paused now; nothing when there is no file. A damaged file pauses everything: a person wrote it.

    Where the store itself cannot be used nothing is paused: the hook then says so.
    """
    try:
        os.lstat(path_of(place))
    except OSError:
        return Paused()
    try:
        found = orjson.loads(read_own(path_of(place), follow=False))
        return Paused(
            bool(found["everywhere"]), frozenset(found["projects"]), frozenset(found["sessions"])
        )
    except (OSError, ValueError, KeyError, TypeError):
        return Paused(everywhere=True)


def save(place: Place, paused: Paused) -> None:
    """Keep what is paused; the file goes when nothing is. Raises StoreError."""
    path = path_of(place)
    try:
        if paused == Paused():
            path.unlink(missing_ok=True)
            return
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        temporary = path.with_suffix(".tmp")
        temporary.write_bytes(_encoded(paused))
        temporary.chmod(0o600)
        os.replace(temporary, path)
    except OSError as error:
        raise StoreError(str(path), error.strerror or str(error)) from None


def _encoded(paused: Paused) -> bytes:
    return orjson.dumps(
        {
            "everywhere": paused.everywhere,
            "projects": sorted(paused.projects),
            "sessions": sorted(paused.sessions),
        }
    )


class PauseFile:
    """The pauses, read again only when the file has changed: it is asked at every event."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._stamp: tuple[int, int] | None = (-1, -1)
        self._paused = Paused()

    def current(self) -> Paused:
        """What is paused now."""
        try:
            found = os.lstat(path_of(self._place))
            stamp: tuple[int, int] | None = (found.st_ino, found.st_mtime_ns)
        except OSError:
            stamp = None
        if stamp != self._stamp:
            self._stamp, self._paused = stamp, load(self._place)
        return self._paused
