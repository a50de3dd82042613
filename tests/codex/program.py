"""The real Codex CLI: `HOOKLORE_CODEX` names its program, else it is the pinned version in the cache."""

import platform
import sys
from pathlib import Path
from typing import Final

from tests.support.npm_client import NpmClient

_MACHINES: Final = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}
_ARCHITECTURES: Final = {"x64": "x86_64", "arm64": "aarch64"}
_SYSTEMS: Final = {"linux": "unknown-linux-musl", "darwin": "apple-darwin"}


def _program() -> str:
    """Return the file of this machine's binary: started by itself, it needs no Node."""
    machine = _MACHINES.get(platform.machine().lower(), "x64")
    triple = f"{_ARCHITECTURES[machine]}-{_SYSTEMS.get(sys.platform, sys.platform)}"
    return f"@openai/codex-{sys.platform}-{machine}/vendor/{triple}/bin/codex"


CODEX: Final = NpmClient(
    id="codex",
    name="Codex CLI",
    package="@openai/codex",
    version=Path(__file__).with_name("version.txt").read_text(encoding="ascii").strip(),
    program=_program(),
    variable="HOOKLORE_CODEX",
)
