"""Tell the standing rules that a step breaks, those that it obeys, and those that are told at a breach alone."""

import re
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from hooklore.late_pattern import compile_late
from hooklore.records.record import Record
from hooklore.retrieval.applicability import has_matching_path
from hooklore.retrieval.query import RecallQuery
from hooklore.retrieval.standing_memories import is_rule
from hooklore.shell.command import simple_commands, written_files
from hooklore.text.condition import find_condition_words
from hooklore.text.forbidden_code import (
    adds_forbidden_code,
    opens_with_ban,
    states_prohibition,
)
from hooklore.text.prohibition import Prohibition, find_prohibitions, names_time

_WORD = re.compile(r"[A-Za-z0-9][\w.@+=-]*|--?[A-Za-z][\w-]*")
_LONGEST = 4_096
_NEW_IS_FINE = compile_late(r"\bexisting\b|既存", re.IGNORECASE)
_NAMED_ONLY = frozenset(
    "grep egrep fgrep rg ag ack echo printf cat less more head tail man which type ls find".split()
)
"""Programs that only read or print what their words name."""
_MESSAGE = frozenset("-m -am --message --title --body --notes -b -t --grep --author -S -G".split())
_MESSAGE_PROGRAMS = frozenset("git gh hg jj glab".split())
_CHANGING = frozenset("rm mv cp touch tee truncate unlink shred chmod ln install patch".split())
_IN_PLACE = re.compile(r"-[a-zA-Z]*i|--in-place")
_MANAGERS = frozenset(
    "npm pnpm yarn bun pip pip3 uv poetry pipenv pdm conda mamba cargo go gem bundle composer brew apt "
    "apt-get apk dnf dotnet".split()
)
_INSTALLING = frozenset(("add", "install", "i", "get", "require"))
_STARTERS = frozenset(("sudo", "doas"))
"""Programs that only start another one, which is then the command's."""
_HOLDS_IN = compile_late(r"(?<![\w./@-])((?:[\w.-]+/)+)(?=[\s,.;]|の|以下|配下|では|$)")
"""A folder in a rule: `src/ の Python では`, `in tools/`."""
_GLUED = compile_late(r"-[a-zA-Z](?=\d)")
_VERSION = compile_late(r"(?<=.)[@=<>~^!\[;]")
_PYTHON = compile_late(r"python[\d.]*\Z")


def breaks_rule(record: Record, query: RecallQuery) -> bool:
    """Return whether a step uses what a rule forbids."""
    text = record.body.content_md
    places = _HOLDS_IN.findall(text)  # a rule that names no folder holds in all
    changes = [c for c in query.changes if not places or any(_is_inside(c.path, p) for p in places)]
    if changes and adds_forbidden_code(text, changes):
        return True
    if _NEW_IS_FINE.search(text) and query.changes and not any(c.before for c in query.changes):
        return False
    return any(
        _breaks(forbidden, query, record.project)
        and not _is_told(forbidden, text, query.command or "")
        for forbidden in find_prohibitions(text)
    )


def obeys_rule(record: Record, query: RecallQuery) -> bool:
    """Return whether a step does what a rule is about, and does not use what the rule forbids."""
    found = find_prohibitions(record.body.content_md)
    calls = _calls(query.command) if query.command else []
    return any(
        forbidden.is_name or any(call.runs.intersection(forbidden.words) for call in calls)
        for forbidden in found
    )


def waits_for_breach(record: Record, query: RecallQuery) -> bool:
    """Return whether a rule forbids something, and so is told only where a step does it.

    What is kept for the files of the step, and what has a condition that the step shows, is told before it.
    """
    text = record.body.content_md
    return (
        is_rule(record)
        and bool(query.command or query.changes)
        and states_prohibition(text)
        and not _names_program(text, query)
        and not find_condition_words(text)
        and not names_time(text)
        and not has_matching_path(record, query.paths_in(record.project))
    )


def _names_program(text: str, query: RecallQuery) -> bool:
    """Return whether a rule says how to use the program of a step, or names it with the step's subcommand.

    `Run alembic upgrade by night` is about `alembic upgrade head`, whatever its end says no to.
    """
    said = re.split(r"[.。;]\s*", text.lower(), maxsplit=1)[0]
    calls = [" ".join(words[:2]).lower() for _, words in simple_commands(query.command or "")]
    if any(" " in call and call in said for call in calls):
        return True
    words = set(re.findall(r"[\w.-]+", text.lower()))
    return not opens_with_ban(text) and not words.isdisjoint(
        call.split()[0] for call in calls if call
    )


