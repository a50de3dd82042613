"""Recognise what a second run adds to a command so that it checks, asks or does less than the first.

`--no-lock` is harmless where a command was meant so from its beginning. Added after a failure it makes the run
pass, and what failed is as it was.
"""

import re

from hooklore.late_pattern import compile_late
from hooklore.shell.command import simple_commands
from hooklore.text.spelling import is_spelt_alike

_ASSIGNED = compile_late(r"(?:^|(?<=[\s;&|]))[A-Za-z_]\w*=\S*")
_PART = compile_late(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_WEAKENING = frozenset(
    "no non not without disable disabled skip skipped ignore ignored exclude omit insecure unsafe unchecked"
    " unverified force forced bypass override overwrite clobber allow suppress trust trusted legacy permissive"
    " admin yes approve danger dangerous dangerously delete prune".split()
)
"""Parts of the names of options and variables that switch a check, a question or a part of the work off."""
_SHOWING = frozenset(
    "dry dryrun sql list collect plan print noop simulate preview pretend whatif help recon".split()
)
"""Parts of the names of options with which a program prints, lists or plans in place of doing."""
_OFF = compile_late(r"=['\"]?(?:false|off|no|none|never|0|disabled?|ignore)['\"]?$", re.IGNORECASE)
_ASSENT = "-y"


def adds_evasion(before: str, after: str) -> bool:
    """Return whether a command switches something off, forces or only shows by a word that `before` lacks.

    The right spelling of a word that `before` has is no addition: `--noEmit` for `--noEmti`.
    """
    known, words = _words(before), _words(after)
    gone = [word for word in known if word not in words]
    added = (word for word in words if word not in known)
    return any(
        _weakens(word) and not any(is_spelt_alike(wrong, word) for wrong in gone) for word in added
    )


def _words(command: str) -> list[str]:
    """Return the words of all steps of a command, with the variables that they set."""
    words = [word for _, step in simple_commands(command) for word in step]
    return [*words, *_ASSIGNED.findall(command)]


def _weakens(word: str) -> bool:
    is_setting = "=" in word and not any(map(str.isspace, word))
    if word == _ASSENT or (is_setting and _OFF.search(word)):
        return True
    if word[:1] != "-" and not is_setting:
        return False
    parts = {part.lower() for part in _PART.findall(word.partition("=")[0])}
    return not parts.isdisjoint(_WEAKENING if word[:1] != "-" else _WEAKENING | _SHOWING)
