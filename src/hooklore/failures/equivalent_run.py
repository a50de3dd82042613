"""Compare a run that passed with one that failed: the same check, a repaired command, or another matter."""

import re
from enum import Enum
from itertools import pairwise

from hooklore.records.record import Body
from hooklore.shell.command import (
    command_key,
    command_programs,
    command_stem,
    is_check_command,
    is_test_command,
    simple_commands,
)
from hooklore.shell.command_effect import is_inspection, mends_files

_SHORTEST_WRAPPED = 6
_LONGEST_ARGUMENTS = 60
_FILTERED = re.compile(r"\s*(?:\d?>&?\s*\S+|\|&?\s*(?:tail|head|grep|tee|cat|wc|sort)\b[^|;&]*)")


_STARTERS = frozenset(("run", "exec", "dlx", "x", "tool", "-m", "--"))
"""Words with which package managers and interpreters start what the next word names."""

_CD = re.compile(r"(?:^|&&|;)\s*cd\s+(?P<folder>\"[^\"]*\"|'[^']*'|[^\s;&]+)\s*(?=&&|;|$)")
_FAILED_CD = re.compile(
    r"\bcd\b[^\n]{0,20}: .{0,200}(?:no such file|not a directory|not found)", re.IGNORECASE
)
_FOLDER_OPTIONS = frozenset(("-C", "--prefix", "--cwd", "--dir", "--directory", "--chdir"))
_VARIABLE = re.compile(r"(?:^|(?<=\s))[A-Za-z_]\w*=\S+(?=\s)")


class Relation(Enum):
    """The relation of a run that passed to one that failed."""

    SAME = "the same command"
    REPAIRED = "the command with other arguments, in another folder or environment"
    COVERS = "another command that checks the same"


def compare_runs(failed: Body, passed: Body) -> Relation | None:
    """Return how the command of `passed` compares with that of `failed`; None for another matter."""
    before, after = str(failed.command or ""), str(passed.command or "")
    if not before or not after:
        return None
    if failed.key == passed.key:
        if _is_for_another_folder(before, after):
            return None
        is_changed = _variables(before) != _variables(after) or _is_elsewhere(failed, after)
        is_started_otherwise = _starter(before) != _starter(after)
        is_repaired = is_changed or is_started_otherwise or _is_reordered(failed, after)
        return Relation.REPAIRED if is_repaired else Relation.SAME
    if _wraps(after, before) or _has_other_program(before, after):
        return Relation.REPAIRED
    if is_test_command(before):
        return Relation.COVERS if _covers_tests(failed, after) else None
    if _checks_same(before, after):
        is_mended = mends_files(after) and not mends_files(before)
        return Relation.REPAIRED if is_mended else Relation.COVERS
    return _compare_arguments(failed, after)


def _has_other_program(before: str, after: str) -> bool:
    """Return whether two commands do one thing by different programs: `npx x a` and `bunx x a`."""
    was, now = _task(before), _task(after)
    is_other = command_programs(before).isdisjoint(command_programs(after))
    return is_other and was == now and any(map(str.isalpha, "".join(was)))


def _starter(command: str) -> str:
    """Return the first word of the last step, which may only start the program: `npx`, `sudo`."""
    last = re.split(r"&&|\|\||;", _FILTERED.sub(" ", command))[-1]
    words = (word for word in last.split() if "=" not in word)
    return next(words, "")


def _task(command: str) -> list[str]:
    """Return the words of the last step without its program, and without what only starts another one."""
    steps = [words for _, words in simple_commands(_FILTERED.sub(" ", command)) if words]
    words = steps[-1][1:] if steps else []
    while words and words[0] in _STARTERS:
        words = words[1:]
    return words


def _checks_same(before: str, after: str) -> bool:
    """Return whether two commands are forms of one check: `lint` and `lint:fix` of the same program."""
    if not (is_check_command(before) and is_check_command(after)):
        return False
    was, now = command_stem(before), command_stem(after)
    return bool(was and now and was != now and was.partition(":")[0] == now.partition(":")[0])


def _variables(command: str) -> set[str]:
    """Return the variables that a command sets, which its key lacks."""
    return set(_VARIABLE.findall(f"{_CD.sub(' ', _FILTERED.sub(' ', command))} "))


def _is_reordered(failed: Body, after: str) -> bool:
    """Return whether an option that the failure tells of stands elsewhere among the words of a command."""
    was, now = (_words(str(command)) for command in (failed.command, after))
    told = _told(failed)
    moved = sorted(was) == sorted(now) and was != now
    return moved and any(word[:1] == "-" and word in told for word in was)


def _words(command: str) -> list[str]:
    return [word for _, step in simple_commands(_FILTERED.sub(" ", command)) for word in step]


def _told(failed: Body) -> str:
    return f"{failed.text or ''}\n" + "\n".join(failed.errors)


