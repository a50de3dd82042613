"""Install the pinned Claude Code into the cache, once: `python -m tests.claude.fetch`.

Prints the binary's path and exits 0; else `error:` and `hint:` on stderr and 1. Of several that run
at once one installs, and the others wait for it.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from filelock import FileLock

from tests.claude.binary import VERSION, claude_binary, claude_cache, claude_package


class FetchError(Exception):
    """npm could not install the client; the text is the cause."""


def fetch() -> Path:
    """The binary's path, after installing it when it is absent. Raises FetchError."""
    found = claude_binary() or _installed(claude_cache())
    if found is None:
        raise FetchError(f"`{claude_package()}` {VERSION} holds no executable `claude`")
    return found


def _installed(place: Path) -> Path | None:
    place.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(place.with_name(f".{place.name}.lock")):
        if claude_binary() is None:
            _install(place)
    return claude_binary()


def _install(place: Path) -> None:
    # Beside its place, so that the rename is one step and a killed install leaves no half.
    folder = Path(tempfile.mkdtemp(prefix=f".{place.name}.", dir=place.parent))
    try:
        _npm_install(folder)
        shutil.rmtree(place, ignore_errors=True)  # it holds no client
        os.rename(folder, place)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _npm_install(folder: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise FetchError("`npm` is not on PATH")
    quiet = ("--no-audit", "--no-fund", "--loglevel=error", "--ignore-scripts")
    wanted = f"{claude_package()}@{VERSION}"
    ran = subprocess.run(
        [npm, "install", *quiet, "--prefix", str(folder), wanted],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if ran.returncode:
        raise FetchError(ran.stderr.strip() or f"npm exited {ran.returncode}")


def main() -> int:
    """Run the command line; the exit status."""
    try:
        sys.stdout.write(f"{fetch()}\n")
    except (FetchError, OSError) as error:
        sys.stderr.write(
            f"error: could not install Claude Code {VERSION}: {error}\n"
            "hint: set `HOOKLORE_CLAUDE` to a binary that you have\n"
        )
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
