"""The home of a user who has one real client: an environment from nothing, and folders of its own."""

import os
import sys
from pathlib import Path

_CLOSED = "http://127.0.0.1:9"
"""A proxy that refuses: whatever is not on loopback must fail, and at once."""


def closed_environment(home: Path, *more: Path) -> dict[str, str]:
    """Return the environment of the user's programs. PATH has `bin` of the home, `more`, and the system's."""
    folders = (home / "bin", *more, "/usr/local/bin", "/usr/bin", "/bin")
    return {
        "HOME": str(home),
        "PATH": ":".join(map(str, folders)),
        "TMPDIR": str(home / "tmp"),
        "LANG": "C.UTF-8",
        "SHELL": "/bin/sh",
        "USER": "tester",
        "HTTP_PROXY": _CLOSED,
        "HTTPS_PROXY": _CLOSED,
        "NO_PROXY": "127.0.0.1,localhost",
    }


def make_folders(*folders: Path) -> None:
    """Make folders that are not there yet."""
    for folder in folders:
        folder.mkdir(parents=True, exist_ok=True)


def put_python_on_path(home: Path) -> None:
    """Make `python` and `python3` of the home run the interpreter of the tests."""
    for name in ("python", "python3"):
        # A wrapper: a link would make the interpreter look for its library beside the link.
        wrapper = home / "bin" / name
        wrapper.write_text(f'#!/bin/sh\nexec "{os.path.realpath(sys.executable)}" "$@"\n')
        wrapper.chmod(0o755)
