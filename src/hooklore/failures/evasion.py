"""Recognise steps that make a failure go away without mending it: undoing, deleting, forcing, skipping.

Such a step is kept in the log, and is never put before a model: the next one would repeat it.
"""

import re

from hooklore.late_pattern import compile_late
from hooklore.shell.command import simple_commands

_DELETING = frozenset(
    "rm rmdir unlink shred del erase rd remove-item trash kill pkill killall taskkill dropdb wipefs dd mkfs".split()
)
_LOSING_VERBS = frozenset(
    "delete remove rm rmi prune purge destroy uninstall drop truncate revert unlink erase wipe kill".split()
)
_LOSING_GIT = frozenset(
    "reset restore stash clean revert rebase filter-branch update-ref gc".split()
)
_FORCIBLE = frozenset("git npm pnpm yarn ln cp mv svn hg".split())
_SKIPPING_OPTION = compile_late(
    r"(?!\S+=(?:false|no|0)$)--(?:force\b|force-|no-verify|no-check|no-gpg-sign|no-sign|no-strict|no-frozen|skip|ignore|exclude|deselect"
    r"|hard|delete|prune|allow-(?:dirty|empty|failure|destructive)|accept-data-loss|dangerously|break-system"
    r"|passwithnotests|no-fail|exit-zero|continue-on|accept-\S*(?:loss|risk|consequence)"
    r"|insecure\b|insecure-)"
    r"|-x?skip|-dskiptests|-dmaven\.test\.skip|-c\s*commit\.gpgsign=(?:false|0)|[\w.-]{0,60}verify=(?:false|0|no)$",
    re.IGNORECASE,
)
_SKIPPING_VARIABLE = compile_late(
    r"(?:^|[\s;&])(?:(?:SKIP\w*|\w*(?:_SKIP|NO_VERIFY|IGNORE|DISABLE|ALLOW_NO|FORCE)\w*)=(?!0?\s)"
    r"|(?:HUSKY|LEFTHOOK)=(?:0|false)\b)"
)
_UNGUARDED = compile_late(r"\bgit\b[^;&|]*\bconfig\b[^;&|]*\bcore\.hookspath\b", re.IGNORECASE)
"""A command that leads git past the hooks of a project that keeps them in a folder of its own."""

_SWALLOWED = compile_late(
    r"\|\|\s*(?:true|:|exit 0|echo\b)|;\s*(?:true|exit 0)\s*$|commit\.gpgsign[= ]+false"
)
_DESTROYING_SQL = compile_late(
    r"\b(?:drop|truncate)\s+(?:table|database|schema)\b|\bdelete\s+from\b", re.IGNORECASE
)
_NESTED = compile_late(
    r"(?:^|[\s'\"`(])(?:rm\s+-|sudo\s+rm\b|git\s+(?:reset|clean|stash|restore|checkout\s+--)\b)"
)
_FETCHED_SCRIPT = compile_late(
    r"\b(?:curl|wget|iwr|irm)\b[^|;&\n]*\|\s*(?:sudo\s+)?(?:[a-z]{0,2}sh|python\d?|iex)\b"
    r"|(?:[a-z]{0,2}sh\s+-c\s+[\"']?\$|<)\(\s*(?:curl|wget)\b"
)
"""A command that runs what it fetched: a text that proposes it gives an order, and nobody has read the script."""
_FILE_NAME = compile_late(r"\.[a-z]\w{0,4}$")
_LAX = compile_late(r"\bchmod\s+(?:-R\s+)?0?777\b")

_SKIPPING_CODE = compile_late(
    r"\bxfail\b|\bmark\.skip|\bskip(?:if|test|unless)?\s*\(|\.(?:skip|todo|only)\s*[(.]"
    r"|\bx(?:it|describe|context|specify|test)(?:\s*\(|\s+['\"])|\b(?:skip|ignore)_\w+['\"]?\s*[=:]\s*true\b"
    r"|\bt\.Skip|#\[ignore|@(?:Disabled|Ignore)\b|\bnoqa\b|type:\s*ignore|eslint-disable|@ts-(?:ignore|nocheck|expect-error)"
    r"|biome-ignore|\bnolint\b|\bNOSONAR\b|rubocop:disable|pylint:\s*disable|no-verify|\|\|\s*true\b"
    r"|(?:\b(?:active|enabled?|severity|level)['\"]?\s*[:=]|['\"]\s*:)\s*['\"]?(?:false|off|none|disabled?|ignore)\b"
    r"|continue-on-error:\s*true|#\[allow\(|@SuppressWarnings|--exclude\b|--ignore\b",
    re.IGNORECASE,
)
_TEST_DEFINITION = compile_late(
    r"\bdef\s+test|\bfunc\s+(?:\(\w+ \S+\)\s+)?Test|^\W*(?:it|test|describe)\s*\(|#\[test\]|@Test\b",
    re.IGNORECASE,
)


def is_evasive_command(command: str) -> bool:
    """Return whether a part of a command undoes, deletes, forces or skips something."""
    return bool(
        _SKIPPING_VARIABLE.search(command)
        or _SWALLOWED.search(command)
        or _DESTROYING_SQL.search(command)
        or _NESTED.search(command)
        or _LAX.search(command)
        or _UNGUARDED.search(command)
        or _FETCHED_SCRIPT.search(command)
        or any(_is_evasive(program, words) for program, words in simple_commands(command))
    )


def _is_evasive(program: str, words: list[str]) -> bool:
    if program.lower() in _DELETING or any(map(_SKIPPING_OPTION.match, words[1:])):
        return True
    verbs = [word.lower() for word in words[1:] if word[:1] != "-"][:2]
    if program.startswith("gradle") and not {"-x", "--exclude-task"}.isdisjoint(words):
        return True
    if program == "git" and _loses_in_git(verbs, words):
        return True
    if program in _FORCIBLE and any(re.match(r"-[a-zA-Z]*f[a-zA-Z]*$", word) for word in words[1:]):
        return True
    return not _LOSING_VERBS.isdisjoint(verbs)


def _loses_in_git(verbs: list[str], words: list[str]) -> bool:
    """Return whether a git command gives up changes, commits or branches, or skips the hooks."""
    verb = verbs[0] if verbs else ""
    options = {word for word in words[1:] if word[:1] == "-"}
    if verb in _LOSING_GIT:
        return verb != "rebase" or not options.isdisjoint(("--skip", "--abort", "--quit"))
    if verb == "checkout":
        is_file = any(_FILE_NAME.search(word) for word in verbs[1:])
        return is_file or not {"--", ".", "--ours", "--theirs"}.isdisjoint(words)
    if verb in ("branch", "tag"):
        return not options.isdisjoint(("-d", "-D"))
    if verb == "commit":
        return any(re.fullmatch(r"-[a-z]*n[a-z]*", word) for word in options)
    return "--abort" in options


def is_evasive_change(change: str) -> bool:
    """Return whether a change, as lines with `+` and `-`, adds a mark that skips a check, or deletes a test."""
    lines = change.splitlines()
    added = [line for line in lines if line[:1] != "-"]
    removed = [line for line in lines if line[:1] == "-"]
    if not _skipping_marks(added) <= _skipping_marks(removed):
        return True
    return _count_tests(removed) > _count_tests(added)


def _skipping_marks(lines: list[str]) -> set[str]:
    """Return the marks that skip a check, each with what it skips."""
    found = (_SKIPPING_CODE.search(line) for line in lines)
    return {match.string[match.start() :].strip().lower() for match in found if match}


def _count_tests(lines: list[str]) -> int:
    return sum(_TEST_DEFINITION.search(line) is not None for line in lines)
