"""Repositories with submodules, as git makes them."""

import os
import subprocess
from pathlib import Path

_QUIET = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
_WHO = (
    *("-c", "user.name=t", "-c", "user.email=t@e.example"),
    *("-c", "protocol.file.allow=always"),
)


def git(folder: Path, *words: str) -> None:
    """Run git in a folder, without the settings of this machine."""
    subprocess.run(
        ["git", *_WHO, *words], cwd=folder, check=True, capture_output=True,
        env=os.environ | _QUIET, timeout=60,
    )  # fmt: skip


def committed_repository(folder: Path) -> Path:
    """A repository with one commit."""
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    git(folder, "commit", "-q", "--allow-empty", "-m", "x")
    return folder


def add_submodule(outer: Path, path: str, name: str | None = None) -> Path:
    """Add a new repository to another one as its submodule, and return the submodule's folder."""
    source = committed_repository(outer.parent / "sources" / f"{outer.name}-{path}")
    named = ("--name", name) if name else ()
    git(outer, "submodule", "add", "-q", *named, "--", str(source), path)
    git(outer, "commit", "-q", "-m", f"add {path}")
    return outer / path
