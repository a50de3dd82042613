"""The real Gemini CLI: `HOOKLORE_GEMINI` names its program, else it is the pinned version in the cache."""

from pathlib import Path
from typing import Final

from tests.support.npm_client import NpmClient

GEMINI: Final = NpmClient(
    id="gemini",
    name="Gemini CLI",
    package="@google/gemini-cli",
    version=Path(__file__).with_name("version.txt").read_text(encoding="ascii").strip(),
    program=".bin/gemini",
    variable="HOOKLORE_GEMINI",
)
