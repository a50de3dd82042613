"""Asking the person at the terminal before something cannot be undone."""

import sys

from hooklore.errors import HookloreError


def ask(question: str, doing: str, *, word: str = "y") -> bool:
    """Whether the person types `word` (`y` and `yes` are one). Raises HookloreError without a terminal.

    `doing` completes "could not …" when nobody can be asked.
    """
    if not sys.stdin.isatty():
        raise HookloreError(
            f"could not {doing}: there is no terminal to ask at", fix="run it again with `--yes`"
        )
    sys.stderr.write(f"{question} [{'y/N' if word == 'y' else f'type {word}'}] ")
    sys.stderr.flush()
    typed = sys.stdin.readline().strip()
    return typed == word or (word == "y" and typed.lower() in ("y", "yes"))