def _breaks(forbidden: Prohibition, query: RecallQuery, project: str | None) -> bool:
    if forbidden.places:
        paths = (*query.paths_in(project), *_changed_files(query.command or ""))
        return any(_is_inside(path, place) for path in paths for place in forbidden.places)
    command = query.command or ""
    if forbidden.is_name and forbidden.words[0] in _STARTERS:
        return re.search(rf"(?:^|[;&|(]\s*){forbidden.words[0]}\s", command) is not None
    return any(_is_used(forbidden, call) for call in _calls(command))


def _changed_files(command: str) -> list[str]:
    """Return the files that a command surely writes, moves or removes."""
    found: list[str] = []
    for program, words in simple_commands(command[:_LONGEST]):
        edits = program in ("sed", "perl") and any(_IN_PLACE.match(word) for word in words[1:])
        if edits or program in _CHANGING:
            found += [word for word in words[1:] if word[:1] != "-"]
    return found + written_files(command[:_LONGEST])


def _is_told(forbidden: Prohibition, text: str, command: str) -> bool:
    """Return whether a rule says to run a name as a command does: `python -m pytest, not pytest`."""
    if not forbidden.is_name:
        return False
    name = re.escape(forbidden.words[0])
    behind = re.search(rf"(-m|[\w.-]+ (?:run|exec)|npx|bunx) {name}\b", command, re.IGNORECASE)
    return behind is not None and behind[1].lower() in text.lower()


class _Call(NamedTuple):
    """A simple command: its program, what it runs (program and subcommand), its words, and what it installs."""

    program: str
    runs: frozenset[str]
    words: frozenset[str]
    packages: frozenset[str]


@lru_cache(maxsize=64)
def _calls(command: str) -> tuple[_Call, ...]:
    return tuple(_read_call(*each) for each in simple_commands(command[:_LONGEST]))


def _read_call(program: str, words: list[str]) -> _Call:
    if _PYTHON.match(program) and words[1:2] == ["-m"] and len(words) > 2:
        program, words = words[2], words[2:]
    program, arguments = program.lower(), [word.lower() for word in words[1:]]
    if program in _MESSAGE_PROGRAMS:  # no words of a message, a title or a pattern
        arguments = [
            word
            for last, word in pairwise(("", *arguments))
            if last not in _MESSAGE and not word.startswith(("--grep=", "--message="))
        ]
    # The subcommand is the first word that is neither an option nor behind one, else the first that is no option.
    plain = [(last, word) for last, word in pairwise(("", *arguments)) if word[:1] != "-"]
    free = [word for last, word in plain if last[:1] != "-"] or [word for _, word in plain]
    runs = frozenset((program, *free[:1]))
    at = next((n for n, word in enumerate(arguments[:2]) if word in _INSTALLING), None)
    installed = arguments[at + 1 :] if program in _MANAGERS and at is not None else []
    packages = frozenset(_VERSION.split(word)[0] for word in installed)
    if program in _NAMED_ONLY:
        runs = frozenset((program,))
        options = {word for word in arguments if word[:1] == "-"}
        return _Call(program, runs, runs | options, packages)
    # `HEAD:main` names `main`. A sentence in quotes names nothing.
    parts = {found[0] for word in arguments if (found := _GLUED.match(word))}
    for word in arguments:
        if " " not in word and "\n" not in word:
            parts.update((word, *_WORD.findall(word)))
    return _Call(program, runs, runs | parts, packages)


def _is_used(forbidden: Prohibition, call: _Call) -> bool:
    name, *others = forbidden.words
    if forbidden.is_name:
        is_option = name.startswith("-")
        return name in call.words if is_option else name == call.program or name in call.packages
    if name == call.program and others[0][:1] != "-" and len(others) == 1:
        return others[0] in call.runs
    return bool(
        call.runs.intersection(forbidden.words) or any(w[:1] == "-" for w in forbidden.words)
    ) and (call.words.issuperset(forbidden.words))


def _is_inside(path: str, place: str) -> bool:
    """Return whether a file of the project is a place, or lies in it."""
    parts, wanted = path.strip("/").split("/"), place.strip("/").split("/")
    return any(parts[n : n + len(wanted)] == wanted for n in range(len(parts)))
