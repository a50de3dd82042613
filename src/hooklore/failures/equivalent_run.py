"""Compare a run that passed with one that failed: the same check, a repaired command, or another matter."""

import re
from enum import Enum
from itertools import pairwise

from hooklore.failures.command_words import OUTPUT_FILTERED, command_change, last_step
from hooklore.failures.rejected_words import find_correction
from hooklore.late_pattern import compile_late
from hooklore.records.record import Body
from hooklore.shell.command import (
    PACKAGE_MANAGERS,
    command_key,
    command_programs,
    command_stem,
    is_check_command,
    is_test_command,
    simple_commands,
)
from hooklore.shell.command_effect import is_inspection, mends_files
from hooklore.text.spelling import names_another_place

_SHORTEST_WRAPPED = 6
_LONGEST_ARGUMENTS = 60

_STARTERS = frozenset(("run", "exec", "dlx", "x", "tool", "-m", "--"))
"""Words with which package managers and interpreters start what the next word names."""

_CD = re.compile(r"(?:^|&&|;)\s*cd\s+(?P<folder>\"[^\"]*\"|'[^']*'|[^\s;&]+)\s*(?=&&|;|$)")
_FAILED_CD = re.compile(
    r"\bcd\b[^\n]{0,20}: .{0,200}(?:no such file|not a directory|not found)", re.IGNORECASE
)
_MISSING_PROGRAM = compile_late(
    r"\bcommand not found|: not found\b|not recognized as|no such file or directory|no module named|ENOENT"
    r"|executable file not found|could not find executable|not installed"
    r"|コマンドが見つかりません|認識されていません",
    re.IGNORECASE,
)
_FOLDER_OPTIONS = frozenset(("-C", "--prefix", "--cwd", "--dir", "--directory", "--chdir"))
_NARROWING = re.compile(r"-k|-m|-t|-run|--(?:grep|filter|only|match|tests?|name|testNamePattern)")
"""Options that leave tests out."""
_SEPARATOR = re.compile(r"&&|\|\||;")
_VARIABLE = re.compile(r"(?:^|(?<=\s))[A-Za-z_]\w*=\S+(?=\s)")


class Relation(Enum):
    """The relation of a run that passed to one that failed."""

    SAME = "the same command"
    REPAIRED = "the command with other arguments, in another folder or environment"
    WRAPS = "the command itself, behind other steps or in an environment"
    COVERS = "another command that checks the same"
    CORRECTED = "the command without what its error rejects, or with what its error asks for"
    CHOSEN = "the command with a word in the place of a rejected one, which a step in between must have named"


def compare_runs(failed: Body, passed: Body) -> Relation | None:
    """Return how the command of `passed` compares with that of `failed`; None for another matter."""
    before, after = str(failed.command or ""), str(passed.command or "")
    if not before or not after:
        return None
    if failed.key == passed.key and _is_for_another_folder(before, after):
        return None
    correction = find_correction(failed, after)
    if correction is not None:
        return Relation.CHOSEN if correction.chosen else Relation.CORRECTED
    if failed.key == passed.key:
        if _is_for_another_place(before, after):
            return None
        is_changed = _variables(before) != _variables(after) or _is_elsewhere(failed, after)
        is_started_otherwise = _starter(before) != _starter(after)
        is_repaired = is_changed or is_started_otherwise or _is_reordered(failed, after)
        return Relation.REPAIRED if is_repaired else Relation.SAME
    if _wraps(after, before) or (leading_steps(before, after) and not is_inspection(after)):
        return Relation.WRAPS
    if _has_other_program(failed, after):
        return Relation.REPAIRED
    if is_test_command(before):
        return Relation.COVERS if _covers_tests(failed, after) else None
    if _checks_same(before, after):
        is_mended = mends_files(after) and not mends_files(before)
        return Relation.REPAIRED if is_mended else Relation.COVERS
    # A message or a body is another one: the subcommand and the other words are the same.
    stem = command_stem(before)
    is_same = stem is not None and stem == command_stem(after)
    return Relation.COVERS if is_same and _arguments(before) == _arguments(after) else None


def contains_run(failed: Body, passed: Body) -> bool:
    """Return whether a run has done all of a failed one: behind other steps, or as a part of more tests."""
    before, after = str(failed.command or ""), str(passed.command or "")
    if compare_runs(failed, passed) is Relation.WRAPS:
        return True
    change = command_change(before, after) if is_test_command(before) else None
    if change is None or change.new or not change.gone:
        return False
    options = {word.text if word.is_option else word.option for word in change.gone}
    return all(map(_NARROWING.fullmatch, options - {""}))


def _has_other_program(failed: Body, after: str) -> bool:
    """Return whether another program is given the same words: one that is there, or another runner of one kind.

    `python3 x` for a `python` that is not found; `bunx x a` for `npx x a`, `pip3` for `pip`, `bun run x` for
    `pnpm run x`.
    """
    before = str(failed.command)
    programs, others = command_programs(before), command_programs(after)
    if not programs.isdisjoint(others) or is_inspection(after):
        return False
    task = _task(before)
    if _MISSING_PROGRAM.search(_told(failed)) and _is_started_otherwise(before, after):
        return True
    is_kind = programs | others <= PACKAGE_MANAGERS or any(
        one in other or other in one for one in programs for other in others
    )
    return is_kind and task == _task(after) and any(map(str.isalpha, "".join(task)))


def _is_started_otherwise(before: str, after: str) -> bool:
    """Return whether a command has the operands of another behind another program, or behind more of its name.

    `docker compose up` is `docker-compose up`, `php composer.phar install` is `composer install`.
    """
    was, now = last_step(before), last_step(after)
    task = was[1:]
    if not any(map(str.isalpha, "".join(task))):
        return False
    if _task(before) == _task(after):
        return True
    starters = now[: len(now) - len(task)]
    name = was[0].rpartition("/")[2]
    is_named = bool(starters) and (name in starters[-1] or "-".join(starters) == name)
    return is_named and now[len(starters) :] == task


