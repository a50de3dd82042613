"""Print where the store lies, what decided that, and the form of its records: `hooklore where` and `schema`."""

from typing import Annotated

import typer

from hooklore.cli import output
from hooklore.cli.store import here
from hooklore.config import StoreLocation, is_foreign_log, read_environment
from hooklore.records.schema import json_schema


def where(
    as_json: Annotated[bool, typer.Option("--json", help="as one JSON object")] = False,
) -> None:
    """Say where memory lies on this machine, and what decided it."""
    at, env = here(), read_environment()
    found = {
        "store": str(at.directory),
        "log": str(at.log),
        "config": str(at.config),
        "socket": str(at.socket),
        "decided_by": next(filter(env.get, ("HOOKLORE_HOME", "AI_MEMORY_PATH")), "default"),
        "foreign": _foreign(at),
    }
    if as_json:
        output.json(found)
        return
    output.table((name.replace("_", " "), value) for name, value in found.items() if value)
    if found["foreign"]:
        output.say(f"`{found['foreign']}` belongs to another program and is left alone")
        output.say(f"hint: run `hooklore import --from hook-memory {found['foreign']}` to copy it")


def _foreign(at: StoreLocation) -> str | None:
    """Return the log of another program that lies in the place of ours, or None when there is no such log."""
    log = at.log.parent.parent / "events.jsonl"
    if read_environment().get("AI_MEMORY_PATH") and not read_environment().get("HOOKLORE_HOME"):
        log = at.log.parent.parent / at.root.rpartition("/")[2]
    beside = at.log.parent.name == "hooklore" and str(at.log) != at.root
    return str(log) if beside and is_foreign_log(log) else None


def schema() -> None:
    """Print the JSON Schema of a record."""
    output.json(json_schema(), indent=True)
