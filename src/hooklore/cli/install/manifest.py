"""What `hooks install` did to whose file, so that `hooks uninstall` can undo just that.

It holds places and lengths, never a copy of the user's text: a settings file may hold secrets.
"""

import hashlib
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from hooklore.cli.install.files import read_regular, replace_file
from hooklore.cli.install.launcher import launcher_directory


class _Kept(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")


class Undo(_Kept):
    """How to get from the bytes that we wrote back to those that we found.

    `before` and `after` are SHA-256 in hex, `before` None where there was no file; `spans` are the
    (offset, length) in bytes of what we put in, ascending, counted in the file that we wrote.
    """

    before: str | None
    after: str
    spans: list[tuple[int, int]]

    def undo(self, raw: bytes) -> bytes | None:
        """The bytes before us, None for no file. Raises ValueError when it is not what we wrote."""
        if digest(raw) != self.after:
            raise ValueError("edited since")
        for offset, length in reversed(self.spans):
            raw = raw[:offset] + raw[offset + length :]
        if self.before is None:
            return None
        if digest(raw) != self.before:
            raise ValueError("the manifest does not fit")
        return raw


class Place(_Kept):
    """One settings file that registers the hooks.

    `line` is its line in `in-settings`; `had` names what the file had of what we fill; `made` are
    the folders that we made for it, outermost first; `undo` is None where the file already held
    our lines when we came.
    """

    path: str
    line: str
    had: list[str] = []
    made: list[str] = []
    undo: Undo | None = None


class Command(_Kept):
    """The slash command among the user's own: its file, the SHA-256 of it, folders made for it."""

    path: str
    after: str
    made: list[str] = []


class Manifest(_Kept):
    """All places; `plugin` when the launcher was asked for by itself; the slash command, if laid out."""

    places: list[Place] = []
    plugin: bool = False
    command: Command | None = None

    def place(self, path: Path) -> Place | None:
        """The place of that settings file."""
        return next((each for each in self.places if each.path == str(path)), None)

    def with_place(self, place: Place) -> "Manifest":
        """With this place, instead of an older one of the same file."""
        others = [each for each in self.places if each.path != place.path]
        return self.model_copy(update={"places": [*others, place]})

    def without(self, path: Path) -> "Manifest":
        """Without the place of that settings file."""
        kept = [each for each in self.places if each.path != str(path)]
        return self.model_copy(update={"places": kept})


def digest(raw: bytes) -> str:
    """SHA-256 in hex."""
    return hashlib.sha256(raw).hexdigest()


def read_manifest(home: Path) -> Manifest:
    """The manifest; an empty one where there is none, or one that cannot be read.

    Then an uninstall finds its lines in the settings by what they run, and takes them out.
    """
    try:
        return Manifest.model_validate_json(read_regular(_path(home)) or b"{}")
    except (ValidationError, OSError):
        return Manifest()


def write_manifest(home: Path, manifest: Manifest) -> None:
    """Replace the manifest."""
    replace_file(_path(home), manifest.model_dump_json(indent=1).encode(), 0o600)


def _path(home: Path) -> Path:
    return launcher_directory(home) / "manifest.json"
