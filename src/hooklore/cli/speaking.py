"""Tell who runs this command, with which confirmation, and ask the person at the terminal."""

import os
import sys
from collections.abc import Sequence

from hooklore.agents.ancestry import find_ancestors
from hooklore.agents.speaker import Speaker, identify_speaker
from hooklore.config import read_environment
from hooklore.errors import HookloreError
from hooklore.shell.own_command import CONFIRMED_OPTION

_given: dict[str, tuple[str, ...] | str] = {}
"""The words of the command that is carried out, and its token."""


def begin_command(arguments: Sequence[str]) -> list[str]:
    """Return the arguments without the token of a confirmation, which is kept for `take_confirmation`."""
    words, token, rest = [], "", iter(arguments)
    for word in rest:
        if word == CONFIRMED_OPTION:
            token = next(rest, "")
        elif word.startswith(f"{CONFIRMED_OPTION}="):
            token = word.partition("=")[2]
        else:
            words.append(word)
    _given.update(words=tuple(words), token=token)
    return words


def take_confirmation() -> tuple[tuple[str, ...], str]:
    """Return the words of this command and the token that came with it; an empty one for none."""
    return tuple(_given.get("words", ())), str(_given.get("token", ""))


def speaker() -> Speaker:
    """Return who runs this process."""
    return identify_speaker(
        read_environment(), is_at_terminal=is_at_terminal(), above=find_ancestors(os.getpid())
    )


def is_at_terminal() -> bool:
    """Return whether somebody can read a question here and type an answer."""
    return sys.stdin.isatty() and sys.stderr.isatty()


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
