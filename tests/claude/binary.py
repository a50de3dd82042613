"""The real Claude Code: `HOOKLORE_CLAUDE` names a binary, else it is the pinned version in the cache."""

import platform
from pathlib import Path
from typing import Final

from tests.support.npm_client import NpmClient

VERSION: Final = Path(__file__).with_name("version.txt").read_text(encoding="ascii").strip()

_MACHINES: Final = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}


def claude_package() -> str:
    """The npm package that holds this machine's binary."""
    machine = platform.machine().lower()
    system = platform.system().lower()
    musl = "-musl" if system == "linux" and platform.libc_ver()[0] != "glibc" else ""
    return f"@anthropic-ai/claude-code-{system}-{_MACHINES.get(machine, machine)}{musl}"


CLAUDE: Final = NpmClient(
    id="claude",
    name="Claude Code",
    package=claude_package(),
    version=VERSION,
    program=f"{claude_package()}/claude",
    variable="HOOKLORE_CLAUDE",
)


def claude_binary() -> Path | None:
    """The binary, or None when it is not installed. Raises FileNotFoundError, see `NpmClient.find`."""
    return CLAUDE.find()
