"""A real client that npm installs, pinned to one version and kept in a cache beside the tree.

An environment variable may name a program of the user's own instead. Of several that install at once one
does, and the others wait for it.
"""

import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock


class FetchError(Exception):
    """npm could not install the client; the text is the cause."""


@dataclass(frozen=True)
class NpmClient:
    """One client: `id` names its folder in the cache, `program` its file below `node_modules`.

    `variable` is the environment variable that names another program. `beside` are packages that it needs
    and does not name itself.
    """

    id: str
    name: str
    package: str
    version: str
    program: str
    variable: str
    beside: tuple[str, ...] = ()

    @property
    def folder(self) -> Path:
        """The folder of the pinned version, whether it is there or not."""
        cache = os.environ.get("HOOKLORE_CACHE") or Path.home() / ".cache" / "hooklore-ci"
        return Path(cache).absolute() / f"{self.id}-{self.version}"

    def find(self) -> Path | None:
        """The program, or None when it is not installed.

        Raises FileNotFoundError when the variable names no executable file.
        """
        named = os.environ.get(self.variable)
        if not named:
            pinned = self.folder / "node_modules" / self.program
            return pinned if _runs(pinned) else None
        if not _runs(Path(named)):
            raise FileNotFoundError(f"`{self.variable}` names no executable file: `{named}`")
        return Path(named).absolute()

    def fetch(self) -> Path:
        """The program's path, after installing it when it is absent. Raises FetchError."""
        found = self.find() or self._installed()
        if found is None:
            raise FetchError(
                f"`{self.package}` {self.version} holds no executable `{self.program}`"
            )
        return found

    def _installed(self) -> Path | None:
        place = self.folder
        place.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(place.with_name(f".{place.name}.lock")):
            if self.find() is None:
                self._install(place)
        return self.find()

    def _install(self, place: Path) -> None:
        # Beside its place, so that the rename is one step and a killed install leaves no half.
        folder = Path(tempfile.mkdtemp(prefix=f".{place.name}.", dir=place.parent))
        try:
            _npm_install(folder, f"{self.package}@{self.version}", *self.beside)
            shutil.rmtree(place, ignore_errors=True)  # it holds no client
            os.rename(folder, place)
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def _npm_install(folder: Path, *wanted: str) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise FetchError("`npm` is not on PATH")
    quiet = ("--no-audit", "--no-fund", "--loglevel=error", "--ignore-scripts")
    # Where no registry is reached, npm waits for minutes by itself, and so would each client.
    soon = ("--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=5000")
    ran = subprocess.run(
        [npm, "install", *quiet, *soon, "--prefix", str(folder), *wanted],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if ran.returncode:
        raise FetchError(ran.stderr.strip() or f"npm exited {ran.returncode}")


def _runs(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)
