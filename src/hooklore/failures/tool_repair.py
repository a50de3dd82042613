"""Tell whether a step repairs what a program failed for: one that the error names, or one that brings up to date.

`git pull` after a rejected push, `terraform init`, `prisma generate` where the error says so.
"""

import itertools
import re

from hooklore.failures.command_words import names_word
from hooklore.late_pattern import compile_late
from hooklore.records.record import Body
from hooklore.shell.command import is_test_command, simple_commands

_MAX_TEXT = 4_096
_SHORTEST_NAMED = 4
_LINKER = "ldconfig"
_LIBRARY = compile_late(r"\.so\b|shared (?:object|librar)")
_STATES = tuple(
    (frozenset(verbs.split()), compile_late(source, re.IGNORECASE))
    for verbs, source in (
        (
            "pull rebase merge sync update",
            (
                r"\breject|\bbehind\b|fetch first|\bremote heads?\b|diverge|failed to push"
                r"|out[- ]of[- ](?:date|sync)|outdated|\bstale\b"
                r"|\bupdated?\b.{0,40}\block|\block.{0,40}\bupdated?\b|\bmissing data|古い"
            ),
        ),
        ("init bootstrap", r"initiali[sz]|\binit\b|\block ?file|未初期化|初期化されて"),
        ("login", r"\blog(?:ged)? ?in\b|\bauth|credential|expired|\btoken|認証|期限切れ"),
        ("migrate generate", r"migrat|generat"),
        ("lock unlock tidy restore", r"\block|\bmissing\b|\bsum\b|checksum|ロック"),
    )
)
"""Subcommands that put a program's own state in order, and the words of errors that speak of that state."""
_PASSING = compile_late(
    r"tim(?:ed|e)[ -]?out|\bconnect|\btls\b|handshake|\bnetwork|temporar|resolve host|unreachable|rate limit"
    r"|\b(?:429|502|503|504)\b|\btry again later|タイムアウト|接続",
    re.IGNORECASE,
)
"""Words of errors that may go by themselves, whatever was run in between."""


def repairs_program(failed: Body, step: str) -> bool:
    """Return whether a part of a command repairs the state for which another command failed."""
    command = str(failed.command or "")
    printed = " ".join("\n".join((*failed.errors, str(failed.text or "")))[:_MAX_TEXT].split())
    own = {} if is_test_command(command) else dict(simple_commands(command))
    return any(
        (program == _LINKER and _LIBRARY.search(printed) is not None)
        or _repairs(words, own.get(program), name, printed)
        for program, words in simple_commands(step)
        for name in dict.fromkeys((program, *words[:1]))
    )


def _repairs(words: list[str], own: list[str] | None, program: str, printed: str) -> bool:
    """Return whether a step with other subcommands than the failed one's is named by its error, or prepares."""
    verbs = _verbs(words)
    others = [verb for verb in verbs if own is None or verb not in own]
    if not others:
        return False
    phrase = " ".join((program, *verbs[: verbs.index(others[0]) + 1]))
    is_named = len(phrase) > _SHORTEST_NAMED and names_word(printed, phrase)
    return is_named or (own is not None and any(_prepares(verb, printed) for verb in others))


def _verbs(words: list[str]) -> list[str]:
    """Return the words behind the program that are subcommands by their form, at most two."""
    found = (word for word in words[1:] if word[:1].isalpha() and "/" not in word)
    return list(itertools.islice(found, 2))


def _prepares(verb: str, printed: str) -> bool:
    """Return whether a subcommand of the failed program is known, or named, to put its state in order."""
    if any(verb in verbs and state.search(printed) for verbs, state in _STATES):
        return _PASSING.search(printed) is None
    return len(verb) >= _SHORTEST_NAMED and f"`{verb}`" in printed