def _starter(command: str) -> str:
    """Return the first word of the last step, which may only start the program: `npx`, `sudo`."""
    words = (word for word in _steps(command)[-1].split() if "=" not in word)
    return next(words, "")


def _task(command: str) -> list[str]:
    """Return the words of the last step without its program, and without what only starts another one."""
    words = last_step(command)[1:]
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
    return set(_VARIABLE.findall(f"{_CD.sub(' ', OUTPUT_FILTERED.sub(' ', command))} "))


def _is_for_another_place(before: str, after: str) -> bool:
    """Return whether two commands set a variable to two places that software is run in."""
    was, now = (dict(each.split("=", 1) for each in _variables(c)) for c in (before, after))
    return any(names_another_place(was[name], now[name]) for name in was.keys() & now.keys())


def _is_reordered(failed: Body, after: str) -> bool:
    """Return whether an option that the failure tells of stands elsewhere among the words of a command."""
    was, now = (_words(str(command)) for command in (failed.command, after))
    told = _told(failed)
    moved = sorted(was) == sorted(now) and was != now
    return moved and any(word[:1] == "-" and word in told for word in was)


def _words(command: str) -> list[str]:
    return [word for _, step in simple_commands(OUTPUT_FILTERED.sub(" ", command)) for word in step]


def _told(failed: Body) -> str:
    return f"{failed.text or ''}\n" + "\n".join(failed.errors)


def _is_for_another_folder(before: str, after: str) -> bool:
    """Return whether each of two commands names a folder by an option, and not the same: `git -C a push`."""
    was, now = (
        [folder.rstrip("/") for option, folder in pairwise(words) if option in _FOLDER_OPTIONS]
        for words in (_words(before), _words(after))
    )
    return bool(was and now) and was != now


def _is_elsewhere(failed: Body, after: str) -> bool:
    """Return whether a command ran in another folder, from which the first one's folder can be meant.

    A `cd` to the folder it is in changes nothing, unless the failure was that of a `cd`. Of two folders that are
    both entered one must lie in the other: beside it lies another project.
    """
    start = folder_of(failed)
    was, now = _entered(str(failed.command), start), _entered(after, start)
    left = _FAILED_CD.search(_told(failed)) is not None
    outer, inner = sorted((f"{was}/", f"{now}/"), key=len)
    is_beside = start not in (was, now) and not inner.startswith(outer)
    return bool(start) and now != was and (left or (now != start and not is_beside))


def folder_of(failed: Body) -> str:
    """Return the folder in which a command failed, "" where it is not known."""
    reproduce = failed.detail.get("reproduce")
    return str(reproduce.get("cwd") or "") if isinstance(reproduce, dict) else ""


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
    plain = f" {' '.join(OUTPUT_FILTERED.sub(' ', before).split())}"
    steps = (" ".join(step.split()) for step in _steps(after))
    return outer != inner and (
        any(f" {step}".endswith(plain) for step in steps)
        or f" && {inner} && " in f" && {outer} && "
    )


def leading_steps(before: str, after: str) -> str:
    """Return the steps that a command takes before another one that it ends with, "" without such steps."""
    steps, known = _steps(after), {command_key(step) for step in _steps(before)}
    if command_key(steps[-1]) not in known or not known <= {command_key(step) for step in steps}:
        return ""
    return " && ".join(step.strip() for step in steps if command_key(step) not in known)


def _steps(command: str) -> list[str]:
    return _SEPARATOR.split(OUTPUT_FILTERED.sub(" ", command))


def _covers_tests(failed: Body, after: str) -> bool:
    """Return whether a run of tests includes what failed: it names nothing narrower, or what failed.

    Two programs check the same where one names the other: `make test` prints the command that it runs.
    """
    before = str(failed.command)
    if not is_test_command(after):
        return False
    told = "\n".join((before, *map(str, failed.errors)))
    if command_programs(before).isdisjoint(command_programs(after)):
        return False
    narrower = (t.replace("\\", "/").rstrip("/") for t in _targets(after) - _targets(before))
    names = [path.rpartition("/")[2].partition("::")[0] for path in narrower]
    return all(len(name) > 1 and name in told for name in names)


def _targets(command: str) -> set[str]:
    """Return what a run of tests is narrowed to: its operands, and the values of its options."""
    found: set[str] = set()
    for _, words in simple_commands(OUTPUT_FILTERED.sub(" ", command)):
        rest = [word for word in words[1:] if word not in ("--", "run", "test", "tests", "exec")]
        found |= {word.rpartition("=")[2] if word[:1] == "-" else word for word in rest}
    return {word for word in found if word[:1] != "-" and not word.isdigit()}


def _arguments(command: str) -> list[str]:
    """Return the words of the last step, but for texts: a message, a body, a script."""
    return [
        word
        for word in last_step(command)
        if not any(c.isspace() for c in word) and len(word) < 120
    ]


def describe_repair(failed: Body, passed: Body) -> str:
    """Return in words the arguments that a repaired command lacks and has, "" where they do not tell it."""
    was, now = _arguments(str(failed.command)), _arguments(str(passed.command))
    gone = " ".join(word for word in was if word not in now)
    new = " ".join(word for word in now if word not in was)
    if len(gone) > _LONGEST_ARGUMENTS or len(new) > _LONGEST_ARGUMENTS or not (gone or new):
        return ""
    told = (f"without `{gone}`" if gone else "", f"with `{new}`" if new else "")
    return " and ".join(filter(None, told))
