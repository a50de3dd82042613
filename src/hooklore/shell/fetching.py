"""Tell whether a command brings text that strangers wrote: a page, an issue, a socket's other end."""

import itertools
import re
from typing import Final

from hooklore.shell.command import CLIENTS, simple_commands

_FORGES: Final = frozenset(("gh", "glab"))
_OF_OTHERS: Final = frozenset("issue pr mr release repo gist discussion snippet".split())
_READING: Final = frozenset(("view", "list", "diff", "show", "status"))
_ANY: Final = frozenset(("api", "search"))
_LOOPBACK: Final = re.compile(
    r"(?:\w+://)?(?:localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1\])(?::\d+)?(?:[/?#]|$)",
    re.IGNORECASE,
)
_ADDRESS: Final = re.compile(
    r"\w+://|^[\w-]+(?:\.[\w-]+)+(?:[:/]|$)|^localhost|^\[::1\]", re.IGNORECASE
)
_VALUED: Final = frozenset("-R --repo -H --header --hostname -o --output -d --data -e -A".split())
"""Options of these programs whose next word is a value."""

_INNER: Final = re.compile(r"[$<]\(([^()]*)\)|`([^`]*)`")
_SHELL: Final = re.compile(r"(?:ba|da|z)?sh")
_COMMAND_OPTION: Final = re.compile(r"-[a-z]*c")
_DEEPEST: Final = 3


def fetches(command: str, depth: int = _DEEPEST) -> bool:
    """Return whether a part of a command prints what strangers wrote, also in `$(…)`, `sh -c`, `xargs` and `eval`.

    What a service on this machine answers is the project's own, and so is what a forge says of a build, or of
    what the command itself has made. `depth` is how deep commands inside others are read.
    """
    if depth == 0:
        return False
    inner = ["".join(found.groups("")) for found in _INNER.finditer(command)]
    for program, words in simple_commands(command):
        if _fetches(program, words):
            return True
        if program in ("xargs", "eval"):
            inner.append(" ".join(words[1:]).lstrip("-0 "))
        if _SHELL.fullmatch(program):
            options = map(_COMMAND_OPTION.fullmatch, words)
            inner += [word for found, word in zip(options, words[1:], strict=False) if found]
    return any(fetches(each, depth - 1) for each in inner)


def _fetches(program: str, words: list[str]) -> bool:
    # the words behind the program, without the values of its options
    given = [word for before, word in itertools.pairwise(words) if before not in _VALUED]
    if program in _FORGES:
        verbs = [word for word in given if word[:1] != "-"][:2]
        return bool(verbs) and (
            verbs[0] in _ANY or (verbs[0] in _OF_OTHERS and verbs[-1] in _READING)
        )
    if program not in CLIENTS:
        return False
    addresses = [word for word in given if _ADDRESS.search(word)]
    return not addresses or not all(map(_LOOPBACK.match, addresses))
