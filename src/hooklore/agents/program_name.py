"""The name of our program in the fixed texts that an agent is told: what its shell runs."""

from typing import Final

PROGRAM: Final = "hooklore"
"""The name by which most shells find it."""


def name_program(text: str, program: str) -> str:
    """Return a fixed text whose commands name `program`, as a shell takes it."""
    return text.replace(f"`{PROGRAM} ", f"`{program} ")