def _is_for_another_folder(before: str, after: str) -> bool:
    """Return whether each of two commands names a folder by an option, and not the same: `git -C a push`."""
    was, now = _option_folders(before), _option_folders(after)
    return bool(was and now) and was != now


def _option_folders(command: str) -> list[str]:
    """Return the folders that options name in the place of the one it is run in: `git -C`, `npm --prefix`."""
    words = _words(command)
    return [folder.rstrip("/") for option, folder in pairwise(words) if option in _FOLDER_OPTIONS]


def _is_elsewhere(failed: Body, after: str) -> bool:
    """Return whether a command ran in another folder.

    A `cd` to the folder it is in changes nothing, unless the failure was that of a `cd`.
    """
    reproduce = failed.detail.get("reproduce")
    start = str(reproduce.get("cwd") or "") if isinstance(reproduce, dict) else ""
    was, now = _entered(str(failed.command), start), _entered(after, start)
    left = _FAILED_CD.search(_told(failed)) is not None
    return bool(start) and now != was and (left or now != start)


def _entered(command: str, start: str) -> str:
    found = _CD.match(command)
    folder = (found["folder"] if found else "").strip("'\"").replace("\\", "/").rstrip("/")
    is_whole = folder[:1] in ("/", "~") or folder[1:2] == ":"
    return folder if is_whole else f"{start.rstrip('/')}/{folder}".rstrip("/")


def _wraps(after: str, before: str) -> bool:
    """Return whether a command runs another one as a part of it: behind a step, or in an environment."""
    inner, outer = command_key(before), command_key(after)
    if len(inner) < _SHORTEST_WRAPPED or "…" in inner or is_test_command(before):
        return False
    if is_inspection(after):
        return False
    squeezed = " ".join(_FILTERED.sub(" ", after).split())
    plain = " ".join(_FILTERED.sub(" ", before).split())
    return outer != inner and (
        f" {plain} " in f" {squeezed} " or f" && {outer} && ".find(f" && {inner} && ") >= 0
    )


def _covers_tests(failed: Body, after: str) -> bool:
    """Return whether a run of tests includes what failed: it names nothing narrower, or what failed.

    Two programs check the same where one names the other: `make test` prints the command that it runs.
    """
    before = str(failed.command)
    if not is_test_command(after):
        return False
    told = f"{before}\n{_told(failed)}"
    if command_programs(before).isdisjoint(command_programs(after)):
        return False
    narrower = _targets(after) - _targets(before)
    return all(_is_told(target, told) for target in narrower)


def _targets(command: str) -> set[str]:
    """Return what a run of tests is narrowed to: its operands, and the values of its options."""
    found: set[str] = set()
    for _, words in simple_commands(_FILTERED.sub(" ", command)):
        rest = [word for word in words[1:] if word not in ("--", "run", "test", "tests", "exec")]
        found |= {word.rpartition("=")[2] if word[:1] == "-" else word for word in rest}
    return {word for word in found if word[:1] != "-" and not word.isdigit()}


def _is_told(target: str, text: str) -> bool:
    name = target.replace("\\", "/").rstrip("/").rpartition("/")[2].partition("::")[0]
    return len(name) > 1 and name in text


def _compare_arguments(failed: Body, after: str) -> Relation | None:
    """Return how a command compares with another of its program and subcommand.

    Words that were added change how it runs. A word that was taken out must stand in the failure's
    output: else the command has another object. With other texts alone it is the same command.
    """
    before = str(failed.command)
    if command_stem(before) is None or command_stem(before) != command_stem(after):
        return None
    was, now = _arguments(before), _arguments(after)
    told = _told(failed)
    if was == now:
        return Relation.COVERS
    gone = [word for word in was if word not in now]
    return Relation.REPAIRED if all(_is_told(word.lstrip("-"), told) for word in gone) else None


def _arguments(command: str) -> list[str]:
    """Return the words of the last step, but for texts: a message, a body, a script."""
    steps = [words for _, words in simple_commands(_FILTERED.sub(" ", command)) if words]
    words = steps[-1] if steps else []
    return [word for word in words if not any(c.isspace() for c in word) and len(word) < 120]


def describe_repair(failed: Body, passed: Body) -> str:
    """Return in words the arguments that a repaired command lacks and has, "" where they do not tell it."""
    was, now = _arguments(str(failed.command)), _arguments(str(passed.command))
    gone = " ".join(word for word in was if word not in now)
    new = " ".join(word for word in now if word not in was)
    if len(gone) > _LONGEST_ARGUMENTS or len(new) > _LONGEST_ARGUMENTS or not (gone or new):
        return ""
    told = (f"without `{gone}`" if gone else "", f"with `{new}`" if new else "")
    return " and ".join(filter(None, told))
