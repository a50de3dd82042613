"""Where the real Claude Code is.

`HOOKLORE_CLAUDE` names a binary; else it is the pinned version in the cache,
`${HOOKLORE_CACHE:-$HOME/.cache/hooklore-ci}`, where `python -m tests.claude.fetch` puts it.
"""

import os
import platform
from pathlib import Path
from typing import Final

VERSION: Final = Path(__file__).with_name("version.txt").read_text(encoding="ascii").strip()

_MACHINES: Final = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}


def claude_package() -> str:
    """The npm package that holds this machine's binary."""
    machine = platform.machine().lower()
    system = platform.system().lower()
    musl = "-musl" if system == "linux" and platform.libc_ver()[0] != "glibc" else ""
    return f"@anthropic-ai/claude-code-{system}-{_MACHINES.get(machine, machine)}{musl}"


def claude_cache() -> Path:
    """The folder of the pinned version, whether it is there or not."""
    cache = os.environ.get("HOOKLORE_CACHE") or Path.home() / ".cache" / "hooklore-ci"
    return Path(cache).absolute() / f"claude-{VERSION}"


def claude_binary() -> Path | None:
    """The binary, or None when it is not installed.

    Raises FileNotFoundError when `HOOKLORE_CLAUDE` names no executable file.
    """
    named = os.environ.get("HOOKLORE_CLAUDE")
    if not named:
        pinned = claude_cache() / "node_modules" / claude_package() / "claude"
        return pinned if _runs(pinned) else None
    if not _runs(Path(named)):
        raise FileNotFoundError(f"`HOOKLORE_CLAUDE` names no executable file: `{named}`")
    return Path(named).absolute()


def _runs(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)
