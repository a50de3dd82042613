"""The table of all verbs. A row stands in a file of `requests/verbs/`, and is read when its verb is asked for."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from hooklore.requests.verb import Verb

COMMANDS: Final = ("remember", "recall", "get", "snapshot", "profile")
"""Verbs that are commands of `hooklore`, too."""

REQUESTS: Final = ("search_memories", "wake_up", "pins", "query", "ingest", "append")
"""Verbs of agents and programs alone. Each verb of both tuples has a file called like it."""

_ENTRIES: Final = "entries"
"""The file with the verbs of seed 004."""


def find_verb(name: str) -> "Verb | None":
    """Return the row of a verb, or None for another name."""
    if name not in (*COMMANDS, *REQUESTS):
        return all_verbs().get(name)
    row: Verb = _module(name).VERB
    return row


@cache
def all_verbs() -> "Mapping[str, Verb]":
    """Return all rows by their names: those of every MCP server, those of one with all tools, then the others."""
    rows: list[Verb] = [_module(name).VERB for name in (*COMMANDS, *REQUESTS)]
    rows += _module(_ENTRIES).VERBS
    order = ("every", "all", "none")
    return {row.name: row for row in sorted(rows, key=lambda row: order.index(row.tool))}


@cache
def tools() -> "Mapping[str, Verb]":
    """Return the verbs that agents may call as tools."""
    return {name: verb for name, verb in all_verbs().items() if verb.tool != "none"}


def _module(name: str) -> Any:
    return import_module(f"hooklore.requests.verbs.{name}")
