"""Tell the standing rules that a step breaks, and those that it obeys."""

import re
from functools import lru_cache
from typing import NamedTuple

from hooklore.records.record import Record
from hooklore.retrieval.query import RecallQuery
from hooklore.shell.command import simple_commands
from hooklore.text.prohibition import Prohibition, find_prohibitions

_WORD = re.compile(r"[A-Za-z0-9][\w.@+=-]*|--?[A-Za-z][\w-]*")
_LONGEST = 4_096


def breaks_rule(record: Record, query: RecallQuery) -> bool:
    """Return whether a step uses what a rule forbids."""
    text = _text(record)
    return any(
        _breaks(forbidden, query, record.project)
        and not _is_told(forbidden, text, query.command or "")
        for forbidden in find_prohibitions(text)
    )


def obeys_rule(record: Record, query: RecallQuery) -> bool:
    """Return whether a step does what a rule is about, and does not use what the rule forbids."""
    found = find_prohibitions(_text(record))
    calls = _calls(query.command) if query.command else []
    return any(
        forbidden.is_name or any(call.runs.intersection(forbidden.words) for call in calls)
        for forbidden in found
    )


def _text(record: Record) -> str:
    return record.body.content_md


def _breaks(forbidden: Prohibition, query: RecallQuery, project: str | None) -> bool:
    if forbidden.places:
        paths = query.paths_in(project)
        return any(_is_inside(path, place) for path in paths for place in forbidden.places)
    if query.command:
        return any(_is_used(forbidden, call) for call in _calls(query.command))
    return forbidden.is_name and forbidden.words[0] in query.added


def _is_told(forbidden: Prohibition, text: str, command: str) -> bool:
    """Return whether a rule says to run a name as a command does: `python -m pytest, not pytest`."""
    if not forbidden.is_name:
        return False
    name = re.escape(forbidden.words[0])
    behind = re.search(rf"(-m|[\w.-]+ (?:run|exec)|npx|bunx) {name}\b", command, re.IGNORECASE)
    return behind is not None and behind[1].lower() in text.lower()


class _Call(NamedTuple):
    """A simple command: its program, what it runs (the program and its subcommand), and all its words."""

    program: str
    runs: frozenset[str]
    words: frozenset[str]


@lru_cache(maxsize=64)
def _calls(command: str) -> tuple[_Call, ...]:
    found = []
    for program, words in simple_commands(command[:_LONGEST]):
        arguments = [word.lower() for word in words[1:]]
        named = [word for word in arguments if word[:1] != "-"][:1]
        parts = {part for word in arguments for part in _parts(word)}
        runs = frozenset((program.lower(), *named))
        found.append(_Call(program.lower(), runs, runs | parts))
    return tuple(found)


def _parts(argument: str) -> list[str]:
    """Return an argument and its words: `HEAD:main` names `main`. A sentence in quotes names nothing."""
    if " " in argument or "\n" in argument:
        return []
    return [argument, *_WORD.findall(argument)]


def _is_used(forbidden: Prohibition, call: _Call) -> bool:
    program, runs, words = call
    name = forbidden.words[0]
    if forbidden.is_name:
        return name in words if name.startswith("-") else name == program
    return bool(runs.intersection(forbidden.words)) and words.issuperset(forbidden.words)


def _is_inside(path: str, place: str) -> bool:
    """Return whether a file of the project is a place, or lies in it."""
    parts, wanted = path.strip("/").split("/"), place.strip("/").split("/")
    return any(parts[n : n + len(wanted)] == wanted for n in range(len(parts)))
