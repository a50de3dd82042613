"""Ask the person at the terminal before an act that cannot be undone."""

import sys

from hooklore.errors import HookloreError


def ask(question: str, doing: str, *, word: str = "y") -> bool:
    """Return whether the person types `word` (`yes` counts as `y`). Raise HookloreError without a terminal."""
    if not sys.stdin.isatty():
        raise HookloreError(
            f"could not {doing}: there is no terminal to ask at", fix="run it again with `--yes`"
        )
    sys.stderr.write(f"{question} [{'y/N' if word == 'y' else f'type {word}'}] ")
    sys.stderr.flush()
    typed = sys.stdin.readline().strip()
    return typed == word or (word == "y" and typed.lower() in ("y", "yes"))
