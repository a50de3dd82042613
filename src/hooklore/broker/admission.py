"""What a record may be, beyond its shape: whose scope it is in, what it rests on, what it may be put on top of."""

from collections.abc import Callable, Iterator
from typing import Any

from hooklore.errors import RecordInvalid
from hooklore.model.record import UNTRUSTED

Fields = dict[str, Any]

Find = Callable[[str], list[Fields]]
"""The records with an id."""

_PERSON = "person"
_RAISES = ("pin", "promotion", "approval")
"""What puts a record before more readers."""


def admitted(record: Fields, find: Find) -> Fields:
    """The record. Raises RecordInvalid, which names fields and never echoes values.

    Refused are: another agent's own scope; text that orders agents about, for everybody (global) or
    put on top (pinned, promoted); a synthesis that rests on another of its kind: it would be its own
    evidence (seed 002, contaminated snippets).
    """
    problems = [*_of_scope(record), *_of_targets(record, find), *_of_sources(record, find)]
    if problems:
        raise RecordInvalid(problems)
    return record


def _of_scope(record: Fields) -> Iterator[str]:
    scope, agent = str(record["scope"]), record["agent_id"]
    if scope.startswith("agent:") and agent not in (scope.removeprefix("agent:"), _PERSON):
        yield "scope: it is another agent's own"
    if scope == "global" and record.get("trust") == UNTRUSTED:
        yield "scope: text that gives orders to agents is not for all projects"


def _of_targets(record: Fields, find: Find) -> Iterator[str]:
    if record["stream"] != "control" or record["kind"] not in _RAISES:
        return
    for target in record["body"].get("targets", ()):
        if any(other.get("trust") == UNTRUSTED for other in find(target)[:1]):
            yield f"body.targets: a {record['kind']} of text that gives orders to agents"


def _of_sources(record: Fields, find: Find) -> Iterator[str]:
    if record["stream"] != "synthesis":
        return
    for source in record["body"].get("sources", ()):
        for other in find(source)[:1]:
            if other["stream"] == "synthesis" and other["kind"] == record["kind"]:
                yield f"body.sources: a {record['kind']} is no evidence for another"
                return
